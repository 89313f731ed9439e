/* version: of all programs of this tree. */
#ifndef LOADLINE_BASE_VERSION_H
#define LOADLINE_BASE_VERSION_H

#define LOADLINE_VERSION "0.1.0"

#endif

/* usage: what loadline-admin --help prints. */
#ifndef LOADLINE_BIN_ADMIN_USAGE_H
#define LOADLINE_BIN_ADMIN_USAGE_H

extern const char admin_usage[];

#endif

/* usage: what loadline-admin --help prints, and says of a command line that is none. */
#ifndef LOADLINE_BIN_ADMIN_USAGE_H
#define LOADLINE_BIN_ADMIN_USAGE_H

#include "base/str.h"

extern const char admin_usage[];

/* On stderr. command: absent when none was given; wants: the arguments that it has, NULL when there
 * is no such command. */
void admin_usage_complain(struct str command, const char *wants);

#endif

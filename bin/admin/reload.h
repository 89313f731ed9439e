/* reload: the workers of this host take the configuration of now. */
#ifndef LOADLINE_BIN_ADMIN_RELOAD_H
#define LOADLINE_BIN_ADMIN_RELOAD_H

#include <stdbool.h>

/* Replaces the workers one after the other, of one program or of all (NULL). Each serves what it
 * has begun, and further requests wait in the socket meanwhile. A configuration that is wrong
 * replaces none. False when not all took it, said why. */
bool admin_reload(const char *program);

#endif

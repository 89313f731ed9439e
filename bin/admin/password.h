/* password: a new password for a user, by who operates the service. */
#ifndef LOADLINE_BIN_ADMIN_PASSWORD_H
#define LOADLINE_BIN_ADMIN_PASSWORD_H

#include "service/program.h"
#include "store/tenant_admin.h"

/* The first line of standard input, or one that is made and printed. False after a complaint on
 * stderr; nothing has changed then. */
bool admin_password_set(struct program *program, const struct tenant_admin_by *by,
                        const struct user *user, bool from_stdin);

#endif

/* links: loadline-admin link and invite. */
#ifndef LOADLINE_BIN_ADMIN_LINKS_H
#define LOADLINE_BIN_ADMIN_LINKS_H

#include "service/program.h"
#include "store/tenant_admin.h"

/* Each makes a link and prints it. Where public_url is not set, it prints what follows the address
 * of the dashboard. */
enum error admin_links_make(struct program *program, const struct tenant_admin_by *by,
                            const struct user *user);
enum error admin_links_invite(struct program *program, int64_t now);

#endif

/* audit: what the operator of the service asks the audit trail. */
#ifndef LOADLINE_BIN_ADMIN_AUDIT_H
#define LOADLINE_BIN_ADMIN_AUDIT_H

#include "service/program.h"

/* Prints the state of each tenant's chain, and on standard error the first broken entry of each.
 * *whole: whether there is none. */
enum error admin_audit_verify(struct program *program, int64_t now, bool *whole);
/* Prints the newest entries about what concerns no tenant, such as keys that nobody knows. */
enum error admin_audit_refusals(struct program *program, int64_t now);

#endif

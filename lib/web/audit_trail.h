/* audit_trail: entries of the audit trail about what a request's caller did. */
#ifndef LOADLINE_WEB_AUDIT_TRAIL_H
#define LOADLINE_WEB_AUDIT_TRAIL_H

#include "store/audit.h"
#include "web/request.h"

/* What the audit trail says when the caller (its session or API key, its address) has done this.
 * subject: as actions.def says. */
struct audit_entry audit_entry_of(const struct request *r, enum audit_action action,
                                  struct str subject);
/* Adds it, inside the transaction of the action. */
enum error audit_done(struct request *r, enum audit_action action, struct str subject);
/* The same with another result than ERR_OK: it was refused. */
enum error audit_refused(struct request *r, enum audit_action action, struct str subject,
                         enum error why);

#endif

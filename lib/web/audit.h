/* audit: entries of the audit trail about what a request's caller did. */
#ifndef LOADLINE_WEB_AUDIT_H
#define LOADLINE_WEB_AUDIT_H

#include "store/audit.h"
#include "web/request.h"

/* The caller (its session or API key, its address) has done this. Inside the transaction of the
 * action. subject: as audit.def says. */
enum error audit_done(struct request *r, enum audit_action action, struct str subject);
/* The same with another result than ERR_OK: it was refused. */
enum error audit_refused(struct request *r, enum audit_action action, struct str subject,
                         enum error why);

#endif

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

/* Something was refused, of which there may be any number: per hour, action and address (of IPv6
 * its /64) the first ten are added, then the 100th, the 1,000th and so on, which say so; and of a
 * tenant AUDIT_REFUSALS_MAX an hour in all. tenant: the one that the db is bound to, which may be
 * AUDIT_SERVICE. */
enum { AUDIT_REFUSALS_MAX = 1000, AUDIT_REFUSALS_EACH = 10 };
enum error audit_refusal(struct request *r, struct str tenant, enum audit_action action,
                         struct str subject, enum error why);
/* Is the n-th of an hour added? */
bool audit_refusal_counts(int64_t n);

#endif

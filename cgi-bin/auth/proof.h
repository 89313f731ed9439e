/* proof: what people prove with who they are: a password, and a code where they have a second
 * factor. What is wrong counts (web/guess.h), and is in the audit trail.
 */
#ifndef LOADLINE_CGI_AUTH_PROOF_H
#define LOADLINE_CGI_AUTH_PROOF_H

#include "store/audit.h"
#include "store/user.h"
#include "web/guess.h"
#include "web/second_step.h"

/* why (BAD_LOGIN or BAD_CODE), counted and audited; another error when that cannot be done. tenant:
 * whose trail tells of it, and the db is bound to it. */
enum error proof_refuse(struct request *r, struct str tenant, const struct guess *guess,
                        enum audit_action action, enum error why);

/* Is that the password of the session's user? BAD_LOGIN, RATE_LIMITED. Right ones count, too, as
 * logins that succeed do, but apart from them: what they are for leaves something behind. */
enum error proof_password(struct request *r, struct str password, enum audit_action action,
                          struct user **user);
/* Inside a transaction: locks the user whose password was checked outside of it, because that takes
 * long. BAD_LOGIN when it was changed meanwhile. */
enum error proof_lock(struct request *r, const struct user *checked);

/* Inside a transaction that has locked the user: second_step_take(), and an entry in the trail when
 * it took a recovery code. */
enum error proof_code(struct second_step *step, struct str email);
/* May the session's user give a code without the password now? RATE_LIMITED. */
enum error proof_admit_code(struct request *r);
/* A wrong code of the session's user, counted and audited. right: the password came with it, and
 * was right. */
enum error proof_refuse_code(struct request *r, enum audit_action action, bool right);

#endif

/* rate_limit: attempts of one kind, counted per subject (an address, an e-mail) in the database, so
 * that all workers and hosts count together. Limits are configuration keys.
 */
#ifndef LOADLINE_WEB_RATE_LIMIT_H
#define LOADLINE_WEB_RATE_LIMIT_H

#include "web/route.h"

/* A count of 0: there is no limit. */
struct conf_rate rate_limit_of(const struct conf *conf, enum rate_class class);
/* As the counts in the database are told apart. */
struct str rate_limit_name(enum rate_class class);

/* RATE_LIMITED, with Retry-After, when the subject has used up the class's limit. */
enum error rate_limit_check(struct request *r, enum rate_class class, struct str subject);
/* One more attempt. */
enum error rate_limit_count(struct request *r, enum rate_class class, struct str subject);

#endif

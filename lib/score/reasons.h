/* reasons: a ledger in a few lines for people. What is down now comes first, one line a check; what
 * is not down and costs all the same is one line. Pure.
 */
#ifndef LOADLINE_SCORE_REASONS_H
#define LOADLINE_SCORE_REASONS_H

#include "score/result.h"

/* Is the risk one of an outage, and not of posture or of what is not shown? Outages are told first.
 */
bool risk_is_outage(const struct risk *risk);

/* At most `most` lines about outages and evidence that a SAFE wants, costliest first; then one each
 * about the rest, about what is exempt, and about exemptions that have expired, where there is any.
 * Lines have no control characters. */
str_list ledger_reasons(struct arena *arena, const struct ledger *ledger, uint32_t most);

#endif

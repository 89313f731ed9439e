/* headline: the verdict in one sentence, as somebody on call would say it. Pure.
 *
 * "BLOCK: 2 of 3 nodes are NotReady; 14 of 47 workloads are unavailable." It is one line of
 * less than 1000 bytes, whatever objects are called.
 */
#ifndef LOADLINE_SCORE_HEADLINE_H
#define LOADLINE_SCORE_HEADLINE_H

#include "score/outage.h"

struct str headline(struct arena *arena, const struct ledger *ledger,
                    const struct findings *findings, const struct outage *outage);

#endif

/* risk_content: what is stored of a risk, as a hash; and what is stored of all open risks of a
 * cluster, as a hash for each beginning of their ids. Who compares the latter need not read risks
 * that have not changed.
 */
#ifndef LOADLINE_STORE_RISK_CONTENT_H
#define LOADLINE_STORE_RISK_CONTENT_H

#include "score/score.h"

/* Of all that is stored and that can change while the id stays. Ages count once in five minutes,
 * each risk's at another moment. time: of the snapshot. */
int64_t risk_content(const struct risk *risk, int64_t time);

/* A bucket has the risks whose id begins with the same two digits. */
enum { RISK_BUCKETS = 256 };

struct risk_hashes {
    int64_t summary; /* gate_summary_hash() of the same moment: with another one they say nothing */
    uint64_t buckets[RISK_BUCKETS];
};

/* contents: risk_content() of each risk of the ledger, in its order. */
void risk_hashes_of(const struct ledger *ledger, const int64_t *contents,
                    struct risk_hashes *hashes);
unsigned risk_bucket(const struct risk *risk);

#endif

/* shown: which kinds the snapshots of a cluster have shown, as its row keeps it: names, because
 * numbers of kinds differ between releases. A kind that the latest snapshot lacks is remembered for
 * SHOWN_KEPT_MS more, counted from the first snapshot without it:
 *
 *     Pod Node NetworkPolicy=1773749659000
 *
 * The text changes when a kind comes, is missed or is forgotten, and not with every snapshot.
 */
#ifndef LOADLINE_STORE_SHOWN_H
#define LOADLINE_STORE_SHOWN_H

#include "base/arena.h"
#include "base/clock.h"

#define SHOWN_KEPT_MS (7 * CLOCK_DAY)

/* Bits of enum kind that are remembered at that time. Words that are no kind's are left out. */
uint64_t shown_before(struct str kept, int64_t time);

/* What is kept after a snapshot of that time with these kinds. In the arena, never absent. */
struct str shown_after(struct arena *arena, struct str kept, uint64_t kinds, int64_t time);

#endif

/* stale: leases that others have let run out, and when their holders are taken for dead. Pure.
 *
 * A holder may live: it has sent the message, and could not record it because the database was
 * away, or refused what it wrote. As long as it lives it tries to record each second, and to keep
 * the lease, which is another one then. So it is dead, or as good as dead, when the same lease was
 * found several times, a second apart, while the row could be written to: it could have written,
 * too. No clock of another host counts in this.
 */
#ifndef LOADLINE_DELIVER_STALE_H
#define LOADLINE_DELIVER_STALE_H

#include "base/rand.h"

enum { STALE_LOOKS = 5, STALE_APART_MS = 900, STALE_MAX = 256 };

/* All zero: none was found. */
struct stale {
    struct stale_lease {
        char id[UUID_TEXT_LEN + 1], owner[UUID_TEXT_LEN + 1];
        int64_t until, looked; /* at the look that counted last, as clock_monotonic() */
        int looks;
    } leases[STALE_MAX];
};

/* The message `id` was found with that lease, which is over, and could be written to. Is its owner
 * taken for dead? With more than STALE_MAX at the same time that takes longer. */
bool stale_look(struct stale *stale, struct str id, struct str owner, int64_t until, int64_t now);

#endif

/* throttle: what maintenance leaves to pushes. Its work keeps them waiting, or takes processor and
 * disk from them, so it rests in proportion to the time that it has worked: where everything takes
 * longer, so do the rests.
 */
#ifndef LOADLINE_STORE_THROTTLE_H
#define LOADLINE_STORE_THROTTLE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct throttle {
    bool hurry;                        /* no rests */
    const volatile sig_atomic_t *stop; /* ends a rest early */
    int64_t since;                     /* clock_monotonic(): work began, or the last rest ended */
};

/* After a piece of work: waits `times` as long as all work since the last rest took, ten seconds at
 * most. Not yet, when that was too short to be felt. */
void throttle_rest(struct throttle *throttle, int times);

#endif

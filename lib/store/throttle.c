#include "store/throttle.h"

#include <unistd.h>

#include "base/asserts.h"
#include "base/clock.h"

enum { FELT_MS = 10, REST_MAX_MS = 10000, SLICE_MS = 50 };

void throttle_rest(struct throttle *throttle, int times)
{
    assert(throttle->stop && times >= 0);
    int64_t worked = clock_monotonic() - throttle->since;
    if (throttle->hurry || worked < FELT_MS)
        return;
    int64_t left = worked * times < REST_MAX_MS ? worked * times : REST_MAX_MS;
    for (; left > 0 && !*throttle->stop; left -= SLICE_MS)
        usleep((useconds_t)(left < SLICE_MS ? left : SLICE_MS) * 1000);
    throttle->since = clock_monotonic();
}

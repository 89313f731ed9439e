#include "pause.h"

#include "base/clock.h"
#include "base/rand.h"

enum { DOUBLED_MOST = 10, ASKED_MOST = 600 };

int64_t pause_between(int64_t least, int64_t most)
{
    uint32_t chance;
    rand_bytes(&chance, sizeof chance);
    return least + (int64_t)((uint64_t)(most - least) * chance / UINT32_MAX);
}

int64_t pause_ms(unsigned failures, int64_t most, int64_t asked)
{
    unsigned doubled = failures > DOUBLED_MOST ? DOUBLED_MOST : failures ? failures - 1 : 0;
    int64_t wait = CLOCK_SECOND << doubled;
    if (wait > most)
        wait = most;
    wait = pause_between(wait / 2, wait);
    if (asked > ASKED_MOST * CLOCK_SECOND)
        asked = ASKED_MOST * CLOCK_SECOND;
    return asked > 0 ? asked + pause_between(0, CLOCK_SECOND) : wait;
}

#include "service/backlog.h"

#include "base/counters.h"
#include "base/hash.h"
#include "base/seats.h"

/* The time when it was empty, and for each seat how many its worker holds. */
enum { AT_EMPTY, AT_SEATS, LENGTH = AT_SEATS + SEATS_MAX };
#define RESTS UINT64_MAX

static struct counters counters;
static uint64_t our_pool;
static int our_seat;

static uint64_t layout(uint64_t pool)
{
    return hash_bytes(pool, STR("backlog 1"));
}

void backlog_open(const char *path, uint64_t pool, int seat, int64_t now)
{
    our_pool = pool;
    our_seat = seat < 0 ? 0 : seat;
    counters_open(&counters, seat < 0 ? "" : path, layout(pool), LENGTH);
    backlog_hold(0);
    if (seat < 0 || seats_count(pool) == 0) /* what is in the file is of another time */
        backlog_is_empty(now);
}

void backlog_is_empty(int64_t now)
{
    counters_set(&counters, AT_EMPTY, (uint64_t)now);
}

/* Who has died while it rested rests no more. */
static bool somebody_rests(void)
{
    for (int seat = 0; seat < SEATS_MAX; seat++)
        if (seat != our_seat && counters_get(&counters, AT_SEATS + (size_t)seat) == RESTS &&
            seats_is_taken(our_pool, seat))
            return true;
    return false;
}

int64_t backlog_was_empty(int64_t now)
{
    int64_t at = (int64_t)counters_get(&counters, AT_EMPTY);
    return at > now || somebody_rests() ? now : at;
}

void backlog_hold(unsigned n)
{
    counters_set(&counters, AT_SEATS + (size_t)our_seat, n);
}

void backlog_rest(void)
{
    counters_set(&counters, AT_SEATS + (size_t)our_seat, RESTS);
}

unsigned backlog_count(const char *path, uint64_t pool)
{
    struct counters theirs;
    uint64_t n = 0;
    counters_open(&theirs, path, layout(pool), LENGTH);
    for (int seat = 0; seat < SEATS_MAX; seat++) {
        uint64_t held = counters_get(&theirs, AT_SEATS + (size_t)seat);
        n += held && held != RESTS && seats_is_taken(pool, seat) ? held : 0;
    }
    counters_close(&theirs);
    return (unsigned)n;
}

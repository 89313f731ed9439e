#include "base/seats.h"

#include <fcntl.h>

#include "base/asserts.h"

static int file = -1;

bool seats_open(const char *path)
{
    file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    return file >= 0;
}

/* Bytes beyond the end of a file can be locked, too: each thing has SEATS_MAX of its own. */
static off_t first_byte(uint64_t what)
{
    return (off_t)(what >> 2) / SEATS_MAX * SEATS_MAX;
}

static bool lock(short type, uint64_t what, int seat)
{
    struct flock byte = {
        .l_type = type, .l_whence = SEEK_SET, .l_start = first_byte(what) + seat, .l_len = 1};
    return fcntl(file, F_SETLK, &byte) == 0;
}

int seats_take(uint64_t what, unsigned n)
{
    assert(n >= 1 && n <= SEATS_MAX);
    if (file < 0)
        return 0;
    for (int seat = 0; seat < (int)n; seat++)
        if (lock(F_WRLCK, what, seat))
            return seat;
    return -1;
}

void seats_leave(uint64_t what, int seat)
{
    if (file >= 0 && seat >= 0)
        lock(F_UNLCK, what, seat);
}

struct holders {
    pid_t *pids; /* may be NULL */
    size_t n, cap;
};

/* The kernel tells of any lock between the two, not of the first. */
static unsigned look_between(off_t from, off_t to, struct holders *holders)
{
    struct flock taken = {
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = from, .l_len = to - from};
    if (from >= to || fcntl(file, F_GETLK, &taken) != 0 || taken.l_type == F_UNLCK)
        return 0;
    if (holders->n < holders->cap)
        holders->pids[holders->n++] = taken.l_pid;
    return look_between(from, taken.l_start, holders) + 1 +
           look_between(taken.l_start + 1, to, holders);
}

static unsigned count_between(off_t from, off_t to)
{
    return look_between(from, to, &(struct holders){0});
}

bool seats_is_taken(uint64_t what, int seat)
{
    off_t at = first_byte(what) + seat;
    return file >= 0 && count_between(at, at + 1) > 0;
}

unsigned seats_count(uint64_t what)
{
    return file < 0 ? 0 : count_between(first_byte(what), first_byte(what) + SEATS_MAX);
}

size_t seats_holders(uint64_t what, pid_t *pids, size_t n)
{
    struct holders holders = {pids, 0, n};
    if (file >= 0)
        look_between(first_byte(what), first_byte(what) + SEATS_MAX, &holders);
    return holders.n;
}

/* handoff: workers of a pool give each other connections, so that a request mostly comes to the
 * worker that remembers its cluster, where that saves more than it costs to wait for that worker.
 * The socket of a program is shared, and whoever is free accepts. It asks here whose cluster that
 * is, and may give the connection (unix(7), SCM_RIGHTS) to that worker in place of reading it.
 *
 * It is for speed only: who remembers what is a guess, and a connection that cannot be given is
 * served where it is. One that was given is lost when the worker that has it dies, like any other
 * that it has.
 *
 * A connection is given to a worker that has nothing to do, to one that has no more to do than the
 * giver, and to one that has begun a brief request a moment ago and has little more to do than the
 * giver. So nobody rests for long while somebody waits.
 */
#ifndef LOADLINE_SERVICE_HANDOFF_H
#define LOADLINE_SERVICE_HANDOFF_H

#include "base/str.h"

/* A connection that nobody has read from yet. */
struct handoff {
    int fd;
    uint64_t name; /* handoff_name() of what it is about; 0: of nothing that is remembered */
    bool brief;    /* it takes milliseconds, as all do that are given */
    int64_t since; /* when it came, of clock_monotonic() */
};

/* Takes part, before confine(). path: configuration key waiting_file; files beside it are used.
 * pool and seat: what this process has taken of base/seats.h. False (errno tells why) when it
 * cannot: then nothing is given to it, and it gives nothing. */
bool handoff_open(const char *path, uint64_t pool, int seat);
/* To be polled for what others give; -1 when it takes no part. */
int handoff_fd(void);

/* socket: the one that it came in by, as all its workers have it. Two stacks may share the files,
 * and then a name of one is none of the other. 0: of no cluster. */
uint64_t handoff_name(uint64_t socket, struct str credential, struct str cluster);
/* Gives it to the worker that has served that name. True: the caller has it no more. waiting: how
 * many wait here. */
bool handoff_give(const struct handoff *handoff, unsigned waiting, int64_t now);
/* The next one that was given to this worker, which owns it from now on. False: none. */
bool handoff_take(struct handoff *handoff);

/* This worker begins that one, while so many wait here. */
void handoff_serve(const struct handoff *handoff, unsigned waiting, int64_t now);
/* It is ready with that but for the answer, and so many wait here; 0: it has nothing to do. */
void handoff_end(unsigned waiting, int64_t now);
/* It takes no more; what was given until now is still there to be taken. False when it was said
 * before. */
bool handoff_leave(void);

#endif

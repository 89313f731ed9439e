/* backlog: what the workers of a program tell each other about the requests that wait for them, in
 * a file that all workers of a host map. The socket of a program is shared, and the kernel says
 * neither how many wait there nor since when. But each worker sees at times that nobody does: who
 * is found there later has come since.
 */
#ifndef LOADLINE_SERVICE_BACKLOG_H
#define LOADLINE_SERVICE_BACKLOG_H

#include "base/str.h"

/* path: configuration key waiting_file. pool and seat: what this process has taken of
 * base/seats.h; WAITING for the seat of nobody is -1, and then it knows only its own. */
void backlog_open(const char *path, uint64_t pool, int seat, int64_t now);
/* Nobody waits in the socket just now. */
void backlog_is_empty(int64_t now);
/* The latest time at which nobody did, as far as any worker has seen; at most now. A worker that
 * has nothing to do sees it all the time. */
int64_t backlog_was_empty(int64_t now);
/* This worker has so many in a list of its own. */
void backlog_hold(unsigned n);
/* This worker has nothing to do from now on, until it holds some. */
void backlog_rest(void);
/* How many all workers of this host's pool hold. */
unsigned backlog_count(const char *path, uint64_t pool);

#endif

/* seats: how many processes of a host may do something at once. A seat is a lock on a byte of a
 * file that stays empty: the kernel gives it back when its process dies, whatever it dies of.
 */
#ifndef LOADLINE_BASE_SEATS_H
#define LOADLINE_BASE_SEATS_H

#include <sys/types.h>

#include "base/str.h"

enum { SEATS_MAX = 1024 };

/* Opens the file, made when it is not there. All processes that open the same one share seats.
 * False (errno tells why) when it cannot be opened: then every seat is free. */
bool seats_open(const char *path);

/* Takes one of n (1 to SEATS_MAX) seats of `what`, without waiting; -1 when others have them all.
 * A process has no seat of `what` twice. */
int seats_take(uint64_t what, unsigned n);
void seats_leave(uint64_t what, int seat);
/* Whether another process has that seat. */
bool seats_is_taken(uint64_t what, int seat);
/* How many seats of it other processes have. */
unsigned seats_count(uint64_t what);
/* The processes that have them, at most n: returns how many. */
size_t seats_holders(uint64_t what, pid_t *pids, size_t n);

#endif

/* courier: takes what is due from the outbox to its receivers, many at once, and records how it
 * went.
 *
 * At least once: a message is sent again, with the same id and the same bytes, when nobody knows
 * whether it has arrived. That is so when the receiver did not confirm it, and when its notifier
 * died between sending and recording, or stood still then, or could not reach the database, for
 * longer than its lease (lease.h). What cannot be recorded because the database is away for all, or
 * refuses it, is not sent again. Any number of couriers may work on one database.
 */
#ifndef LOADLINE_DELIVER_COURIER_H
#define LOADLINE_DELIVER_COURIER_H

#include <signal.h>

#include "service/program.h"

struct courier;

/* NULL, with a line in the log, when channel_keys cannot be read or there is no memory. */
struct courier *courier_new(struct program *program);
void courier_free(struct courier *courier);

/* Polls for due messages every second until clock_monotonic() is `until` (0: until there are none,
 * or the database does not say) or *stop is set; then takes no new ones and returns when those
 * under way have ended, which takes at most half a minute. It goes on for ten minutes more while it
 * cannot record what it has sent, unless *stop is set. False when the last poll failed. */
bool courier_run(struct courier *courier, int64_t until, const volatile sig_atomic_t *stop);

/* How many attempts ended how, since courier_new. */
struct courier_counts {
    uint64_t sent, failed, gave_up;
};
struct courier_counts courier_counts(const struct courier *courier);

#endif

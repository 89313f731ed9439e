/* courier: takes what is due from the outbox to its receivers, many at once, and records how it
 * went.
 *
 * At least once: a message is sent again when its notifier died between sending and recording, with
 * the same id and the same bytes. What could not be recorded yet is not sent again by the one who
 * has sent it. Any number of couriers may work on one database.
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
 * under way have ended, which takes at most half a minute. False when the last poll failed. */
bool courier_run(struct courier *courier, int64_t until, const volatile sig_atomic_t *stop);

/* How many attempts ended how, since courier_new. */
struct courier_counts {
    uint64_t sent, failed, gave_up;
};
struct courier_counts courier_counts(const struct courier *courier);

#endif

/* schedule: when a delivery is tried again. Pure. */
#ifndef LOADLINE_DELIVER_SCHEDULE_H
#define LOADLINE_DELIVER_SCHEDULE_H

#include <stdint.h>

/* The first attempt and eight more: over about 21 hours. */
enum { SCHEDULE_ATTEMPTS = 9 };
/* So many when the receiver refuses the message itself: over about half a minute, in which a
 * receiver that is being changed may come to itself. */
enum { SCHEDULE_REFUSED_ATTEMPTS = 3 };
#define SCHEDULE_GIVE_UP INT64_MIN

/* How many milliseconds after the attempts-th attempt (from 1) has failed the next one is due, or
 * SCHEDULE_GIVE_UP when that was the last. status: of its answer, 0 without one; a 4xx is a refusal
 * that will not change, but for 408, 425 and 429. The steps are 5 s, 30 s, 2 min, 10 min, 30 min, 2
 * h, 6 h and 12 h, each up to a tenth longer by chance, so that receivers that failed together are
 * not tried together; not sooner than retry_after_ms, of which at most a day counts. random: any
 * bits.
 */
int64_t schedule_delay_ms(int64_t attempts, int status, int64_t retry_after_ms, uint32_t random);

/* The same of an attempt that could not even be made, as when the key of the channel's URL is
 * missing: every half a minute until the message has waited for a day. waited_ms: since it was
 * queued. */
int64_t schedule_unmade_delay_ms(int64_t waited_ms);

#endif

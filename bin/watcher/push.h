/* push: takes what the store has to Loadline, --interval after the last time when something has
 * changed, and every minute. One push is under way at a time; what changes meanwhile is in the next
 * one, and nothing queues.
 */
#ifndef LOADLINE_BIN_WATCHER_PUSH_H
#define LOADLINE_BIN_WATCHER_PUSH_H

#include "options.h"
#include "watch.h"

struct push;

/* All of it outlives the push. */
struct push *push_new(const struct options *options, struct api_source *source,
                      struct watch *const *watches, size_t n);
void push_free(struct push *push);
/* Is what is known worth a push? discovered: all kinds are known that there are to watch. */
bool push_is_ready(const struct push *push, bool discovered, int64_t now);
/* Starts one when it is due. now: clock_monotonic(). */
void push_tick(struct push *push, int64_t now);
/* All that is known, as a push would have it. False when there is nothing. */
bool push_pack(struct push *push, int64_t now, struct bytes *out);

struct push_counts {
    uint64_t taken, refused, failed; /* failed: without an answer, or there was nothing to push */
    uint64_t as_changes;             /* of those that were taken: only what had changed */
    uint64_t bytes;                  /* of the last body */
    int64_t taken_at, taken_tick;    /* clock_now() and clock_monotonic() of the last one that was
                                        taken; 0: none */
    int status;                      /* of the last answer; 0: none */
};
const struct push_counts *push_counts(const struct push *push);

#endif

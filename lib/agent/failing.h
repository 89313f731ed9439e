/* failing: which containers of a cluster fail now, so that their logs say why.
 *
 * A container fails when its last run has ended with an error, and when it has run for a minute and
 * is not ready. Of one that was restarted and hangs both are true: these are two failures, each
 * with a log of its own. Pods that are being deleted do not count.
 */
#ifndef LOADLINE_AGENT_FAILING_H
#define LOADLINE_AGENT_FAILING_H

#include "agent/memory.h"
#include "kube/pod.h"

enum {
    FAILING_MAX = 1000,
    FAILING_READY_MS = 60 * 1000,
    FAILING_SETTLE_MS = 10 * 1000 /* within this most runs that end are followed by another */
};

/* What tells one run of a container from the next. Its restartCount does not: that is of the run
 * which begins. */
struct failing_run {
    int64_t started, finished; /* TIME_NONE: nobody knows, or not yet */
};

struct failing {
    uint64_t id; /* stays its own */
    char *namespace, *pod, *container;
    bool ended;    /* the run has; else it goes on, and is not ready */
    bool previous; /* another one has begun since, or is about to */
    struct failing_run run;
    /* Of who asks for the logs, 0 at first and when another run has failed. */
    bool told;
    int64_t not_before, newest;
};

struct failing_table { /* a zeroed one is empty */
    struct failing *items;
    size_t n, room;
    uint64_t ids;
};

bool failing_is_same_run(struct failing_run a, struct failing_run b);
/* What a pod tells of its containers now. Of more than FAILING_MAX in all the later ones are left
 * out. */
void failing_note(struct failing_table *table, const struct pod *pod);
/* The pod is gone, and its containers with it. */
void failing_forget(struct failing_table *table, struct str namespace, struct str pod);
/* NULL when it fails no more. Valid until the table changes. */
struct failing *failing_find(struct failing_table *table, uint64_t id);
void failing_remove(struct failing_table *table, struct failing *one);
void failing_free(struct failing_table *table);

/* Is it time to ask? wall: clock_now(), now: clock_monotonic(). */
bool failing_is_due(const struct failing *one, int64_t wall, int64_t now);

#endif

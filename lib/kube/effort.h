/* effort: how much work one snapshot may make, and what it was spent on.
 *
 * Work is counted in steps: a step is about as long as comparing two labels, some nanoseconds. What
 * costs more counts as more. A snapshot may take a number of steps that grows with its bytes, and
 * no longer than a deadline. Ordinary snapshots take a small part of that (docs/operations.md). Who
 * makes more is unwound out of, through the arena, as if that were full; the effort then tells why.
 */
#ifndef LOADLINE_KUBE_EFFORT_H
#define LOADLINE_KUBE_EFFORT_H

#include "base/arena.h"

struct object;

enum effort_kind {
#define EFFORT(id, text) EFFORT_##id,
#include "kube/effort.def"
#undef EFFORT
    EFFORT_COUNT
};

/* What a snapshot may take. Without a deadline nobody asks for the time: the same snapshot then
 * always ends in the same way. */
struct effort_limits {
    uint64_t steps_per_kib;               /* for each KiB of its JSON */
    uint64_t steps_least;                 /* that a small one may take all the same */
    bool (*is_late)(const void *context); /* has the deadline passed? NULL: there is none */
    const void *context;
};

enum { EFFORT_STEPS_LEAST = 10000000, EFFORT_STEPS_PER_KIB = 4500 };

struct effort {
    struct arena *arena; /* that is unwound */
    struct effort_limits limits;
    uint64_t bytes, allowed;
    uint64_t spent, look_at;
    uint64_t by_kind[EFFORT_COUNT];
    const struct object *object; /* what was looked at last; or NULL */
    enum { EFFORT_FINE, EFFORT_TOO_MUCH, EFFORT_LATE } end;
};

/* limits: NULL, or steps of 0: the usual ones, without a deadline. */
struct effort *effort_new(struct arena *arena, const struct effort_limits *limits);
/* How many bytes it is about is known. Until then it may take what 1 GiB may. */
void effort_measure(struct effort *effort, uint64_t bytes);

/* Takes stock; unwinds when it was too much. */
void effort_look(struct effort *effort);

static inline void effort_spend(struct effort *effort, enum effort_kind kind, uint64_t steps)
{
    effort->by_kind[kind] += steps;
    effort->spent += steps;
    if (effort->spent >= effort->look_at)
        effort_look(effort);
}

/* The kind that took the most steps, as a clause: "asking checks about objects". */
const char *effort_most(const struct effort *effort);
/* Why it was unwound out of, as a sentence without its full stop: what took most, how much is
 * allowed and at which object it ended. */
struct str effort_text(struct arena *arena, const struct effort *effort);

#endif

/* outcome: what became of a change that the gate was asked about. Who does not report it is helped:
 * when the change names a workload, the snapshots that follow tell. Only what is sure. Pure.
 */
#ifndef LOADLINE_GATE_OUTCOME_H
#define LOADLINE_GATE_OUTCOME_H

#include "gate/workload_state.h"

enum outcome { OUTCOME_NONE, OUTCOME_SUCCESS, OUTCOME_FAILURE, OUTCOME_ROLLED_BACK };

struct str outcome_name(enum outcome outcome); /* empty of OUTCOME_NONE */
/* OUTCOME_NONE: it is not the name of one. */
enum outcome outcome_find(struct str name);

/* A change is looked for so long after the decision, watched so long after it began, and has to
 * hold so long before it counts as a success. */
#define OUTCOME_START_MS  CLOCK_HOUR
#define OUTCOME_FINISH_MS CLOCK_HOUR
#define OUTCOME_HOLD_MS   (10 * CLOCK_MINUTE)
/* So long after it began the workload is looked for in snapshots that do not show its kind. */
#define OUTCOME_HIDDEN_MS CLOCK_DAY

struct outcome_watch {
    int64_t decided;
    struct workload_state before; /* the workload then; without a template: it was not there */
    int64_t began;                /* first seen with another template; TIME_NONE: not yet */
    struct workload_state after;  /* then */
};

struct outcome_step {
    bool over;            /* nothing more is to be seen of it */
    enum outcome outcome; /* when it is over; OUTCOME_NONE: nobody knows */
    bool began;           /* with this snapshot */
};

/* What a snapshot taken at `taken` says. now: the workload; NULL: it is not there. */
struct outcome_step outcome_judge(const struct outcome_watch *watch,
                                  const struct workload_state *now, int64_t taken);

/* Does the snapshot say of itself that it does not show the kind of the workload that is watched?
 * Then it may be there. */
bool outcome_is_hidden(const struct outcome_watch *watch, const struct cluster *snapshot);
/* What such a snapshot says: nothing is over but the time. */
struct outcome_step outcome_judge_hidden(const struct outcome_watch *watch, int64_t taken);

/* Does a later decision wait for the same workload to change, so that this one waits in vain? */
bool outcome_is_superseded(const struct outcome_watch *watch, const struct outcome_watch *later);
/* Is that the workload that is watched? One whose kind was not told is known by its name. */
bool outcome_is_about(const struct outcome_watch *watch, struct str kind, struct str namespace,
                      struct str name);

#endif

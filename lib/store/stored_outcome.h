/* stored_outcome: what became of the gate's decisions (gate/outcome.h), kept with them.
 */
#ifndef LOADLINE_STORE_STORED_OUTCOME_H
#define LOADLINE_STORE_STORED_OUTCOME_H

#include "codec/jw.h"
#include "db/db.h"
#include "gate/outcome.h"

enum { OUTCOME_NOTE_MAX = 500, OUTCOMES_WATCHED_MAX = 200 };

struct stored_outcome {
    struct str name; /* as outcome_name() says; empty: not known */
    struct str by;   /* "reported", "inferred" */
    struct str note; /* empty: none */
    int64_t at;
};

/* As the member "outcome" of an object; null: it is not known. */
void stored_outcome_write(struct jw *w, const struct stored_outcome *outcome);

/* Looks for the workloads of a cluster's watched decisions in its latest snapshot, taken at
 * `taken`, and keeps what became of them. The newest OUTCOMES_WATCHED_MAX are; older ones are given
 * up. */
enum error outcome_watch(struct db *db, struct arena *arena, struct str cluster,
                         const struct cluster *model, int64_t taken);

/* A decision about which somebody reports. */
struct reported_decision {
    struct str cluster, cluster_name;
    int64_t decided;
    struct str decision;
    struct stored_outcome outcome;
};

/* Inside a transaction: nobody else changes it until its end. NULL when the tenant has none of that
 * id. */
enum error outcome_lock(struct db *db, struct arena *arena, struct str decision_id,
                        struct reported_decision **decision);
/* Keeps decision->outcome. */
enum error outcome_report(struct db *db, struct str decision_id,
                          const struct reported_decision *decision);

/* How often decisions of a kind were followed by what. */
struct calibration_row {
    struct str decision;
    int64_t decisions;                     /* all of them */
    int64_t success, failure, rolled_back; /* of these, by outcome */
    int64_t reported;                      /* of which somebody has reported the outcome */
};

struct calibration {
    size_t n;
    struct calibration_row *items;
};

/* cluster: absent: of all. */
enum error outcome_calibration(struct db *db, struct arena *arena, struct str cluster, int64_t from,
                               int64_t to, struct calibration *calibration);

#endif

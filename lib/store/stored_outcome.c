#include "store/stored_outcome.h"

struct watched_decision {
    struct str id;
    struct outcome_watch watch;
    struct str target, started;
};

#define STATEMENTS "store/stored_outcome.def"
#include "db/statements.inc"

enum { LINE_MAX = 4096 };

/* ---- told by snapshots ---- */

static void read_watch(struct watched_decision *d)
{
    struct str line, rest;
    str_cut(d->target, '\n', &line, &rest);
    d->watch.before = workload_state_read(line);
    str_cut(str_or_empty(d->started), '\n', &line, &rest);
    d->watch.after = workload_state_read(line);
}

static const struct workload *find(const struct cluster *model, const struct outcome_watch *watch)
{
    struct workload **at;
    LIST_EACH (at, model->workloads) {
        const struct object *object = &(*at)->object;
        if (!(*at)->synthesized && !(*at)->owner &&
            outcome_is_about(watch, object->kind_name, object->meta.namespace, object->meta.name))
            return *at;
    }
    return NULL;
}

static bool is_superseded(const struct watched_decision *decisions, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (outcome_is_superseded(&decisions[i].watch, &decisions[k].watch))
            return true;
    return false;
}

static enum error start(struct db *db, struct arena *arena, struct str cluster,
                        const struct watched_decision *d, const struct workload_state *now,
                        int64_t taken)
{
    struct buf line = buf_init(arena, LINE_MAX);
    workload_state_put(arena, &line, now);
    return DB_RUN(db, outcome_start, .cluster = cluster, .decided_at = d->watch.decided,
                  .decision_id = d->id, .started_at = taken, .started = buf_str(&line));
}

static enum error end(struct db *db, struct str cluster, const struct watched_decision *d,
                      enum outcome outcome, int64_t taken)
{
    bool known = outcome != OUTCOME_NONE;
    return DB_RUN(db, outcome_infer, .cluster = cluster, .decided_at = d->watch.decided,
                  .decision_id = d->id, .outcome = outcome_name(outcome),
                  .outcome_by = known ? STR("inferred") : STR(""),
                  .outcome_at = known ? taken : TIME_NONE);
}

static enum error watch_one(struct db *db, struct arena *arena, struct str cluster,
                            const struct watched_decision *d, const struct cluster *model,
                            int64_t taken)
{
    const struct workload *workload = find(model, &d->watch);
    struct workload_state now = {.name = {0}};
    if (workload)
        now = workload_state_of(arena, workload);
    struct outcome_step step = !workload && outcome_is_hidden(&d->watch, model)
                                   ? outcome_judge_hidden(&d->watch, taken)
                                   : outcome_judge(&d->watch, workload ? &now : NULL, taken);
    if (step.began)
        return start(db, arena, cluster, d, &now, taken);
    return step.over ? end(db, cluster, d, step.outcome, taken) : ERR_OK;
}

enum error outcome_watch(struct db *db, struct arena *arena, struct str cluster,
                         const struct cluster *model, int64_t taken)
{
    struct watched_decision *decisions;
    size_t n;
    enum error e = DB_ROWS(db, arena, &decisions, &n, outcome_watched, .cluster = cluster,
                           .limit = OUTCOMES_WATCHED_MAX);
    for (size_t i = 0; !e && i < n; i++)
        read_watch(&decisions[i]);
    for (size_t i = 0; !e && i < n; i++)
        e = is_superseded(decisions, i)
                ? end(db, cluster, &decisions[i], OUTCOME_NONE, taken)
                : watch_one(db, arena, cluster, &decisions[i], model, taken);
    if (!e && n == OUTCOMES_WATCHED_MAX)
        e = DB_RUN(db, outcome_unwatch, .cluster = cluster,
                   .decided_at = decisions[n - 1].watch.decided);
    return e;
}

/* ---- reported ---- */

enum error outcome_lock(struct db *db, struct arena *arena, struct str decision_id,
                        struct reported_decision **decision)
{
    return DB_ROW(db, arena, decision, outcome_lock, .decision_id = decision_id);
}

enum error outcome_report(struct db *db, struct str decision_id,
                          const struct reported_decision *decision)
{
    const struct stored_outcome *outcome = &decision->outcome;
    return DB_RUN(db, outcome_report, .cluster = decision->cluster, .decided_at = decision->decided,
                  .decision_id = decision_id, .outcome = outcome->name, .outcome_by = outcome->by,
                  .outcome_note = outcome->note, .outcome_at = outcome->at);
}

/* ---- read back ---- */

void stored_outcome_write(struct jw *w, const struct stored_outcome *outcome)
{
    jw_key(w, STR("outcome"));
    if (!outcome->name.n) {
        jw_null(w);
        return;
    }
    jw_object(w);
    JW_STR(w, "outcome", outcome->name);
    JW_STR(w, "by", outcome->by);
    JW_STR_OR_NULL(w, "note", outcome->note);
    JW_TIME(w, "at", outcome->at);
    jw_object_end(w);
}

enum error outcome_calibration(struct db *db, struct arena *arena, struct str cluster, int64_t from,
                               int64_t to, struct calibration *calibration)
{
    if (cluster.p)
        return DB_ROWS(db, arena, &calibration->items, &calibration->n, calibration_cluster,
                       .cluster = cluster, .from = from, .to = to);
    return DB_ROWS(db, arena, &calibration->items, &calibration->n, calibration, .from = from,
                   .to = to);
}

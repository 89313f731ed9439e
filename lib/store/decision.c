#include "store/decision.h"

#define STATEMENTS "store/decision.def"
#include "db/statements.inc"

/* Whether an earlier one has stored the same set just now. */
static bool is_put(const struct decision_row *const *rows, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (!rows[i]->risks_kept && rows[i]->risks_hash == rows[at]->risks_hash &&
            str_eq(rows[i]->cluster, rows[at]->cluster))
            return true;
    return false;
}

static enum error put_risks(struct db *db, const struct decision_row *const *rows, size_t n)
{
    enum error e = ERR_OK;
    for (size_t i = 0; !e && i < n; i++)
        if (!rows[i]->risks_kept && !is_put(rows, i))
            e = DB_RUN(db, decision_risks_put, .cluster = rows[i]->cluster,
                       .risks_hash = rows[i]->risks_hash, .risks = rows[i]->risks);
    return e;
}

enum error decision_add(struct db *db, struct arena *arena, const struct decision_row *const *rows,
                        size_t n)
{
    struct decision_insert_args *all = ARENA_ARRAY(arena, n, struct decision_insert_args);
    for (size_t i = 0; i < n; i++) {
        const struct decision_row *row = rows[i];
        all[i] = STMT_ARGS(
            decision_insert, .cluster = row->cluster, .decided_at = row->time,
            .decision_id = row->id, .key_id = row->key, .decision = row->decision,
            .csc_score = row->score, .score_time = row->score_time, .risks_total = row->risks_total,
            .resource = str_or_empty(row->resource), .namespace = str_or_empty(row->namespace),
            .action = str_or_empty(row->action), .image = str_or_empty(row->image),
            .requested_by = str_or_empty(row->user), .source = str_or_empty(row->source),
            .findings = str_or_empty(row->findings), .message = row->message,
            .reasons = row->reasons, .risks_hash = row->risks_hash, .override_id = row->override,
            .target = row->target);
    }
    enum error e = put_risks(db, rows, n);
    return e ? e : DB_RUN_MANY(db, arena, decision_insert, all, n);
}

enum error decision_list(struct db *db, struct arena *arena, const struct decision_filter *f,
                         struct kept_decisions *decisions)
{
    if (f->cluster.p)
        return DB_ROWS(db, arena, &decisions->items, &decisions->n, decision_list_cluster,
                       .risks = f->risks, .cluster = f->cluster, .source = str_or_empty(f->source),
                       .decision = str_or_empty(f->decision), .from = f->from, .to = f->to,
                       .before = f->page.before, .before_id = f->page.before_id,
                       .limit = f->page.limit);
    if (f->source.n)
        return DB_ROWS(db, arena, &decisions->items, &decisions->n, decision_list_source,
                       .risks = f->risks, .source = f->source,
                       .decision = str_or_empty(f->decision), .from = f->from, .to = f->to,
                       .before = f->page.before, .before_id = f->page.before_id,
                       .limit = f->page.limit);
    if (f->decision.n)
        return DB_ROWS(db, arena, &decisions->items, &decisions->n, decision_list_of,
                       .risks = f->risks, .decision = f->decision, .from = f->from, .to = f->to,
                       .before = f->page.before, .before_id = f->page.before_id,
                       .limit = f->page.limit);
    return DB_ROWS(db, arena, &decisions->items, &decisions->n, decision_list, .risks = f->risks,
                   .from = f->from, .to = f->to, .before = f->page.before,
                   .before_id = f->page.before_id, .limit = f->page.limit);
}

enum error decision_find(struct db *db, struct arena *arena, struct str id,
                         struct kept_decision **decision)
{
    return DB_ROW(db, arena, decision, decision_by_id, .risks = DECISION_RISKS_ALL,
                  .decision_id = id);
}

enum error decision_moment(struct db *db, struct arena *arena, struct str cluster, struct str id,
                           struct decision_moment **moment)
{
    if (id.p)
        return DB_ROW(db, arena, moment, decision_moment_of, .cluster = cluster, .decision_id = id);
    return DB_ROW(db, arena, moment, decision_last_of, .cluster = cluster, .decision = STR("SAFE"));
}

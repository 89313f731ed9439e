#include "store/decision.h"

enum error decision_add(struct db *db, const struct decision_row *row)
{
    enum error e = ERR_OK;
    if (!row->risks_kept)
        e = db_run(db, STMT_decision_risks_put,
                   DB_ARGS(db_uuid(row->cluster), db_int(row->risks_hash), db_text(row->risks)),
                   NULL);
    if (e)
        return e;
    return db_run(db, STMT_decision_insert,
                  DB_ARGS(db_uuid(row->cluster), db_time(row->time), db_uuid(row->id),
                          db_uuid(row->key), db_text(row->decision), db_int(row->score),
                          db_time(row->score_time), db_int(row->risks_total),
                          db_text_or_empty(row->resource), db_text_or_empty(row->namespace),
                          db_text_or_empty(row->action), db_text_or_empty(row->image),
                          db_text_or_empty(row->user), db_text_or_empty(row->source),
                          db_text_or_empty(row->findings), db_int(row->risks_hash)),
                  NULL);
}

static struct kept_decision kept_of(const struct db_value *v)
{
    return (struct kept_decision){.row = {.time = v[0].i,
                                          .id = v[1].s,
                                          .decision = v[3].s,
                                          .score = v[4].i,
                                          .score_time = v[5].i,
                                          .risks_total = v[6].i,
                                          .resource = v[7].s,
                                          .namespace = v[8].s,
                                          .action = v[9].s,
                                          .image = v[10].s,
                                          .user = v[11].s,
                                          .source = v[12].s,
                                          .findings = v[13].s,
                                          .risks = v[14].null ? STR("") : v[14].s,
                                          .key = v[15].s},
                                  .cluster_name = v[2].s,
                                  .key_name = v[16].s};
}

static enum error fetch(struct db *db, struct arena *arena, const struct decision_filter *f,
                        struct db_rows *rows)
{
    const struct db_value page[] = {db_time(f->from),           db_time(f->to),
                                    db_time(f->page.before),    db_time(f->page.before),
                                    db_uuid(f->page.before_id), db_int(f->page.limit)};
    if (f->cluster.p)
        return db_rows(db, arena, STMT_decision_list_cluster,
                       DB_ARGS(db_int(f->risks), db_uuid(f->cluster), db_text_or_empty(f->decision),
                               db_text_or_empty(f->decision), page[0], page[1], page[2], page[3],
                               page[4], page[5]),
                       rows);
    if (f->decision.n)
        return db_rows(db, arena, STMT_decision_list_of,
                       DB_ARGS(db_int(f->risks), db_text(f->decision), page[0], page[1], page[2],
                               page[3], page[4], page[5]),
                       rows);
    return db_rows(db, arena, STMT_decision_list,
                   DB_ARGS(db_int(f->risks), page[0], page[1], page[2], page[3], page[4], page[5]),
                   rows);
}

enum error decision_list(struct db *db, struct arena *arena, const struct decision_filter *filter,
                         struct kept_decisions *decisions)
{
    struct db_rows rows;
    enum error e = fetch(db, arena, filter, &rows);
    if (e)
        return e;
    decisions->n = rows.n;
    decisions->items = ARENA_ARRAY(arena, rows.n, struct kept_decision);
    for (size_t i = 0; i < rows.n; i++)
        decisions->items[i] = kept_of(rows.items[i]);
    return ERR_OK;
}

enum error decision_find(struct db *db, struct arena *arena, struct str id,
                         struct kept_decision **decision)
{
    struct db_value *row;
    enum error e = db_row(db, arena, STMT_decision_by_id,
                          DB_ARGS(db_int(DECISION_RISKS_ALL), db_uuid(id)), &row);
    *decision = NULL;
    if (e || !row)
        return e;
    *decision = ARENA_NEW(arena, struct kept_decision);
    **decision = kept_of(row);
    return ERR_OK;
}

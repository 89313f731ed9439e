#include "store/decision.h"

static struct db_value text(struct str s)
{
    return db_text(s.p ? s : STR(""));
}

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
                          db_time(row->score_time), db_int(row->risks_total), text(row->resource),
                          text(row->namespace), text(row->action), text(row->image),
                          text(row->user), text(row->source), text(row->findings),
                          db_int(row->risks_hash)),
                  NULL);
}

#include "store/rule.h"

static bool rule_of(const struct db_value *v, struct rule *rule)
{
    *rule = (struct rule){.id = v[0].s,
                          .threshold = v[2].i,
                          .cluster_name = v[3].s,
                          .channels = v[4].s,
                          .enabled = v[5].i != 0,
                          .created = v[6].i};
    return alert_kind_find(v[1].s, &rule->kind);
}

enum error rule_list(struct db *db, struct arena *arena, struct rules *rules)
{
    struct db_rows rows;
    enum error e = db_rows(db, arena, STMT_rule_list, DB_NO_ARGS, &rows);
    if (e)
        return e;
    rules->n = 0;
    rules->items = ARENA_ARRAY(arena, rows.n, struct rule);
    for (size_t i = 0; i < rows.n; i++)
        rules->n += rule_of(rows.items[i], &rules->items[rules->n]);
    return ERR_OK;
}

enum error rule_count(struct db *db, struct arena *arena, int64_t *count)
{
    return db_number(db, arena, STMT_rule_count, DB_NO_ARGS, count);
}

enum error rule_lock(struct db *db, struct arena *arena, struct str id, struct rule **rule)
{
    struct db_value *row;
    enum error e = db_row(db, arena, STMT_rule_lock, DB_ARGS(db_uuid(id)), &row);
    *rule = NULL;
    if (e || !row)
        return e;
    *rule = ARENA_NEW(arena, struct rule);
    return rule_of(row, *rule) ? ERR_OK : ERR_INTERNAL;
}

/* NULL without one. */
static struct db_value threshold_of(const struct rule *rule)
{
    struct db_value threshold = db_int(rule->threshold);
    threshold.null = rule->threshold == 0;
    return threshold;
}

enum error rule_create(struct db *db, struct arena *arena, struct rule *rule, int64_t now)
{
    char id[UUID_TEXT_LEN + 1];
    rand_uuid(id);
    rule->id = arena_str(arena, str_of(id));
    rule->created = now;
    return db_run(db, STMT_rule_insert,
                  DB_ARGS(db_uuid(rule->id), db_text(alert_kind_name(rule->kind)),
                          threshold_of(rule), db_text(rule->cluster_name), db_text(rule->channels),
                          db_int(rule->enabled), db_time(now)),
                  NULL);
}

enum error rule_update(struct db *db, const struct rule *rule)
{
    return db_run(db, STMT_rule_set,
                  DB_ARGS(threshold_of(rule), db_text(rule->cluster_name), db_text(rule->channels),
                          db_int(rule->enabled), db_uuid(rule->id)),
                  NULL);
}

enum error rule_delete(struct db *db, struct str id)
{
    return db_run(db, STMT_rule_delete, DB_ARGS(db_uuid(id)), NULL);
}

enum error rule_forget_channel(struct db *db, struct str channel)
{
    return db_run(db, STMT_rule_forget_channel, DB_ARGS(db_text(channel), db_text(channel)), NULL);
}

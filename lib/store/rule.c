#include "store/rule.h"

#include "store/alert_memory.h"

struct kept_rule {
    struct rule rule; /* without its kind */
    struct str kind;
};

#define STATEMENTS "store/rule.def"
#include "db/statements.inc"

enum error rule_list(struct db *db, struct arena *arena, struct rules *rules)
{
    struct kept_rule *kept;
    size_t n;
    enum error e = DB_ROWS(db, arena, &kept, &n, rule_list);
    if (e)
        return e;
    rules->n = 0;
    rules->items = ARENA_ARRAY(arena, n, struct rule);
    for (size_t i = 0; i < n; i++)
        if (alert_kind_find(kept[i].kind, &kept[i].rule.kind))
            rules->items[rules->n++] = kept[i].rule;
    return ERR_OK;
}

enum error rule_count(struct db *db, struct arena *arena, int64_t *count)
{
    return DB_NUMBER(db, arena, count, rule_count);
}

enum error rule_lock(struct db *db, struct arena *arena, struct str id, struct rule **rule)
{
    struct kept_rule *kept;
    enum error e = DB_ROW(db, arena, &kept, rule_lock, .rule_id = id);
    *rule = kept ? &kept->rule : NULL;
    if (!kept)
        return e;
    return alert_kind_find(kept->kind, &kept->rule.kind) ? ERR_OK : ERR_INTERNAL;
}

enum error rule_create(struct db *db, struct arena *arena, struct rule *rule, int64_t now)
{
    char id[UUID_TEXT_LEN + 1];
    rand_uuid(id);
    rule->id = arena_str(arena, str_of(id));
    rule->created = now;
    enum error e = alert_setup_changed(db);
    if (e)
        return e;
    return DB_RUN(db, rule_insert, .rule_id = rule->id, .kind = alert_kind_name(rule->kind),
                  .threshold = rule->threshold, .cluster_name = rule->cluster_name,
                  .channel_ids = rule->channels, .enabled = rule->enabled, .created_at = now);
}

enum error rule_update(struct db *db, const struct rule *rule)
{
    enum error e = alert_setup_changed(db);
    if (e)
        return e;
    return DB_RUN(db, rule_set, .threshold = rule->threshold, .cluster_name = rule->cluster_name,
                  .channel_ids = rule->channels, .enabled = rule->enabled, .rule_id = rule->id);
}

enum error rule_delete(struct db *db, struct str id)
{
    enum error e = alert_setup_changed(db);
    return e ? e : DB_RUN(db, rule_delete, .rule_id = id);
}

enum error rule_forget_channel(struct db *db, struct str channel)
{
    return DB_RUN(db, rule_forget_channel, .channel = channel);
}

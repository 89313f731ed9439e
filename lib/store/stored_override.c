#include "store/stored_override.h"

#define STATEMENTS "store/stored_override.def"
#include "db/statements.inc"

enum error override_page(struct db *db, struct arena *arena, const struct override_filter *filter,
                         struct stored_overrides *overrides)
{
    return DB_ROWS(db, arena, &overrides->items, &overrides->n, override_page,
                   .override_id = filter->id, .name = filter->cluster_name,
                   .with_ended = filter->with_ended, .now = filter->now,
                   .before = filter->page.before, .before_id = filter->page.before_id,
                   .limit = filter->page.limit);
}

enum error override_list_holding(struct db *db, struct arena *arena, struct str cluster,
                                 int64_t now, override_list *overrides)
{
    struct override *items;
    size_t n;
    enum error e = DB_ROWS(db, arena, &items, &n, override_holding, .cluster = cluster, .now = now,
                           .limit = OVERRIDES_MAX);
    *overrides = (override_list){0};
    for (size_t i = 0; !e && i < n; i++)
        LIST_ADD(arena, *overrides, items[i]);
    return e;
}

enum error override_count(struct db *db, struct arena *arena, int64_t now, int64_t *count)
{
    return DB_NUMBER(db, arena, count, override_count, .now = now);
}

enum error override_lock(struct db *db, struct arena *arena, struct str id, int64_t now,
                         struct stored_override **override)
{
    return DB_ROW(db, arena, override, override_lock, .override_id = id, .now = now);
}

enum error override_create(struct db *db, struct arena *arena, struct str cluster,
                           struct override *override)
{
    char id[UUID_TEXT_LEN + 1];
    rand_uuid(id);
    override->id = arena_str(arena, str_of(id));
    enum error e =
        DB_RUN(db, override_note, .cluster = cluster, .overridden_until = override->until);
    if (e)
        return e;
    return DB_RUN(db, override_insert, .cluster = cluster, .until = override->until,
                  .override_id = override->id, .namespace = str_or_empty(override->namespace),
                  .reason = override->reason, .created_by = override->by,
                  .created_at = override->created);
}

enum error override_end(struct db *db, struct str id, struct str by, int64_t now)
{
    return DB_RUN(db, override_end, .ended_by = by, .ended_at = now, .override_id = id);
}

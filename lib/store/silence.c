#include "store/silence.h"

#include "store/alert_memory.h"

#define STATEMENTS "store/silence.def"
#include "db/statements.inc"

enum error silence_list(struct db *db, struct arena *arena, int64_t from, struct str cluster_name,
                        struct silences *silences)
{
    return DB_ROWS(db, arena, &silences->items, &silences->n, silence_list, .from = from,
                   .cluster_name = cluster_name, .limit = SILENCES_LISTED);
}

enum error silence_count(struct db *db, struct arena *arena, int64_t now, int64_t *count)
{
    return DB_NUMBER(db, arena, count, silence_count, .now = now);
}

enum error silence_lock(struct db *db, struct arena *arena, struct str id, int64_t now,
                        struct silence **silence)
{
    return DB_ROW(db, arena, silence, silence_lock, .silence_id = id, .now = now);
}

enum error silence_create(struct db *db, struct arena *arena, struct silence *silence)
{
    char id[UUID_TEXT_LEN + 1];
    rand_uuid(id);
    silence->id = arena_str(arena, str_of(id));
    enum error e = alert_setup_changed(db);
    if (e)
        return e;
    return DB_RUN(db, silence_insert, .silence_id = silence->id,
                  .cluster_name = silence->cluster_name, .until = silence->until,
                  .reason = silence->reason, .created_by = silence->created_by,
                  .created_at = silence->created);
}

enum error silence_end(struct db *db, struct str id, int64_t now)
{
    return DB_RUN(db, silence_end, .until = now, .silence_id = id);
}

enum error silence_purge(struct db *db, int64_t before, int64_t limit, uint64_t *purged)
{
    return DB_RUN_COUNT(db, purged, silence_purge, .before = before, .limit = limit);
}

enum error silence_old(struct db *db, struct arena *arena, int64_t before, int64_t *count)
{
    return DB_NUMBER(db, arena, count, silence_old, .before = before);
}

#include "store/silence.h"

static struct silence silence_of(const struct db_value *v)
{
    return (struct silence){.id = v[0].s,
                            .cluster_name = v[1].s,
                            .until = v[2].i,
                            .reason = v[3].s,
                            .created_by = v[4].s,
                            .created = v[5].i};
}

enum error silence_list(struct db *db, struct arena *arena, int64_t now, struct silences *silences)
{
    struct db_rows rows;
    enum error e = db_rows(db, arena, STMT_silence_list, DB_ARGS(db_time(now)), &rows);
    if (e)
        return e;
    silences->n = rows.n;
    silences->items = ARENA_ARRAY(arena, rows.n, struct silence);
    for (size_t i = 0; i < rows.n; i++)
        silences->items[i] = silence_of(rows.items[i]);
    return ERR_OK;
}

enum error silence_count(struct db *db, struct arena *arena, int64_t now, int64_t *count)
{
    return db_number(db, arena, STMT_silence_count, DB_ARGS(db_time(now)), count);
}

enum error silence_lock(struct db *db, struct arena *arena, struct str id, struct silence **silence)
{
    struct db_value *row;
    enum error e = db_row(db, arena, STMT_silence_lock, DB_ARGS(db_uuid(id)), &row);
    *silence = NULL;
    if (e || !row)
        return e;
    *silence = ARENA_NEW(arena, struct silence);
    **silence = silence_of(row);
    return ERR_OK;
}

enum error silence_create(struct db *db, struct arena *arena, struct silence *silence)
{
    char id[UUID_TEXT_LEN + 1];
    rand_uuid(id);
    silence->id = arena_str(arena, str_of(id));
    return db_run(db, STMT_silence_insert,
                  DB_ARGS(db_uuid(silence->id), db_text(silence->cluster_name),
                          db_time(silence->until), db_text(silence->reason),
                          db_text(silence->created_by), db_time(silence->created)),
                  NULL);
}

enum error silence_delete(struct db *db, struct str id)
{
    return db_run(db, STMT_silence_delete, DB_ARGS(db_uuid(id)), NULL);
}

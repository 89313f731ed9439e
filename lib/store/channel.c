#include "store/channel.h"

static struct channel channel_of(const struct db_value *v)
{
    return (struct channel){.id = v[0].s,
                            .type = v[1].s,
                            .name = v[2].s,
                            .url_masked = v[3].s,
                            .enabled = v[4].i != 0,
                            .disabled_reason = v[5].s,
                            .created = v[6].i,
                            .last_attempt = v[7].i,
                            .last_success = v[8].i,
                            .failing_since = v[9].i,
                            .last_status = v[10].i,
                            .last_error = v[11].s};
}

enum error channel_list(struct db *db, struct arena *arena, struct channels *channels)
{
    struct db_rows rows;
    enum error e = db_rows(db, arena, STMT_channel_list, DB_NO_ARGS, &rows);
    if (e)
        return e;
    channels->n = rows.n;
    channels->items = ARENA_ARRAY(arena, rows.n, struct channel);
    for (size_t i = 0; i < rows.n; i++)
        channels->items[i] = channel_of(rows.items[i]);
    return ERR_OK;
}

enum error channel_find(struct db *db, struct arena *arena, struct str id, struct channel **channel)
{
    struct db_value *row;
    enum error e = db_row(db, arena, STMT_channel_by_id, DB_ARGS(db_uuid(id)), &row);
    *channel = NULL;
    if (e || !row)
        return e;
    *channel = ARENA_NEW(arena, struct channel);
    **channel = channel_of(row);
    return ERR_OK;
}

/* Absent when it is NULL or no key opens it. */
static struct str opened(struct arena *arena, const struct seal_keys *keys, struct str id,
                         const struct db_value *sealed)
{
    struct str plain;
    if (sealed->null || !seal_open(arena, keys, id, sealed->s, &plain))
        return (struct str){0};
    return plain;
}

enum error channel_target(struct db *db, struct arena *arena, const struct seal_keys *keys,
                          struct str id, int64_t now, struct channel_target **target)
{
    struct db_value *row;
    enum error e = db_row(db, arena, STMT_channel_target, DB_ARGS(db_uuid(id)), &row);
    *target = NULL;
    if (e || !row)
        return e;
    *target = ARENA_NEW(arena, struct channel_target);
    **target = (struct channel_target){.type = row[0].s,
                                       .enabled = row[1].i != 0,
                                       .url = opened(arena, keys, id, &row[2]),
                                       .secret = opened(arena, keys, id, &row[3])};
    if (row[5].i > now)
        (*target)->secret_previous = opened(arena, keys, id, &row[4]);
    return ERR_OK;
}

#include "store/channel.h"

#include "store/outbox.h"
#include "store/rule.h"

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

static enum error find(struct db *db, struct arena *arena, enum stmt stmt, struct str id,
                       struct channel **channel)
{
    struct db_value *row;
    enum error e = db_row(db, arena, stmt, DB_ARGS(db_uuid(id)), &row);
    *channel = NULL;
    if (e || !row)
        return e;
    *channel = ARENA_NEW(arena, struct channel);
    **channel = channel_of(row);
    return ERR_OK;
}

enum error channel_find(struct db *db, struct arena *arena, struct str id, struct channel **channel)
{
    return find(db, arena, STMT_channel_by_id, id, channel);
}

enum error channel_lock(struct db *db, struct arena *arena, struct str id, struct channel **channel)
{
    return find(db, arena, STMT_channel_lock, id, channel);
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

enum error channel_count(struct db *db, struct arena *arena, int64_t *count)
{
    return db_number(db, arena, STMT_channel_count, DB_NO_ARGS, count);
}

/* ---- changes ---- */

enum error channel_create(struct db *db, struct arena *arena, const struct seal_keys *keys,
                          const struct channel_draft *draft, int64_t now, struct channel **channel)
{
    char id[UUID_TEXT_LEN + 1];
    struct str secret = {0};
    rand_uuid(id);
    *channel = ARENA_NEW(arena, struct channel);
    **channel = (struct channel){.id = arena_str(arena, str_of(id)),
                                 .type = draft->type,
                                 .name = draft->name,
                                 .url_masked = draft->url_masked,
                                 .enabled = draft->enabled,
                                 .created = now,
                                 .last_attempt = TIME_NONE,
                                 .last_success = TIME_NONE,
                                 .failing_since = TIME_NONE};
    if (draft->secret.p)
        secret = seal(arena, keys, (*channel)->id, draft->secret);
    return db_run(db, STMT_channel_insert,
                  DB_ARGS(db_uuid((*channel)->id), db_text(draft->type), db_text(draft->name),
                          db_bytes(seal(arena, keys, (*channel)->id, draft->url)),
                          db_text(draft->url_masked), db_bytes(secret), db_int(draft->enabled),
                          db_time(now)),
                  NULL);
}

static enum error forget_health(struct db *db, struct channel *channel)
{
    channel->last_attempt = channel->last_success = channel->failing_since = TIME_NONE;
    channel->last_status = 0;
    channel->last_error = STR("");
    return db_run(db, STMT_channel_forget_health, DB_ARGS(db_uuid(channel->id)), NULL);
}

enum error channel_update(struct db *db, struct channel *channel, bool was_enabled)
{
    enum error e = ERR_OK;
    if (was_enabled && !channel->enabled)
        e = outbox_cancel(db, channel->id, STR("The channel was disabled."));
    if (channel->enabled)
        channel->disabled_reason = STR("");
    if (!e)
        e = db_run(db, STMT_channel_set,
                   DB_ARGS(db_text(channel->name), db_int(channel->enabled),
                           db_text(channel->disabled_reason), db_uuid(channel->id)),
                   NULL);
    return e || was_enabled || !channel->enabled ? e : forget_health(db, channel);
}

enum error channel_set_url(struct db *db, struct arena *arena, const struct seal_keys *keys,
                           struct channel *channel, struct str url, struct str url_masked)
{
    channel->url_masked = url_masked;
    enum error e = db_run(db, STMT_channel_set_url,
                          DB_ARGS(db_bytes(seal(arena, keys, channel->id, url)),
                                  db_text(url_masked), db_uuid(channel->id)),
                          NULL);
    return e ? e : forget_health(db, channel);
}

enum error channel_rotate(struct db *db, struct arena *arena, const struct seal_keys *keys,
                          const struct channel *channel, struct str secret, int64_t now)
{
    return db_run(db, STMT_channel_rotate_secret,
                  DB_ARGS(db_time(now + CHANNEL_SECRET_OVERLAP_MS),
                          db_bytes(seal(arena, keys, channel->id, secret)), db_uuid(channel->id)),
                  NULL);
}

enum error channel_delete(struct db *db, const struct channel *channel)
{
    enum error e = outbox_cancel(db, channel->id, STR("The channel was deleted."));
    if (!e)
        e = rule_forget_channel(db, channel->id);
    return e ? e : db_run(db, STMT_channel_delete, DB_ARGS(db_uuid(channel->id)), NULL);
}

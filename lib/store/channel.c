#include "store/channel.h"

#include "store/alert_memory.h"
#include "store/outbox.h"
#include "store/rule.h"

struct sealed_target {
    struct str type;
    bool enabled;
    struct str url, secret, secret_previous;
    int64_t secret_previous_until;
};

#define STATEMENTS "store/channel.def"
#include "db/statements.inc"

enum error channel_list(struct db *db, struct arena *arena, struct channels *channels)
{
    return DB_ROWS(db, arena, &channels->items, &channels->n, channel_list);
}

enum error channel_find(struct db *db, struct arena *arena, struct str id, struct channel **channel)
{
    return DB_ROW(db, arena, channel, channel_by_id, .channel_id = id);
}

enum error channel_lock(struct db *db, struct arena *arena, struct str id, struct channel **channel)
{
    return DB_ROW(db, arena, channel, channel_lock, .channel_id = id);
}

/* Absent when it is NULL or no key opens it. */
static struct str opened(struct arena *arena, const struct seal_keys *keys, struct str id,
                         struct str sealed)
{
    struct str plain;
    if (!sealed.p || !seal_open(arena, keys, id, sealed, &plain))
        return (struct str){0};
    return plain;
}

enum error channel_target(struct db *db, struct arena *arena, const struct seal_keys *keys,
                          struct str id, int64_t now, struct channel_target **target)
{
    struct sealed_target *sealed;
    enum error e = DB_ROW(db, arena, &sealed, channel_target, .channel_id = id);
    *target = NULL;
    if (!sealed)
        return e;
    *target = ARENA_NEW(arena, struct channel_target);
    **target = (struct channel_target){.type = sealed->type,
                                       .enabled = sealed->enabled,
                                       .url = opened(arena, keys, id, sealed->url),
                                       .url_kept = sealed->url,
                                       .secret = opened(arena, keys, id, sealed->secret)};
    if (sealed->secret_previous_until > now)
        (*target)->secret_previous = opened(arena, keys, id, sealed->secret_previous);
    return ERR_OK;
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
    enum error e = alert_setup_changed(db);
    if (e)
        return e;
    return DB_RUN(db, channel_insert, .channel_id = (*channel)->id, .type = draft->type,
                  .name = draft->name, .url = seal(arena, keys, (*channel)->id, draft->url),
                  .url_masked = draft->url_masked, .secret = secret, .enabled = draft->enabled,
                  .created_at = now);
}

static enum error forget_health(struct db *db, struct channel *channel)
{
    channel->last_attempt = channel->last_success = channel->failing_since = TIME_NONE;
    channel->last_status = 0;
    channel->last_error = STR("");
    return DB_RUN(db, channel_forget_health, .channel_id = channel->id);
}

enum error channel_update(struct db *db, struct channel *channel, bool was_enabled)
{
    enum error e = alert_setup_changed(db);
    if (!e && was_enabled && !channel->enabled)
        e = outbox_cancel(db, channel->id, STR("The channel was disabled."));
    if (channel->enabled)
        channel->disabled_reason = STR("");
    if (!e)
        e = DB_RUN(db, channel_set, .name = channel->name, .enabled = channel->enabled,
                   .disabled_reason = channel->disabled_reason, .channel_id = channel->id);
    return e || was_enabled || !channel->enabled ? e : forget_health(db, channel);
}

enum error channel_set_url(struct db *db, struct arena *arena, const struct seal_keys *keys,
                           struct channel *channel, struct str url, struct str url_masked,
                           int64_t now)
{
    channel->url_masked = url_masked;
    enum error e = DB_RUN(db, channel_set_url, .url = seal(arena, keys, channel->id, url),
                          .url_masked = url_masked, .channel_id = channel->id);
    if (!e)
        e = outbox_begin_anew(db, channel->id, now);
    return e ? e : forget_health(db, channel);
}

enum error channel_rotate(struct db *db, struct arena *arena, const struct seal_keys *keys,
                          const struct channel *channel, struct str secret, int64_t now)
{
    return DB_RUN(db, channel_rotate_secret, .secret = seal(arena, keys, channel->id, secret),
                  .secret_previous_until = now + CHANNEL_SECRET_OVERLAP_MS,
                  .channel_id = channel->id);
}

enum error channel_delete(struct db *db, const struct channel *channel)
{
    enum error e = alert_setup_changed(db);
    if (!e)
        e = outbox_cancel(db, channel->id, STR("The channel was deleted."));
    if (!e)
        e = rule_forget_channel(db, channel->id);
    return e ? e : DB_RUN(db, channel_delete, .channel_id = channel->id);
}

#include "store/outbox.h"

#define STATEMENTS "store/outbox.def"
#include "db/statements.inc"

/* One at a time: the position follows from what is there (and MariaDB has no bulk form of that). */
static enum error add(struct db *db, const struct outbox_message *message, int64_t now)
{
    return DB_RUN(db, outbox_insert, .delivery_id = message->id, .channel_id = message->channel,
                  .cluster_name = message->cluster_name, .event = message->event,
                  .title = str_utf8_prefix(message->title, OUTBOX_TITLE_MAX), .body = message->body,
                  .created_at = now, .next_attempt_at = now, .least_position = now);
}

enum error outbox_add(struct db *db, struct arena *arena, struct outbox_message *messages, size_t n,
                      int64_t now)
{
    enum error e = ERR_OK;
    for (size_t i = 0; !e && i < n; i++) {
        char id[UUID_TEXT_LEN + 1];
        rand_uuid(id);
        messages[i].id = arena_str(arena, str_of(id));
        e = add(db, &messages[i], now);
    }
    return e;
}

enum error outbox_cancel(struct db *db, struct str channel, struct str reason)
{
    return DB_RUN(db, outbox_cancel, .last_error = reason, .channel_id = channel);
}

enum error outbox_begin_anew(struct db *db, struct str channel, int64_t now)
{
    return DB_RUN(db, outbox_begin_anew, .next_attempt_at = now, .channel_id = channel);
}

/* ---- what became of them ---- */

bool outbox_is_state(struct str name)
{
    static const char *const states[] = {"queued", "sent", "gave_up", "cancelled"};
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        if (str_eq(name, str_of(states[i])))
            return true;
    return false;
}

enum error outbox_list(struct db *db, struct arena *arena, const struct outbox_filter *filter,
                       struct outbox_rows *rows)
{
    const struct keyset *page = &filter->page;
    return DB_ROWS(db, arena, &rows->items, &rows->n, outbox_list, .from = filter->from,
                   .to = filter->to, .before = page->before, .before_id = page->before_id,
                   .channel_id = filter->channel, .cluster_name = filter->cluster_name,
                   .state = filter->state, .limit = page->limit);
}

enum error outbox_find(struct db *db, struct arena *arena, struct str id, struct outbox_row **row)
{
    return DB_ROW(db, arena, row, outbox_find, .delivery_id = id);
}

enum error outbox_lock(struct db *db, struct arena *arena, struct str id, struct outbox_row **row)
{
    return DB_ROW(db, arena, row, outbox_lock, .delivery_id = id);
}

enum error outbox_replay(struct db *db, struct arena *arena, struct outbox_row *row, int64_t now)
{
    int64_t last;
    enum error e = DB_NUMBER(db, arena, &last, outbox_last_position, .channel_id = row->channel);
    if (e)
        return e;
    row->state = STR("queued");
    row->attempts = 0;
    row->next_attempt = now;
    return DB_RUN(db, outbox_requeue, .next_attempt_at = now,
                  .position = last >= now ? last + 1 : now, .delivery_id = row->id);
}

enum error outbox_count_since(struct db *db, struct arena *arena, int64_t since, struct str event,
                              int64_t *count)
{
    return DB_NUMBER(db, arena, count, outbox_count_since, .since = since, .event = event);
}

enum error outbox_purge(struct db *db, int64_t before, int64_t limit, uint64_t *purged)
{
    return DB_RUN_COUNT(db, purged, outbox_purge, .before = before, .limit = limit);
}

enum error outbox_old(struct db *db, struct arena *arena, int64_t before, int64_t *count)
{
    return DB_NUMBER(db, arena, count, outbox_old, .before = before);
}

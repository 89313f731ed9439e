#include "store/outbox.h"

/* One at a time: the position follows from what is there (and MariaDB has no bulk form of that). */
static enum error add(struct db *db, const struct outbox_message *message, int64_t now)
{
    return db_run(db, STMT_outbox_insert,
                  DB_ARGS(db_uuid(message->id), db_uuid(message->channel),
                          db_text(message->cluster_name), db_text(message->event),
                          db_text(str_utf8_prefix(message->title, OUTBOX_TITLE_MAX)),
                          db_bytes(message->body), db_time(now), db_time(now), db_int(now),
                          db_uuid(message->channel)),
                  NULL);
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
    return db_run(db, STMT_outbox_cancel, DB_ARGS(db_text(reason), db_uuid(channel)), NULL);
}

/* ---- what became of them ---- */

static struct outbox_row row_of(const struct db_value *v)
{
    return (struct outbox_row){.id = v[0].s,
                               .channel = v[1].s,
                               .cluster_name = v[2].s,
                               .event = v[3].s,
                               .title = v[4].s,
                               .created = v[5].i,
                               .state = v[6].s,
                               .attempts = v[7].i,
                               .next_attempt = v[8].i,
                               .last_attempt = v[9].i,
                               .last_status = v[10].i,
                               .last_error = v[11].s};
}

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
    struct db_rows result;
    const struct keyset *page = &filter->page;
    struct db_value channel = db_uuid(filter->channel), cluster = db_text(filter->cluster_name),
                    state = db_text(filter->state);
    enum error e =
        db_rows(db, arena, STMT_outbox_list,
                DB_ARGS(db_time(page->before), db_time(page->before), db_uuid(page->before_id),
                        channel, channel, cluster, cluster, state, state, db_int(page->limit)),
                &result);
    if (e)
        return e;
    rows->n = result.n;
    rows->items = ARENA_ARRAY(arena, result.n, struct outbox_row);
    for (size_t i = 0; i < result.n; i++)
        rows->items[i] = row_of(result.items[i]);
    return ERR_OK;
}

enum error outbox_lock(struct db *db, struct arena *arena, struct str id, struct outbox_row **row)
{
    struct db_value *values;
    enum error e = db_row(db, arena, STMT_outbox_lock, DB_ARGS(db_uuid(id)), &values);
    *row = NULL;
    if (e || !values)
        return e;
    *row = ARENA_NEW(arena, struct outbox_row);
    **row = row_of(values);
    return ERR_OK;
}

enum error outbox_replay(struct db *db, struct arena *arena, struct outbox_row *row, int64_t now)
{
    struct db_value *last;
    enum error e =
        db_row(db, arena, STMT_outbox_last_position, DB_ARGS(db_uuid(row->channel)), &last);
    if (e)
        return e;
    int64_t position = !last[0].null && last[0].i >= now ? last[0].i + 1 : now;
    row->state = STR("queued");
    row->attempts = 0;
    row->next_attempt = now;
    return db_run(db, STMT_outbox_requeue,
                  DB_ARGS(db_time(now), db_int(position), db_uuid(row->id)), NULL);
}

enum error outbox_count_since(struct db *db, struct arena *arena, int64_t since, struct str event,
                              int64_t *count)
{
    return db_number(db, arena, STMT_outbox_count_since, DB_ARGS(db_time(since), db_text(event)),
                     count);
}

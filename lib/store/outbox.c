#include "store/outbox.h"

/* One at a time: the position follows from what is there (and MariaDB has no bulk form of that). */
static enum error add(struct db *db, const struct outbox_message *message, int64_t now)
{
    char id[UUID_TEXT_LEN + 1];
    rand_uuid(id);
    return db_run(db, STMT_outbox_insert,
                  DB_ARGS(db_uuid(str_of(id)), db_uuid(message->channel),
                          db_text(message->cluster_name), db_text(message->event),
                          db_text(str_utf8_prefix(message->title, OUTBOX_TITLE_MAX)),
                          db_bytes(message->body), db_time(now), db_time(now), db_int(now),
                          db_uuid(message->channel)),
                  NULL);
}

enum error outbox_add(struct db *db, const struct outbox_message *messages, size_t n, int64_t now)
{
    enum error e = ERR_OK;
    for (size_t i = 0; !e && i < n; i++)
        e = add(db, &messages[i], now);
    return e;
}

enum error outbox_cancel(struct db *db, struct str channel, struct str reason)
{
    return db_run(db, STMT_outbox_cancel, DB_ARGS(db_text(reason), db_uuid(channel)), NULL);
}

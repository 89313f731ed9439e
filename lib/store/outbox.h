/* outbox: messages on their way to channels. They are queued in the transaction of what they tell;
 * lib/deliver sends them.
 */
#ifndef LOADLINE_STORE_OUTBOX_H
#define LOADLINE_STORE_OUTBOX_H

#include "db/db.h"
#include "store/keyset.h"

enum { OUTBOX_BODY_MAX = 64 * 1024, OUTBOX_TITLE_MAX = 1000 };

struct outbox_message {
    struct str id; /* set by outbox_add(), in the arena */
    struct str channel;
    struct str cluster_name; /* absent: about no cluster */
    struct str event, title;
    struct str body; /* as it will be posted */
};

/* Queues the messages, each behind what its channel has queued, due at once. */
enum error outbox_add(struct db *db, struct arena *arena, struct outbox_message *messages, size_t n,
                      int64_t now);
/* Nothing that is queued for the channel is sent any more. reason: a sentence. */
enum error outbox_cancel(struct db *db, struct str channel, struct str reason);
/* What is queued for the channel and waits for its next attempt is due now, as if for the first
 * time. */
enum error outbox_begin_anew(struct db *db, struct str channel, int64_t now);

struct outbox_row {
    struct str id; /* webhook-id */
    struct str channel;
    struct str cluster_name; /* absent: about no cluster */
    struct str event, title;
    int64_t created;
    struct str state;     /* queued, sent, gave_up or cancelled */
    int64_t attempts;     /* since it was queued */
    int64_t next_attempt; /* TIME_NONE: there is none; as is last_attempt */
    int64_t last_attempt;
    int64_t last_status;   /* HTTP status; 0: no answer */
    struct str last_error; /* empty: there was none */
};

struct outbox_rows {
    size_t n;
    struct outbox_row *items;
};

struct outbox_filter {
    struct str channel, cluster_name, state; /* absent: any */
    int64_t from, to;                        /* when they were made, both included */
    struct keyset page;
};

bool outbox_is_state(struct str name);
/* Newest first. */
enum error outbox_list(struct db *db, struct arena *arena, const struct outbox_filter *filter,
                       struct outbox_rows *rows);
/* NULL when the tenant has none of that id. */
enum error outbox_find(struct db *db, struct arena *arena, struct str id, struct outbox_row **row);
/* Inside a transaction: nobody else changes it until its end. NULL when the tenant has none of that
 * id. */
enum error outbox_lock(struct db *db, struct arena *arena, struct str id, struct outbox_row **row);
/* Queues one that is not queued again, behind what its channel has queued: the same id and bytes.
 * Changes *row too. */
enum error outbox_replay(struct db *db, struct arena *arena, struct outbox_row *row, int64_t now);
/* How many messages of that event the tenant has queued since then. */
enum error outbox_count_since(struct db *db, struct arena *arena, int64_t since, struct str event,
                              int64_t *count);
/* Forgets at most `limit` messages of the tenant that were made before `before` and are not queued
 * any more. For maintenance. */
enum error outbox_purge(struct db *db, int64_t before, int64_t limit, uint64_t *purged);
/* How many it would forget without a limit. */
enum error outbox_old(struct db *db, struct arena *arena, int64_t before, int64_t *count);

#endif

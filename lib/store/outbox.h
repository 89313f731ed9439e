/* outbox: messages on their way to channels. They are queued in the transaction of what they tell;
 * lib/deliver sends them.
 */
#ifndef LOADLINE_STORE_OUTBOX_H
#define LOADLINE_STORE_OUTBOX_H

#include "service/db.h"

enum { OUTBOX_BODY_MAX = 64 * 1024, OUTBOX_TITLE_MAX = 1000 };

struct outbox_message {
    struct str channel;
    struct str cluster_name; /* absent: about no cluster */
    struct str event, title;
    struct str body; /* as it will be posted */
};

/* Queues the messages, each behind what its channel has queued, due at once. */
enum error outbox_add(struct db *db, const struct outbox_message *messages, size_t n, int64_t now);
/* Nothing that is queued for the channel is sent any more. reason: a sentence. */
enum error outbox_cancel(struct db *db, struct str channel, struct str reason);

#endif

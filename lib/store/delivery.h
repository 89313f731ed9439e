/* delivery: the notifier's side of the outbox. Several notifiers work on it at once.
 *
 * A message is claimed before it is sent: for as long as the lease lasts no other notifier takes
 * it. Who is at it keeps the lease, and when its notifier has died the next one takes it, after the
 * lease. Of one channel only the first queued message can be claimed, so that its messages arrive
 * in their order; one that waits for its next attempt holds up those behind it. Times of a clock
 * that was set back since hold up nothing.
 */
#ifndef LOADLINE_STORE_DELIVERY_H
#define LOADLINE_STORE_DELIVERY_H

#include "db/db.h"

/* A lease, of whom there is one. It is another one each time it is kept. */
struct delivery_left {
    struct str owner; /* absent: there is none */
    int64_t until;
};

struct delivery {
    struct str id, tenant, channel;
    int64_t attempts; /* before this one */
    int64_t queued;   /* when */
    int64_t position; /* another one each time it is queued */
    struct str body;
    struct delivery_left left; /* when it was claimed */
};

/* Who claims, from when to when. */
struct delivery_lease {
    struct str owner; /* a UUID of this notifier */
    int64_t now, until;
    struct delivery_left after; /* that of another one which this one may follow */
};

struct delivery_id {
    struct str id;
};
struct delivery_ids {
    size_t n;
    struct delivery_id *items;
};

/* The first queued messages of all channels, where they are due and nobody has claimed them; at
 * most max, longest due first. Looks across tenants. */
enum error delivery_due(struct db *db, struct arena *arena, int64_t now, int64_t max,
                        struct delivery_ids *ids);
/* Claims that message. NULL when another notifier was quicker, or it is not to be sent any more, or
 * not yet. Sets the tenant whose message it is.
 *
 * NULL, too, when another one has let its lease run out, which `left` is then, unless that is
 * lease->after: it may be at it all the same. ERR_OK says that the message can be written to. */
enum error delivery_claim(struct db *db, struct arena *arena, struct str id,
                          const struct delivery_lease *lease, struct delivery **delivery,
                          struct delivery_left *left);
/* The lease of each of these begins anew, where it is still that owner's. Does not wait for one
 * that is locked. Sets the tenant. */
enum error delivery_keep(struct db *db, struct arena *arena, const struct delivery *const *held,
                         size_t n, const struct delivery_lease *lease);

/* How an attempt ended. */
struct delivery_outcome {
    int64_t time;         /* of the end */
    int64_t status;       /* HTTP status; 0: no answer */
    struct str error;     /* a sentence; empty: delivered */
    int64_t next_attempt; /* TIME_NONE: there is none, it has given up or is delivered */
    bool unmade;          /* there was no attempt: it does not count as one */
    bool gone;            /* the receiver wants no more (410): the channel is disabled */
    struct str url_kept;  /* of the channel_target: whose outcome it is */
};

/* What was recorded. */
struct delivery_record {
    bool ours;  /* else the lease was over and somebody else has claimed the message, or it is not
                   queued any more: nothing was recorded. What has arrived is sent, and ours,
                   whatever became of it meanwhile, unless it was queued again. */
    bool again; /* it is tried again */
    bool alone; /* the channel could not be written to: it is as it was */
    struct str next; /* the message that the channel has queued next; absent: there is none, or this
                        one is tried again */
};

/* Records the outcome with the message and its channel, and ends the lease. Of a channel that has
 * got another URL meanwhile it says nothing: it is not disabled, and the message is tried again. So
 * it is when the channel cannot be disabled: no message waits until a channel can be written to. */
enum error delivery_close(struct db *db, struct arena *arena, const struct delivery *delivery,
                          struct str owner, const struct delivery_outcome *outcome,
                          struct delivery_record *record);
/* Its channel is not there any more: cancels it, and whatever else is queued for it. */
enum error delivery_cancel(struct db *db, const struct delivery *delivery);

#endif

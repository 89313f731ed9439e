#include "store/delivery.h"

#include "store/outbox.h"

#define STATEMENTS "store/delivery.def"
#include "db/statements.inc"

/* Clocks of hosts differ by less; leases are shorter. */
enum { UNSEEN_MS = 60 * 1000 };

enum error delivery_due(struct db *db, struct arena *arena, int64_t now, int64_t max,
                        struct delivery_ids *ids)
{
    return DB_ROWS(db, arena, &ids->items, &ids->n, delivery_due, .now = now,
                   .unseen = now + UNSEEN_MS, .limit = max);
}

struct claim {
    struct arena *arena;
    struct str id;
    const struct delivery_lease *lease;
    struct delivery **delivery;
};

static enum error claim(struct db *db, void *arg)
{
    const struct claim *c = arg;
    const struct delivery_lease *lease = c->lease;
    struct delivery *delivery;
    *c->delivery = NULL;
    enum error e = DB_ROW(db, c->arena, &delivery, delivery_lock, .delivery_id = c->id,
                          .now = lease->now, .unseen = lease->now + UNSEEN_MS);
    if (!delivery)
        return e;
    delivery->id = c->id;
    *c->delivery = delivery;
    db_set_tenant(db, delivery->tenant);
    return DB_RUN(db, delivery_lease, .lease_owner = lease->owner, .lease_until = lease->until,
                  .delivery_id = c->id);
}

enum error delivery_claim(struct db *db, struct arena *arena, struct str id,
                          const struct delivery_lease *lease, struct delivery **delivery)
{
    struct claim c = {arena, id, lease, delivery};
    return db_transact(db, claim, &c);
}

struct closing {
    struct arena *arena;
    const struct delivery *delivery;
    struct str owner;
    const struct delivery_outcome *outcome;
    bool *ours;
    struct str *next;
};

static enum error record_message(struct db *db, const struct closing *c)
{
    const struct delivery_outcome *o = c->outcome;
    bool again = o->next_attempt != TIME_NONE;
    struct str state = !o->error.n ? STR("sent") : again ? STR("queued") : STR("gave_up");
    uint64_t affected = 0;
    enum error e = DB_RUN_COUNT(db, &affected, delivery_close, .state = state, .made = !o->unmade,
                                .next_attempt_at = o->next_attempt, .last_attempt_at = o->time,
                                .last_status = o->status, .last_error = o->error,
                                .delivery_id = c->delivery->id, .lease_owner = c->owner);
    if (!e && affected == 0 && !o->error.n)
        e = DB_RUN_COUNT(db, &affected, delivery_arrived, .last_attempt_at = o->time,
                         .last_status = o->status, .delivery_id = c->delivery->id);
    *c->ours = affected > 0;
    return e;
}

static enum error record_channel(struct db *db, const struct closing *c)
{
    const struct delivery_outcome *o = c->outcome;
    struct str channel = c->delivery->channel;
    enum error e =
        DB_RUN(db, channel_attempted, .last_attempt_at = o->time, .delivered = !o->error.n,
               .last_status = o->status, .last_error = o->error, .channel_id = channel);
    if (e || !o->gone)
        return e;
    e = DB_RUN(db, channel_disable, .disabled_reason = o->error, .channel_id = channel);
    return e ? e : outbox_cancel(db, channel, STR("The receiver answered 410 to an earlier one."));
}

/* The channel's next message, when this one is not tried again. */
static enum error find_next(struct db *db, const struct closing *c)
{
    struct delivery_id *first;
    if (c->outcome->next_attempt != TIME_NONE)
        return ERR_OK;
    enum error e = DB_ROW(db, c->arena, &first, delivery_first, .channel_id = c->delivery->channel);
    if (first)
        *c->next = first->id;
    return e;
}

static enum error record(struct db *db, void *arg)
{
    const struct closing *c = arg;
    *c->next = (struct str){0};
    enum error e = record_message(db, c);
    if (e || !*c->ours)
        return e;
    e = record_channel(db, c);
    return e ? e : find_next(db, c);
}

enum error delivery_close(struct db *db, struct arena *arena, const struct delivery *delivery,
                          struct str owner, const struct delivery_outcome *outcome, bool *ours,
                          struct str *next)
{
    struct closing c = {arena, delivery, owner, outcome, ours, next};
    db_set_tenant(db, delivery->tenant);
    return db_transact(db, record, &c);
}

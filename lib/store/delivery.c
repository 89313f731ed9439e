#include "store/delivery.h"

#include "store/alert_memory.h"
#include "store/outbox.h"
#include "store/tenant.h"

#define STATEMENTS "store/delivery.def"
#include "db/statements.inc"

/* Clocks of hosts differ by less, and leases are shorter: what is further ahead was never meant. */
enum { UNSEEN_MS = 60 * 1000 };
/* So many messages are looked at one by one, to find the channels that they are for. */
enum { MANY = 1000 };

enum error delivery_due(struct db *db, struct arena *arena, int64_t now, int64_t max,
                        struct delivery_ids *ids)
{
    int64_t count, unseen = now + UNSEEN_MS;
    enum error e = DB_NUMBER(db, arena, &count, delivery_count_due, .now = now, .limit = MANY);
    if (e)
        return e;
    if (count < MANY)
        return DB_ROWS(db, arena, &ids->items, &ids->n, delivery_due, .now = now, .unseen = unseen,
                       .limit = max);
    return DB_ROWS(db, arena, &ids->items, &ids->n, delivery_due_of_many, .now = now,
                   .unseen = unseen, .limit = max);
}

/* ---- leases ---- */

struct claim {
    struct arena *arena;
    struct str id;
    const struct delivery_lease *lease;
    struct delivery **delivery;
    struct delivery_left *left;
};

static bool may_follow(const struct delivery_lease *lease, const struct delivery_left *left)
{
    bool known = str_eq(left->owner, lease->after.owner) && left->until == lease->after.until;
    return !left->owner.p || str_eq(left->owner, lease->owner) || known;
}

static enum error write_lease(struct db *db, struct str id, const struct delivery_lease *lease)
{
    return DB_RUN(db, delivery_lease, .lease_owner = lease->owner, .lease_until = lease->until,
                  .delivery_id = id);
}

static enum error claim(struct db *db, void *arg)
{
    const struct claim *c = arg;
    struct delivery *delivery;
    *c->delivery = NULL;
    *c->left = (struct delivery_left){0};
    enum error e = DB_ROW(db, c->arena, &delivery, delivery_lock, .delivery_id = c->id,
                          .now = c->lease->now, .unseen = c->lease->now + UNSEEN_MS);
    if (!delivery)
        return e;
    delivery->id = c->id;
    db_set_tenant(db, delivery->tenant);
    if (may_follow(c->lease, &delivery->left)) {
        *c->delivery = delivery;
        return write_lease(db, c->id, c->lease);
    }
    *c->left = delivery->left;
    return DB_RUN(db, delivery_touch, .delivery_id = c->id);
}

enum error delivery_claim(struct db *db, struct arena *arena, struct str id,
                          const struct delivery_lease *lease, struct delivery **delivery,
                          struct delivery_left *left)
{
    struct claim c = {arena, id, lease, delivery, left};
    return db_transact(db, claim, &c);
}

struct keeping {
    struct arena *arena;
    const struct delivery *const *held;
    size_t n;
    const struct delivery_lease *lease;
};

static enum error keep(struct db *db, void *arg)
{
    const struct keeping *k = arg;
    enum error e = ERR_OK;
    for (size_t i = 0; !e && i < k->n; i++) {
        struct delivery_id *found;
        db_set_tenant(db, k->held[i]->tenant);
        e = DB_ROW(db, k->arena, &found, delivery_held, .delivery_id = k->held[i]->id,
                   .lease_owner = k->lease->owner);
        if (found)
            e = write_lease(db, found->id, k->lease);
    }
    return e;
}

enum error delivery_keep(struct db *db, struct arena *arena, const struct delivery *const *held,
                         size_t n, const struct delivery_lease *lease)
{
    struct keeping k = {arena, held, n, lease};
    return db_transact(db, keep, &k);
}

/* ---- outcomes ---- */

struct closing {
    struct arena *arena;
    const struct delivery *delivery;
    struct str owner;
    const struct delivery_outcome *outcome;
    struct delivery_record *record;
    bool alone; /* the message without its channel */
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
                         .last_status = o->status, .delivery_id = c->delivery->id,
                         .position = c->delivery->position);
    *c->record = (struct delivery_record){.ours = affected > 0, .again = again, .alone = c->alone};
    return e;
}

/* With all that is queued for it. */
static enum error disable_channel(struct db *db, const struct closing *c)
{
    struct str channel = c->delivery->channel;
    uint64_t affected = 0;
    enum error e =
        DB_RUN_COUNT(db, &affected, channel_disable, .disabled_reason = c->outcome->error,
                     .channel_id = channel, .url = c->outcome->url_kept);
    if (e || affected == 0)
        return e;
    c->record->again = false;
    e = alert_setup_changed(db);
    if (!e)
        e = DB_RUN(db, delivery_give_up, .delivery_id = c->delivery->id);
    return e ? e : outbox_cancel(db, channel, STR("The receiver answered 410 to an earlier one."));
}

static enum error record_channel(struct db *db, const struct closing *c)
{
    const struct delivery_outcome *o = c->outcome;
    enum error e =
        DB_RUN(db, channel_attempted, .last_attempt_at = o->time, .delivered = !o->error.n,
               .last_status = o->status, .last_error = o->error, .channel_id = c->delivery->channel,
               .url = o->url_kept);
    return e || !o->gone ? e : disable_channel(db, c);
}

/* The channel's next message, when this one is not tried again. */
static enum error find_next(struct db *db, const struct closing *c)
{
    struct delivery_id *first;
    if (c->record->again)
        return ERR_OK;
    enum error e = DB_ROW(db, c->arena, &first, delivery_first, .channel_id = c->delivery->channel);
    if (first)
        c->record->next = first->id;
    return e;
}

static enum error record(struct db *db, void *arg)
{
    const struct closing *c = arg;
    /* Before the channel, as by who changes channels. A tenant that is gone has no lock. */
    enum error e = c->outcome->gone && !c->alone ? tenant_lock(db, c->arena) : ERR_OK;
    if (!e || e == ERR_UNAUTHORIZED)
        e = record_message(db, c);
    if (e || !c->record->ours)
        return e;
    if (!c->alone)
        e = record_channel(db, c);
    return e ? e : find_next(db, c);
}

enum error delivery_close(struct db *db, struct arena *arena, const struct delivery *delivery,
                          struct str owner, const struct delivery_outcome *outcome,
                          struct delivery_record *recorded)
{
    struct closing c = {arena, delivery, owner, outcome, recorded, false};
    db_set_tenant(db, delivery->tenant);
    enum error e = db_transact(db, record, &c);
    if (!e || !db_connection(db))
        return e;
    c.alone = true;
    return db_transact(db, record, &c);
}

enum error delivery_cancel(struct db *db, const struct delivery *delivery)
{
    db_set_tenant(db, delivery->tenant);
    return outbox_cancel(db, delivery->channel, STR("The channel was deleted."));
}

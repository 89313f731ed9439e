#include "store/delivery.h"

#include "store/outbox.h"

/* Clocks of hosts differ by less; leases are shorter. */
enum { UNSEEN_MS = 60 * 1000 };

enum error delivery_due(struct db *db, struct arena *arena, int64_t now, int64_t max,
                        struct db_rows *ids)
{
    struct db_value at = db_time(now), unseen = db_time(now + UNSEEN_MS);
    return db_rows(db, arena, STMT_delivery_due,
                   DB_ARGS(at, at, unseen, at, unseen, at, unseen, db_int(max)), ids);
}

struct claim {
    struct arena *arena;
    struct str id;
    const struct lease *lease;
    struct delivery **delivery;
};

static enum error claim(struct db *db, void *arg)
{
    const struct claim *c = arg;
    const struct lease *lease = c->lease;
    struct db_value *row, at = db_time(lease->now), unseen = db_time(lease->now + UNSEEN_MS);
    *c->delivery = NULL;
    enum error e = db_row(db, c->arena, STMT_delivery_lock,
                          DB_ARGS(db_uuid(c->id), at, unseen, at, unseen), &row);
    if (e || !row)
        return e;
    *c->delivery = ARENA_NEW(c->arena, struct delivery);
    **c->delivery = (struct delivery){.id = c->id,
                                      .tenant = row[0].s,
                                      .channel = row[1].s,
                                      .attempts = row[2].i,
                                      .body = row[3].s};
    db_set_tenant(db, row[0].s);
    return db_run(db, STMT_delivery_lease,
                  DB_ARGS(db_uuid(lease->owner), db_time(lease->until), db_uuid(c->id)), NULL);
}

enum error delivery_claim(struct db *db, struct arena *arena, struct str id,
                          const struct lease *lease, struct delivery **delivery)
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
    enum error e = db_run(db, STMT_delivery_close,
                          DB_ARGS(db_text(state), db_time(o->next_attempt), db_time(o->time),
                                  db_int(o->status), db_text(o->error), db_uuid(c->delivery->id),
                                  db_uuid(c->owner)),
                          &affected);
    *c->ours = affected > 0;
    return e;
}

static enum error record_channel(struct db *db, const struct closing *c)
{
    const struct delivery_outcome *o = c->outcome;
    int delivered = !o->error.n;
    struct str channel = c->delivery->channel;
    enum error e = db_run(db, STMT_channel_attempted,
                          DB_ARGS(db_time(o->time), db_int(delivered), db_int(delivered),
                                  db_int(o->status), db_text(o->error), db_uuid(channel)),
                          NULL);
    if (e || !o->gone)
        return e;
    e = db_run(db, STMT_channel_disable, DB_ARGS(db_text(o->error), db_uuid(channel)), NULL);
    return e ? e : outbox_cancel(db, channel, STR("The receiver answered 410 to an earlier one."));
}

/* The channel's next message, when this one is not tried again. */
static enum error find_next(struct db *db, const struct closing *c)
{
    struct db_value *row;
    if (c->outcome->next_attempt != TIME_NONE)
        return ERR_OK;
    enum error e =
        db_row(db, c->arena, STMT_delivery_first, DB_ARGS(db_uuid(c->delivery->channel)), &row);
    if (!e && row)
        *c->next = row[0].s;
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

/* deliveries: messages to channels: what was sent, what waits; sent again, and sent as a test. */
#include "alert/alert.h"
#include "alert/channel_type.h"
#include "routes.h"
#include "store/channel.h"
#include "store/outbox.h"
#include "store/tenant.h"
#include "web/app.h"
#include "web/audit_trail.h"
#include "web/body.h"
#include "web/page.h"
#include "web/paging.h"
#include "web/param.h"

enum {
    STATE_MAX = 16,
    TESTS_MAX = 10, /* of a tenant, in TESTS_MS */
    TESTS_MS = 60 * 1000
};

static void write_delivery(struct jw *w, const struct outbox_row *row)
{
    jw_object(w);
    JW_STR(w, "id", row->id);
    JW_STR(w, "channelId", row->channel);
    JW_STR_OR_NULL(w, "clusterId", row->cluster_name);
    JW_STR(w, "event", row->event);
    JW_STR(w, "title", row->title);
    JW_STR(w, "state", row->state);
    JW_INT(w, "attempts", row->attempts);
    JW_TIME(w, "createdAt", row->created);
    JW_TIME(w, "lastAttemptAt", row->last_attempt);
    JW_TIME(w, "nextAttemptAt", row->next_attempt);
    JW_INT_OR_NULL(w, "lastStatus", row->last_status);
    JW_STR_OR_NULL(w, "lastError", row->last_error);
    jw_object_end(w);
}

static enum error answer_delivery(struct request *r, int status, const struct outbox_row *row)
{
    struct page page;
    page_begin(r, &page);
    write_delivery(&page.jw, row);
    return page_json(r, status, &page);
}

static enum error read_filter(struct request *r, struct outbox_filter *filter)
{
    enum error e = paging_read(r, &filter->page);
    if (!e)
        e = param_filter_cluster(r, "clusterId", &filter->cluster_name);
    if (!e)
        e = param_text(r, "state", STATE_MAX, &filter->state);
    if (!e && filter->state.p && !outbox_is_state(filter->state))
        e = refuse_field(r, ERR_INVALID_FIELD, "state",
                         "must be queued, sent, gave_up or cancelled.");
    if (!e)
        e = param_time(r, "from", PARAM_TIME_MIN, &filter->from);
    if (!e)
        e = param_time(r, "to", PARAM_TIME_MAX, &filter->to);
    filter->channel = request_param(r, "channelId");
    if (!e && filter->channel.p && !str_is_uuid(filter->channel))
        e = refuse_field(r, ERR_INVALID_FIELD, "channelId",
                         "must be an id as answers give it, a UUID.");
    return e;
}

static enum error answer_one(struct request *r)
{
    struct outbox_row *row;
    struct page page;
    struct str id;
    enum error e = param_id(r, "id", &id);
    if (!e)
        e = outbox_find(r->db, r->arena, id, &row);
    if (e || !row)
        return e ? e : ERR_UNKNOWN_DELIVERY;
    page_begin(r, &page);
    write_delivery(&page.jw, row);
    return page_json_tagged(r, &page);
}

static enum error answer_list(struct request *r)
{
    struct outbox_filter filter = {0};
    struct outbox_rows rows;
    struct page page;
    enum error e = read_filter(r, &filter);
    if (!e)
        e = outbox_list(r->db, r->arena, &filter, &rows);
    if (e)
        return e;
    if (paging_has_more(&filter.page, &rows.n))
        paging_next(r, rows.items[rows.n - 1].created, rows.items[rows.n - 1].id);
    page_begin(r, &page);
    jw_array(&page.jw);
    for (size_t i = 0; i < rows.n; i++)
        write_delivery(&page.jw, &rows.items[i]);
    jw_array_end(&page.jw);
    return page_json_tagged(r, &page);
}

enum error deliveries_list(struct request *r)
{
    return request_param(r, "id").p ? answer_one(r) : answer_list(r);
}

/* ---- sending again ---- */

struct replay {
    struct request *r;
    struct str id;
    struct outbox_row *row;
};

/* The channel that a message goes to: it must be there, and enabled. */
static enum error check_channel(struct request *r, struct str id, struct channel **channel)
{
    enum error e = channel_find(r->db, r->arena, id, channel);
    if (e || !*channel)
        return e ? e : ERR_UNKNOWN_CHANNEL;
    return (*channel)->enabled ? ERR_OK : ERR_CHANNEL_DISABLED;
}

static enum error store_replay(struct db *db, void *arg)
{
    struct replay *s = arg;
    struct request *r = s->r;
    struct channel *channel;
    enum error e = outbox_lock(db, r->arena, s->id, &s->row);
    if (e || !s->row)
        return e ? e : ERR_UNKNOWN_DELIVERY;
    if (str_eq(s->row->state, STR("queued")))
        return ERR_STILL_QUEUED;
    e = check_channel(r, s->row->channel, &channel);
    if (!e)
        e = outbox_replay(db, r->arena, s->row, r->now);
    if (e)
        return e;
    return audit_done(r, AUDIT_DELIVERY_REPLAYED,
                      arena_printf(r->arena, "%" STR_FMT " (%" STR_FMT ")", STR_ARG(s->id),
                                   STR_ARG(channel->name)));
}

enum error deliveries_replay(struct request *r)
{
    struct replay s = {.r = r};
    enum error e = body_only_id(r, &s.id);
    if (!e)
        e = db_transact(r->db, store_replay, &s);
    return e ? e : answer_delivery(r, 202, s.row);
}

/* ---- a test ---- */

static enum error check_tests(struct request *r)
{
    int64_t count;
    enum error e = outbox_count_since(r->db, r->arena, r->now - TESTS_MS,
                                      alert_event_name(ALERT_EVENT_TEST), &count);
    if (e || count < TESTS_MAX)
        return e;
    r->retry_after = TESTS_MS / 1000;
    return refuse(r, ERR_RATE_LIMITED, "There can be %d tests a minute; try again later.",
                  TESTS_MAX);
}

struct testing {
    struct request *r;
    struct str id; /* of the channel */
    struct outbox_row *row;
};

static enum error store_test(struct db *db, void *arg)
{
    struct testing *s = arg;
    struct request *r = s->r;
    struct channel *channel;
    enum error e = tenant_lock(db, r->arena);
    if (!e)
        e = check_channel(r, s->id, &channel);
    if (!e)
        e = check_tests(r);
    const struct channel_type *type = e ? NULL : channel_type_find(channel->type);
    if (!e && !type)
        e = ERR_INTERNAL;
    if (e)
        return e;
    struct alert_message message = alert_test(r->arena, channel->id, channel->name, r->now);
    struct outbox_message queued = {.channel = channel->id,
                                    .event = alert_event_name(message.event),
                                    .title = message.title,
                                    .body = channel_type_render(r->arena, type, &message)};
    e = outbox_add(db, r->arena, &queued, 1, r->now);
    if (!e)
        e = outbox_lock(db, r->arena, queued.id, &s->row);
    return e ? e : audit_done(r, AUDIT_CHANNEL_TESTED, channel->name);
}

enum error deliveries_test(struct request *r)
{
    struct testing s = {.r = r};
    enum error e = body_only_id(r, &s.id);
    if (!e)
        e = db_transact(r->db, store_test, &s);
    return e ? e : answer_delivery(r, 202, s.row);
}

int main(int argc, char **argv)
{
    return app_run(argc, argv, "deliveries", routes());
}

/* notifications: the channels that alerts go to, and what has been delivered to them. */
#include "alert/render.h"
#include "base/log.h"
#include "routes.h"
#include "service/webhook.h"
#include "service/webhook_url.h"
#include "store/channel.h"
#include "store/outbox.h"
#include "store/tenant.h"
#include "web/app.h"
#include "web/audit.h"
#include "web/body.h"
#include "web/page.h"
#include "web/paging.h"
#include "web/param.h"

enum {
    TYPE_MAX = 16,
    TESTS_MAX = 10, /* of a tenant, in TESTS_MS */
    TESTS_MS = 60 * 1000,
    UNHEALTHY_MS = 24 * 3600 * 1000
};

/* Of the last attempt; status is 0 when it got no answer. */
static void write_result(struct jw *w, int64_t status, struct str error)
{
    jw_key(w, STR("lastStatus"));
    if (status)
        jw_int(w, status);
    else
        jw_null(w);
    JW_STR_OR_NULL(w, "lastError", error);
}

/* ---- channels: what is shown ---- */

static const char *health_of(const struct channel *channel, int64_t now)
{
    if (!channel->enabled)
        return "disabled";
    if (channel->failing_since != TIME_NONE)
        return now - channel->failing_since >= UNHEALTHY_MS ? "unhealthy" : "failing";
    return channel->last_success == TIME_NONE ? "unknown" : "ok";
}

static void write_health(struct jw *w, const struct channel *channel, int64_t now)
{
    jw_object(w);
    JW_STR(w, "status", str_of(health_of(channel, now)));
    JW_TIME(w, "failingSince", channel->failing_since);
    JW_TIME(w, "lastAttemptAt", channel->last_attempt);
    JW_TIME(w, "lastSuccessAt", channel->last_success);
    write_result(w, channel->last_status, channel->last_error);
    JW_STR_OR_NULL(w, "disabledReason", channel->disabled_reason);
    jw_object_end(w);
}

static void write_channel(struct jw *w, const struct channel *channel, int64_t now)
{
    JW_STR(w, "id", channel->id);
    JW_STR(w, "type", channel->type);
    JW_STR(w, "name", channel->name);
    JW_STR(w, "webhookUrl", channel->url_masked);
    JW_BOOL(w, "enabled", channel->enabled);
    JW_TIME(w, "createdAt", channel->created);
    jw_key(w, STR("health"));
    write_health(w, channel, now);
}

/* secret: shown when there is one. */
static enum error answer_channel(struct request *r, int status, const struct channel *channel,
                                 struct str secret)
{
    struct page page;
    page_begin(r, &page);
    jw_object(&page.jw);
    write_channel(&page.jw, channel, r->now);
    if (secret.p)
        JW_STR(&page.jw, "secret", secret);
    jw_object_end(&page.jw);
    return page_json(r, status, &page);
}

enum error notifications_channels(struct request *r)
{
    struct channels channels;
    struct page page;
    enum error e = channel_list(r->db, r->arena, &channels);
    if (e)
        return e;
    page_begin(r, &page);
    jw_array(&page.jw);
    for (size_t i = 0; i < channels.n; i++) {
        jw_object(&page.jw);
        write_channel(&page.jw, &channels.items[i], r->now);
        jw_object_end(&page.jw);
    }
    jw_array_end(&page.jw);
    return page_json(r, 200, &page);
}

/* ---- channels: what is read ---- */

static enum error read_type(struct request *r, struct json_object *body, struct str *type)
{
    enum alert_format format;
    enum error e = body_text(r, body, "type", BODY_REQUIRED, TYPE_MAX, type);
    if (!e && !alert_format_find(*type, &format))
        return refuse_field(r, ERR_INVALID_FIELD, "type", "must be slack, teams or webhook.");
    return e;
}

/* Under the first of its names that the body has. Absent when it is optional and missing. */
static enum error read_url(struct request *r, struct json_object *body, enum body_presence presence,
                           struct str *url)
{
    static const char *const names[] = {"webhookUrl", "webhook_url", "url"};
    struct webhook_policy policy = {r->conf->webhook_allow_http != 0,
                                    str_of(r->conf->webhook_allow.s)};
    const char *name = names[0];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (body_has(body, names[i])) {
            name = names[i];
            break;
        }
    enum error e = body_text(r, body, name, presence, WEBHOOK_URL_MAX, url);
    if (e || !url->p)
        return e;
    request_wipe_later(r, *url);
    const char *problem = webhook_url_problem(*url, &policy);
    return problem ? refuse_field(r, ERR_INVALID_FIELD, name, "%s.", problem) : ERR_OK;
}

static enum error load_keys(struct request *r, struct seal_keys **keys)
{
    char error[SEAL_ERROR_SIZE];
    *keys = ARENA_NEW(r->arena, struct seal_keys);
    request_wipe_later(r, (struct str){(char *)*keys, sizeof **keys});
    if (seal_keys_load(r->conf->channel_keys.s, *keys, error))
        return ERR_OK;
    log_error("problem=%s", log_quote(str_of(error)));
    return ERR_INTERNAL;
}

/* In the arena, and wiped there when the request is over, as is the answer that shows it. */
static struct str new_secret(struct request *r)
{
    char *secret = arena_bytes(r->arena, WEBHOOK_SECRET_TEXT + 1);
    webhook_secret_new(secret);
    r->response.secret = true;
    request_wipe_later(r, (struct str){secret, WEBHOOK_SECRET_TEXT});
    return (struct str){secret, WEBHOOK_SECRET_TEXT};
}

/* ---- channels: what is changed ---- */

struct changing {
    struct request *r;
    struct seal_keys *keys;
    struct json_object *body;
    struct str id;
    struct channel_draft draft; /* what is absent stays */
    struct channel *channel;
};

static enum error lock_channel(struct changing *c)
{
    enum error e = channel_lock(c->r->db, c->r->arena, c->id, &c->channel);
    return !e && !c->channel ? ERR_UNKNOWN_CHANNEL : e;
}

static enum error store_new_channel(struct db *db, void *arg)
{
    struct changing *c = arg;
    struct request *r = c->r;
    int64_t count;
    enum error e = tenant_lock(db, r->arena);
    if (!e)
        e = channel_count(db, r->arena, &count);
    if (!e && count >= CHANNELS_MAX)
        e = refuse(r, ERR_PLAN_LIMIT, "There can be %d channels; delete one first.", CHANNELS_MAX);
    if (!e)
        e = channel_create(db, r->arena, c->keys, &c->draft, r->now, &c->channel);
    if (e)
        return e;
    return audit_done(r, AUDIT_CHANNEL_CREATED,
                      arena_printf(r->arena, "%" STR_FMT " (%" STR_FMT ")", STR_ARG(c->draft.name),
                                   STR_ARG(c->draft.type)));
}

enum error notifications_create_channel(struct request *r)
{
    struct changing c = {.r = r};
    enum error e = body_object(r, &c.body);
    if (!e)
        e = read_type(r, c.body, &c.draft.type);
    if (!e)
        e = body_name(r, c.body, "name", BODY_REQUIRED, CHANNEL_NAME_MAX, &c.draft.name);
    if (!e)
        e = read_url(r, c.body, BODY_REQUIRED, &c.draft.url);
    if (!e)
        e = body_bool(r, c.body, "enabled", true, &c.draft.enabled);
    if (!e)
        e = load_keys(r, &c.keys);
    if (e)
        return e;
    c.draft.url_masked = webhook_url_masked(r->arena, c.draft.url);
    if (str_eq(c.draft.type, alert_format_name(ALERT_WEBHOOK)))
        c.draft.secret = new_secret(r);
    e = db_transact(r->db, store_new_channel, &c);
    return e ? e : answer_channel(r, 201, c.channel, c.draft.secret);
}

static enum error store_change(struct db *db, void *arg)
{
    struct changing *c = arg;
    struct request *r = c->r;
    enum error e = lock_channel(c);
    if (e)
        return e;
    bool was_enabled = c->channel->enabled;
    struct str was = c->channel->name;
    e = body_bool(r, c->body, "enabled", was_enabled, &c->channel->enabled);
    if (c->draft.name.p)
        c->channel->name = c->draft.name;
    if (!e)
        e = channel_update(db, c->channel, was_enabled);
    if (!e && c->draft.url.p)
        e = channel_set_url(db, r->arena, c->keys, c->channel, c->draft.url, c->draft.url_masked);
    if (e)
        return e;
    bool enabled = c->channel->enabled;
    return audit_done(r, AUDIT_CHANNEL_CHANGED,
                      arena_printf(r->arena, "%" STR_FMT "%s%s%s", STR_ARG(was),
                                   str_eq(was, c->channel->name) ? "" : ", name",
                                   c->draft.url.p ? ", URL" : "",
                                   enabled == was_enabled ? ""
                                   : enabled              ? ", enabled"
                                                          : ", disabled"));
}

enum error notifications_change_channel(struct request *r)
{
    struct changing c = {.r = r};
    bool enabled;
    enum error e = body_object(r, &c.body);
    if (!e)
        e = body_or_param_id(r, c.body, &c.id);
    if (!e)
        e = body_name(r, c.body, "name", BODY_OPTIONAL, CHANNEL_NAME_MAX, &c.draft.name);
    if (!e)
        e = body_bool(r, c.body, "enabled", true, &enabled);
    if (!e)
        e = read_url(r, c.body, BODY_OPTIONAL, &c.draft.url);
    if (!e)
        e = load_keys(r, &c.keys);
    if (e)
        return e;
    if (c.draft.url.p)
        c.draft.url_masked = webhook_url_masked(r->arena, c.draft.url);
    e = db_transact(r->db, store_change, &c);
    return e ? e : answer_channel(r, 200, c.channel, (struct str){0});
}

static enum error store_deletion(struct db *db, void *arg)
{
    struct changing *c = arg;
    enum error e = lock_channel(c);
    if (!e)
        e = channel_delete(db, c->channel);
    return e ? e : audit_done(c->r, AUDIT_CHANNEL_DELETED, c->channel->name);
}

enum error notifications_delete_channel(struct request *r)
{
    struct changing c = {.r = r};
    enum error e = body_only_id(r, &c.id);
    if (!e)
        e = db_transact(r->db, store_deletion, &c);
    return e ? e : page_deleted(r, c.id);
}

static enum error store_rotation(struct db *db, void *arg)
{
    struct changing *c = arg;
    struct request *r = c->r;
    enum error e = lock_channel(c);
    if (!e && !str_eq(c->channel->type, alert_format_name(ALERT_WEBHOOK)))
        e = ERR_NO_SECRET;
    if (!e)
        e = channel_rotate(db, r->arena, c->keys, c->channel, c->draft.secret, r->now);
    return e ? e : audit_done(r, AUDIT_CHANNEL_SECRET_ROTATED, c->channel->name);
}

enum error notifications_rotate_secret(struct request *r)
{
    struct changing c = {.r = r};
    struct page page;
    enum error e = body_only_id(r, &c.id);
    if (!e)
        e = load_keys(r, &c.keys);
    if (e)
        return e;
    c.draft.secret = new_secret(r);
    e = db_transact(r->db, store_rotation, &c);
    if (e)
        return e;
    page_begin(r, &page);
    jw_object(&page.jw);
    JW_STR(&page.jw, "id", c.channel->id);
    JW_STR(&page.jw, "secret", c.draft.secret);
    JW_TIME(&page.jw, "previousValidUntil", r->now + CHANNEL_SECRET_OVERLAP_MS);
    jw_object_end(&page.jw);
    return page_json(r, 200, &page);
}

/* ---- deliveries ---- */

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
    write_result(w, row->last_status, row->last_error);
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
        e = param_text(r, "clusterId", CLUSTER_NAME_MAX, &filter->cluster_name);
    if (!e && filter->cluster_name.p)
        e = check_cluster_name(r, "clusterId", filter->cluster_name);
    if (!e)
        e = param_text(r, "state", TYPE_MAX, &filter->state);
    if (!e && filter->state.p && !outbox_is_state(filter->state))
        e = refuse_field(r, ERR_INVALID_FIELD, "state",
                         "must be queued, sent, gave_up or cancelled.");
    filter->channel = request_param(r, "channelId");
    if (!e && filter->channel.p && !str_is_uuid(filter->channel))
        e = refuse_field(r, ERR_INVALID_FIELD, "channelId", "is not an id.");
    return e;
}

enum error notifications_deliveries(struct request *r)
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
    return page_json(r, 200, &page);
}

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

enum error notifications_replay(struct request *r)
{
    struct replay s = {.r = r};
    enum error e = body_only_id(r, &s.id);
    if (!e)
        e = db_transact(r->db, store_replay, &s);
    return e ? e : answer_delivery(r, 202, s.row);
}

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
    enum alert_format format;
    enum error e = tenant_lock(db, r->arena);
    if (!e)
        e = check_channel(r, s->id, &channel);
    if (!e)
        e = check_tests(r);
    if (!e && !alert_format_find(channel->type, &format))
        e = ERR_INTERNAL;
    if (e)
        return e;
    struct alert_message message = alert_test(r->arena, channel->id, channel->name, r->now);
    struct outbox_message queued = {.channel = channel->id,
                                    .event = alert_event_name(message.event),
                                    .title = message.title,
                                    .body = alert_render(r->arena, format, &message)};
    e = outbox_add(db, r->arena, &queued, 1, r->now);
    if (!e)
        e = outbox_lock(db, r->arena, queued.id, &s->row);
    return e ? e : audit_done(r, AUDIT_CHANNEL_TESTED, channel->name);
}

enum error notifications_test_channel(struct request *r)
{
    struct testing s = {.r = r};
    enum error e = body_only_id(r, &s.id);
    if (!e)
        e = db_transact(r->db, store_test, &s);
    return e ? e : answer_delivery(r, 202, s.row);
}

int main(void)
{
    return app_run("notifications", routes());
}

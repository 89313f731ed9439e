/* channels: where alerts go. */
#include "alert/channel_type.h"
#include "routes.h"
#include "service/webhook.h"
#include "service/webhook_url.h"
#include "store/channel.h"
#include "store/tenant.h"
#include "web/app.h"
#include "web/audit_trail.h"
#include "web/body.h"
#include "web/page.h"
#include "web/sealing.h"

enum { UNHEALTHY_MS = 24 * 3600 * 1000 };

/* ---- what is shown ---- */

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
    JW_INT_OR_NULL(w, "lastStatus", channel->last_status);
    JW_STR_OR_NULL(w, "lastError", channel->last_error);
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

enum error channels_list(struct request *r)
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
    return page_json_tagged(r, &page);
}

/* ---- what is read ---- */

struct changing {
    struct request *r;
    struct seal_keys *keys;
    struct json_object *body;
    struct str id;
    struct channel_draft draft; /* what is absent stays */
    const char *url_field;      /* what the body calls the URL */
    struct channel *channel;
};

static enum error read_type(struct request *r, struct json_object *body,
                            const struct channel_type **type)
{
    struct str name;
    enum error e = body_text(r, body, "type", BODY_REQUIRED, CHANNEL_TYPE_MAX, &name);
    if (e)
        return e;
    *type = channel_type_find(name);
    return *type ? ERR_OK
                 : refuse_field(r, ERR_INVALID_FIELD, "type", "must be %" STR_FMT ".",
                                STR_ARG(channel_type_names(r->arena)));
}

/* Under the first of its names that the body gives. Absent when it is optional and missing. */
static enum error read_url(struct changing *c, enum body_presence presence)
{
    static const char *const names[] = {"webhookUrl", "webhook_url", "url"};
    struct request *r = c->r;
    struct webhook_policy policy = {r->conf->webhook_allow_http != 0,
                                    str_of(r->conf->webhook_allow.s)};
    struct str *url = &c->draft.url;
    c->url_field = names[0];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (body_gives(c->body, names[i])) {
            c->url_field = names[i];
            break;
        }
    enum error e = body_text(r, c->body, c->url_field, presence, WEBHOOK_URL_MAX, url);
    if (e || !url->p)
        return e;
    request_wipe_later(r, *url);
    const char *problem = webhook_url_problem(*url, &policy);
    if (problem)
        return refuse_field(r, ERR_INVALID_FIELD, c->url_field, "%s.", problem);
    c->draft.url_masked = webhook_url_masked(r->arena, *url);
    return ERR_OK;
}

/* Could a channel of this type post to the URL that was read? What comes of it is wiped here: a
 * transaction may ask several times. */
static enum error check_route(struct changing *c, const struct channel_type *type)
{
    struct request *r = c->r;
    struct str url = arena_str(r->arena, c->draft.url);
    struct channel_post post = {url, arena_str(r->arena, STR("{}"))};
    const char *problem = type->route(r->arena, &post);
    crypt_wipe((char *)url.p, url.n);
    crypt_wipe((char *)post.url.p, post.url.n);
    crypt_wipe((char *)post.body.p, post.body.n);
    return problem ? refuse_field(r, ERR_INVALID_FIELD, c->url_field, "%s.", problem) : ERR_OK;
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

/* ---- what is changed ---- */

static enum error lock_channel(struct changing *c)
{
    enum error e = channel_lock(c->r->db, c->r->arena, c->id, &c->channel);
    return !e && !c->channel ? ERR_UNKNOWN_CHANNEL : e;
}

static bool is_taken(const struct channels *channels, struct str name)
{
    for (size_t i = 0; i < channels->n; i++)
        if (str_eq(channels->items[i].name, name))
            return true;
    return false;
}

/* "slack hooks.slack.com"; the next one is "slack hooks.slack.com 2". */
static struct str default_name(struct request *r, const struct channel_draft *draft,
                               const struct channels *channels)
{
    enum { NUMBER_MAX = sizeof " 99" - 1 };
    struct str host = webhook_url_host(draft->url), base, name;
    base = arena_printf(r->arena, "%" STR_FMT " %" STR_FMT, STR_ARG(draft->type), STR_ARG(host));
    name = base = str_sub(base, 0, CHANNEL_NAME_MAX - NUMBER_MAX);
    for (int number = 2; is_taken(channels, name); number++)
        name = arena_printf(r->arena, "%" STR_FMT " %d", STR_ARG(base), number);
    return name;
}

static enum error store_new_channel(struct db *db, void *arg)
{
    struct changing *c = arg;
    struct request *r = c->r;
    struct channel_draft draft = c->draft;
    struct channels channels;
    enum error e = tenant_lock(db, r->arena);
    if (!e)
        e = channel_list(db, r->arena, &channels);
    if (!e && channels.n >= CHANNELS_MAX)
        e = refuse(r, ERR_PLAN_LIMIT, "There can be %d channels; delete one first.", CHANNELS_MAX);
    if (!e && !draft.name.p)
        draft.name = default_name(r, &draft, &channels);
    if (!e)
        e = channel_create(db, r->arena, c->keys, &draft, r->now, &c->channel);
    if (e)
        return e;
    return audit_done(r, AUDIT_CHANNEL_CREATED,
                      arena_printf(r->arena, "%" STR_FMT " (%" STR_FMT ")", STR_ARG(draft.name),
                                   STR_ARG(draft.type)));
}

enum error channels_create(struct request *r)
{
    struct changing c = {.r = r};
    const struct channel_type *type = NULL;
    enum error e = body_object(r, &c.body);
    if (!e)
        e = read_type(r, c.body, &type);
    if (!e)
        e = body_name(r, c.body, "name", BODY_OPTIONAL, CHANNEL_NAME_MAX, &c.draft.name);
    if (!e)
        e = read_url(&c, BODY_REQUIRED);
    if (!e)
        e = check_route(&c, type);
    if (!e)
        e = body_bool(r, c.body, "enabled", true, &c.draft.enabled);
    if (!e)
        e = sealing_keys(r, &c.keys);
    if (e)
        return e;
    c.draft.type = type->name;
    if (type->is_signed)
        c.draft.secret = new_secret(r);
    e = db_transact(r->db, store_new_channel, &c);
    return e ? e : answer_channel(r, 201, c.channel, c.draft.secret);
}

static enum error change_url(struct changing *c)
{
    const struct channel_type *type = channel_type_find(c->channel->type);
    enum error e = type ? check_route(c, type) : ERR_INTERNAL;
    return e ? e
             : channel_set_url(c->r->db, c->r->arena, c->keys, c->channel, c->draft.url,
                               c->draft.url_masked, c->r->now);
}

/* In the order of who names channels in a rule. */
static enum error lock_tenant_and_channel(struct changing *c)
{
    enum error e = tenant_lock(c->r->db, c->r->arena);
    return e ? e : lock_channel(c);
}

static enum error store_change(struct db *db, void *arg)
{
    struct changing *c = arg;
    struct request *r = c->r;
    enum error e = lock_tenant_and_channel(c);
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
        e = change_url(c);
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

enum error channels_change(struct request *r)
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
        e = read_url(&c, BODY_OPTIONAL);
    if (!e)
        e = sealing_keys(r, &c.keys);
    if (e)
        return e;
    e = db_transact(r->db, store_change, &c);
    return e ? e : answer_channel(r, 200, c.channel, (struct str){0});
}

static enum error store_deletion(struct db *db, void *arg)
{
    struct changing *c = arg;
    enum error e = lock_tenant_and_channel(c);
    if (!e)
        e = channel_delete(db, c->channel);
    return e ? e : audit_done(c->r, AUDIT_CHANNEL_DELETED, c->channel->name);
}

enum error channels_delete(struct request *r)
{
    struct changing c = {.r = r};
    enum error e = body_only_id(r, &c.id);
    if (!e)
        e = db_transact(r->db, store_deletion, &c);
    return e ? e : page_deleted(r, c.id);
}

static bool is_signed(const struct channel *channel)
{
    const struct channel_type *type = channel_type_find(channel->type);
    return type && type->is_signed;
}

static enum error store_rotation(struct db *db, void *arg)
{
    struct changing *c = arg;
    struct request *r = c->r;
    enum error e = lock_channel(c);
    if (!e && !is_signed(c->channel))
        e = ERR_NO_SECRET;
    if (!e)
        e = channel_rotate(db, r->arena, c->keys, c->channel, c->draft.secret, r->now);
    return e ? e : audit_done(r, AUDIT_CHANNEL_SECRET_ROTATED, c->channel->name);
}

enum error channels_rotate_secret(struct request *r)
{
    struct changing c = {.r = r};
    struct page page;
    enum error e = body_only_id(r, &c.id);
    if (!e)
        e = sealing_keys(r, &c.keys);
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

int main(int argc, char **argv)
{
    return app_run(argc, argv, "channels", routes());
}

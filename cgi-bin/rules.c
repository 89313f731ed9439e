/* rules: when a tenant is alerted. */
#include "routes.h"
#include "store/channel.h"
#include "store/rule.h"
#include "store/tenant.h"
#include "web/app.h"
#include "web/audit_trail.h"
#include "web/body.h"
#include "web/page.h"
#include "web/param.h"

enum { CONDITION_MAX = 16, THRESHOLD_MIN = 1, THRESHOLD_MAX = 100 };

static void write_channels(struct jw *w, struct str ids)
{
    struct str id;
    jw_key(w, STR("channelIds"));
    if (!ids.p) {
        jw_null(w);
        return;
    }
    jw_array(w);
    while (str_next_word(&ids, &id))
        jw_str(w, id);
    jw_array_end(w);
}

static void write_rule(struct jw *w, const struct rule *rule)
{
    jw_object(w);
    JW_STR(w, "id", rule->id);
    JW_STR(w, "condition", alert_kind_name(rule->kind));
    JW_INT_OR_NULL(w, "threshold", rule->threshold);
    JW_STR_OR_NULL(w, "clusterId", rule->cluster_name);
    write_channels(w, rule->channels);
    JW_BOOL(w, "enabled", rule->enabled);
    JW_TIME(w, "createdAt", rule->created);
    jw_object_end(w);
}

static enum error answer_rule(struct request *r, int status, const struct rule *rule)
{
    struct page page;
    page_begin(r, &page);
    write_rule(&page.jw, rule);
    return page_json(r, status, &page);
}

enum error rules_list(struct request *r)
{
    struct rules rules;
    struct page page;
    enum error e = rule_list(r->db, r->arena, &rules);
    if (e)
        return e;
    page_begin(r, &page);
    jw_array(&page.jw);
    for (size_t i = 0; i < rules.n; i++)
        write_rule(&page.jw, &rules.items[i]);
    jw_array_end(&page.jw);
    return page_json_tagged(r, &page);
}

static enum error read_condition(struct request *r, struct json_object *body, enum alert_kind *kind)
{
    struct str name;
    enum error e = body_text(r, body, "condition", BODY_REQUIRED, CONDITION_MAX, &name);
    if (!e && !alert_kind_find(name, kind))
        return refuse_field(r, ERR_INVALID_FIELD, "condition",
                            "must be score_drop or degraded_app.");
    return e;
}

/* That of rule unless the body has one; only a score_drop has any. What the body has is checked
 * all the same. */
static enum error read_threshold(struct request *r, struct json_object *body, struct rule *rule)
{
    int64_t threshold;
    enum error e =
        body_int(r, body, "threshold", THRESHOLD_MIN, THRESHOLD_MAX, rule->threshold, &threshold);
    if (e || rule->kind != ALERT_SCORE_DROP)
        return e;
    rule->threshold = threshold;
    if (!rule->threshold)
        return refuse_field(r, ERR_MISSING_FIELD, "threshold", "is required.");
    return e;
}

/* With the tenant locked none of them is deleted before the rule is there. */
static enum error check_channels(struct request *r, struct str ids)
{
    struct str id;
    struct channel *channel;
    while (str_next_word(&ids, &id)) {
        enum error e = channel_find(r->db, r->arena, id, &channel);
        if (e)
            return e;
        if (!channel)
            return refuse_field(r, ERR_UNKNOWN_CHANNEL, "channelIds",
                                "has %" STR_FMT ", and there is no such channel.", STR_ARG(id));
    }
    return ERR_OK;
}

/* What the body has replaces what the rule had; null stands for all. */
static enum error read_rule(struct request *r, struct json_object *body, struct rule *rule)
{
    enum error e = read_threshold(r, body, rule);
    if (!e && body_has(body, "clusterId"))
        e = body_cluster(r, body, &rule->cluster_name);
    if (e || !body_has(body, "channelIds"))
        return e ? e : body_bool(r, body, "enabled", rule->enabled, &rule->enabled);
    e = body_ids(r, body, "channelIds", RULE_CHANNELS_MAX, &rule->channels);
    if (!e)
        e = check_channels(r, rule->channels);
    return e ? e : body_bool(r, body, "enabled", rule->enabled, &rule->enabled);
}

/* "score_drop below 70, cluster production" */
static struct str rule_subject(struct request *r, const struct rule *rule)
{
    struct str kind = alert_kind_name(rule->kind);
    struct buf out = buf_init(r->arena, AUDIT_SUBJECT_MAX);
    buf_put(&out, kind);
    if (rule->threshold)
        buf_printf(&out, " below %lld", (long long)rule->threshold);
    if (rule->cluster_name.p)
        buf_printf(&out, ", cluster %" STR_FMT, STR_ARG(rule->cluster_name));
    return buf_str(&out);
}

struct changing_rule {
    struct request *r;
    struct json_object *body;
    struct str id;
    struct rule *rule;
};

static enum error store_new_rule(struct db *db, void *arg)
{
    struct changing_rule *c = arg;
    struct request *r = c->r;
    int64_t count;
    enum error e = tenant_lock(db, r->arena);
    if (!e)
        e = rule_count(db, r->arena, &count);
    if (!e && count >= RULES_MAX)
        e = refuse(r, ERR_PLAN_LIMIT, "There can be %d rules; delete one first.", RULES_MAX);
    if (!e)
        e = check_channels(r, c->rule->channels);
    if (!e)
        e = rule_create(db, r->arena, c->rule, r->now);
    return e ? e : audit_done(r, AUDIT_RULE_CREATED, rule_subject(r, c->rule));
}

enum error rules_create(struct request *r)
{
    struct rule rule = {.enabled = true};
    struct changing_rule c = {.r = r, .rule = &rule};
    enum error e = body_object(r, &c.body);
    if (!e)
        e = read_condition(r, c.body, &rule.kind);
    if (!e)
        e = read_rule(r, c.body, &rule);
    if (!e)
        e = db_transact(r->db, store_new_rule, &c);
    return e ? e : answer_rule(r, 201, &rule);
}

static enum error lock_rule(struct changing_rule *c)
{
    enum error e = rule_lock(c->r->db, c->r->arena, c->id, &c->rule);
    return !e && !c->rule ? ERR_UNKNOWN_RULE : e;
}

static enum error check_same_condition(struct changing_rule *c)
{
    enum alert_kind kind;
    if (!body_gives(c->body, "condition"))
        return ERR_OK;
    enum error e = read_condition(c->r, c->body, &kind);
    if (!e && kind != c->rule->kind)
        return refuse_field(c->r, ERR_INVALID_FIELD, "condition",
                            "cannot be changed; make another rule.");
    return e;
}

/* Absent stands for all, empty for none. */
static bool same_channels(struct str a, struct str b)
{
    return !a.p == !b.p && str_eq(a, b);
}

static enum error store_changed_rule(struct db *db, void *arg)
{
    struct changing_rule *c = arg;
    struct request *r = c->r;
    enum error e = tenant_lock(db, r->arena);
    if (!e)
        e = lock_rule(c);
    if (e)
        return e;
    struct str was = rule_subject(r, c->rule), channels = c->rule->channels;
    bool was_enabled = c->rule->enabled;
    e = check_same_condition(c);
    if (!e)
        e = read_rule(r, c->body, c->rule);
    if (!e)
        e = rule_update(db, c->rule);
    if (e)
        return e;
    bool enabled = c->rule->enabled;
    struct str is = rule_subject(r, c->rule);
    return audit_done(r, AUDIT_RULE_CHANGED,
                      arena_printf(r->arena, "%" STR_FMT " -> %" STR_FMT "%s%s", STR_ARG(was),
                                   STR_ARG(is),
                                   same_channels(channels, c->rule->channels) ? "" : ", channels",
                                   enabled == was_enabled ? ""
                                   : enabled              ? ", enabled"
                                                          : ", disabled"));
}

enum error rules_change(struct request *r)
{
    struct changing_rule c = {.r = r};
    enum error e = body_object(r, &c.body);
    if (!e)
        e = body_or_param_id(r, c.body, &c.id);
    if (!e)
        e = db_transact(r->db, store_changed_rule, &c);
    return e ? e : answer_rule(r, 200, c.rule);
}

static enum error store_deleted_rule(struct db *db, void *arg)
{
    struct changing_rule *c = arg;
    enum error e = tenant_lock(db, c->r->arena);
    if (!e)
        e = lock_rule(c);
    if (!e)
        e = rule_delete(db, c->id);
    return e ? e : audit_done(c->r, AUDIT_RULE_DELETED, rule_subject(c->r, c->rule));
}

enum error rules_delete(struct request *r)
{
    struct changing_rule c = {.r = r};
    enum error e = body_only_id(r, &c.id);
    if (!e)
        e = db_transact(r->db, store_deleted_rule, &c);
    return e ? e : page_deleted(r, c.id);
}

int main(int argc, char **argv)
{
    return app_run(argc, argv, "rules", routes());
}

/* rules: when a tenant is alerted, and when it is not. */
#include "routes.h"
#include "store/channel.h"
#include "store/ended_alert.h"
#include "store/fleet.h"
#include "store/rule.h"
#include "store/silence.h"
#include "store/tenant.h"
#include "web/app.h"
#include "web/audit_trail.h"
#include "web/body.h"
#include "web/page.h"
#include "web/paging.h"
#include "web/param.h"

enum { CONDITION_MAX = 16, THRESHOLD_MIN = 1, THRESHOLD_MAX = 100, SILENCE_DAYS_MAX = 90 };

/* The tenant's cluster, by its name; absent when the member is missing or null. */
static enum error read_cluster(struct request *r, struct json_object *body, struct str *name)
{
    struct cluster_row *cluster;
    enum error e = body_text(r, body, "clusterId", BODY_OPTIONAL, CLUSTER_NAME_MAX, name);
    return e || !name->p ? e : param_find_cluster(r, "clusterId", *name, &cluster);
}

/* ---- rules ---- */

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

/* That of rule unless the body has one; only a score_drop has any. */
static enum error read_threshold(struct request *r, struct json_object *body, struct rule *rule)
{
    if (rule->kind != ALERT_SCORE_DROP)
        return ERR_OK;
    enum error e = body_int(r, body, "threshold", THRESHOLD_MIN, THRESHOLD_MAX, rule->threshold,
                            &rule->threshold);
    if (!e && !rule->threshold)
        return refuse_field(r, ERR_MISSING_FIELD, "threshold", "is required.");
    return e;
}

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
        e = read_cluster(r, body, &rule->cluster_name);
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
    if (!body_has(c->body, "condition"))
        return ERR_OK;
    enum error e = read_condition(c->r, c->body, &kind);
    if (!e && kind != c->rule->kind)
        return refuse_field(c->r, ERR_INVALID_FIELD, "condition",
                            "cannot be changed; make another rule.");
    return e;
}

static enum error store_changed_rule(struct db *db, void *arg)
{
    struct changing_rule *c = arg;
    struct request *r = c->r;
    enum error e = lock_rule(c);
    if (e)
        return e;
    struct str was = rule_subject(r, c->rule);
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
                      arena_printf(r->arena, "%" STR_FMT " -> %" STR_FMT "%s", STR_ARG(was),
                                   STR_ARG(is),
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
    enum error e = lock_rule(c);
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

/* ---- what fires ---- */

static void write_firing(struct jw *w, const struct firing_alert *alert)
{
    jw_object(w);
    JW_STR(w, "clusterId", alert->cluster_name);
    JW_STR_OR_NULL(w, "ruleId", alert->rule);
    JW_STR(w, "condition", alert->kind);
    JW_INT_OR_NULL(w, "threshold", alert->threshold);
    JW_STR_OR_NULL(w, "app", alert->subject);
    JW_TIME(w, "since", alert->since);
    JW_TIME(w, "lastSentAt", alert->sent);
    jw_object_end(w);
}

/* The parameter clusterId, of a cluster of the tenant; absent: of all. */
static enum error read_own_cluster(struct request *r, struct str *name)
{
    struct cluster_row *cluster;
    *name = (struct str){0};
    if (!request_param(r, "clusterId").p)
        return ERR_OK;
    enum error e = param_cluster(r, "clusterId", &cluster);
    if (!e)
        *name = cluster->name;
    return e;
}

enum error rules_firing(struct request *r)
{
    struct firing_alerts alerts;
    struct str name;
    struct page page;
    enum error e = read_own_cluster(r, &name);
    if (!e)
        e = fleet_firing(r->db, r->arena, name, &alerts);
    if (e)
        return e;
    page_begin(r, &page);
    jw_array(&page.jw);
    for (size_t i = 0; i < alerts.n; i++)
        write_firing(&page.jw, &alerts.items[i]);
    jw_array_end(&page.jw);
    return page_json_tagged(r, &page);
}

/* ---- what is over ---- */

static void write_ended(struct jw *w, const struct ended_alert *alert)
{
    jw_object(w);
    JW_STR(w, "id", alert->id);
    JW_STR(w, "clusterId", alert->cluster_name);
    JW_STR_OR_NULL(w, "ruleId", alert->rule);
    JW_STR(w, "condition", alert->kind);
    JW_INT_OR_NULL(w, "threshold", alert->threshold);
    JW_STR_OR_NULL(w, "app", alert->subject);
    JW_TIME(w, "since", alert->since);
    JW_TIME(w, "lastSentAt", alert->sent);
    JW_TIME(w, "endedAt", alert->ended);
    JW_BOOL(w, "recovered", alert->recovered);
    jw_object_end(w);
}

static enum error read_ended_filter(struct request *r, struct ended_alert_filter *filter)
{
    enum error e = paging_read(r, &filter->page);
    if (!e)
        e = read_own_cluster(r, &filter->cluster_name);
    if (!e)
        e = param_time(r, "from", PARAM_TIME_MIN, &filter->from);
    return e ? e : param_time(r, "to", PARAM_TIME_MAX, &filter->to);
}

enum error rules_ended(struct request *r)
{
    struct ended_alert_filter filter = {0};
    struct ended_alerts alerts;
    struct page page;
    enum error e = read_ended_filter(r, &filter);
    if (!e)
        e = ended_alert_list(r->db, r->arena, &filter, &alerts);
    if (e)
        return e;
    if (paging_has_more(&filter.page, &alerts.n))
        paging_next(r, alerts.items[alerts.n - 1].ended, alerts.items[alerts.n - 1].id);
    page_begin(r, &page);
    jw_array(&page.jw);
    for (size_t i = 0; i < alerts.n; i++)
        write_ended(&page.jw, &alerts.items[i]);
    jw_array_end(&page.jw);
    return page_json_tagged(r, &page);
}

/* ---- silences ---- */

static void write_silence(struct jw *w, const struct silence *silence)
{
    jw_object(w);
    JW_STR(w, "id", silence->id);
    JW_STR_OR_NULL(w, "clusterId", silence->cluster_name);
    JW_TIME(w, "until", silence->until);
    JW_STR(w, "reason", silence->reason);
    JW_STR(w, "createdBy", silence->created_by);
    JW_TIME(w, "createdAt", silence->created);
    jw_object_end(w);
}

/* The parameter clusterId, of a cluster that may be gone; absent: of all. */
static enum error read_cluster_filter(struct request *r, struct str *name)
{
    enum error e = param_text(r, "clusterId", CLUSTER_NAME_MAX, name);
    return e || !name->p ? e : param_check_cluster_name(r, "clusterId", *name);
}

enum error rules_silences(struct request *r)
{
    struct silences silences;
    struct str cluster_name;
    struct page page;
    int64_t from;
    enum error e = param_time(r, "from", r->now, &from);
    if (!e)
        e = read_cluster_filter(r, &cluster_name);
    if (!e)
        e = silence_list(r->db, r->arena, from, cluster_name, &silences);
    if (e)
        return e;
    page_begin(r, &page);
    jw_array(&page.jw);
    for (size_t i = 0; i < silences.n; i++)
        write_silence(&page.jw, &silences.items[i]);
    jw_array_end(&page.jw);
    return page_json_tagged(r, &page);
}

static enum error read_silence(struct request *r, struct silence *silence)
{
    struct json_object *body;
    enum error e = body_object(r, &body);
    if (!e)
        e = read_cluster(r, body, &silence->cluster_name);
    if (!e)
        e = body_time(r, body, "until", &silence->until);
    if (!e && silence->until == TIME_NONE)
        e = refuse_field(r, ERR_MISSING_FIELD, "until", "is required.");
    if (!e && (silence->until <= r->now || silence->until > r->now + SILENCE_DAYS_MAX * CLOCK_DAY))
        e = refuse_field(r, ERR_INVALID_FIELD, "until",
                         "must be in the future, and within the next %d days.", SILENCE_DAYS_MAX);
    if (!e)
        e = body_text(r, body, "reason", BODY_OPTIONAL, SILENCE_REASON_MAX, &silence->reason);
    if (!silence->reason.p)
        silence->reason = STR("");
    return e;
}

/* "cluster production until 2026-03-17T12:00:00Z", "all clusters until ..." */
static struct str silence_subject(struct request *r, const struct silence *silence)
{
    char until[CLOCK_TEXT_SIZE];
    struct str name = silence->cluster_name, time = clock_format_short(silence->until, until);
    return arena_printf(r->arena, "%s%" STR_FMT " until %" STR_FMT,
                        name.p ? "cluster " : "all clusters", STR_ARG(name), STR_ARG(time));
}

struct changing_silence {
    struct request *r;
    struct str id;
    struct silence *silence;
};

static enum error store_new_silence(struct db *db, void *arg)
{
    struct changing_silence *c = arg;
    struct request *r = c->r;
    int64_t count;
    enum error e = tenant_lock(db, r->arena);
    if (!e)
        e = silence_count(db, r->arena, r->now, &count);
    if (!e && count >= SILENCES_MAX)
        e = refuse(r, ERR_PLAN_LIMIT, "There can be %d silences at a time; delete one first.",
                   SILENCES_MAX);
    if (!e)
        e = silence_create(db, r->arena, c->silence);
    return e ? e : audit_done(r, AUDIT_SILENCE_CREATED, silence_subject(r, c->silence));
}

enum error rules_create_silence(struct request *r)
{
    struct silence silence = {.created_by = r->identity.email, .created = r->now};
    struct changing_silence c = {.r = r, .silence = &silence};
    struct page page;
    enum error e = read_silence(r, &silence);
    if (!e)
        e = db_transact(r->db, store_new_silence, &c);
    if (e)
        return e;
    page_begin(r, &page);
    write_silence(&page.jw, &silence);
    return page_json(r, 201, &page);
}

static enum error store_deleted_silence(struct db *db, void *arg)
{
    struct changing_silence *c = arg;
    enum error e = silence_lock(db, c->r->arena, c->id, &c->silence);
    if (!e && !c->silence)
        e = ERR_UNKNOWN_SILENCE;
    if (!e)
        e = silence_delete(db, c->id);
    return e ? e : audit_done(c->r, AUDIT_SILENCE_DELETED, silence_subject(c->r, c->silence));
}

enum error rules_delete_silence(struct request *r)
{
    struct changing_silence c = {.r = r};
    enum error e = body_only_id(r, &c.id);
    if (!e)
        e = db_transact(r->db, store_deleted_silence, &c);
    return e ? e : page_deleted(r, c.id);
}

int main(int argc, char **argv)
{
    return app_run(argc, argv, "rules", routes());
}

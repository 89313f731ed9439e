/* validate: the deployment gate over HTTP. What it judges by is read here, lib/gate judges, and the
 * decision is kept, unless somebody only wants to know what it would be. */
#include "gate/gate.h"
#include "report/report.h"
#include "routes.h"
#include "store/api_use_text.h"
#include "store/categories.h"
#include "store/cluster.h"
#include "store/gate_memory.h"
#include "store/stored_override.h"
#include "validate/baseline.h"
#include "validate/change.h"
#include "validate/forecast_answer.h"
#include "validate/kept.h"
#include "validate/scope_answer.h"
#include "validate/upgrade_answer.h"
#include "web/app.h"
#include "web/audit_trail.h"
#include "web/page_text.h"
#include "web/param.h"
#include "web/risks_answer.h"
#include "web/together.h"

struct asking {
    struct request *r;
    struct change change;
    struct cluster_row *cluster;
    struct gate_summary *summary;
    struct gate_memory *memory; /* that summary is of; NULL: it was read just now */
    int64_t age;                /* milliseconds */
    override_list overrides;    /* that hold */
    struct forecast forecast;   /* when there is a manifest */
    struct asked_baseline baseline;
    struct gate_target target;
    struct gate_answer *answer;
    struct gate_told *told;     /* NULL: the question names no target */
    struct str findings;        /* what the answer's risks begin with, an array of its own */
    struct str reasons;         /* an array of strings */
    int64_t total;              /* risks of the cluster, and findings */
    char id[UUID_TEXT_LEN + 1]; /* of the decision; empty: it is not kept */
    struct kept kept;
};

/* ---- judging ---- */

static struct str namespace_of(const struct change *change)
{
    return change->namespace.n ? change->namespace : STR("default");
}

static struct gate_target target_of(const struct asking *a, struct str namespace)
{
    struct workload_state workload;
    if (a->change.resource.n == 0)
        return (struct gate_target){.state = GATE_TARGET_NOT_ASKED};
    enum gate_target_state state =
        gate_summary_find(a->summary, namespace, a->change.resource, &workload);
    if (state != GATE_TARGET_FOUND)
        return (struct gate_target){.state = state};
    return (struct gate_target){.state = GATE_TARGET_FOUND,
                                .kind = workload.kind,
                                .name = workload.name,
                                .desired = workload.desired,
                                .available = workload.available,
                                .rolling = workload.rolling};
}

static struct gate_upgrade upgrade_of(const struct asking *a)
{
    struct gate_upgrade upgrade = {.target = a->change.target, .known = a->summary->api_use.p};
    if (upgrade.target.major)
        upgrade.apis = api_use_read(a->r->arena, a->summary->api_use);
    return upgrade;
}

static struct gate_forecast forecast_of(const struct asking *a)
{
    return (struct gate_forecast){.asked = a->change.manifest.p != NULL,
                                  .score = (int)(a->forecast.prediction.predicted / 100),
                                  .rollout = a->forecast.rollout};
}

/* As override_for() takes it: empty of what is in none, and of what may be: a kind that is not
 * read, and no namespace is named. */
static struct str place_of(const struct change *change)
{
    struct str word, name;
    if (!str_cut(change->resource, '/', &word, &name))
        return namespace_of(change);
    enum kind kind = kind_by_word(word);
    if (kind_is_cluster_wide(kind))
        return STR("");
    return kind == KIND_NONE ? str_or_empty(change->namespace) : namespace_of(change);
}

/* Of everything that the change is to; see override_for(). */
static str_list namespaces_of(const struct asking *a)
{
    const struct proposed *object;
    str_list namespaces = {0};
    if (a->change.resource.n || a->change.namespace.n)
        LIST_ADD(a->r->arena, namespaces, place_of(&a->change));
    LIST_EACH (object, a->forecast.proposal.objects)
        LIST_ADD(a->r->arena, namespaces, object->namespace);
    return namespaces;
}

static void judge(struct asking *a)
{
    const struct conf *conf = a->r->conf;
    struct str namespace = namespace_of(&a->change);
    a->target = target_of(a, namespace);
    struct gate_question question = {.change = {.resource = a->change.resource,
                                                .namespace = namespace,
                                                .action = a->change.action,
                                                .image = a->change.image},
                                     .target = a->target,
                                     .upgrade = upgrade_of(a),
                                     .forecast = forecast_of(a),
                                     .overrides = a->overrides,
                                     .namespaces = namespaces_of(a),
                                     .cluster_name = a->cluster->name,
                                     .verdict = a->cluster->verdict,
                                     .partial = a->cluster->partial,
                                     .score = (int)a->cluster->score,
                                     .risks = a->cluster->risks,
                                     .now = a->r->now,
                                     .age = a->age,
                                     .stale_warn = conf->stale_warn * 1000,
                                     .stale_block = conf->stale_block * 1000};
    a->answer = gate_judge(a->r->arena, &question);
    a->total = a->cluster->risks + a->answer->findings_n;
}

static void list_findings(struct asking *a)
{
    struct page page;
    page_begin(a->r, &page);
    jw_array(&page.jw);
    for (uint32_t i = 0; i < a->answer->findings_n; i++) {
        const struct gate_finding *finding = &a->answer->findings[i];
        report_risk(&page.jw, &finding->risk, finding->of_change ? STR("change") : STR("cluster"),
                    a->r->now);
    }
    jw_array_end(&page.jw);
    a->findings = buf_str(&page.buf);
}

/* ---- the answer ---- */

enum { ANSWER_BYTES = 16 * 1024 /* but for the risks, as a rule */ };

static void list_reasons(struct asking *a)
{
    struct str line, costs = a->summary->reasons;
    const struct str *reason;
    struct page page;
    page_begin(a->r, &page);
    jw_array(&page.jw);
    LIST_EACH (reason, a->answer->reasons)
        jw_str(&page.jw, *reason);
    while (costs.n) {
        str_cut(costs, '\n', &line, &costs);
        jw_str(&page.jw, line);
    }
    jw_array_end(&page.jw);
    a->reasons = buf_str(&page.buf);
}

static void write_override(struct jw *w, const struct override *override)
{
    JW_BOOL(w, "overridden", override != NULL);
    if (!override)
        return;
    jw_key(w, STR("override"));
    override_write(w, override);
}

static enum error answer(struct asking *a)
{
    struct page page;
    struct str decision = decision_name(a->answer->decision), name = a->cluster->name;
    page_begin(a->r, &page);
    buf_reserve(&page.buf, a->summary->risks.n + a->findings.n + ANSWER_BYTES);
    struct jw *w = &page.jw;
    jw_object(w);
    JW_STR(w, "decision", decision);
    JW_INT(w, "csc_score", a->answer->score);
    write_override(w, a->answer->override);
    JW_STR(w, "message", a->answer->message);
    jw_key(w, STR("reasons"));
    jw_raw(w, a->reasons);
    scope_write(w, a->told, a->answer, a->r->now);
    JW_STR(w, "cluster_id", name);
    JW_STR(w, "scope", report_scope(a->cluster->partial));
    if (a->id[0])
        JW_STR(w, "decision_id", str_of(a->id));
    JW_TIME(w, "score_time", a->cluster->taken);
    JW_INT(w, "snapshot_age_seconds", a->age / 1000);
    jw_key(w, STR("categories"));
    categories_write(w, a->cluster->categories);
    upgrade_write(w, &a->change, a->summary, a->answer);
    if (a->change.manifest.p)
        forecast_write(w, &a->forecast, a->answer->predicted);
    baseline_write(w, &a->baseline);
    JW_INT(w, "risks_total", a->total);
    risks_answer_write(w, a->findings, a->summary->risks);
    jw_object_end(w);
    return page_json_or_text(a->r, 200, &page);
}

/* ---- keeping ---- */

static struct decision_row row_of(const struct asking *a)
{
    const struct change *change = &a->change;
    const struct override *override = a->answer->override;
    return (struct decision_row){
        .id = str_of(a->id),
        .cluster = a->cluster->id,
        .key = a->r->identity.key,
        .time = a->r->now,
        .decision = decision_name(a->answer->decision),
        .score = a->answer->score,
        .score_time = a->cluster->taken,
        .risks_total = a->total,
        .resource = change->resource,
        .namespace = change->namespace,
        .action = change->action,
        .image = change->image,
        .user = change->user,
        .source = change->source,
        .findings = a->findings,
        .message = a->answer->message,
        .reasons = a->reasons,
        .risks = a->summary->risks,
        .risks_hash = a->summary->risks_hash,
        .risks_kept = a->summary->risks_kept,
        .target =
            gate_summary_target(a->r->arena, a->summary, namespace_of(change), change->resource),
        .override = override ? override->id : (struct str){0}};
}

static struct audit_entry entry_of(const struct asking *a)
{
    struct str resource = a->change.resource;
    struct str decision = decision_name(a->answer->decision);
    struct str subject = arena_printf(a->r->arena, "%" STR_FMT " (%" STR_FMT " %d%s%" STR_FMT "%s)",
                                      STR_ARG(a->cluster->name), STR_ARG(decision),
                                      a->answer->score, resource.n ? ", " : "", STR_ARG(resource),
                                      a->answer->override ? ", overridden" : "");
    return audit_entry_of(a->r, AUDIT_DECISION, subject);
}

/* The cluster is then that of the moment of which the prediction is. */
static enum error foresee(struct asking *a)
{
    enum error e = forecast_make(a->r, a->change.cluster_name, a->change.manifest,
                                 namespace_of(&a->change), &a->forecast);
    if (!e) {
        a->cluster = a->forecast.cluster;
        a->summary = a->forecast.summary;
    }
    return e;
}

static enum error compare(struct asking *a)
{
    const struct conf *conf = a->r->conf;
    struct asked_baseline *b = &a->baseline;
    b->asked = a->change.baseline;
    if (!b->asked.n)
        return ERR_OK;
    enum error e = baseline_find(a->r, a->cluster, a->forecast.after, b);
    b->score = gate_score_at_age(b->baseline.score, a->age, conf->stale_warn * 1000,
                                 conf->stale_block * 1000);
    return e;
}

/* The cluster and its summary, both of one moment. */
static enum error read_both(struct db *db, void *arg)
{
    struct asking *a = arg;
    enum error e = cluster_find(db, a->r->arena, a->change.cluster_name, &a->cluster);
    if (e || !a->cluster)
        return e ? e : ERR_UNKNOWN_CLUSTER;
    if (a->cluster->taken == TIME_NONE)
        return ERR_NO_SNAPSHOT;
    return gate_summary_fetch(db, a->r->arena, a->cluster->id, &a->summary);
}

/* That of the cluster's row, which was read before. */
static enum error find_summary(struct asking *a)
{
    struct request *r = a->r;
    if (a->summary) /* it came with a forecast */
        return ERR_OK;
    struct gate_summary *known = ARENA_NEW(r->arena, struct gate_summary);
    a->memory = gate_memory_find(a->cluster, db_connection(r->db), r->now, known);
    a->summary = known;
    if (a->memory) {
        request_defer(r, gate_memory_release, a->memory);
        return ERR_OK;
    }
    enum error e = gate_summary_fetch(r->db, r->arena, a->cluster->id, &a->summary);
    /* A push came between them, or the cluster was removed. */
    if (!e && (!a->summary || a->summary->hash != a->cluster->gate_summary_hash))
        e = db_read(r->db, read_both, a);
    if (!e && a->summary)
        gate_memory_keep(a->cluster->id, db_connection(r->db), r->now, a->summary);
    return e;
}

/* The answer to a->change, which has been read. */
static enum error decide(struct asking *a)
{
    struct request *r = a->r;
    int64_t stale = r->conf->stale_block * 1000 + CLOCK_SECOND;
    enum error e = param_check_cluster_name(r, "cluster_id", a->change.cluster_name);
    if (!e)
        e = param_check_bound(r, a->change.cluster_name);
    if (!e)
        e = param_find_cluster(r, "cluster_id", a->change.cluster_name, &a->cluster);
    if (!e && a->cluster->taken == TIME_NONE)
        e = ERR_NO_SNAPSHOT;
    if (!e && (a->change.manifest.p || a->change.baseline.n))
        together_settle(r); /* either takes long */
    if (!e && a->change.manifest.p)
        e = foresee(a);
    if (!e)
        e = find_summary(a);
    if (!e && a->cluster->overridden > r->now)
        e = override_list_holding(r->db, r->arena, a->cluster->id, r->now, &a->overrides);
    if (!e && cluster_is_ahead(a->cluster->taken, r->now))
        e = cluster_disbelieve(r->db, a->cluster, r->now, stale);
    if (e || !a->summary)
        return e ? e : ERR_INTERNAL;
    change_cut_secrets(r->arena, &a->change);
    a->age = cluster_age(a->cluster->taken, r->now, stale);
    e = compare(a);
    if (e)
        return e;
    judge(a);
    e = scope_tell(r, &a->change, namespace_of(&a->change), &a->target, a->summary, a->cluster->id,
                   a->memory, &a->told);
    if (e)
        return e;
    list_findings(a);
    list_reasons(a);
    return ERR_OK;
}

enum error validate_change(struct request *r)
{
    struct asking *a = ARENA_NEW(r->arena, struct asking);
    a->r = r;
    enum error e = change_read(r, &a->change);
    if (!e)
        e = decide(a);
    if (e)
        return e;
    rand_uuid(a->id);
    a->kept =
        (struct kept){.decision = a->answer->decision, .row = row_of(a), .entry = entry_of(a)};
    kept_leave(r, &a->kept);
    return answer(a);
}

/* ---- GET /api/gate: what would it say? ---- */

enum error validate_try(struct request *r)
{
    struct asking a = {.r = r};
    enum error e = change_read_query(r, &a.change);
    if (!e)
        e = decide(&a);
    return e ? e : answer(&a);
}

int main(int argc, char **argv)
{
    return app_run(argc, argv, "validate", routes());
}

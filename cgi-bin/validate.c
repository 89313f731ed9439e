/* validate: the deployment gate. SAFE, WARN or BLOCK, from the cluster's latest score and its age,
 * and what there is to say about the change itself. */
#include "kube/image.h"
#include "routes.h"
#include "report/report.h"
#include "service/metrics.h"
#include "store/brief.h"
#include "store/categories.h"
#include "store/cluster.h"
#include "store/decision.h"
#include "web/app.h"
#include "web/audit.h"
#include "web/body.h"
#include "web/page.h"
#include "web/param.h"

enum {
    FIELD_MAX = 512,
    NOTES_MAX = 8,
    WARN_CAP = SCORE_SAFE - 1,
    BLOCK_CAP = SCORE_WARN - 1,
    MESSAGE_MAX = 4096
};

static const char judged_partly[] = "It is a score of the namespaces shown only.";

struct change {
    struct str cluster_name, resource, namespace, action, image, user, source;
};

struct asking {
    struct request *r;
    struct change change;
    struct str namespace; /* of the target */
    struct cluster_row *cluster;
    struct brief *brief;
    int64_t age;                   /* milliseconds */
    int score;                     /* after freshness */
    struct str stale;              /* why it is less than the cluster's; absent: it is not */
    struct str reasons[NOTES_MAX]; /* what was noted, in words */
    struct page risks;             /* the array of the answer */
    struct str findings;           /* what it begins with, an array of its own */
    size_t shown, total;
    char id[UUID_TEXT_LEN + 1]; /* of the decision */
};

/* What is asked here and not at ingest. What is found about the change costs nothing: the decision
 * is the cluster's score. */
static const struct check check_stale = {
    .id = "snapshot-stale",
    .category = CATEGORY_HEALTH,
    .severity = SEVERITY_HIGH,
    .recommendation = "Look after the agent: it should push a snapshot every few seconds.",
    .frameworks = ""};
static const struct check check_tag = {
    .id = "change-mutable-tag",
    .category = CATEGORY_POLICY,
    .severity = SEVERITY_MEDIUM,
    .recommendation = "Deploy a fixed version, best by digest (image@sha256:...).",
    .frameworks = ""};
static const struct check check_missing = {
    .id = "change-target-not-found",
    .category = CATEGORY_POLICY,
    .severity = SEVERITY_LOW,
    .recommendation = "Check the name and the namespace; when the workload is new, use the action "
                      "\"create\".",
    .frameworks = ""};
static const struct check check_degraded = {
    .id = "change-target-degraded",
    .category = CATEGORY_RUNTIME,
    .severity = SEVERITY_HIGH,
    .recommendation = "Mend the workload before you change it, or roll it back.",
    .frameworks = ""};
static const struct check check_rollout = {.id = "change-rollout-in-progress",
                                           .category = CATEGORY_HISTORY,
                                           .severity = SEVERITY_MEDIUM,
                                           .recommendation = "Wait until the rollout is complete.",
                                           .frameworks = ""};

static enum error read_change(struct request *r, struct change *change)
{
    struct json_object *body;
    const struct {
        const char *name;
        struct str *out;
    } fields[] = {
        {"cluster_id", &change->cluster_name},
        {"resource", &change->resource},
        {"namespace", &change->namespace},
        {"action", &change->action},
        {"image", &change->image},
        {"user", &change->user},
        {"source", &change->source},
    };
    enum error e = body_object(r, &body);
    for (size_t i = 0; !e && i < sizeof fields / sizeof fields[0]; i++)
        e = body_text(r, body, fields[i].name, BODY_OPTIONAL, FIELD_MAX, fields[i].out);
    if (!e && !change->cluster_name.p)
        change->cluster_name = http_header(&r->http, "X_CLUSTER_ID");
    if (!e && change->cluster_name.n == 0)
        e = refuse_field(r, ERR_MISSING_FIELD, "cluster_id", "is required.");
    return e;
}

/* ---- risks of the answer ---- */

static void add_risk(struct asking *a, struct risk *risk, struct str scope)
{
    risk->severity = risk->check->severity;
    risk->count = 1;
    risk_identify(risk);
    report_risk(&a->risks.jw, risk, scope, a->r->now);
    a->reasons[a->shown++] = risk->message;
    a->total++;
}

static void add_cluster_risk(struct asking *a, const struct check *check, int points,
                             struct str message)
{
    struct risk risk = {.check = check,
                        .resource = STR("cluster"),
                        .message = message,
                        .impact = (uint32_t)points * 100};
    add_risk(a, &risk, STR("cluster"));
}

static void add_change_risk(struct asking *a, const struct check *check, struct str message)
{
    struct str resource = a->change.resource;
    struct risk risk = {.check = check,
                        .namespace = a->namespace,
                        .resource = resource.n ? resource : STR("cluster"),
                        .message = message};
    add_risk(a, &risk, STR("change"));
}

/* A score is current or it counts less: the older the snapshot, the lower the most it may say. */
static void judge_freshness(struct asking *a)
{
    const struct conf *conf = a->r->conf;
    char age[CLOCK_TEXT_SIZE];
    int score = (int)a->cluster->score;
    int cap = a->age > conf->stale_block * 1000  ? BLOCK_CAP
              : a->age > conf->stale_warn * 1000 ? WARN_CAP
                                                 : 100;
    a->score = score < cap ? score : cap;
    if (cap == 100)
        return;
    struct str text = clock_format_age(a->age, age);
    struct str message = arena_printf(
        a->r->arena, "The snapshot is %" STR_FMT " old: the score counts %d at most (it was %d).",
        STR_ARG(text), cap, score);
    add_cluster_risk(a, &check_stale, score - a->score, message);
    if (a->score < score)
        a->stale = message;
}

static void judge_image(struct asking *a)
{
    struct str image = a->change.image;
    if (image.n && image_is_mutable(image_parse(image)))
        add_change_risk(a, &check_tag,
                        arena_printf(a->r->arena,
                                     "The image %" STR_FMT
                                     " has no fixed version: what runs can change unnoticed.",
                                     STR_ARG(image)));
}

static void judge_found(struct asking *a, const struct brief_workload *w)
{
    struct arena *arena = a->r->arena;
    if (w->desired != NUMBER_ABSENT && w->available != NUMBER_ABSENT && w->available < w->desired)
        add_change_risk(a, &check_degraded,
                        arena_printf(arena,
                                     "%" STR_FMT " %" STR_FMT
                                     " is degraded already: %lld of %lld replicas are available.",
                                     STR_ARG(w->kind), STR_ARG(w->name), (long long)w->available,
                                     (long long)w->desired));
    if (w->rolling)
        add_change_risk(a, &check_rollout,
                        arena_printf(arena,
                                     "A rollout of %" STR_FMT " %" STR_FMT " is in progress.",
                                     STR_ARG(w->kind), STR_ARG(w->name)));
}

static void judge_target(struct asking *a)
{
    struct change *change = &a->change;
    struct brief_workload workload;
    bool is_workload;
    if (change->resource.n == 0)
        return;
    if (brief_find(a->brief, a->namespace, change->resource, &workload, &is_workload))
        judge_found(a, &workload);
    else if (is_workload && !str_eq_nocase(change->action, STR("create")))
        add_change_risk(a, &check_missing,
                        arena_printf(a->r->arena,
                                     "%" STR_FMT " is not in namespace %" STR_FMT
                                     " of this cluster.",
                                     STR_ARG(change->resource), STR_ARG(a->namespace)));
}

static void add_known_risks(struct asking *a)
{
    struct str line, lines = a->brief->risks;
    a->total += (size_t)a->cluster->risks;
    for (; lines.n && a->shown < BRIEF_RISKS_MAX; a->shown++) {
        str_cut(lines, '\n', &line, &lines);
        jw_raw(&a->risks.jw, line);
    }
}

static void judge(struct asking *a)
{
    page_begin(a->r, &a->risks);
    a->namespace = a->change.namespace.n ? a->change.namespace : STR("default");
    jw_array(&a->risks.jw);
    judge_freshness(a);
    judge_image(a);
    judge_target(a);
    struct str findings = buf_str(&a->risks.buf);
    a->findings = arena_printf(a->r->arena, "%" STR_FMT "]", STR_ARG(findings));
    add_known_risks(a);
    jw_array_end(&a->risks.jw);
}

/* ---- the answer ---- */

static struct str score_in_words(struct asking *a)
{
    struct arena *arena = a->r->arena;
    switch (decision_of(a->score)) {
    case DECISION_SAFE:
        return arena_printf(arena, "The score is %d: %d or more is SAFE.", a->score, SCORE_SAFE);
    case DECISION_WARN:
        return arena_printf(arena, "The score is %d: below %d is WARN.", a->score, SCORE_SAFE);
    case DECISION_BLOCK:
        break;
    }
    return arena_printf(arena, "The score is %d: below %d is BLOCK.", a->score, SCORE_WARN);
}

/* The verdict of the snapshot; of one that counts less by now, why comes first. A cluster that was
 * scored before verdicts were kept has its score in words. */
static struct str message_of(struct asking *a)
{
    struct arena *arena = a->r->arena;
    struct buf message = buf_init(arena, MESSAGE_MAX);
    const struct cluster_row *cluster = a->cluster;
    if (a->stale.p)
        buf_printf(&message, "%" STR_FMT " %s", STR_ARG(a->stale),
                   cluster->verdict.n ? "It said: " : "");
    if (cluster->verdict.n)
        buf_put(&message, cluster->verdict);
    else
        buf_printf(&message, "Cluster %" STR_FMT " scores %d: %" STR_FMT ", %zu active risks.",
                   STR_ARG(cluster->name), a->score, STR_ARG(decision_name(decision_of(a->score))),
                   a->total);
    if (cluster->partial)
        buf_printf(&message, " %s", judged_partly);
    return buf_str(&message);
}

static void write_reasons(struct asking *a, struct jw *w)
{
    struct str line, costs = a->brief->reasons;
    jw_key(w, STR("reasons"));
    jw_array(w);
    jw_str(w, score_in_words(a));
    if (a->cluster->partial)
        jw_str(w, str_of(judged_partly));
    for (size_t i = 0; i < NOTES_MAX && a->reasons[i].p; i++)
        jw_str(w, a->reasons[i]);
    while (costs.n) {
        str_cut(costs, '\n', &line, &costs);
        jw_str(w, line);
    }
    jw_array_end(w);
}

static enum error answer(struct asking *a)
{
    struct page page;
    struct str decision = decision_name(decision_of(a->score)), name = a->cluster->name;
    struct category_result categories[CATEGORY_COUNT];
    categories_read(a->cluster->categories, categories);
    page_begin(a->r, &page);
    struct jw *w = &page.jw;
    jw_object(w);
    JW_STR(w, "decision", decision);
    JW_INT(w, "csc_score", a->score);
    JW_STR(w, "message", message_of(a));
    write_reasons(a, w);
    JW_STR(w, "cluster_id", name);
    JW_STR(w, "scope", report_scope(a->cluster->partial));
    JW_STR(w, "decision_id", str_of(a->id));
    JW_TIME(w, "score_time", a->cluster->taken);
    JW_INT(w, "snapshot_age_seconds", a->age / 1000);
    jw_key(w, STR("categories"));
    report_categories(w, categories);
    JW_INT(w, "risks_total", (int64_t)a->total);
    jw_key(w, STR("risks"));
    jw_raw(w, buf_str(&a->risks.buf));
    jw_object_end(w);
    return page_json(a->r, 200, &page);
}

static enum error keep(struct db *db, void *arg)
{
    struct asking *a = arg;
    const struct change *change = &a->change;
    struct str decision = decision_name(decision_of(a->score));
    struct decision_row row = {.id = str_of(a->id),
                               .cluster = a->cluster->id,
                               .key = a->r->identity.key,
                               .time = a->r->now,
                               .decision = decision,
                               .score = a->score,
                               .score_time = a->cluster->taken,
                               .risks_total = (int64_t)a->total,
                               .resource = change->resource,
                               .namespace = change->namespace,
                               .action = change->action,
                               .image = change->image,
                               .user = change->user,
                               .source = change->source,
                               .findings = a->findings,
                               .risks = a->brief->risks,
                               .risks_hash = a->brief->risks_hash,
                               .risks_kept = a->brief->risks_kept};
    enum error e = decision_add(db, &row);
    if (e)
        return e;
    return audit_done(a->r, AUDIT_DECISION,
                      arena_printf(a->r->arena, "%" STR_FMT " (%" STR_FMT " %d%s%" STR_FMT ")",
                                   STR_ARG(a->cluster->name), STR_ARG(decision), a->score,
                                   change->resource.n ? ", " : "", STR_ARG(change->resource)));
}

static void count(enum decision decision)
{
    metrics_add(decision == DECISION_SAFE   ? METRIC_GATE_SAFE
                : decision == DECISION_WARN ? METRIC_GATE_WARN
                                            : METRIC_GATE_BLOCK,
                1);
}

enum error validate_change(struct request *r)
{
    struct asking a = {.r = r};
    enum error e = read_change(r, &a.change);
    if (!e)
        e = param_find_cluster(r, "cluster_id", a.change.cluster_name, &a.cluster);
    if (!e && a.cluster->taken == TIME_NONE)
        e = ERR_NO_SNAPSHOT;
    if (!e)
        e = brief_fetch(r->db, r->arena, a.cluster->id, &a.brief);
    if (e || !a.brief)
        return e ? e : ERR_INTERNAL;
    a.age = r->now > a.cluster->taken ? r->now - a.cluster->taken : 0;
    judge(&a);
    rand_uuid(a.id);
    e = db_transact(r->db, keep, &a);
    if (e)
        return e;
    count(decision_of(a.score));
    return answer(&a);
}

int main(int argc, char **argv)
{
    return app_run(argc, argv, "validate", routes());
}

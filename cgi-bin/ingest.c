/* ingest: a pushed snapshot becomes a score. */
#include "gate/scope.h"
#include "report/report.h"
#include "routes.h"
#include "score/score.h"
#include "service/metrics.h"
#include "store/cluster.h"
#include "store/ingest.h"
#include "store/log_lines.h"
#include "store/quota.h"
#include "store/shown.h"
#include "store/snapshot.h"
#include "store/stored_deploy.h"
#include "store/stored_exemption.h"
#include "web/app.h"
#include "web/audit_trail.h"
#include "web/changed_body.h"
#include "web/judging.h"
#include "web/known_cluster.h"
#include "web/page.h"
#include "web/push_head.h"
#include "web/snapshot_body.h"
#include "web/upload.h"

enum { AHEAD_MS = 5 * 60 * 1000 };

struct push {
    struct request *r;
    struct str cluster_name;
    int64_t taken, given; /* given: the time that the client says, or TIME_NONE */
    struct release target;
    struct push_id id;
    struct push_before *before; /* NULL: the cluster is new */
    bool has_changes;           /* its body says what has changed */
    struct changed_body changed;
    struct snapshot_body body;
    struct judging judging;
    struct score_policy policy;
    deployed_list deploys; /* before the snapshot */
    struct ledger *ledger;
    struct scope_draft *scope; /* for the gate */
};

/* ---- the header ---- */

/* Clocks differ a little: what is just ahead of ours is now. */
static enum error read_time(struct push *push)
{
    struct str text = http_header(&push->r->http, "X_SNAPSHOT_TIME");
    int64_t now = push->r->now;
    push->given = text.n ? clock_parse(text) : TIME_NONE;
    push->taken = text.n ? push->given : now;
    if (push->taken == TIME_NONE || push->taken < 0 || push->taken > now + AHEAD_MS)
        return refuse_field(push->r, ERR_INVALID_FIELD, "X-Snapshot-Time",
                            "must be a time such as 2026-03-17T12:00:00Z, and not in the future.");
    if (push->taken > now)
        push->taken = now;
    return ERR_OK;
}

static enum error read_target(struct push *push)
{
    struct str text = http_header(&push->r->http, "X_TARGET_VERSION");
    if (text.n && !release_choose(text, &push->target))
        return refuse_field(push->r, ERR_INVALID_FIELD, "X-Target-Version",
                            "must be a release of Kubernetes such as 1.34.");
    return ERR_OK;
}

static enum error read_id(struct push *push)
{
    struct request *r = push->r;
    struct str key;
    struct str content[] = {r->http.body, http_header(&r->http, "X_TARGET_VERSION")};
    enum error e = push_head_key(r, &key);
    if (!e)
        push->id = push_identify(r->arena, push_head_kind(r), key, push->given, content, 2);
    return e;
}

static enum error read_header(struct push *push)
{
    push->has_changes = push_head_is_changes(push->r);
    enum error e = upload_cluster(push->r, &push->cluster_name);
    if (!e)
        e = read_time(push);
    if (!e)
        e = read_target(push);
    if (!e)
        e = upload_compression(push->r, &push->body.compression);
    return e ? e : read_id(push);
}

/* ---- the body ---- */

/* The base against which a delta can be made, if it pays. */
static enum error find_base(struct push *push)
{
    const struct push_before *before = push->before;
    struct request *r = push->r;
    if (!before || before->base.n != SNAPSHOT_BASE || before->wear.surplus < 0)
        return ERR_OK;
    enum error e = snapshot_base(r->db, r->arena, before->cluster, before->base,
                                 (size_t)r->conf->base_memory_mib << 20, &push->body.base);
    push->body.base_id = before->base;
    push->body.wear = before->wear;
    if (push->body.base && snapshot_is_worn(&before->wear, push->body.base))
        push->body.base = NULL;
    return e;
}

/* Of changes, the document that they make with the stored one. */
static enum error find_document(struct push *push)
{
    push->changed = (struct changed_body){.r = push->r,
                                          .compression = push->body.compression,
                                          .before = push->before,
                                          .known = push->body.known};
    enum error e = push->has_changes ? changed_body_read(&push->changed) : ERR_OK;
    push->body.document = push->changed.document;
    return e;
}

static void read_snapshot(void *context)
{
    struct push *push = context;
    push->judging.error = snapshot_body_read(&push->body);
}

/* ---- the score ---- */

/* Whoever is over keeps what is there, and may push again when less is kept. */
static enum error check_quota(const struct push *push)
{
    struct request *r = push->r;
    struct quota quota;
    uint32_t objects = push->body.cluster->objects + push->body.cluster->outdated.n;
    if (quota_is_ordinary(push->before ? push->before->bytes : 0, objects))
        return ERR_OK;
    enum error e = quota_fetch(r->db, r->arena, &quota);
    if (e)
        return e;
    if (objects > quota.plan->objects)
        return refuse(r, ERR_PLAN_LIMIT,
                      "The snapshot holds %u objects, and the plan %" STR_FMT " allows %lld.",
                      objects, STR_ARG(quota.plan->name), (long long)quota.plan->objects);
    if (quota.bytes > quota.plan->bytes)
        return refuse(r, ERR_PLAN_LIMIT,
                      "The clusters of this account keep %lld MiB, and the plan %" STR_FMT
                      " allows %lld: delete a cluster, or push less often.",
                      (long long)(quota.bytes >> 20), STR_ARG(quota.plan->name),
                      (long long)(quota.plan->bytes >> 20));
    return ERR_OK;
}

/* What is known of the cluster already. A snapshot that comes late knows nothing of it: what it
 * lacks, later ones may have been the first to show. */
static void take_known(const struct push *push, struct score_policy *policy)
{
    if (!push->before)
        return;
    policy->partial = push->before->partial;
    int64_t latest = push->before->taken;
    if (push->taken >= latest || cluster_is_ahead(latest, push->r->now))
        policy->shown_before = shown_before(push->before->shown, push->taken);
}

static void judge(void *context)
{
    struct push *push = context;
    push->judging.error = ERR_OK;
    push->ledger = score_again(push->r->arena, push->body.cluster, &push->policy, push->taken,
                               push->body.known ? push->body.known->verdicts : NULL);
    push->scope = scope_draft(push->r->arena, push->body.cluster, push->ledger);
}

enum { UNREAD_NAMED = 20 }; /* kinds that the answer names */

static void write_answer(const struct push *push, struct page *page)
{
    const struct ledger *ledger = push->ledger;
    page_begin(push->r, page);
    jw_object(&page->jw);
    JW_STR(&page->jw, "status", STR("ok"));
    JW_INT(&page->jw, "csc_score", ledger->csc_score);
    JW_STR(&page->jw, "decision", decision_name(ledger->decision));
    JW_STR(&page->jw, "verdict", ledger->verdict);
    JW_INT(&page->jw, "risks", ledger->risks.n);
    if (push->has_changes || http_header(&push->r->http, "X_WANT_REVISION").n)
        JW_STR(&page->jw, "revision", str_of(snapshot_name(push->body.copy).text));
    if (ledger->unread.n) {
        jw_key(&page->jw, STR("not_read"));
        report_unread(&page->jw, ledger->unread, UNREAD_NAMED);
    }
    jw_object_end(&page->jw);
}

/* A push with an id may be stored again when nobody knows whether it was: only once it counts. When
 * that fails, it is still not known. */
static enum error store(struct push *push, struct ingest *in, struct page *page)
{
    struct request *r = push->r;
    enum error e = ingest_store(r->db, r->arena, in);
    if (e == ERR_NO_SNAPSHOT) { /* another push has stored a new base: this one is stored whole */
        push->body.base = NULL;
        push->body.known = NULL; /* what was judged may be in it, and must stay */
        e = judging_guard(&push->judging, read_snapshot, push);
        in->copy = push->body.copy;
        if (!e) {
            write_answer(push, page);
            in->answer = buf_str(&page->buf);
            e = ingest_store(r->db, r->arena, in);
        }
    }
    if (e != ERR_COMMIT_UNKNOWN || !push_has_id(&push->id))
        return e;
    enum error again = ingest_store(r->db, r->arena, in);
    return again == ERR_OK || again == ERR_IDEMPOTENCY_CONFLICT ? again : e;
}

/* What else is judged by. Of a known cluster the look-up has told whether there is any. */
static enum error fetch_context(struct push *push)
{
    struct request *r = push->r;
    enum error e = ERR_OK;
    if (!push->before || push->before->has_logs)
        e = log_lines_recent(r->db, r->arena, push->cluster_name, push->taken,
                             &push->body.cluster->pod_logs);
    if (!e && (!push->before || push->before->has_exemptions))
        e = exemption_policy(r->db, r->arena, push->cluster_name, &push->policy.exemptions);
    if (!e && push->before && judging_reads_deploys(r))
        e = deploy_recent(r->db, r->arena, push->before->cluster, push->taken, &push->deploys);
    if (judging_reads_deploys(r))
        push->policy.deploys = &push->deploys;
    return e;
}

/* Who has gone away while it was judged does not know that it is stored, and pushes again. */
static enum error check_client(struct request *r)
{
    if (!http_has_left(&r->http))
        return ERR_OK;
    metrics_add(METRIC_PUSH_LEFT, 1);
    return refuse(r, ERR_OVERLOADED, "The client has gone away; nothing was stored.");
}

static enum error judge_and_store(struct push *push)
{
    struct request *r = push->r;
    struct page page;
    bool answered;
    push->policy = judging_policy(r);
    push->policy.target = push->target;
    take_known(push, &push->policy);
    enum error e = fetch_context(push);
    if (!e)
        e = check_quota(push);
    if (!e)
        e = judging_guard(&push->judging, judge, push);
    if (e)
        return e;
    api_use_list api_use = api_use_of(r->arena, push->body.cluster, &push->policy);
    write_answer(push, &page);
    struct ingest in = {.cluster_name = push->cluster_name,
                        .known = push->before,
                        .has_watched = push->before && push->before->has_watched,
                        .queue = {.tenant = r->identity.tenant,
                                  .cluster_max = (unsigned)r->conf->cluster_waiting,
                                  .tenant_max = (unsigned)r->conf->tenant_waiting},
                        .received = r->now,
                        .taken = push->taken,
                        .copy = push->body.copy,
                        .cluster = push->body.cluster,
                        .ledger = push->ledger,
                        .api_use = &api_use,
                        .scope = push->scope,
                        .risks_named = (uint32_t)r->conf->risks_named,
                        .check_set = score_version(&push->policy),
                        .alert_repeat_ms = r->conf->alert_repeat * 1000,
                        .alert_clear_ms = r->conf->alert_clear * 1000,
                        .id = push->id,
                        .answer = buf_str(&page.buf),
                        .creation = audit_entry_of(r, AUDIT_CLUSTER_CREATED, push->cluster_name)};
    e = check_client(r);
    if (!e)
        e = store(push, &in, &page);
    if (e == ERR_IDEMPOTENCY_CONFLICT) { /* this one, or another worker, has stored it already */
        e = upload_replay(r, push->cluster_name, &push->id, push->taken, &push->before, &answered);
        if (e == ERR_DATABASE_UNAVAILABLE || e == ERR_DATABASE_BUSY)
            return ERR_COMMIT_UNKNOWN; /* it is stored, or was: nobody may say that it is not */
        return e || answered ? e : ERR_DATABASE_BUSY;
    }
    metrics_add(METRIC_PUSH_ACCEPTED, e ? 0 : 1);
    if (!e && push->has_changes)
        changed_body_keep(&push->changed, str_of(snapshot_name(push->body.copy).text),
                          push->body.places);
    return e ? e : page_json(r, 200, &page);
}

enum error ingest_snapshot(struct request *r)
{
    struct push push = {.r = r};
    push.body = (struct snapshot_body){.r = r, .judging = &push.judging};
    bool answered = false;
    enum error e = read_header(&push);
    if (!e)
        e = upload_replay(r, push.cluster_name, &push.id, push.taken, &push.before, &answered);
    judging_begin(&push.judging, r);
    if (!e && !answered)
        e = find_base(&push);
    if (!e && !answered)
        push.body.known = known_cluster(r, push.cluster_name);
    if (!e && !answered)
        e = find_document(&push);
    if (!e && !answered)
        e = judging_guard(&push.judging, read_snapshot, &push);
    if (!e && !answered)
        known_cluster_count(push.body.known);
    return e || answered ? e : judge_and_store(&push);
}

static int serve(int argc, char **argv)
{
    int status = app_run(argc, argv, "ingest", routes());
    known_cluster_end();
    return status;
}

int main(int argc, char **argv)
{
    return serve(argc, argv);
}

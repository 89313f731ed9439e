#include "store/ingest.h"

#include "kube/provider.h"
#include "score/fold.h"
#include "service/metrics.h"
#include "store/alerting.h"
#include "store/api_use_text.h"
#include "store/categories.h"
#include "store/cluster.h"
#include "store/gate_summary.h"
#include "store/history.h"
#include "store/quota.h"
#include "store/stored_deploy.h"
#include "store/stored_exemption.h"
#include "store/stored_ledger.h"
#include "store/stored_outcome.h"
#include "store/risk.h"
#include "store/shown.h"
#include "store/snapshot.h"
#include "store/tenant.h"

enum { PROVIDER_MAX = 32, REGION_MAX = 64, VERDICT_MAX = 1000 };

struct storing {
    struct arena *arena;
    const struct ingest *in;
    struct str api_use;
    const struct workload_state *states; /* see workload_states() */
    const struct ledger *kept;           /* the ledger, folded */
    int64_t latest;                      /* time of the snapshot that the cluster had */
    enum metric stored;                  /* how the snapshot was; METRIC_COUNT: not at all */
    unsigned tries;                      /* of the transaction, with this one */
};

/* The known cluster, locked, or a new one. Whoever pushes a new cluster first locks the tenant's
 * slots; racing first pushes of the same cluster find it on their second look. */
static enum error admit(struct db *db, const struct storing *s, struct cluster_row **row)
{
    struct str name = s->in->cluster_name;
    bool has_slot;
    enum error e = s->in->known ? cluster_queue_lock(db, s->arena, &s->in->queue, name, row)
                                : cluster_lock(db, s->arena, name, row);
    if (e || *row)
        return e;
    e = tenant_lock_slots(db, s->arena, &has_slot);
    if (!e)
        e = cluster_lock(db, s->arena, name, row);
    if (e || *row)
        return e;
    if (!has_slot)
        return ERR_PLAN_LIMIT;
    e = cluster_create(db, s->arena, name, s->in->received, row);
    if (!e)
        e = tenant_take_slot(db);
    return e ? e : audit_add(db, &s->in->creation);
}

static void take_score(const struct storing *s, struct cluster_row *row)
{
    const struct ledger *ledger = s->in->ledger;
    row->received = s->in->received;
    row->taken = s->in->taken;
    row->score = ledger->csc_score;
    row->score_exact = ledger->score_exact;
    row->nodes = ledger->nodes;
    row->pods = ledger->pods;
    row->risks = ledger->risks.n;
    row->categories = categories_text(s->arena, ledger->categories);
    row->shown = shown_after(s->arena, row->shown, ledger->shown, row->taken);
    row->verdict = str_utf8_prefix(ledger->verdict, VERDICT_MAX);
    row->provider = str_utf8_prefix(provider_of(s->in->cluster), PROVIDER_MAX);
    row->region = str_utf8_prefix(region_of(s->in->cluster), REGION_MAX);
}

static int64_t risk_rows_max(const struct storing *s)
{
    return (int64_t)s->in->risks_named * RISK_ROWS_PER_NAME;
}

/* The gate shows less than what is named: it takes its risks from what is kept. */
static enum error store_summary(struct db *db, const struct storing *s, int64_t hash,
                                struct cluster_row *row)
{
    struct risk_hashes *hashes = ARENA_NEW(s->arena, struct risk_hashes);
    uint32_t shown[GATE_SUMMARY_RISKS_MAX], n = gate_summary_risks(s->arena, s->kept, shown);
    int64_t *first_seen;
    enum error e = risk_replace(db, s->arena, row, s->kept, hashes, &first_seen);
    if (!e)
        e = risk_first_seen(db, s->arena, row, s->kept, shown, n, first_seen);
    if (!e)
        e = risk_trim(db, s->arena, row, risk_rows_max(s));
    if (e)
        return e;
    struct gate_summary summary = gate_summary_of(s->arena, s->in->cluster, s->in->ledger, s->kept,
                                                  first_seen, s->api_use, scope_text(s->in->scope));
    hashes->summary = hash;
    e = gate_summary_put(db, s->arena, row->id, &summary, hashes);
    return e ? e : exemption_note_use(db, s->arena, row->id, s->in->ledger);
}

/* is_same: the stored copy is this document already. */
static enum error store_snapshot(struct db *db, struct storing *s, struct cluster_row *row,
                                 bool is_same)
{
    const struct snapshot_copy *copy = s->in->copy;
    bool put = false;
    row->snapshot_hash = snapshot_hash(copy, s->in->received);
    enum error e = is_same ? cluster_put_score_alone(db, row, &put) : ERR_OK;
    s->stored = METRIC_SNAPSHOT_SAME;
    if (e || put)
        return e;
    row->snapshot_bytes = copy->bytes;
    s->stored = copy->delta.p ? METRIC_SNAPSHOT_DELTA : METRIC_SNAPSHOT_WHOLE;
    e = snapshot_put(db, row->id, s->in->received, row->taken, copy);
    return e ? e : cluster_put_score(db, row);
}

/* before: when the push before came. */
static enum error store_latest(struct db *db, struct storing *s, int64_t before,
                               struct cluster_row *row)
{
    int64_t hash =
        gate_summary_name(row->gate_summary_hash,
                          gate_summary_hash(s->arena, s->in->cluster, s->states, s->in->ledger,
                                            s->api_use, scope_hash(s->in->scope)));
    /* What an addition changes is the base, not the document: it is to be stored. */
    bool is_same = before != TIME_NONE && !s->in->copy->number &&
                   row->snapshot_hash == snapshot_hash(s->in->copy, before);
    enum error e = hash != row->gate_summary_hash ? store_summary(db, s, hash, row) : ERR_OK;
    row->gate_summary_hash = hash;
    return e ? e : store_snapshot(db, s, row, is_same);
}

/* The history moves on, and nothing else. */
static enum error store_overtaken(struct db *db, const struct storing *s, struct cluster_row *row)
{
    enum error e = risk_note(db, s->arena, row, s->kept);
    if (!e)
        e = risk_trim(db, s->arena, row, risk_rows_max(s));
    return e ? e : cluster_put_newest(db, row);
}

static enum error raise_alerts(struct db *db, const struct storing *s, struct cluster_row *row)
{
    struct alerting alerting = {.cluster = row->id,
                                .cluster_name = row->name,
                                .received = row->received,
                                .taken = row->taken,
                                .partial = row->partial,
                                .repeat_ms = s->in->alert_repeat_ms,
                                .clear_ms = s->in->alert_clear_ms,
                                .revision = row->calm};
    bool calm = false;
    enum error e = alerting_run(db, s->arena, &alerting, s->in->cluster, s->in->ledger,
                                &row->kept_bytes, &calm);
    row->calm = calm;
    return e;
}

/* A snapshot older than the latest says nothing about now, unless that one is of a future that only
 * a wrong clock can have seen: it would stand for now until then. */
static bool is_overtaken(const struct storing *s, int64_t taken)
{
    return taken < s->latest && !cluster_is_ahead(s->latest, s->in->received);
}

/* One that came late may have become the latest, because another has its time: history_add(). */
static enum error note_deploys(struct db *db, const struct storing *s, struct cluster_row *row)
{
    return is_overtaken(s, s->in->taken)
               ? ERR_OK
               : deploy_note(db, s->arena, row, s->in->cluster, s->states, s->latest);
}

/* Points of such a future stay in the history, and are newer than nothing any more: the next ones
 * follow what is believed, with a ledger of their own. */
static enum error forget_future(struct db *db, const struct storing *s, struct cluster_row *row)
{
    if (!cluster_is_ahead(row->newest, s->in->received))
        return ERR_OK;
    row->ledger_base = TIME_NONE;
    row->ledger_hash = 0;
    return history_last(db, s->arena, row->id, 0, s->in->received, &row->newest);
}

/* With the first push of a day, what was counted on others counts less. before: when the push
 * before came. */
static enum error age_quota(struct db *db, const struct storing *s, int64_t before,
                            struct cluster_row *row)
{
    const struct plan *plan;
    int64_t clusters, now = s->in->received;
    if (before == TIME_NONE || before / CLOCK_DAY == now / CLOCK_DAY)
        return ERR_OK;
    enum error e = tenant_slots(db, s->arena, &plan, &clusters);
    if (!e)
        row->kept_bytes = quota_aged(row->kept_bytes, before, now, plan->retention);
    return e;
}

/* What is newer than all points is one more, unless those of a future are forgotten. */
static bool is_surely_new(const struct storing *s, const struct cluster_row *row)
{
    return s->tries == 1 && row->taken > row->newest && row->taken >= row->packed;
}

/* A push is remembered by its key and by its time, with its answer each. */
static int64_t bytes_of_point(const struct ingest *in)
{
    int64_t names = (in->id.by_key.n != 0) + (in->id.by_time.n != 0);
    return QUOTA_POINT_BYTES + names * (QUOTA_PUSH_BYTES + (int64_t)in->answer.n);
}

static enum error store(struct db *db, void *arg)
{
    struct storing *s = arg;
    struct cluster_row *row;
    s->tries++;
    enum error e = admit(db, s, &row);
    if (!e && push_has_id(&s->in->id))
        e = push_remember(db, s->arena, row->id, &s->in->id, s->in->received, s->in->answer);
    if (!e)
        e = forget_future(db, s, row);
    if (e)
        return e;
    int64_t before = row->received;
    s->latest = row->taken;
    s->stored = METRIC_COUNT;
    take_score(s, row);
    row->kept_bytes += bytes_of_point(s->in);
    e = history_add(db, s->arena, row, is_surely_new(s, row));
    if (!e)
        e = stored_ledger_put(db, s->arena, row, row->taken, s->kept, s->in->check_set);
    if (e)
        return e;
    if (is_overtaken(s, row->taken))
        return store_overtaken(db, s, row);
    e = age_quota(db, s, before, row);
    if (!e)
        e = note_deploys(db, s, row);
    if (!e)
        e = raise_alerts(db, s, row);
    if (!e)
        e = store_latest(db, s, before, row);
    if (e || !s->in->has_watched)
        return e;
    return outcome_watch(db, s->arena, row->id, s->in->cluster, row->taken);
}

enum error ingest_store(struct db *db, struct arena *arena, const struct ingest *in)
{
    assert(in->cluster && in->ledger && in->risks_named >= GATE_SUMMARY_RISKS_MAX);
    struct storing s = {.arena = arena,
                        .in = in,
                        .api_use = api_use_text(arena, in->api_use),
                        .states = workload_states(arena, in->cluster),
                        .kept = ledger_fold(arena, in->ledger, in->risks_named),
                        .stored = METRIC_COUNT};
    enum error e = db_transact(db, store, &s);
    if (!e && s.stored != METRIC_COUNT)
        metrics_add(s.stored, 1);
    return e;
}

#include "web/forecast.h"

#include "base/log.h"
#include "gate/ill_typed.h"
#include "gate/settle.h"
#include "reader/snapshot_reader.h"
#include "score/completeness.h"
#include "score/recall.h"
#include "score/score.h"
#include "store/log_lines.h"
#include "store/open_risks.h"
#include "store/shown.h"
#include "store/stored_deploy.h"
#include "store/stored_exemption.h"
#include "web/judging.h"
#include "web/rate_limit.h"
#include "web/stored.h"

/* A proposed object as the snapshot has it. */
struct found {
    bool is_there;
    struct object_version version;
    struct buf text; /* JSON; empty when it is too long to be kept */
};

enum { NAME_SHOWN_MAX = 253 };

struct making {
    struct request *r;
    struct forecast *forecast;
    struct str name; /* of the cluster */
    struct judging judging;
    struct score_policy policy;
    struct open_risks risks; /* of the snapshot when it was pushed */
    pod_log_list logs;
    deployed_list deploys; /* before the snapshot */
    struct snapshot_stored *copy;
    struct found *found;          /* one a proposed object */
    struct snapshot_basis *basis; /* for the next model */
    struct cluster *model, *next; /* without the manifest and with it */
    struct ledger *before, *after;
    struct recall recall;
    struct rollout_finding ill_typed; /* what the API server refuses */
};

/* ---- what is stored ---- */

static enum error read_stored(struct db *db, void *arg)
{
    struct making *m = arg;
    struct arena *arena = m->r->arena;
    struct forecast *forecast = m->forecast;
    enum error e = cluster_find(db, arena, m->name, &forecast->cluster);
    if (e || !forecast->cluster)
        return e ? e : ERR_UNKNOWN_CLUSTER;
    int64_t taken = forecast->cluster->taken;
    if (taken == TIME_NONE)
        return ERR_NO_SNAPSHOT;
    e = gate_summary_fetch(db, arena, forecast->cluster->id, &forecast->summary);
    if (!e)
        e = open_risks_fetch(db, arena, forecast->cluster->id, taken, &m->risks);
    if (!e)
        e = log_lines_recent(db, arena, m->name, taken, &m->logs);
    if (!e)
        e = exemption_policy(db, arena, m->name, &m->policy.exemptions);
    if (!e && m->policy.deploys)
        e = deploy_recent(db, arena, forecast->cluster->id, taken, &m->deploys);
    return e ? e : snapshot_fetch(db, arena, forecast->cluster->id, m->copy);
}

static enum error fetch(struct making *m)
{
    struct request *r = m->r;
    m->copy = stored_new(r);
    if (!m->copy)
        return ERR_INTERNAL;
    m->policy = judging_policy(r);
    if (judging_reads_deploys(r))
        m->policy.deploys = &m->deploys;
    enum error e = db_read(r->db, read_stored, m);
    if (e)
        return e;
    m->policy.partial = m->forecast->cluster->partial;
    m->policy.shown_before = shown_before(m->forecast->cluster->shown, m->forecast->cluster->taken);
    return ERR_OK;
}

/* ---- reading ---- */

/* Of several the newest counts, of equal versions the last. */
static void note_found(void *context, const struct snapshot_object *object)
{
    struct making *m = context;
    const struct proposal *proposal = &m->forecast->proposal;
    const struct proposed *proposed =
        object->kind == KIND_NONE
            ? NULL
            : proposal_find(proposal, object->kind, object->namespace, object->name);
    if (!proposed)
        return;
    struct found *found = &m->found[proposed - proposal->objects.items];
    if (found->is_there && version_order(object->version, found->version) < 0)
        return;
    found->is_there = true;
    found->version = object->version;
    found->text.n = 0;
    buf_put(&found->text, object->text);
}

static struct cluster *read_model(struct making *m, struct source source)
{
    struct snapshot_visitor visitor = {.object = note_found, .context = m};
    struct snapshot_options options = {.total_max = UINT64_MAX,
                                       .effort_limits = &m->judging.limits,
                                       .effort = &m->judging.effort,
                                       .told = &visitor,
                                       .basis = &m->basis};
    struct snapshot_error error = {.code = SNAPSHOT_OK};
    struct cluster *cluster = snapshot_read(m->r->arena, source, &options, &error);
    if (cluster) {
        cluster->pod_logs = m->logs;
        return cluster;
    }
    log_error("problem=\"a stored snapshot cannot be read\" cluster=%s code=%d json=%d offset=%llu",
              log_quote(m->forecast->cluster->id), (int)error.code, (int)error.json.code,
              (unsigned long long)error.json.offset);
    m->judging.error = ERR_INTERNAL;
    return NULL;
}

/* ---- the snapshot with the manifest ---- */

static bool take_old(struct making *m, struct proposed *object, const struct found *found)
{
    struct str name = str_utf8_prefix(object->name, NAME_SHOWN_MAX);
    if (found->is_there && !found->text.n) {
        m->judging.error =
            refuse(m->r, ERR_TOO_COMPLEX,
                   "manifest replaces %" STR_FMT " %" STR_FMT
                   ", which has more than %d bytes in the snapshot: nothing can be foretold of it.",
                   STR_ARG(object->kind_name), STR_ARG(name), SNAPSHOT_TEXT_MAX);
        return false;
    }
    if (found->is_there)
        object->old = buf_str(&found->text);
    return true;
}

/* The proposed objects as they will be, documents behind the snapshot: of equal objects the last
 * counts. False when one of them cannot be told. */
static bool write_applied(struct making *m, struct buf *out)
{
    struct proposed *object;
    int64_t made = completeness_of_manifests(m->model) ? TIME_NONE : m->forecast->cluster->taken;
    LIST_EACH (object, m->forecast->proposal.objects) {
        if (!take_old(m, object, &m->found[object - m->forecast->proposal.objects.items]))
            return false;
        buf_putc(out, '\n');
        buf_put(out, proposal_applied(m->r->arena, object, made));
    }
    return true;
}

static void replace_pods_of(void *context, struct cluster *next)
{
    struct making *m = context;
    settle_pods(m->r->arena, &m->forecast->proposal, m->model, next);
}

static struct cluster *read_next(struct making *m, struct str applied)
{
    const struct link_visitor visitor = {replace_pods_of, m};
    struct snapshot_error error = {.code = SNAPSHOT_OK};
    struct cluster *cluster = snapshot_extend(m->basis, source_of(&applied), &visitor, &error);
    if (cluster) {
        cluster->pod_logs = m->logs;
        return cluster;
    }
    m->judging.error =
        refuse_field(m->r, ERR_INVALID_FIELD, "manifest", "has an object that cannot be read: %s.",
                     error.json.text ? error.json.text : "it is none");
    return NULL;
}

/* ---- judging ---- */

static struct str resource_of(struct arena *arena, const struct proposed *object)
{
    struct object named = {.kind = object->kind,
                           .kind_name = object->kind_name,
                           .meta = {.namespace = object->namespace, .name = object->name}};
    return resource_name(arena, &named);
}

/* What was known of objects that the manifest replaces is not known of the new ones: their values
 * are there to look at. */
static void forget_replaced(struct making *m)
{
    struct recall *recall = &m->recall;
    const struct proposed *object;
    LIST_EACH (object, m->forecast->proposal.objects) {
        struct str resource = resource_of(m->r->arena, object);
        uint32_t n = 0;
        for (uint32_t i = 0; i < recall->items.n; i++) {
            const struct risk *risk = recall->items.items[i].risk;
            if (!str_eq(risk->resource, resource) || !str_eq(risk->namespace, object->namespace))
                recall->items.items[n++] = recall->items.items[i];
        }
        recall->items.n = n;
    }
}

/* The snapshot as it was judged, as far as that can be told from what is kept. */
static void judge_before(void *context)
{
    struct making *m = context;
    struct arena *arena = m->r->arena;
    struct source source;
    int64_t taken = m->forecast->cluster->taken;
    m->judging.error = stored_open(m->r, m->copy, &source);
    if (m->judging.error)
        return;
    m->model = read_model(m, source);
    if (!m->model)
        return;
    m->before = score(arena, m->model, &m->policy, taken);
    bool whole = m->risks.n == m->forecast->cluster->risks;
    m->recall = recall_difference(arena, m->risks.items, m->risks.n, m->before, whole);
    m->policy.recall = &m->recall;
    if (m->recall.items.n)
        m->before = score(arena, m->model, &m->policy, taken);
}

static void judge_after(void *context)
{
    struct making *m = context;
    struct arena *arena = m->r->arena;
    struct buf applied = buf_init(arena, SIZE_MAX / 4);
    m->judging.error = ERR_OK;
    if (!write_applied(m, &applied))
        return;
    m->ill_typed =
        ill_typed_of(arena, &m->forecast->proposal, &m->judging.limits, &m->judging.effort);
    m->next = read_next(m, buf_str(&applied));
    if (!m->next)
        return;
    settle(&m->forecast->proposal, m->model, m->next);
    forget_replaced(m);
    m->after = score(arena, m->next, &m->policy, m->forecast->cluster->taken);
}

/* A copy that is damaged is stored anew by the next push. */
static enum error judge_both(struct making *m)
{
    enum error e = judging_guard(&m->judging, judge_before, m);
    if (e == ERR_INTERNAL && stored_is_to_blame(m->copy))
        cluster_distrust(m->r->db, m->forecast->cluster);
    return e ? e : judging_guard(&m->judging, judge_after, m);
}

static enum error read_proposal(struct making *m, struct str manifest, struct str namespace)
{
    struct request *r = m->r;
    struct proposal *proposal = &m->forecast->proposal;
    if (manifest.n > PROPOSAL_BYTES_MAX)
        return refuse(r, ERR_TOO_LARGE, "manifest has %zu bytes: %d are taken.", manifest.n,
                      PROPOSAL_BYTES_MAX);
    *proposal = proposal_read(r->arena, manifest, namespace);
    switch (proposal->problem) {
    case PROPOSAL_FINE:
        break;
    case PROPOSAL_INVALID:
        return refuse_field(r, ERR_INVALID_FIELD, "manifest", "%" STR_FMT, STR_ARG(proposal->why));
    case PROPOSAL_TOO_MANY:
        return refuse_field(r, ERR_TOO_COMPLEX, "manifest", "%" STR_FMT, STR_ARG(proposal->why));
    }
    m->found = ARENA_ARRAY(r->arena, proposal->objects.n, struct found);
    for (uint32_t i = 0; i < proposal->objects.n; i++)
        m->found[i].text = buf_init(r->arena, SNAPSHOT_TEXT_MAX);
    return ERR_OK;
}

enum error forecast_make(struct request *r, struct str cluster_name, struct str manifest,
                         struct str namespace, struct forecast *forecast)
{
    struct making *m = ARENA_NEW(r->arena, struct making);
    *m = (struct making){.r = r, .forecast = forecast, .name = cluster_name};
    judging_begin(&m->judging, r);
    enum error e = read_proposal(m, manifest, namespace);
    if (!e)
        e = rate_limit_check(r, RATE_MANIFEST, r->identity.tenant);
    if (!e)
        e = rate_limit_count(r, RATE_MANIFEST, r->identity.tenant);
    if (!e)
        e = fetch(m);
    if (!e)
        e = judge_both(m);
    if (e)
        return e;
    forecast->after = m->after;
    forecast->prediction =
        prediction_of(r->arena, forecast->cluster->score_exact, m->before, m->after);
    forecast->rollout = rollout_of(r->arena, &forecast->proposal, m->model, m->next, m->after);
    forecast->rollout.value = m->ill_typed;
    return ERR_OK;
}

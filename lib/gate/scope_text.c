/* What a snapshot tells of who leans on what, as lines; fields end with a tab:
 *
 *   o ROLE NAMESPACE RESOURCE RISKS POINTS
 *       an object with risks; the n-th is number n
 *   r POINTS CHECK SEVERITY COUNT CONTAINER MESSAGE
 *       a risk of the object before it
 *   n ROLE NAMESPACE NUMBERS
 *       a namespace, and the webhooks that are asked about it
 *   w NAMESPACE RESOURCE WANTED READY STATE SINCE NUMBERS
 *       a workload, and what it leans on
 *
 * Objects stand in the order of their costliest risk. */
#include "gate/scope.h"

#include "base/hash.h"
#include "gate/scope_link.h"
#include "kube/credential_cut.h"
#include "kube/replicas.h"
#include "kube/revision.h"
#include "kube/rollout_progress.h"
#include "kube/selector.h"
#include "kube/status.h"
#include "score/hazard.h"

enum { TEXT_MAX = 16 << 20, RISKS_AN_OBJECT = 8 /* about */ };

struct scope_draft {
    struct arena *arena;
    const struct cluster *cluster;
    const struct ledger *ledger;
    struct scope_links links;
    uint32_t *next; /* parallel to the ledger's risks: the next of the same place, and one more */
    LIST(const struct webhook_configuration *) webhooks; /* that have risks */
    struct buf namespaces;                               /* their lines */
};

/* ---- objects with risks ---- */

/* What is down there, and who feels it. */
static enum scope_role role_of(const struct risk *risk)
{
    enum kind kind = risk->object->kind;
    switch (hazard_of(risk->check)->part) {
    case PART_DNS:
    case PART_NETWORK:
        return SCOPE_ROLE_CLUSTER;
    case PART_INGRESS:
        return SCOPE_ROLE_INGRESS;
    case PART_CONTROL:
        return kind == KIND_POD || kind == KIND_CLUSTEROPERATOR || kind == KIND_CLUSTERVERSION ||
                       kind == KIND_MACHINECONFIGPOOL
                   ? SCOPE_ROLE_CLUSTER
                   : SCOPE_ROLE_NONE;
    default:
        return SCOPE_ROLE_NONE;
    }
}

/* Of what is in no namespace most concerns no workload. */
static bool may_concern(const struct object *object, enum scope_role role)
{
    const uint64_t linked = KIND_BIT(NODE) | KIND_BIT(PERSISTENTVOLUME) | KIND_BIT(STORAGECLASS) |
                            KIND_BIT(NAMESPACE) | KIND_BIT(VALIDATINGWEBHOOKCONFIGURATION) |
                            KIND_BIT(MUTATINGWEBHOOKCONFIGURATION);
    return object->meta.namespace.n || role != SCOPE_ROLE_NONE || linked >> object->kind & 1;
}

static void place_risk(struct scope_draft *w, uint32_t at)
{
    const struct risk *risk = &w->ledger->risks.items[at];
    enum scope_role role = risk->object ? role_of(risk) : SCOPE_ROLE_NONE;
    if (!risk->object || !may_concern(risk->object, role))
        return;
    struct scope_place *place = scope_find_place(&w->links, risk->object, role);
    if (!place) {
        place = &w->links.places.items[w->links.places.n];
        *place = (struct scope_place){risk->object, role, w->links.places.n++, 0, 0, 0, 0, 0};
        table_add(&w->links.by_object, hash_pointer(risk->object), place);
        w->links.kinds |= role == SCOPE_ROLE_NONE ? UINT64_C(1) << risk->object->kind : 0;
    }
    place->risks++;
    place->points += risk->impact;
    if (place->last)
        w->next[place->last - 1] = at + 1;
    else
        place->first = at + 1;
    place->last = at + 1;
}

static void place_risks(struct scope_draft *w)
{
    uint32_t n = w->ledger->risks.n < SCOPE_TOLD_MAX ? w->ledger->risks.n : SCOPE_TOLD_MAX;
    w->links.places.items = arena_raw(w->arena, n * sizeof *w->links.places.items);
    w->links.by_object = table_init(w->arena, n / RISKS_AN_OBJECT);
    w->next = ARENA_ARRAY(w->arena, n, uint32_t);
    for (uint32_t i = 0; i < n; i++)
        place_risk(w, i);
}

/* What costs nothing is counted, and not told. */
static void put_risks(const struct scope_draft *w, const struct scope_place *place, struct buf *out)
{
    for (uint32_t at = place->first; at && at <= SCOPE_WORDED_MAX; at = w->next[at - 1]) {
        const struct risk *risk = &w->ledger->risks.items[at - 1];
        if (!risk->impact)
            return;
        buf_put(out, STR("r\t"));
        scope_put_number(out, risk->impact);
        scope_put_word(out, str_of(risk->check->id));
        scope_put_word(out, severity_name(risk->severity));
        scope_put_number(out, risk->count);
        scope_put_text(out, risk->container);
        scope_put_text(out, risk->message);
        buf_putc(out, '\n');
    }
}

static void put_places(const struct scope_draft *w, struct buf *out)
{
    const struct scope_place *place;
    LIST_EACH (place, w->links.places) {
        const struct risk *risk = &w->ledger->risks.items[place->first - 1];
        buf_put(out, STR("o\t"));
        scope_put_number(out, place->role);
        scope_put_text(out, risk->namespace);
        scope_put_text(out, risk->resource);
        scope_put_number(out, place->risks);
        scope_put_number(out, place->points);
        buf_putc(out, '\n');
        put_risks(w, place, out);
    }
}

/* ---- namespaces ---- */

static bool is_asked(const struct scope_draft *w, const struct webhook_configuration *configuration,
                     pair_list labels)
{
    const struct webhook *webhook;
    LIST_EACH (webhook, configuration->webhooks) {
        const struct label_selector *selector = webhook->namespace_selector;
        effort_spend(w->cluster->effort, EFFORT_labels,
                     1 + (selector ? selector_steps(selector, labels) : 0));
        if (webhook->is_asked && (!selector || selector_matches(selector, labels)))
            return true;
    }
    return false;
}

/* Configurations with risks alone are worth asking. */
static void list_webhooks(struct scope_draft *w)
{
    struct webhook_configuration *const *at;
    LIST_EACH (at, w->cluster->webhook_configurations)
        if (scope_find_place(&w->links, &(*at)->object, SCOPE_ROLE_NONE))
            LIST_ADD(w->arena, w->webhooks, *at);
}

static void put_webhooks(struct scope_draft *w, pair_list labels)
{
    const struct webhook_configuration *const *at;
    LIST_EACH (at, w->webhooks) {
        if (w->links.n >= SCOPE_LINKS_MAX)
            break;
        if (!is_asked(w, *at, labels))
            continue;
        w->links.n++;
        buf_put_int(&w->namespaces,
                    scope_find_place(&w->links, &(*at)->object, SCOPE_ROLE_NONE)->number);
        buf_putc(&w->namespaces, ' ');
    }
}

#define HAS_ANY_IN(list, namespace_, has)                                                          \
    do {                                                                                           \
        uint32_t at_;                                                                              \
        OBJECTS_LOWER_BOUND(list, namespace_, STR(""), at_);                                       \
        (has) |= at_ < (list).n && str_eq((list).items[at_]->object.meta.namespace, namespace_);   \
    } while (0)

static void put_namespace(struct scope_draft *w, struct str name, pair_list labels)
{
    bool ingress = false;
    HAS_ANY_IN(w->cluster->ingresses, name, ingress);
    HAS_ANY_IN(w->cluster->routes, name, ingress);
    buf_put(&w->namespaces, STR("n\t"));
    scope_put_number(&w->namespaces, ingress ? SCOPE_ROLE_INGRESS : SCOPE_ROLE_NONE);
    scope_put_text(&w->namespaces, credential_cut(w->arena, name));
    put_webhooks(w, labels);
    buf_put(&w->namespaces, STR("\t\n"));
}

/* Those that are in the snapshot, and those that something in it is in. */
static void put_namespaces(struct scope_draft *w)
{
    struct namespace *const *at;
    struct str last = {0};
    LIST_EACH (at, w->cluster->namespaces)
        put_namespace(w, (*at)->object.meta.name, (*at)->object.meta.labels);
    for (uint32_t i = 0; i < w->cluster->roots.n; i++) {
        struct str name = w->cluster->roots.items[i]->object.meta.namespace;
        struct pair label = {STR("kubernetes.io/metadata.name"), name};
        const struct namespace *shown;
        if (last.p && str_eq(last, name))
            continue;
        last = str_or_empty(name);
        SCOPE_FIND_NAMED(w->cluster->namespaces, STR(""), name, shown);
        if (!shown)
            put_namespace(w, name, (pair_list)LIST_SLICE(&label, 1));
    }
}

/* ---- workloads ---- */

/* Of what has no replicas of its own, the pods that are there. */
static void count_ready(const struct workload *workload, int64_t *wanted, int64_t *ready)
{
    enum kind kind = workload->object.kind;
    struct replicas replicas = replicas_of(workload);
    bool by_pods = kind == KIND_POD || kind == KIND_JOB || kind == KIND_CRONJOB;
    *wanted = by_pods ? replicas.pods : replicas.wanted;
    *ready = replicas.ready;
    if (by_pods)
        return;
    if (has_replica_status(workload))
        *ready = workload->ready_replicas == NUMBER_ABSENT
                     ? available_replicas(workload)
                     : number_or_zero(workload->ready_replicas);
    else if (!replicas.pods)
        *ready = NUMBER_ABSENT;
}

static enum scope_state state_of(const struct workload *workload, int64_t *since)
{
    const struct condition *progressing = condition_find(workload->conditions, STR("Progressing"));
    *since = TIME_NONE;
    if (workload->suspend == TRI_TRUE)
        return SCOPE_STATE_SUSPENDED;
    if (progressing && str_eq(progressing->reason, STR("ProgressDeadlineExceeded")) &&
        !status_is_stale(workload)) {
        *since = progressing->last_transition;
        return SCOPE_STATE_STUCK;
    }
    if (workload->paused == TRI_TRUE)
        return SCOPE_STATE_PAUSED;
    if (!rollout_is_under_way(workload))
        return SCOPE_STATE_NONE;
    struct revision_history history = revision_history_of(workload);
    *since = revision_time(workload, &history);
    return SCOPE_STATE_ROLLING;
}

static bool is_told(const struct scope_root *root)
{
    return !root->workload->synthesized;
}

static void put_workload(const struct scope_draft *w, const struct scope_root *root,
                         struct buf *out)
{
    const struct object *object = &root->workload->object;
    const uint32_t *number;
    buf_put(out, STR("w\t"));
    scope_put_text(out, credential_cut(w->arena, object->meta.namespace));
    scope_put_text(out, credential_cut(w->arena, resource_name(w->arena, object)));
    scope_put_number(out, root->wanted);
    scope_put_number(out, root->ready);
    scope_put_number(out, root->state);
    scope_put_number(out, root->since);
    LIST_EACH (number, root->numbers) {
        buf_put_int(out, *number);
        buf_putc(out, ' ');
    }
    buf_put(out, STR("\t\n"));
}

/* All that its line tells. */
static uint64_t hash_workload(uint64_t hash, const struct scope_root *root)
{
    const struct object *object = &root->workload->object;
    const int64_t numbers[] = {root->wanted, root->ready, root->state, root->since};
    hash = hash_bytes(hash, object->meta.namespace);
    hash = hash_bytes(hash, object->kind_name);
    hash = hash_bytes(hash, object->meta.name);
    hash = hash_bytes(hash, (struct str){(const char *)numbers, sizeof numbers});
    return hash_bytes(hash, (struct str){(const char *)root->numbers.items,
                                         root->numbers.n * sizeof *root->numbers.items});
}

struct scope_draft *scope_draft(struct arena *arena, const struct cluster *cluster,
                                const struct ledger *ledger)
{
    struct scope_draft *w = ARENA_NEW(arena, struct scope_draft);
    *w = (struct scope_draft){.arena = arena,
                              .cluster = cluster,
                              .ledger = ledger,
                              .links = {.arena = arena, .cluster = cluster},
                              .namespaces = buf_init(arena, TEXT_MAX)};
    place_risks(w);
    scope_link(&w->links);
    list_webhooks(w);
    put_namespaces(w);
    for (uint32_t i = 0; i < cluster->roots.n; i++) {
        struct scope_root *root = &w->links.roots[i];
        if (!is_told(root))
            continue;
        root->state = state_of(root->workload, &root->since);
        count_ready(root->workload, &root->wanted, &root->ready);
    }
    return w;
}

uint64_t scope_hash(const struct scope_draft *draft)
{
    uint64_t hash = hash_bytes(0, buf_str(&draft->namespaces));
    for (uint32_t i = 0; i < draft->cluster->roots.n; i++)
        if (is_told(&draft->links.roots[i]))
            hash = hash_workload(hash, &draft->links.roots[i]);
    return hash;
}

struct str scope_text(const struct scope_draft *draft)
{
    struct buf out = buf_init(draft->arena, TEXT_MAX);
    put_places(draft, &out);
    buf_put(&out, buf_str(&draft->namespaces));
    for (uint32_t i = 0; i < draft->cluster->roots.n; i++)
        if (is_told(&draft->links.roots[i]))
            put_workload(draft, &draft->links.roots[i], &out);
    return str_or_empty(buf_str(&out));
}

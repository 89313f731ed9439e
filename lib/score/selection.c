#include "score/selection.h"

#include "base/hash.h"
#include "base/table.h"
#include "kube/object_index.h"
#include "kube/selector.h"
#include "kube/status.h"
#include "score/selector_index.h"
#include "score/view.h"

/* The labels of some pods of a namespace, which are kept once (intern.h), and who selects them. */
struct label_set {
    struct str namespace;
    pair_list labels;
    LIST(const struct selector_entry *) entries;
};

/* Where a policy or a budget is in the list of the cluster. */
struct position {
    const void *object;
    uint32_t at;
};

struct selection {
    struct arena *arena;
    const struct cluster *cluster;
    struct selector_index selectors;
    struct table sets, positions;
    struct position *free_position;
    bool *policy_selects;
    uint32_t *first_peer; /* of each policy, in peer_selects */
    bool *peer_selects;
    struct budget_selection *budgets;
    struct selected_workload **last; /* of each budget */
    /* per workload of cluster->roots */
    uint8_t *directions;
    bool *known; /* has labels in the snapshot */
    bool *has_budget;
};

/* The labels of one template or pod on their way through the selectors. */
struct visit {
    struct selection *selection;
    uint32_t root;
    bool template;
    unsigned directions;
    uint32_t budget; /* position + 1 of the budget met first */
};

static const struct label_selector everything;

unsigned policy_directions(const struct network_policy *policy)
{
    unsigned directions = 0;
    const struct str *type;
    if (!policy->policy_types.n)
        return DIRECTION_INGRESS | (policy->has_egress ? DIRECTION_EGRESS : 0);
    LIST_EACH (type, policy->policy_types) {
        if (str_eq(*type, STR("Ingress")))
            directions |= DIRECTION_INGRESS;
        if (str_eq(*type, STR("Egress")))
            directions |= DIRECTION_EGRESS;
    }
    return directions;
}

/* ---- filing the selectors ---- */

static void demand(struct selection *s, struct str namespace, const struct label_selector *selector)
{
    selector_index_demand(&s->selectors, namespace, selector);
}

static void file(struct selection *s, enum selector_use use, uint32_t ordinal, struct str namespace,
                 const struct label_selector *selector)
{
    struct selector_entry entry = {.use = use, .ordinal = ordinal, .selector = selector};
    selector_index_add(&s->selectors, namespace, entry);
}

bool peer_is_local(const struct network_policy_peer *peer)
{
    return peer->pod_selector && !peer->namespace_selector &&
           !selector_is_empty(peer->pod_selector);
}

#define PEERS_EACH(peer, rule, list)                                                               \
    LIST_EACH (rule, list)                                                                         \
        LIST_EACH (peer, rule->peers)

static uint32_t count_peers(const struct network_policy *policy)
{
    const struct network_policy_rule *rule;
    uint32_t n = 0;
    LIST_EACH (rule, policy->ingress)
        n += rule->peers.n;
    LIST_EACH (rule, policy->egress)
        n += rule->peers.n;
    return n;
}

static void file_peers(struct selection *s, const struct network_policy *policy, uint32_t ordinal)
{
    const struct network_policy_rule *rule;
    const struct network_policy_peer *peer;
    struct str namespace = policy->object.meta.namespace;
    PEERS_EACH (peer, rule, policy->ingress) {
        if (peer_is_local(peer))
            file(s, SELECTOR_OF_PEER, ordinal, namespace, peer->pod_selector);
        ordinal++;
    }
    PEERS_EACH (peer, rule, policy->egress) {
        if (peer_is_local(peer))
            file(s, SELECTOR_OF_PEER, ordinal, namespace, peer->pod_selector);
        ordinal++;
    }
}

/* Counts the selectors that demand each label, before any is filed. */
static void demand_all(struct selection *s)
{
    const struct cluster *cluster = s->cluster;
    const struct network_policy_rule *rule;
    const struct network_policy_peer *peer;
    for (uint32_t i = 0; i < cluster->network_policies.n; i++) {
        const struct network_policy *policy = cluster->network_policies.items[i];
        struct str namespace = policy->object.meta.namespace;
        demand(s, namespace, policy->pod_selector);
        PEERS_EACH (peer, rule, policy->ingress)
            demand(s, namespace, peer->pod_selector);
        PEERS_EACH (peer, rule, policy->egress)
            demand(s, namespace, peer->pod_selector);
    }
    for (uint32_t i = 0; i < cluster->pdbs.n; i++)
        demand(s, cluster->pdbs.items[i]->object.meta.namespace, cluster->pdbs.items[i]->selector);
}

/* An absent podSelector is an empty one: the field is not optional. */
static void file_policies(struct selection *s)
{
    const struct cluster *cluster = s->cluster;
    uint32_t peers = 0;
    for (uint32_t i = 0; i < cluster->network_policies.n; i++) {
        const struct network_policy *policy = cluster->network_policies.items[i];
        if (policy->object.summary)
            continue;
        file(s, SELECTOR_OF_POLICY, i, policy->object.meta.namespace,
             policy->pod_selector ? policy->pod_selector : &everything);
        s->first_peer[i] = peers;
        file_peers(s, policy, peers);
        peers += count_peers(policy);
    }
}

static void file_budgets(struct selection *s)
{
    const struct cluster *cluster = s->cluster;
    for (uint32_t i = 0; i < cluster->pdbs.n; i++) {
        const struct pod_disruption_budget *pdb = cluster->pdbs.items[i];
        bool empty_is_none = str_eq(pdb->object.api_version, STR("policy/v1beta1"));
        if (pdb->selector && !(empty_is_none && selector_is_empty(pdb->selector)))
            file(s, SELECTOR_OF_BUDGET, i, pdb->object.meta.namespace, pdb->selector);
    }
}

/* ---- matching ---- */

static void note_overlap(struct selection *s, uint32_t a, uint32_t b, const struct workload *root)
{
    if (s->budgets[a].overlap)
        return;
    s->budgets[a].overlap = s->cluster->pdbs.items[b];
    s->budgets[a].overlap_at = root;
}

static void note_budget(struct visit *visit, uint32_t ordinal)
{
    struct selection *s = visit->selection;
    const struct workload *root = s->cluster->roots.items[visit->root];
    struct selected_workload *last = s->last[ordinal];
    if (visit->budget == ordinal + 1) /* In named one value twice */
        return;
    if (!last || last->workload != root) {
        struct selected_workload *added = ARENA_NEW(s->arena, struct selected_workload);
        added->workload = root;
        *(last ? &last->next : &s->budgets[ordinal].first) = added;
        s->last[ordinal] = last = added;
    }
    if (visit->template)
        last->by_template = true;
    else
        last->pods++;
    s->has_budget[visit->root] = true;
    if (visit->budget) {
        note_overlap(s, ordinal, visit->budget - 1, root);
        note_overlap(s, visit->budget - 1, ordinal, root);
    }
    visit->budget = ordinal + 1;
}

static void note(struct visit *visit, const struct selector_entry *entry)
{
    struct selection *s = visit->selection;
    switch (entry->use) {
    case SELECTOR_OF_POLICY:
        s->policy_selects[entry->ordinal] = true;
        visit->directions |= policy_directions(s->cluster->network_policies.items[entry->ordinal]);
        break;
    case SELECTOR_OF_PEER:
        s->peer_selects[entry->ordinal] = true;
        break;
    case SELECTOR_OF_BUDGET:
        note_budget(visit, entry->ordinal);
        break;
    }
}

static bool selects(struct selection *s, const struct label_selector *selector, pair_list labels)
{
    effort_spend(s->cluster->effort, EFFORT_selectors, selector_steps(selector, labels));
    return selector_matches(selector, labels);
}

static void match_label(struct selection *s, struct label_set *set, struct pair label)
{
    const struct selector_entry *entry = selector_index_find(&s->selectors, set->namespace, label);
    for (; entry; entry = entry->next)
        if (selects(s, entry->selector, set->labels))
            LIST_ADD(s->arena, set->entries, entry);
}

static const struct label_set *set_of(struct selection *s, struct str namespace, pair_list labels)
{
    uint64_t hash = hash_pointer(labels.items) ^ hash_pointer(namespace.p) >> 1;
    const struct pair *label;
    struct label_set *set;
    TABLE_EACH (set, &s->sets, hash)
        if (set->labels.items == labels.items && set->labels.n == labels.n &&
            set->namespace.p == namespace.p && set->namespace.n == namespace.n)
            return set;
    set = ARENA_NEW(s->arena, struct label_set);
    set->namespace = namespace;
    set->labels = labels;
    match_label(s, set, (struct pair){0});
    LIST_EACH (label, labels)
        match_label(s, set, *label);
    table_add(&s->sets, hash, set);
    return set;
}

/* What one match of a workload with a selector costs: the checks walk them once more. */
enum { STEPS_A_MATCH = 8 };

/* Returns the directions in which the policies met isolate what carries the labels. */
static unsigned match(struct selection *s, uint32_t root, bool template, pair_list labels)
{
    struct visit visit = {.selection = s, .root = root, .template = template};
    if (!s->cluster->network_policies.n && !s->cluster->pdbs.n)
        return 0;
    struct str namespace = s->cluster->roots.items[root]->object.meta.namespace;
    const struct label_set *set = set_of(s, namespace, labels);
    const struct selector_entry *const *entry;
    effort_spend(s->cluster->effort, EFFORT_selectors, (uint64_t)set->entries.n * STEPS_A_MATCH);
    LIST_EACH (entry, set->entries)
        note(&visit, *entry);
    return visit.directions;
}

static bool has_template(const struct workload *workload)
{
    return !workload->synthesized && !workload->object.summary &&
           (workload->object.kind != KIND_POD || !workload->pods.n);
}

static void match_workload(struct selection *s, uint32_t root)
{
    const struct workload *workload = s->cluster->roots.items[root];
    unsigned directions = 0, of_pods = DIRECTION_INGRESS | DIRECTION_EGRESS;
    bool by_pods = false;
    if (has_template(workload))
        directions = match(s, root, true, workload->template_labels);
    for (uint32_t i = 0; i < workload->pods.n; i++) {
        const struct pod *pod = workload->pods.items[i];
        if (pod->object.summary)
            continue;
        unsigned of_pod = match(s, root, false, pod->object.meta.labels);
        if (pod_has_ended(pod))
            continue; /* it is among what a policy selects, and needs no cover any more */
        of_pods &= of_pod;
        by_pods = true;
    }
    s->directions[root] = (uint8_t)(directions | (by_pods ? of_pods : 0));
    s->known[root] = by_pods || has_template(workload);
}

static void note_position(struct selection *s, const void *object, uint32_t at)
{
    struct position *position = s->free_position++;
    *position = (struct position){object, at};
    table_add(&s->positions, hash_pointer(object), position);
}

/* Names would not do: there may be any number of objects without one. */
static void note_positions(struct selection *s)
{
    const struct cluster *cluster = s->cluster;
    uint32_t n = cluster->network_policies.n + cluster->pdbs.n;
    s->positions = table_init(s->arena, n);
    s->free_position = ARENA_ARRAY(s->arena, n, struct position);
    for (uint32_t i = 0; i < cluster->network_policies.n; i++)
        note_position(s, cluster->network_policies.items[i], i);
    for (uint32_t i = 0; i < cluster->pdbs.n; i++)
        note_position(s, cluster->pdbs.items[i], i);
}

struct selection *selection_build(struct arena *arena, const struct cluster *cluster)
{
    struct selection *s = ARENA_NEW(arena, struct selection);
    uint32_t policies = cluster->network_policies.n, peers = 0;
    for (uint32_t i = 0; i < policies; i++)
        peers += count_peers(cluster->network_policies.items[i]);
    *s = (struct selection){.arena = arena, .cluster = cluster};
    s->selectors = selector_index_init(arena, cluster->seed, policies + cluster->pdbs.n);
    s->sets = table_init(arena, cluster->roots.n);
    s->policy_selects = ARENA_ARRAY(arena, policies, bool);
    s->first_peer = ARENA_ARRAY(arena, policies, uint32_t);
    s->peer_selects = ARENA_ARRAY(arena, peers, bool);
    s->budgets = ARENA_ARRAY(arena, cluster->pdbs.n, struct budget_selection);
    s->last = ARENA_ARRAY(arena, cluster->pdbs.n, struct selected_workload *);
    s->directions = ARENA_ARRAY(arena, cluster->roots.n, uint8_t);
    s->known = ARENA_ARRAY(arena, cluster->roots.n, bool);
    s->has_budget = ARENA_ARRAY(arena, cluster->roots.n, bool);
    note_positions(s);
    demand_all(s);
    file_policies(s);
    file_budgets(s);
    for (uint32_t i = 0; i < cluster->roots.n; i++)
        match_workload(s, i);
    return s;
}

/* ---- answers ---- */

static uint32_t position_of(const struct selection *s, const void *object)
{
    const struct position *position;
    TABLE_EACH (position, &s->positions, hash_pointer(object))
        if (position->object == object)
            break;
    assert(position); /* it is in the cluster */
    return position->at;
}

bool selection_isolation(const struct check_context *context, const struct workload *workload,
                         unsigned *directions)
{
    const struct selection *s = context->selection;
    uint32_t root = view_workload(context, workload)->ordinal;
    assert(root < s->cluster->roots.n);
    *directions = s->directions[root];
    return s->known[root];
}

bool selection_policy_selects(struct check_context *context, const struct network_policy *policy)
{
    return context->selection->policy_selects[position_of(context->selection, policy)];
}

bool selection_peer_selects(struct check_context *context, const struct network_policy *policy,
                            uint32_t n)
{
    const struct selection *s = context->selection;
    return s->peer_selects[s->first_peer[position_of(s, policy)] + n];
}

const struct budget_selection *selection_of_budget(struct check_context *context,
                                                   const struct pod_disruption_budget *pdb)
{
    return &context->selection->budgets[position_of(context->selection, pdb)];
}

bool selection_has_budget(const struct check_context *context, const struct workload *workload,
                          bool *has)
{
    const struct selection *s = context->selection;
    uint32_t root = view_workload(context, workload)->ordinal;
    assert(root < s->cluster->roots.n);
    *has = s->has_budget[root];
    return s->known[root];
}

#include "score/selection.h"

#include "base/hash.h"
#include "base/table.h"
#include "kube/object_index.h"
#include "kube/selector.h"
#include "score/view.h"

enum use { USE_POLICY, USE_PEER, USE_BUDGET };

/* A selector, filed under its namespace and a label that it demands: the first of matchLabels, else
 * each value of the first In. One that demands none (other expressions only, or {}) is filed under
 * its namespace alone. */
struct entry {
    enum use use;
    uint32_t ordinal; /* in cluster->network_policies, in peers, in cluster->pdbs */
    const struct label_selector *selector;
    struct entry *next; /* with the same label */
};

struct labelled {
    struct str namespace;
    struct pair label; /* no key: none */
    struct entry *first;
};

struct selection {
    struct arena *arena;
    const struct cluster *cluster;
    struct table labelled;
    uint32_t selections;
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

static uint64_t hash_label(const struct selection *s, struct str namespace, struct pair label)
{
    return hash_bytes(hash_bytes(hash_bytes(s->cluster->seed, namespace), label.key), label.value);
}

static struct labelled *find_labelled(const struct selection *s, struct str namespace,
                                      struct pair label)
{
    struct labelled *one;
    TABLE_EACH (one, &s->labelled, hash_label(s, namespace, label))
        if (str_eq(one->label.key, label.key) && str_eq(one->label.value, label.value) &&
            str_eq(one->namespace, namespace))
            return one;
    return NULL;
}

static void file_under(struct selection *s, struct entry entry, struct str namespace,
                       struct pair label)
{
    struct labelled *labelled = find_labelled(s, namespace, label);
    if (!labelled) {
        labelled = ARENA_NEW(s->arena, struct labelled);
        *labelled = (struct labelled){namespace, label, NULL};
        table_add(&s->labelled, hash_label(s, namespace, label), labelled);
    }
    entry.next = labelled->first;
    labelled->first = arena_copy(s->arena, &entry, sizeof entry);
}

static const struct selector_requirement *first_in(const struct label_selector *selector)
{
    const struct selector_requirement *requirement;
    LIST_EACH (requirement, selector->match_expressions)
        if (str_eq(requirement->operator, STR("In")))
            return requirement;
    return NULL;
}

static void file(struct selection *s, enum use use, uint32_t ordinal, struct str namespace,
                 const struct label_selector *selector)
{
    struct entry entry = {.use = use, .ordinal = ordinal, .selector = selector};
    const struct selector_requirement *in = first_in(selector);
    const struct str *value;
    if (selector->match_labels.n) {
        file_under(s, entry, namespace, selector->match_labels.items[0]);
    } else if (in) {
        LIST_EACH (value, in->values)
            file_under(s, entry, namespace, (struct pair){in->key, *value});
    } else {
        file_under(s, entry, namespace, (struct pair){0});
    }
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
            file(s, USE_PEER, ordinal, namespace, peer->pod_selector);
        ordinal++;
    }
    PEERS_EACH (peer, rule, policy->egress) {
        if (peer_is_local(peer))
            file(s, USE_PEER, ordinal, namespace, peer->pod_selector);
        ordinal++;
    }
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
        file(s, USE_POLICY, i, policy->object.meta.namespace,
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
            file(s, USE_BUDGET, i, pdb->object.meta.namespace, pdb->selector);
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

static void note(struct visit *visit, const struct entry *entry)
{
    struct selection *s = visit->selection;
    switch (entry->use) {
    case USE_POLICY:
        s->policy_selects[entry->ordinal] = true;
        visit->directions |= policy_directions(s->cluster->network_policies.items[entry->ordinal]);
        break;
    case USE_PEER:
        s->peer_selects[entry->ordinal] = true;
        break;
    case USE_BUDGET:
        note_budget(visit, entry->ordinal);
        break;
    }
}

static bool selects(struct selection *s, const struct label_selector *selector, pair_list labels)
{
    if (++s->selections > SELECTIONS_MAX)
        arena_exhaust(s->arena);
    return selector_matches(selector, labels);
}

static void match_label(struct visit *visit, struct str namespace, struct pair label,
                        pair_list labels)
{
    struct selection *s = visit->selection;
    const struct labelled *labelled = find_labelled(s, namespace, label);
    for (const struct entry *entry = labelled ? labelled->first : NULL; entry; entry = entry->next)
        if (selects(s, entry->selector, labels))
            note(visit, entry);
}

/* Returns the directions in which the policies met isolate what carries the labels. */
static unsigned match(struct selection *s, uint32_t root, bool template, pair_list labels)
{
    struct visit visit = {.selection = s, .root = root, .template = template};
    struct str namespace = s->cluster->roots.items[root]->object.meta.namespace;
    const struct pair *label;
    match_label(&visit, namespace, (struct pair){0}, labels);
    LIST_EACH (label, labels)
        match_label(&visit, namespace, *label, labels);
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
        of_pods &= match(s, root, false, pod->object.meta.labels);
        by_pods = true;
    }
    s->directions[root] = (uint8_t)(directions | (by_pods ? of_pods : 0));
    s->known[root] = by_pods || has_template(workload);
}

struct selection *selection_build(struct arena *arena, const struct cluster *cluster)
{
    struct selection *s = ARENA_NEW(arena, struct selection);
    uint32_t policies = cluster->network_policies.n, peers = 0;
    for (uint32_t i = 0; i < policies; i++)
        peers += count_peers(cluster->network_policies.items[i]);
    *s = (struct selection){.arena = arena, .cluster = cluster};
    s->labelled = table_init(arena, policies + cluster->pdbs.n);
    s->policy_selects = ARENA_ARRAY(arena, policies, bool);
    s->first_peer = ARENA_ARRAY(arena, policies, uint32_t);
    s->peer_selects = ARENA_ARRAY(arena, peers, bool);
    s->budgets = ARENA_ARRAY(arena, cluster->pdbs.n, struct budget_selection);
    s->last = ARENA_ARRAY(arena, cluster->pdbs.n, struct selected_workload *);
    s->directions = ARENA_ARRAY(arena, cluster->roots.n, uint8_t);
    s->known = ARENA_ARRAY(arena, cluster->roots.n, bool);
    s->has_budget = ARENA_ARRAY(arena, cluster->roots.n, bool);
    file_policies(s);
    file_budgets(s);
    for (uint32_t i = 0; i < cluster->roots.n; i++)
        match_workload(s, i);
    return s;
}

/* ---- answers ---- */

/* Position in a list of the cluster, which is sorted, of an object that is in it. */
#define POSITION(list, wanted, position)                                                           \
    do {                                                                                           \
        OBJECTS_LOWER_BOUND(list, (wanted)->object.meta.namespace, (wanted)->object.meta.name,     \
                            position);                                                             \
        while (assert((position) < (list).n), (list).items[position] != (wanted))                  \
            (position)++;                                                                          \
    } while (0)

bool selection_isolation(struct check_context *context, const struct workload *workload,
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
    uint32_t at;
    POSITION(context->cluster->network_policies, policy, at);
    return context->selection->policy_selects[at];
}

bool selection_peer_selects(struct check_context *context, const struct network_policy *policy,
                            uint32_t n)
{
    const struct selection *s = context->selection;
    uint32_t at;
    POSITION(context->cluster->network_policies, policy, at);
    return s->peer_selects[s->first_peer[at] + n];
}

const struct budget_selection *selection_of_budget(struct check_context *context,
                                                   const struct pod_disruption_budget *pdb)
{
    uint32_t at;
    POSITION(context->cluster->pdbs, pdb, at);
    return &context->selection->budgets[at];
}

bool selection_has_budget(struct check_context *context, const struct workload *workload, bool *has)
{
    const struct selection *s = context->selection;
    uint32_t root = view_workload(context, workload)->ordinal;
    assert(root < s->cluster->roots.n);
    *has = s->has_budget[root];
    return s->known[root];
}

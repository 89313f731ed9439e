#include "score/grants.h"

#include "kube/manifest.h"
#include "kube/rbac_default.h"
#include "kube/selector.h"
#include "score/index.h"

/* A reference from a binding, under the name of the role it means. */
struct reference {
    enum kind kind;
    struct str namespace, name;
    const struct role_binding *binding;
    uint32_t ordinal;
    uint32_t end; /* of the references to the same role */
};

/* A ClusterRole that has the rules of others, too, by its aggregationRule. */
struct whole {
    const struct role *role;
    uint32_t first, n; /* of grants->parts */
};

struct grants {
    LIST(const struct role *) cluster_roles; /* by name */
    LIST(struct whole) wholes;               /* by address */
    LIST(const struct role *) parts;         /* of each of them, one after the other */
    LIST(struct reference) references;       /* by role */
    const struct role_binding **bindings;    /* parallel to references */
    LIST(const struct role *) unlimited;     /* roles that allow everything, by address */
    bool roles_complete, wide_complete, local_complete;
};

/* ---- rules ---- */

static bool is_resource(struct str named, struct str wanted)
{
    struct str resource, subresource, of_any;
    bool has_subresource = str_cut(wanted, '/', &resource, &subresource);
    if (str_eq(named, STR("*")) || str_eq(named, wanted))
        return true;
    if (!has_subresource)
        return false;
    if (str_eq(subresource, STR("*")))
        return str_cut(named, '/', &of_any, NULL) &&
               (str_eq(of_any, resource) || str_eq(of_any, STR("*")));
    return str_has_prefix(named, STR("*/")) && str_eq(str_sub(named, 2, named.n), subresource);
}

static bool names_resource(str_list resources, struct str wanted)
{
    const struct str *one;
    LIST_EACH (one, resources)
        if (is_resource(*one, wanted))
            return true;
    return false;
}

bool rule_allows(const struct policy_rule *rule, struct str verb, struct str group,
                 struct str resource)
{
    return (str_list_has(rule->verbs, STR("*")) || str_list_has(rule->verbs, verb)) &&
           (str_list_has(rule->api_groups, STR("*")) || str_list_has(rule->api_groups, group)) &&
           names_resource(rule->resources, resource);
}

static bool allows_every_verb(const struct policy_rule *rule)
{
    static const char *const verbs[] = {"get",    "list",  "watch", "create",
                                        "update", "patch", "delete"};
    if (str_list_has(rule->verbs, STR("*")))
        return true;
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (!str_list_has(rule->verbs, str_of(verbs[i])))
            return false;
    return true;
}

static bool rule_allows_everything(const struct policy_rule *rule)
{
    return !rule->resource_names.n && allows_every_verb(rule) &&
           str_list_has(rule->resources, STR("*")) && str_list_has(rule->api_groups, STR("*"));
}

static bool role_allows_everything(const struct role *role)
{
    const struct policy_rule *rule;
    LIST_EACH (rule, role->rules)
        if (rule_allows_everything(rule))
            return true;
    return false;
}

/* ---- the index ---- */

static int by_name(const void *a, const void *b)
{
    const struct role *const *x = a, *const *y = b;
    return str_cmp((*x)->object.meta.name, (*y)->object.meta.name);
}

static int by_address(const void *a, const void *b)
{
    const struct role *const *x = a, *const *y = b;
    return ((uintptr_t)*x > (uintptr_t)*y) - ((uintptr_t)*x < (uintptr_t)*y);
}

static int compare_role(const struct reference *reference, enum kind kind, struct str namespace,
                        struct str name)
{
    if (reference->kind != kind)
        return reference->kind < kind ? -1 : 1;
    int order = str_cmp(reference->name, name);
    return order ? order : str_cmp(reference->namespace, namespace);
}

static int by_role(const void *a, const void *b)
{
    const struct reference *x = a, *y = b;
    int order = compare_role(x, y->kind, y->namespace, y->name);
    if (order)
        return order;
    if (x->binding->object.kind != y->binding->object.kind)
        return x->binding->object.kind == KIND_CLUSTERROLEBINDING ? -1 : 1;
    return (x->ordinal > y->ordinal) - (x->ordinal < y->ordinal);
}

static bool refers_to_cluster_role(const struct role_binding *binding)
{
    return !str_eq(binding->role_kind, STR("Role"));
}

/* ---- parts of other roles ---- */

static int by_whole(const void *a, const void *b)
{
    const struct whole *x = a, *y = b;
    return by_address(&x->role, &y->role);
}

/* What it takes to keep a part and to look at it, and to file a binding once more. */
enum { STEPS_A_PART = 32, STEPS_A_REFERENCE = 96 };

static bool aggregates(const struct cluster *cluster, const struct role *whole,
                       const struct role *role)
{
    const struct label_selector *selector;
    LIST_EACH (selector, whole->aggregates) {
        effort_spend(cluster->effort, EFFORT_accounts,
                     selector_steps(selector, role->object.meta.labels));
        if (selector_matches(selector, role->object.meta.labels))
            return role != whole;
    }
    return false;
}

/* What the roles are made of that their author had put together. admin, edit and view are bound
 * everywhere: see grants_built_in_part(). */
static void collect_parts(struct arena *arena, const struct cluster *cluster, struct grants *grants)
{
    static const char *const built_in[] = {"admin", "edit", "view", NULL};
    for (uint32_t i = 0; i < grants->cluster_roles.n; i++) {
        const struct role *whole = grants->cluster_roles.items[i];
        if (!whole->aggregates.n || str_in(whole->object.meta.name, built_in))
            continue;
        struct whole one = {whole, grants->parts.n, 0};
        for (uint32_t k = 0; k < grants->cluster_roles.n; k++)
            if (aggregates(cluster, whole, grants->cluster_roles.items[k])) {
                effort_spend(cluster->effort, EFFORT_accounts, STEPS_A_PART);
                LIST_ADD(arena, grants->parts, grants->cluster_roles.items[k]);
                one.n++;
            }
        LIST_ADD(arena, grants->wholes, one);
    }
    LIST_SORT(grants->wholes, by_whole);
}

/* NULL: it is put together of none. */
static const struct whole *whole_of(const struct grants *grants, const struct role *role)
{
    const struct whole wanted = {.role = role};
    return role && role->aggregates.n ? LIST_FIND(grants->wholes, &wanted, by_whole) : NULL;
}

static bool is_unlimited(const struct grants *grants, const struct role *role)
{
    return LIST_FIND(grants->unlimited, &role, by_address) != NULL;
}

/* The controller has copied the rules of its parts into a live one; a manifest has none yet. */
static void collect_unlimited(struct arena *arena, const struct cluster *cluster,
                              struct grants *grants)
{
    LIST(const struct role *) more = {0};
    const struct whole *whole;
    for (uint32_t i = 0; i < cluster->roles.n; i++)
        if (role_allows_everything(cluster->roles.items[i]))
            LIST_ADD(arena, grants->unlimited, cluster->roles.items[i]);
    LIST_SORT(grants->unlimited, by_address);
    LIST_EACH (whole, grants->wholes) {
        uint32_t k = 0;
        while (k < whole->n && !is_unlimited(grants, grants->parts.items[whole->first + k]))
            k++;
        if (k < whole->n && !is_unlimited(grants, whole->role))
            LIST_ADD(arena, more, whole->role);
    }
    for (uint32_t i = 0; i < more.n; i++)
        LIST_ADD(arena, grants->unlimited, more.items[i]);
    LIST_SORT(grants->unlimited, by_address);
}

static void collect_roles(struct arena *arena, const struct cluster *cluster, struct grants *grants)
{
    for (uint32_t i = 0; i < cluster->roles.n; i++) {
        const struct role *role = cluster->roles.items[i];
        if (role->object.kind != KIND_CLUSTERROLE)
            continue;
        LIST_ADD(arena, grants->cluster_roles, role);
        if (str_eq(role->object.meta.name, STR("cluster-admin")))
            grants->roles_complete = true;
    }
    LIST_SORT(grants->cluster_roles, by_name);
    collect_parts(arena, cluster, grants);
    collect_unlimited(arena, cluster, grants);
}

static void note_completeness(struct grants *grants, const struct object *binding)
{
    if (binding->kind == KIND_CLUSTERROLEBINDING)
        grants->wide_complete |= str_eq(binding->meta.name, STR("cluster-admin"));
    else
        grants->local_complete |=
            str_eq(binding->meta.namespace, STR("kube-system")) && rbac_default_label(binding);
}

/* A ClusterRole has no namespace; manifests that give it one mean nothing by it. */
static const struct role *cluster_role(const struct grants *grants, struct str name)
{
    const struct role *const *roles = grants->cluster_roles.items;
    uint32_t at;
    LIST_LOWER_BOUND(grants->cluster_roles, at, str_cmp(roles[at]->object.meta.name, name) < 0);
    bool found = at < grants->cluster_roles.n && str_eq(roles[at]->object.meta.name, name);
    return found ? roles[at] : NULL;
}

/* Who holds a role holds its parts. */
static void refer_to_parts(struct arena *arena, const struct cluster *cluster,
                           struct grants *grants, struct reference reference)
{
    const struct whole *whole = whole_of(grants, cluster_role(grants, reference.name));
    for (uint32_t i = 0; whole && i < whole->n; i++) {
        effort_spend(cluster->effort, EFFORT_accounts, STEPS_A_REFERENCE);
        reference.name = grants->parts.items[whole->first + i]->object.meta.name;
        LIST_ADD(arena, grants->references, reference);
    }
}

static void collect_references(struct arena *arena, const struct cluster *cluster,
                               struct grants *grants)
{
    for (uint32_t i = 0; i < cluster->role_bindings.n; i++) {
        const struct role_binding *binding = cluster->role_bindings.items[i];
        bool wide = refers_to_cluster_role(binding);
        note_completeness(grants, &binding->object);
        if (!binding->subjects.n)
            continue;
        struct reference reference = {
            .kind = wide ? KIND_CLUSTERROLE : KIND_ROLE,
            .namespace = wide ? (struct str){0} : binding->object.meta.namespace,
            .name = binding->role_name,
            .binding = binding,
            .ordinal = i,
        };
        LIST_ADD(arena, grants->references, reference);
        if (wide)
            refer_to_parts(arena, cluster, grants, reference);
    }
    LIST_SORT(grants->references, by_role);
    uint32_t n = grants->references.n;
    grants->bindings = ARENA_ARRAY(arena, n, const struct role_binding *);
    for (uint32_t i = n; i-- > 0;) {
        struct reference *one = &grants->references.items[i];
        bool last = i + 1 == n || compare_role(one + 1, one->kind, one->namespace, one->name);
        one->end = last ? i + 1 : one[1].end;
        grants->bindings[i] = one->binding;
    }
}

struct grants *grants_build(struct arena *arena, const struct cluster *cluster)
{
    struct grants *grants = ARENA_NEW(arena, struct grants);
    collect_roles(arena, cluster, grants);
    collect_references(arena, cluster, grants);
    return grants;
}

/* ---- roles and bindings ---- */

struct binding_list grants_bindings(const struct check_context *context, const struct role *role)
{
    const struct grants *grants = context->grants;
    const struct reference *references = grants->references.items;
    enum kind kind = role->object.kind;
    struct str name = role->object.meta.name;
    struct str namespace = kind == KIND_CLUSTERROLE ? (struct str){0} : role->object.meta.namespace;
    uint32_t from;
    LIST_LOWER_BOUND(grants->references, from,
                     compare_role(&references[from], kind, namespace, name) < 0);
    bool any =
        from < grants->references.n && compare_role(&references[from], kind, namespace, name) == 0;
    assert(!any || references[from].end > from);
    uint32_t n = any ? references[from].end - from : 0;
    check_spend(context, EFFORT_accounts, 1 + n / 4); /* there may be many roles without a name */
    return (struct binding_list){grants->bindings + from, n};
}

bool grants_built_in_part(const struct role *role)
{
    pair_list labels = role->object.meta.labels;
    return str_eq(pair_value(labels, STR("rbac.authorization.k8s.io/aggregate-to-admin")),
                  STR("true")) ||
           str_eq(pair_value(labels, STR("rbac.authorization.k8s.io/aggregate-to-edit")),
                  STR("true")) ||
           str_eq(pair_value(labels, STR("rbac.authorization.k8s.io/aggregate-to-view")),
                  STR("true"));
}

bool grants_are_local(const struct check_context *context, const struct role *role)
{
    struct binding_list bindings = grants_bindings(context, role);
    bool all_shown = context->grants->wide_complete || is_manifest(&role->object);
    return role->object.kind == KIND_ROLE ||
           (bindings.n && bindings.items[0]->object.kind != KIND_CLUSTERROLEBINDING && all_shown &&
            !grants_built_in_part(role));
}

struct str grants_scope_text(const struct check_context *context, const struct role *role)
{
    struct binding_list bindings = grants_bindings(context, role);
    struct str name =
        bindings.n ? bindings.items[0]->object.meta.namespace : role->object.meta.namespace;
    for (uint32_t i = 1; i < bindings.n; i++)
        if (!str_eq(bindings.items[i]->object.meta.namespace, name))
            return STR("the namespaces where it is bound");
    if (!name.n)
        return STR("its own namespace");
    return arena_printf(context->arena, "namespace %" STR_FMT, STR_ARG(name));
}

bool grants_bindings_complete(const struct check_context *context, const struct role *role)
{
    const struct grants *grants = context->grants;
    return grants->local_complete && (role->object.kind == KIND_ROLE || grants->wide_complete);
}

const struct role *grants_role(const struct check_context *context,
                               const struct role_binding *binding)
{
    if (refers_to_cluster_role(binding))
        return cluster_role(context->grants, binding->role_name);
    return (const struct role *)index_object(context->index, KIND_ROLE,
                                             binding->object.meta.namespace, binding->role_name);
}

bool grants_everything(const struct check_context *context, const struct role *role)
{
    return is_unlimited(context->grants, role);
}

bool grants_roles_complete(const struct check_context *context)
{
    return context->grants->roles_complete;
}

struct str subject_text(struct arena *arena, const struct role_binding *binding,
                        const struct rbac_subject *subject)
{
    struct str namespace =
        subject->namespace.n ? subject->namespace : binding->object.meta.namespace;
    if (str_eq(subject->kind, STR("ServiceAccount")))
        return arena_printf(arena, "ServiceAccount %" STR_FMT "/%" STR_FMT, STR_ARG(namespace),
                            STR_ARG(subject->name));
    return arena_printf(arena, "%" STR_FMT " %" STR_FMT, STR_ARG(subject->kind),
                        STR_ARG(subject->name));
}

#include "score/component.h"

#include "kube/replicas.h"
#include "score/policy.h"
#include "score/view.h"
#include "score/walk.h"

/* The kinds of workloads that a component of each role may be. */
static const uint64_t kinds_of[] = {
    [COMPONENT_DNS] = KIND_BIT(DEPLOYMENT) | KIND_BIT(DAEMONSET),
    [COMPONENT_NETWORK] = KIND_BIT(DAEMONSET),
    [COMPONENT_INGRESS] = KIND_BIT(DEPLOYMENT) | KIND_BIT(DAEMONSET),
    [COMPONENT_CONTROL_PLANE] = KIND_BIT(POD),
    [COMPONENT_ADDON] = KIND_BIT(DEPLOYMENT) | KIND_BIT(DAEMONSET),
};

static const struct named {
    enum component role;
    struct str name;
} names[] = {
#define SYSTEM_NAMESPACE(name)
#define COMPONENT(role, name) {COMPONENT_##role, STR(name)},
#define NOT_COMPONENT(name)
#include "score/components.def"
#undef SYSTEM_NAMESPACE
#undef COMPONENT
#undef NOT_COMPONENT
};

bool is_system_namespace(struct str namespace)
{
    static const struct str system[] = {
#define SYSTEM_NAMESPACE(name) STR(name),
#define COMPONENT(role, name)
#define NOT_COMPONENT(name)
#include "score/components.def"
#undef SYSTEM_NAMESPACE
#undef COMPONENT
#undef NOT_COMPONENT
    };
    for (size_t i = 0; i < sizeof system / sizeof *system; i++) {
        bool prefix = str_has_suffix(system[i], STR("*"));
        if (prefix ? str_has_prefix(namespace, str_sub(system[i], 0, system[i].n - 1))
                   : str_eq(namespace, system[i]))
            return true;
    }
    return false;
}

static bool is_excluded(struct str name)
{
    static const struct str parts[] = {
#define SYSTEM_NAMESPACE(name)
#define COMPONENT(role, name)
#define NOT_COMPONENT(name) STR(name),
#include "score/components.def"
#undef SYSTEM_NAMESPACE
#undef COMPONENT
#undef NOT_COMPONENT
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (str_has(name, parts[i]))
            return true;
    return false;
}

/* "coredns", or "coredns-..." */
static bool is_called(struct str name, struct str component)
{
    return str_has_prefix(name, component) && (name.n == component.n || name.p[component.n] == '-');
}

static bool may_be(enum component role, const struct workload *workload)
{
    return kinds_of[role] >> workload->object.kind & 1;
}

enum { NAMES = sizeof names / sizeof *names };

/* "etcd-node1": a static pod's name ends with its node's. NULL: it is none. */
static const struct named *part_named(struct str name)
{
    for (size_t i = 0; i < NAMES; i++)
        if (names[i].role == COMPONENT_CONTROL_PLANE && name.n > names[i].name.n &&
            is_called(name, names[i].name))
            return &names[i];
    return NULL;
}

struct str component_control_plane(const struct workload *workload)
{
    const struct object_meta *meta = &workload->object.meta;
    const struct named *part =
        may_be(COMPONENT_CONTROL_PLANE, workload) ? part_named(meta->name) : NULL;
    bool is_part = part && is_system_namespace(meta->namespace) && !is_excluded(meta->name);
    return is_part ? part->name : (struct str){0};
}

/* Do the names of that role count in every namespace? */
static bool is_anywhere(enum component role)
{
    return role == COMPONENT_INGRESS || role == COMPONENT_ADDON;
}

/* Bits of the roles that it may have by its name, but for the control plane. */
static unsigned possible_roles(const struct workload *workload)
{
    bool system = is_system_namespace(workload->object.meta.namespace);
    unsigned roles = 0;
    for (enum component role = COMPONENT_NONE + 1; role < COMPONENT_COUNT; role++)
        if (role != COMPONENT_CONTROL_PLANE && (system || is_anywhere(role)) &&
            may_be(role, workload))
            roles |= 1u << role;
    return roles;
}

static enum component role_by_name(const struct workload *workload)
{
    struct str name = workload->object.meta.name;
    if (component_control_plane(workload).n)
        return COMPONENT_CONTROL_PLANE;
    unsigned possible = possible_roles(workload);
    for (size_t i = 0; i < NAMES && possible && name.n; i++)
        if (possible >> names[i].role & 1 && *name.p == *names[i].name.p &&
            is_called(name, names[i].name) && !is_excluded(name))
            return names[i].role;
    return COMPONENT_NONE;
}

/* "role:namespace/name"; COMPONENT_NONE: it is no such word. */
static enum component parse_word(struct str word, struct str *namespace, struct str *name)
{
    struct str role, place;
    if (!str_cut(word, ':', &role, &place) || !str_cut(place, '/', namespace, name) ||
        !namespace->n || !name->n)
        return COMPONENT_NONE;
    return str_eq(role, STR("dns"))       ? COMPONENT_DNS
           : str_eq(role, STR("network")) ? COMPONENT_NETWORK
           : str_eq(role, STR("ingress")) ? COMPONENT_INGRESS
                                          : COMPONENT_NONE;
}

bool component_word_is_valid(struct str word)
{
    struct str namespace, name;
    return parse_word(word, &namespace, &name) != COMPONENT_NONE;
}

static enum component role_by_policy(const struct check_context *context,
                                     const struct workload *workload)
{
    const struct str *word;
    struct str namespace, name;
    LIST_EACH (word, context->policy->components) {
        enum component role = parse_word(*word, &namespace, &name);
        if (role != COMPONENT_NONE && may_be(role, workload) &&
            str_eq(name, workload->object.meta.name) &&
            str_eq(namespace, workload->object.meta.namespace))
            return role;
    }
    return COMPONENT_NONE;
}

static bool serves_cluster_dns(const struct check_context *context, const struct workload *workload)
{
    const struct workload_view *view = view_workload(context, workload);
    for (uint32_t i = 0; i < view->services.n; i++)
        if (str_eq(view->services.items[i]->object.meta.name, STR("kube-dns")))
            return true;
    return false;
}

/* kubelets find the network's configuration and programs there. */
static bool mounts_cni_directory(const struct pod_spec *spec)
{
    const struct volume *volume;
    LIST_EACH (volume, spec->volumes)
        if (volume->source == VOLUME_HOST_PATH &&
            (str_has_suffix(volume->reference, STR("/cni/net.d")) ||
             str_has_suffix(volume->reference, STR("/cni/bin"))))
            return true;
    return false;
}

static enum component role_by_nature(const struct check_context *context,
                                     const struct workload *workload)
{
    const struct pod_spec *spec = template_of(workload);
    if (may_be(COMPONENT_DNS, workload) && is_system_namespace(workload->object.meta.namespace) &&
        serves_cluster_dns(context, workload))
        return COMPONENT_DNS;
    if (may_be(COMPONENT_NETWORK, workload) && spec && spec->tolerates_all &&
        mounts_cni_directory(spec))
        return COMPONENT_NETWORK;
    return COMPONENT_NONE;
}

static enum component role_of(const struct check_context *context, const struct workload *workload)
{
    enum component role = role_by_policy(context, workload);
    if (role == COMPONENT_NONE)
        role = role_by_name(workload);
    return role == COMPONENT_NONE ? role_by_nature(context, workload) : role;
}

/* ---- all of them ---- */

struct components {
    uint8_t *roles; /* parallel to cluster->roots */
    uint32_t counts[COMPONENT_COUNT];
    struct control_plane_part parts[NAMES]; /* parallel to names */
};

static void count_replica(struct components *components, const struct workload *workload,
                          const struct replicas *replicas)
{
    const struct named *named = part_named(workload->object.meta.name);
    if (!named)
        return;
    struct control_plane_part *part = &components->parts[named - names];
    part->name = named->name;
    part->replicas++;
    part->down += replicas_missing(replicas) >= 1;
}

struct components *components_build(const struct check_context *context)
{
    const struct cluster *cluster = context->cluster;
    struct components *components = ARENA_NEW(context->arena, struct components);
    components->roles = ARENA_ARRAY(context->arena, cluster->roots.n, uint8_t);
    for (uint32_t i = 0; i < cluster->roots.n; i++) {
        enum component role = role_of(context, cluster->roots.items[i]);
        if (role == COMPONENT_NONE)
            continue;
        struct replicas replicas = replicas_of(cluster->roots.items[i]);
        components->roles[i] = (uint8_t)role;
        components->counts[role] += replicas.counts;
        if (role == COMPONENT_CONTROL_PLANE && replicas.counts)
            count_replica(components, cluster->roots.items[i], &replicas);
    }
    return components;
}

enum component component_of(const struct check_context *context, const struct workload *workload)
{
    uint32_t ordinal = view_workload(context, workload)->ordinal;
    return context->cluster->roots.items[ordinal] == workload
               ? (enum component)context->components->roles[ordinal]
               : COMPONENT_NONE;
}

uint32_t component_count(const struct check_context *context, enum component role)
{
    return context->components->counts[role];
}

const struct control_plane_part *component_part(const struct check_context *context,
                                                const struct workload *workload)
{
    static const struct control_plane_part none;
    const struct named *named = part_named(workload->object.meta.name);
    return named ? &context->components->parts[named - names] : &none;
}

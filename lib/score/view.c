#include "score/view.h"

#include "base/hash.h"
#include "base/table.h"
#include "kube/containers.h"
#include "kube/object_index.h"
#include "score/completeness.h"
#include "score/index.h"
#include "score/state.h"

struct views {
    struct arena *arena;
    const struct cluster *cluster;
    struct table namespaces;     /* by name */
    struct workload_view *roots; /* parallel to cluster->roots */
    struct table of_workload;    /* the same, by the address of the workload */
    bool *account_used;          /* parallel to cluster->service_accounts */
    bool shows_root_ca, has_default_priority;
};

static const struct workload *workload_of(const struct cluster *cluster, struct str kind,
                                          struct str namespace, struct str name)
{
    uint32_t at;
    if (!name.n)
        return NULL;
    OBJECTS_LOWER_BOUND(cluster->workloads, namespace, name, at);
    for (; at < cluster->workloads.n; at++) {
        const struct workload *workload = cluster->workloads.items[at];
        effort_spend(cluster->effort, EFFORT_search, 1);
        if (object_name_order(&workload->object, namespace, name) != 0)
            break;
        if (str_eq(workload->object.kind_name, kind))
            return workload;
    }
    return NULL;
}

const struct workload *find_workload(const struct check_context *context, struct str kind,
                                     struct str namespace, struct str name)
{
    return workload_of(context->cluster, kind, namespace, name);
}

/* ---- namespaces ---- */

static struct namespace_view *find_view(const struct views *views, struct str name)
{
    struct namespace_view *view;
    TABLE_EACH (view, &views->namespaces, hash_bytes(views->cluster->seed, name))
        if (str_eq(view->name, name))
            return view;
    return NULL;
}

static struct namespace_view *view_of(struct views *views, struct str name)
{
    struct namespace_view *view = find_view(views, name);
    if (!view) {
        view = ARENA_NEW(views->arena, struct namespace_view);
        view->name = name;
        table_add(&views->namespaces, hash_bytes(views->cluster->seed, name), view);
    }
    return view;
}

/* A list is ordered by namespace, so what a namespace has of it is one slice. */
#define SLICE(list)                                                                                \
    for (uint32_t i = 0; i < cluster->list.n; i++) {                                               \
        struct str name = cluster->list.items[i]->object.meta.namespace;                           \
        if (!view || !str_eq(view->name, name))                                                    \
            view = view_of(views, name);                                                           \
        if (!view->list.n++)                                                                       \
            view->list.items = &cluster->list.items[i];                                            \
        assert(view->list.items + view->list.n == &cluster->list.items[i + 1]);                    \
    }

static void slice_namespaces(struct views *views)
{
    const struct cluster *cluster = views->cluster;
    struct namespace_view *view = NULL;
    views->namespaces = table_init(views->arena, cluster->namespaces.n);
    SLICE(pods)
#define JUDGED(list, walked, subject, type) SLICE(walked)
#include "kube/lists.def"
#undef JUDGED
    for (uint32_t i = 0; i < cluster->network_policies.n; i++) {
        const struct object *policy = &cluster->network_policies.items[i]->object;
        if (policy->summary)
            view_of(views, policy->meta.namespace)->summary_policies = true;
    }
    for (uint32_t i = 0; i < cluster->pdbs.n; i++) {
        const struct object *budget = &cluster->pdbs.items[i]->object;
        if (budget->summary)
            view_of(views, budget->meta.namespace)->summary_budgets = true;
    }
    for (uint32_t i = 0; i < cluster->namespaces.n; i++) {
        const struct namespace *object = cluster->namespaces.items[i];
        view_of(views, object->object.meta.name)->object = object;
    }
}

const struct namespace_view *view_namespace(const struct check_context *context, struct str name)
{
    static const struct namespace_view empty;
    const struct namespace_view *view = find_view(context->views, name);
    return view ? view : &empty;
}

/* ---- workloads ---- */

static void index_roots(struct views *views)
{
    uint32_t n = views->cluster->roots.n;
    views->roots = ARENA_ARRAY(views->arena, n, struct workload_view);
    views->of_workload = table_init(views->arena, n);
    for (uint32_t i = 0; i < n; i++) {
        views->roots[i].ordinal = i;
        table_add(&views->of_workload, hash_pointer(views->cluster->roots.items[i]),
                  &views->roots[i]);
    }
}

/* NULL for what is not among cluster->roots. */
static struct workload_view *view_of_root(const struct views *views,
                                          const struct workload *workload)
{
    struct workload_view *view;
    TABLE_EACH (view, &views->of_workload, hash_pointer(workload))
        if (views->cluster->roots.items[view->ordinal] == workload)
            return view;
    return NULL;
}

const struct workload_view *view_workload(const struct check_context *context,
                                          const struct workload *workload)
{
    static const struct workload_view nothing;
    const struct workload_view *view = view_of_root(context->views, workload);
    return view ? view : &nothing;
}

/* Lists of views are filled in two passes over the same pairs: the first counts, the second, after
 * room was made, stores. */
#define MAKE_ROOM(views_, list, type)                                                              \
    for (uint32_t i = 0; i < (views_)->cluster->roots.n; i++) {                                    \
        struct workload_view *view = &(views_)->roots[i];                                          \
        if (view->list.n)                                                                          \
            view->list.items = ARENA_ARRAY((views_)->arena, view->list.n, type);                   \
        view->list.n = 0;                                                                          \
    }

static void pass_services(struct views *views, bool store)
{
    for (uint32_t i = 0; i < views->cluster->services.n; i++) {
        struct service *service = views->cluster->services.items[i];
        for (uint32_t k = 0; k < service->workloads.n; k++) {
            struct workload_view *view = view_of_root(views, service->workloads.items[k]);
            if (view && store)
                view->services.items[view->services.n] = service;
            if (view)
                view->services.n++;
        }
    }
}

static void pass_autoscalers(struct views *views, bool store)
{
    for (uint32_t i = 0; i < views->cluster->autoscalers.n; i++) {
        struct autoscaler *scaler = views->cluster->autoscalers.items[i];
        /* KEDA lets the kind be absent. */
        struct str kind = scaler->target_kind.n ? scaler->target_kind : STR("Deployment");
        const struct workload *target =
            workload_of(views->cluster, kind, scaler->object.meta.namespace, scaler->target_name);
        struct workload_view *view = target ? view_of_root(views, target) : NULL;
        if (view && store)
            view->autoscalers.items[view->autoscalers.n] = scaler;
        if (view)
            view->autoscalers.n++;
    }
}

/* A template's containers by name. */
struct template_names {
    const struct pod_spec *template;
    struct table by_name;                /* each name once; made on first use */
    const struct pod_spec *without_live; /* of the last pod that has no others */
};

static bool is_named(const struct views *views, const struct template_names *names, struct str name)
{
    const struct container *container;
    TABLE_EACH (container, &names->by_name, hash_bytes(views->cluster->seed, name))
        if (str_eq(container->name, name))
            return true;
    return false;
}

static void index_names(const struct views *views, struct template_names *names)
{
    const struct container *container;
    names->by_name = table_init(views->arena, names->template->containers.n);
    effort_spend(views->cluster->effort, EFFORT_search, names->template->containers.n);
    LIST_EACH (container, names->template->containers)
        if (!is_named(views, names, container->name))
            table_add(&names->by_name, hash_bytes(views->cluster->seed, container->name),
                      container);
}

/* Has the template a container of that name? It mostly stands where the pod has it. */
static bool is_in_template(const struct views *views, struct template_names *names, uint32_t at,
                           struct str name)
{
    const struct pod_spec *template = names->template;
    effort_spend(views->cluster->effort, EFFORT_search, 1);
    if (at < template->containers.n && str_eq(template->containers.items[at].name, name))
        return true;
    if (!names->by_name.slots)
        index_names(views, names);
    return is_named(views, names, name);
}

static void pass_live_of(const struct views *views, struct workload_view *view,
                         struct template_names *names, const struct pod *pod, bool store)
{
    uint32_t before = view->shown.live.n;
    if (pod->spec == names->without_live) { /* the effort must not depend on what is shared */
        effort_spend(views->cluster->effort, EFFORT_search, pod->spec->containers.n);
        return;
    }
    for (uint32_t i = 0; i < pod->spec->containers.n; i++) {
        const struct container *container = &pod->spec->containers.items[i];
        if (is_in_template(views, names, i, container->name) || container_is_injected(container))
            continue;
        if (store)
            view->shown.live.items[view->shown.live.n] = (struct live_container){pod, container};
        view->shown.live.n++;
    }
    if (view->shown.live.n == before)
        names->without_live = pod->spec;
}

/* Of pods that run: those that OpenShift deploys with have ended, and none of it is the author's.
 */
static void pass_live(struct views *views, bool store)
{
    for (uint32_t i = 0; i < views->cluster->roots.n; i++) {
        const struct workload *workload = views->cluster->roots.items[i];
        struct template_names names = {.template = template_of(workload)};
        for (uint32_t k = 0; names.template && k < workload->pods.n; k++) {
            const struct pod *pod = workload->pods.items[k];
            if (pod->spec && !pod->spec->partial && pod->spec != workload->spec &&
                !pod_has_ended(pod))
                pass_live_of(views, &views->roots[i], &names, pod, store);
        }
    }
}

static void note_success(struct views *views)
{
    for (uint32_t i = 0; i < views->cluster->roots.n; i++) {
        const struct workload *workload = views->cluster->roots.items[i];
        for (uint32_t k = 0; workload->synthesized && k < workload->pods.n; k++)
            views->roots[i].shown.has_succeeded |=
                str_eq(workload->pods.items[k]->phase, STR("Succeeded"));
    }
}

static void view_workloads(struct views *views)
{
    index_roots(views);
    note_success(views);
    pass_services(views, false);
    MAKE_ROOM(views, services, struct service *)
    pass_services(views, true);
    pass_autoscalers(views, false);
    MAKE_ROOM(views, autoscalers, struct autoscaler *)
    pass_autoscalers(views, true);
    pass_live(views, false);
    MAKE_ROOM(views, shown.live, struct live_container)
    pass_live(views, true);
}

/* ---- service accounts ---- */

struct str service_account_of(const struct pod_spec *spec)
{
    if (spec->service_account_name.n)
        return spec->service_account_name;
    return spec->service_account.n ? spec->service_account : STR("default");
}

static void mark_accounts(struct views *views)
{
    const struct cluster *cluster = views->cluster;
    views->account_used = ARENA_ARRAY(views->arena, cluster->service_accounts.n, bool);
    for (uint32_t i = 0; i < cluster->roots.n; i++) {
        const struct workload *workload = cluster->roots.items[i];
        uint32_t at;
        if (!template_of(workload))
            continue;
        struct str namespace = workload->object.meta.namespace;
        struct str name = service_account_of(workload->spec);
        OBJECTS_LOWER_BOUND(cluster->service_accounts, namespace, name, at);
        if (at < cluster->service_accounts.n &&
            !object_name_order(&cluster->service_accounts.items[at]->object, namespace, name))
            views->account_used[at] = true;
    }
}

bool service_account_is_used(const struct check_context *context,
                             const struct service_account *account)
{
    const struct cluster *cluster = context->cluster;
    uint32_t at;
    OBJECTS_LOWER_BOUND(cluster->service_accounts, account->object.meta.namespace,
                        account->object.meta.name, at);
    return at < cluster->service_accounts.n && context->views->account_used[at];
}

/* ---- what the snapshot shows at all ---- */

static void note_marks(struct views *views)
{
    const struct cluster *cluster = views->cluster;
    for (uint32_t i = 0; i < cluster->config_maps.n; i++)
        views->shows_root_ca |=
            str_eq(cluster->config_maps.items[i]->object.meta.name, STR("kube-root-ca.crt"));
    for (uint32_t i = 0; i < cluster->priority_classes.n; i++)
        views->has_default_priority |=
            cluster->priority_classes.items[i]->global_default == TRI_TRUE;
}

bool namespace_is_complete(const struct check_context *context, enum kind kind,
                           struct str namespace)
{
    const struct views *views = context->views;
    if (!cluster_has(context->cluster, kind))
        return false;
    if (kind == KIND_CONFIGMAP && views->shows_root_ca)
        return index_object(context->index, kind, namespace, STR("kube-root-ca.crt")) != NULL;
    return completeness_covers(context, kind);
}

bool has_default_priority(const struct check_context *context)
{
    return context->views->has_default_priority;
}

struct views *views_build(struct arena *arena, const struct cluster *cluster)
{
    struct views *views = ARENA_NEW(arena, struct views);
    views->arena = arena;
    views->cluster = cluster;
    slice_namespaces(views);
    view_workloads(views);
    mark_accounts(views);
    note_marks(views);
    return views;
}

/* Absent is 1, for KEDA 0. */
static int64_t minimum_of(const struct autoscaler *scaler)
{
    if (scaler->min_replicas != NUMBER_ABSENT)
        return scaler->min_replicas;
    return scaler->object.kind == KIND_SCALEDOBJECT ? 0 : 1;
}

int64_t autoscaled_minimum(const struct check_context *context, const struct workload *workload)
{
    const struct workload_view *view = view_workload(context, workload);
    int64_t highest = NUMBER_ABSENT;
    check_spend(context, EFFORT_search, view->autoscalers.n / 4);
    for (uint32_t i = 0; i < view->autoscalers.n; i++)
        if (minimum_of(view->autoscalers.items[i]) > highest)
            highest = minimum_of(view->autoscalers.items[i]);
    return highest;
}

bool may_rest_at_zero(const struct check_context *context, const struct workload *workload)
{
    const struct workload_view *view = view_workload(context, workload);
    check_spend(context, EFFORT_search, view->autoscalers.n / 4);
    for (uint32_t i = 0; i < view->autoscalers.n; i++)
        if (minimum_of(view->autoscalers.items[i]) == 0 ||
            view->autoscalers.items[i]->idle_replicas == 0)
            return true;
    return false;
}

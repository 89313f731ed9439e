#include "score/around.h"

#include "kube/containers.h"
#include "kube/status.h"
#include "score/component.h"
#include "score/index.h"
#include "score/policy.h"
#include "score/selection.h"
#include "score/view.h"

static const struct service_account *account_in(const struct check_context *context,
                                                struct str namespace, struct str name)
{
    return (const struct service_account *)index_object(context->index, KIND_SERVICEACCOUNT,
                                                        namespace, name);
}

static void see_accounts(const struct check_context *context, const struct workload *workload,
                         struct around *around)
{
    const struct service_account *account = NULL;
    struct str namespace = workload->object.meta.namespace;
    if (!context->cluster->service_accounts.n)
        return;
    if (workload->spec)
        account = account_in(context, namespace, service_account_of(workload->spec));
    around->has_account = account != NULL;
    around->automount = account ? account->automount_token : TRI_ABSENT;
    around->has_default_account = account_in(context, namespace, STR("default")) != NULL;
}

static bool asks_for_namespaces(const struct workload *workload)
{
    const struct pod_affinity_term *term;
    if (workload->spec)
        LIST_EACH (term, workload->spec->anti_affinity)
            if (term->namespace_selector)
                return true;
    return false;
}

static void see(const struct check_context *context, const struct workload *workload,
                const struct namespace_view *home, struct around *around)
{
    const struct workload_view *view = view_workload(context, workload);
    around->minimum = autoscaled_minimum(context, workload);
    around->may_rest = may_rest_at_zero(context, workload);
    around->component = component_of(context, workload);
    see_accounts(context, workload, around);
    around->has_service = view->services.n > 0;
    if (around->has_service)
        around->service = view->services.items[0]->object.meta.name;
    around->has_labels = selection_isolation(context, workload, &around->directions);
    selection_has_budget(context, workload, &around->has_budget);
    around->policies = home->network_policies.n;
    around->has_summary_policies = home->summary_policies;
    around->has_summary_budgets = home->summary_budgets;
    if (asks_for_namespaces(workload))
        around->namespace = home->object;
}

struct around *around_build(const struct check_context *context)
{
    const struct cluster *cluster = context->cluster;
    const struct namespace_view *home = NULL;
    struct str last = {0};
    struct around *all = ARENA_ARRAY(context->arena, cluster->roots.n, struct around);
    for (uint32_t i = 0; i < cluster->roots.n; i++) {
        struct str name = cluster->roots.items[i]->object.meta.namespace;
        if (!home || !str_eq(name, last))
            home = view_namespace(context, name);
        last = name;
        see(context, cluster->roots.items[i], home, &all[i]);
    }
    return all;
}

/* Whoever writes a local check that asks for another kind is told that it is not complete. */
static const uint64_t asked_for = KIND_BIT(SERVICE) | KIND_BIT(SERVICEACCOUNT) |
                                  KIND_BIT(NETWORKPOLICY) | KIND_BIT(PODDISRUPTIONBUDGET);

struct setting setting_of(const struct check_context *context)
{
    struct release server = {1, INT64_MAX};
    if (!release_parse(context->cluster->server_version, &server) &&
        context->policy->target.major > 0)
        server = context->policy->target;
    return (struct setting){.known_kinds = context->known_kinds & asked_for,
                            .server_minor = server.minor,
                            .has_default_priority = has_default_priority(context),
                            .has_foreign_policies = context->cluster->foreign_network_policies};
}

bool setting_is_same(const struct setting *a, const struct setting *b)
{
    return a->known_kinds == b->known_kinds && a->server_minor == b->server_minor &&
           a->has_default_priority == b->has_default_priority &&
           a->has_foreign_policies == b->has_foreign_policies;
}

int64_t lasting_replicas(const struct workload *workload, int64_t minimum)
{
    int64_t replicas = wanted_replicas(workload);
    return replicas > 0 && minimum > replicas ? number_or_zero(minimum) : replicas;
}

/* Service accounts that nobody uses. What reads ConfigMaps and Secrets through the API does not
 * show in a snapshot, so nothing is said of those. */
#include "score/checks.h"
#include "score/completeness.h"
#include "score/component.h"
#include "score/view.h"

#define CONTROLLERS (K(POD) | K(DEPLOYMENT) | K(STATEFULSET) | K(DAEMONSET) | K(CRONJOB))

enum { COMPARISONS_MAX = 1 << 24 }; /* of accounts with bindings, all in all */

/* Every namespace has these; kubectl and OpenShift use them without a pod that shows. */
static bool is_given(const struct service_account *account)
{
    static const char *const names[] = {"default", "builder", "deployer", "pipeline", NULL};
    return str_in(account->object.meta.name, names) || account->object.meta.owners.n ||
           is_system_namespace(account->object.meta.namespace);
}

static bool is_bound(const struct check_context *context, const struct service_account *account)
{
    struct role_binding **binding;
    const struct rbac_subject *subject;
    const struct object_meta *meta = &account->object.meta;
    LIST_EACH (binding, context->cluster->role_bindings) {
        check_spend(context, EFFORT_accounts, 1 + (uint64_t)(*binding)->subjects.n);
        LIST_EACH (subject, (*binding)->subjects)
            if (str_eq(subject->name, meta->name) && str_eq(subject->kind, STR("ServiceAccount")) &&
                str_eq(subject->namespace.n ? subject->namespace
                                            : (*binding)->object.meta.namespace,
                       meta->namespace))
                return true;
    }
    return false;
}

/* Every cluster has bindings of both kinds: where none are, nobody asked for them. */
static bool shows_users(const struct check_context *context)
{
    const struct cluster *cluster = context->cluster;
    return cluster->pods.n && (context->known_kinds & CONTROLLERS) == CONTROLLERS &&
           cluster_has(cluster, KIND_ROLEBINDING) && cluster_has(cluster, KIND_CLUSTERROLEBINDING);
}

/* One that holds a role may be somebody's outside of the cluster. */
enum verdict check_service_account_unused(struct check_context *context,
                                          const struct service_account *account)
{
    const struct cluster *cluster = context->cluster;
    uint64_t comparisons = (uint64_t)cluster->service_accounts.n * cluster->role_bindings.n;
    if (account->object.summary || is_given(account) || comparisons > COMPARISONS_MAX ||
        !shows_users(context))
        return NOT_EVALUATED;
    if (service_account_is_used(context, account) || is_bound(context, account))
        return PASSED;
    return fail(context, NO_CONTAINER, "No pod runs under it, and no binding names it.");
}

/* Namespaces: what enforces a standard in them, and what is put where nothing should be. */
#include "kube/manifest.h"
#include "kube/selector.h"
#include "score/completeness.h"
#include "score/checks.h"
#include "score/policy.h"
#include "score/view.h"

/* What the control plane itself keeps in the namespace "default". */
static bool belongs_to_cluster(const struct object *object)
{
    struct str name = object->meta.name;
    switch (object->kind) {
    case KIND_SERVICE:
        return str_eq(name, STR("kubernetes")) || str_eq(name, STR("openshift"));
    case KIND_CONFIGMAP:
        return str_eq(name, STR("kube-root-ca.crt")) ||
               str_eq(name, STR("openshift-service-ca.crt"));
    case KIND_SERVICEACCOUNT:
        return str_eq(name, STR("default")) || str_eq(name, STR("builder")) ||
               str_eq(name, STR("deployer"));
    case KIND_SECRET:
        return str_has(name, STR("-token-")) || str_has(name, STR("-dockercfg-"));
    case KIND_ROLE:
    case KIND_ROLEBINDING:
        return str_has_prefix(name, STR("system:"));
    default:
        return false;
    }
}

/* A manifest that names no namespace goes to "default" too. */
enum verdict check_default_namespace(struct check_context *context, const struct object *object)
{
    struct str namespace = object->meta.namespace;
    if (belongs_to_cluster(object) || (object->summary && !namespace.n))
        return NOT_EVALUATED;
    if (namespace.n && !str_eq(namespace, STR("default")))
        return PASSED;
    return fail(context, NO_CONTAINER, "The %" STR_FMT " %s.", STR_ARG(object->kind_name),
                namespace.n ? "is in namespace default" : "names no namespace and so gets default");
}

/* The cluster's own pods need what the standards refuse, whoever else is asked. */
enum verdict check_namespace_psa_unenforced(struct check_context *context,
                                            const struct namespace *namespace)
{
    struct str level =
        pair_value(namespace->object.meta.labels, STR("pod-security.kubernetes.io/enforce"));
    if (namespace->object.summary ||
        str_list_has(context->policy->system_namespaces, namespace->object.meta.name))
        return NOT_EVALUATED;
    if (context->cluster->policy_engine || str_eq(level, STR("baseline")) ||
        str_eq(level, STR("restricted")))
        return PASSED;
    return fail(context, NO_CONTAINER,
                "Nothing keeps dangerous pods out of the namespace (label "
                "pod-security.kubernetes.io/enforce is %" STR_FMT ").",
                STR_ARG(level.n ? level : STR("not set")));
}

static bool has_running_pod(const struct namespace_view *view)
{
    for (uint32_t i = 0; i < view->pods.n; i++)
        if (str_eq(view->pods.items[i]->phase, STR("Running")))
            return true;
    return false;
}

/* A List of manifests holds all that its author wrote. */
static bool quotas_are_known(const struct check_context *context, const struct namespace *namespace,
                             const struct namespace_view *view)
{
    if (completeness_covers(context, KIND_RESOURCEQUOTA) &&
        completeness_covers(context, KIND_LIMITRANGE))
        return true;
    return !context->cluster->names_kinds && is_manifest(&namespace->object) &&
           is_manifest(&view->pods.items[0]->object);
}

enum verdict check_namespace_no_quota(struct check_context *context,
                                      const struct namespace *namespace)
{
    const struct namespace_view *view = view_namespace(context, namespace->object.meta.name);
    if (!has_running_pod(view))
        return NOT_EVALUATED;
    if (view->quotas.n || view->limit_ranges.n)
        return PASSED;
    if (!quotas_are_known(context, namespace, view))
        return NOT_EVALUATED;
    return fail(context, NO_CONTAINER,
                "The pods of the namespace may take all there is: it has "
                "neither a ResourceQuota nor a LimitRange.");
}

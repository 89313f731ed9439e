/* What a controller must be told: what it selects, what stands in front, and when it ends. */
#include "kube/selector.h"
#include "kube/status.h"
#include "score/completeness.h"
#include "score/checks.h"
#include "score/index.h"
#include "score/view.h"
#include "score/walk.h"

enum verdict check_selector_template_mismatch(struct check_context *context,
                                              const struct workload *workload)
{
    if (!is_known(workload) || !workload->selector)
        return NOT_EVALUATED;
    if (selector_matches(workload->selector, workload->template_labels))
        return PASSED;
    return fail(context, NO_CONTAINER,
                "The selector of the %" STR_FMT " does not match the labels of its own template.",
                STR_ARG(workload->object.kind_name));
}

enum verdict check_statefulset_service_missing(struct check_context *context,
                                               const struct workload *workload)
{
    if (!is_known(workload))
        return NOT_EVALUATED;
    const struct service *service = (const struct service *)index_object(
        context->index, KIND_SERVICE, workload->object.meta.namespace, workload->service_name);
    if (!workload->service_name.n)
        return fail(context, NO_CONTAINER,
                    "The StatefulSet names no service: its pods have no names in DNS.");
    if (!service && !completeness_covers(context, KIND_SERVICE))
        return NOT_EVALUATED;
    if (!service)
        return fail(context, NO_CONTAINER, "Service %" STR_FMT " does not exist in the namespace.",
                    STR_ARG(workload->service_name));
    if (!str_eq(service->cluster_ip, STR("None")))
        return fail(context, NO_CONTAINER,
                    "Service %" STR_FMT " is not headless (clusterIP: None).",
                    STR_ARG(workload->service_name));
    if (!selector_map_matches(service->selector, workload->template_labels))
        return fail(context, NO_CONTAINER, "Service %" STR_FMT " does not select the pods.",
                    STR_ARG(workload->service_name));
    return PASSED;
}

/* Admission writes the default class into pods. */
static bool live_pods_have_priority(const struct workload *workload)
{
    bool any = false;
    struct pod **pod;
    LIST_EACH (pod, workload->pods) {
        if (pod_has_ended(*pod))
            continue;
        if (!(*pod)->spec || !(*pod)->spec->priority_class.n)
            return false;
        any = true;
    }
    return any;
}

enum verdict check_priority_class_missing(struct check_context *context,
                                          const struct workload *workload)
{
    const struct pod_spec *spec = template_of(workload);
    if (!spec)
        return NOT_EVALUATED;
    if (spec->priority_class.n || context->setting.has_default_priority ||
        live_pods_have_priority(workload))
        return PASSED;
    return fail(context, NO_CONTAINER,
                "The pod has no priorityClassName: when nodes are full it may "
                "not come first.");
}

enum verdict check_recommended_labels_missing(struct check_context *context,
                                              const struct workload *workload)
{
    static const char *const keys[] = {"app.kubernetes.io/name", "app", "k8s-app"};
    if (!template_of(workload))
        return NOT_EVALUATED;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (pair_has(workload->template_labels, str_of(keys[i])))
            return PASSED;
    return fail(context, NO_CONTAINER,
                "No label of the pod tells which application it is: neither "
                "app.kubernetes.io/name nor app nor k8s-app.");
}

static bool exposes_ssh(struct check_context *context, struct place at)
{
    const struct container_port *port;
    LIST_EACH (port, at.container->ports)
        if (port->container_port == 22 &&
            (!port->protocol.n || str_eq(port->protocol, STR("TCP")))) {
            fail(context, at.container->name,
                 "Container %" STR_FMT " declares port 22, that of SSH.",
                 STR_ARG(at.container->name));
            return true;
        }
    return false;
}

enum verdict check_ssh_port_exposed(struct check_context *context, const struct workload *workload)
{
    return walk_containers(context, workload, ROLES_TEMPLATE, exposes_ssh);
}

enum verdict check_cronjob_deadline_missing(struct check_context *context,
                                            const struct workload *workload)
{
    if (!is_known(workload))
        return NOT_EVALUATED;
    if (workload->starting_deadline != NUMBER_ABSENT)
        return PASSED;
    return fail(context, NO_CONTAINER,
                "startingDeadlineSeconds is not set: after 100 missed starts "
                "the CronJob stops for good.");
}

enum verdict check_job_ttl_missing(struct check_context *context, const struct workload *workload)
{
    if (!is_known(workload))
        return NOT_EVALUATED;
    if (workload->ttl_after_finished != NUMBER_ABSENT)
        return PASSED;
    return fail(context, NO_CONTAINER,
                "ttlSecondsAfterFinished is not set: the Job and its pods stay when it is done.");
}

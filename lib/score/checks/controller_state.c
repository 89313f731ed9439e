/* Whether controllers have the pods they want. Of the cluster's own namespaces and of add-ons that
 * is judged once, by system-workload-unhealthy. */
#include "kube/quantity.h"
#include "kube/selector.h"
#include "kube/manifest.h"
#include "kube/replicas.h"
#include "score/around.h"
#include "score/checks.h"
#include "score/component.h"
#include "score/index.h"
#include "kube/revision.h"
#include "score/state.h"
#include "score/view.h"
#include "score/walk.h"

#define STARTING_GRACE (2 * CLOCK_MINUTE)

static bool is_judged_as_system(const struct check_context *context,
                                const struct workload *workload)
{
    return is_system_namespace(workload->object.meta.namespace) ||
           context->around->component == COMPONENT_ADDON;
}

/* ---- controller-selects-nothing ---- */

static bool has_live_pod(struct check_context *context, const struct workload *root)
{
    bool loose = root->object.kind == KIND_POD || root->synthesized;
    check_spend(context, EFFORT_labels, root->pods.n);
    return loose ? !workload_has_ended(root) : pods_not_ended(root) > 0;
}

/* Does the selector match a pod that is not its own: of another controller, whose template has the
 * labels of its pods, or of none? In a namespace full of such pods nobody can tell in reasonable
 * time: TRI_ABSENT. */
static enum tri selects_other_pod(struct check_context *context, const struct workload *workload)
{
    enum { OTHERS_MAX = 1000 };
    const struct namespace_view *view = view_namespace(context, workload->object.meta.namespace);
    uint32_t others = 0;
    for (uint32_t i = 0; i < view->roots.n; i++) {
        const struct workload *root = view->roots.items[i];
        check_spend(context, EFFORT_labels, 1);
        if (root == workload)
            continue;
        check_spend(context, EFFORT_labels,
                    selector_steps(workload->selector, root->template_labels));
        if (selector_matches(workload->selector, root->template_labels) &&
            has_live_pod(context, root))
            return TRI_TRUE;
        if (++others == OTHERS_MAX)
            return TRI_ABSENT;
    }
    return TRI_FALSE;
}

/* The snapshot shows pods, or the controller itself says of the present spec how many it has. */
static bool pods_are_told(const struct check_context *context, const struct workload *workload)
{
    return cluster_has(context->cluster, KIND_POD) ||
           (has_replica_status(workload) && !status_is_stale(workload));
}

/* Pods that have ended do not count: the controller makes others. */
enum verdict check_controller_selects_nothing(struct check_context *context,
                                              const struct workload *workload)
{
    bool is_daemon_set = workload->object.kind == KIND_DAEMONSET;
    int64_t wanted = is_daemon_set ? workload->desired_scheduled : wanted_replicas(workload);
    bool runs = !is_manifest(&workload->object) || has_replica_status(workload);
    if (!is_known(workload) || !workload->selector || wanted < 1 || !runs ||
        !pods_are_told(context, workload) ||
        age_within(context, workload->object.meta.created, CLOCK_MINUTE))
        return NOT_EVALUATED;
    enum tri selects = pods_not_ended(workload) ? TRI_TRUE : selects_other_pod(context, workload);
    if (selects != TRI_FALSE)
        return selects == TRI_TRUE ? PASSED : NOT_EVALUATED;
    if (number_or_zero(workload->status_replicas) > 0)
        return NOT_EVALUATED; /* its pods exist, only not in the snapshot */
    return fail(context, NO_CONTAINER,
                "%lld %s wanted, and no live pod of the namespace matches the selector.",
                (long long)wanted, wanted == 1 ? "replica is" : "replicas are");
}

/* ---- controller-create-failure ---- */

/* Without completions one success tells the others to end (job_controller.go, "manageJob"). */
static int64_t wanted_of_job(const struct workload *job)
{
    int64_t wanted = job->parallelism == NUMBER_ABSENT ? 1 : number_or_zero(job->parallelism);
    int64_t left = number_or_zero(job->completions) - number_or_zero(job->job.succeeded);
    bool enough = job->completions == NUMBER_ABSENT && number_or_zero(job->job.succeeded) > 0;
    if (job->suspend == TRI_TRUE || enough)
        return 0;
    return job->completions != NUMBER_ABSENT && left < wanted ? left : wanted;
}

/* Has it all its pods, so that what failed before is over? */
static bool has_made_all(const struct workload *workload)
{
    switch (workload->object.kind) {
    case KIND_DAEMONSET:
        return number_or_zero(workload->status_replicas) >=
               number_or_zero(workload->desired_scheduled);
    case KIND_JOB:
        return number_or_zero(workload->job.active) >= wanted_of_job(workload) ||
               workload->job_completion != TIME_NONE;
    default:
        return number_or_zero(workload->status_replicas) >= wanted_replicas(workload);
    }
}

static enum verdict judge_creation(struct check_context *context, const struct workload *workload)
{
    const struct condition *failure = condition_find(workload->conditions, STR("ReplicaFailure"));
    const struct event *event = latest_event(context, &workload->object, STR("FailedCreate"));
    struct str why = {0};
    if (failure && str_eq(failure->status, STR("True")))
        why = failure->message.n ? failure->message : failure->reason;
    else if (event && !has_made_all(workload))
        why = event->message.n ? event->message : event->reason;
    else
        return PASSED;
    return fail(context, NO_CONTAINER, "%" STR_FMT " cannot create its pods: %" STR_FMT ".",
                STR_ARG(resource_name(context->arena, &workload->object)),
                STR_ARG(message_text(why)));
}

/* Events tell, and conditions of those that have any. */
enum verdict check_controller_create_failure(struct check_context *context,
                                             const struct workload *workload)
{
    struct workload **child;
    bool told = !workload->synthesized &&
                (cluster_has(context->cluster, KIND_EVENT) || workload->conditions.n);
    enum verdict verdict = told ? judge_creation(context, workload) : NOT_EVALUATED;
    LIST_EACH (child, workload->children)
        if (judge_creation(context, *child) == FAILED)
            verdict = FAILED;
    return verdict;
}

/* ---- deployment-unavailable ---- */

/* How many may be missing, as the deployment controller resolves maxUnavailable. */
static int64_t tolerated_missing(const struct workload *workload)
{
    int64_t replicas = wanted_replicas(workload), missing = 0, surge = 0;
    if (str_eq(workload->strategy, STR("Recreate")))
        return 0;
    if (!int_or_percent(workload->max_unavailable.n ? workload->max_unavailable : STR("25%"),
                        replicas, false, &missing))
        return 0;
    if (!int_or_percent(workload->max_surge.n ? workload->max_surge : STR("25%"), replicas, true,
                        &surge))
        surge = 1;
    if (missing == 0 && surge == 0)
        return 1;
    missing = number_or_zero(missing);
    return missing > replicas ? replicas : missing;
}

/* Does a summary say only that there are too few, and not how many of how many? */
static bool numbers_are_missing(const struct workload *workload)
{
    return workload->object.summary &&
           (workload->replicas == NUMBER_ABSENT || workload->ready_replicas == NUMBER_ABSENT);
}

static enum verdict judge_deployment(struct check_context *context, const struct workload *workload)
{
    int64_t wanted = wanted_replicas(workload), available = available_replicas(workload);
    const struct condition *condition = condition_find(workload->conditions, STR("Available"));
    bool unavailable = condition && str_eq(condition->status, STR("False"));
    if (wanted <= 0 || (!unavailable && available >= wanted - tolerated_missing(workload)))
        return PASSED;
    if (unavailable && numbers_are_missing(workload))
        return fail(context, NO_CONTAINER, "Too few replicas have been available %" STR_FMT ".",
                    STR_ARG(for_time(context, condition->last_transition)));
    return fail_as(
        context, available > 0 ? context->check->severity : SEVERITY_CRITICAL, NO_CONTAINER,
        "%lld of %lld replicas are available%s%" STR_FMT ".", (long long)available,
        (long long)wanted, unavailable ? ", too few " : "",
        STR_ARG(unavailable ? for_time(context, condition->last_transition) : (struct str){0}));
}

enum verdict check_deployment_unavailable(struct check_context *context,
                                          const struct workload *workload)
{
    if (!has_replica_status(workload) || status_is_stale(workload) ||
        is_judged_as_system(context, workload))
        return NOT_EVALUATED;
    return judge_deployment(context, workload);
}

/* ---- statefulset-unready ---- */

static enum verdict fail_ready(struct check_context *context, const struct workload *workload,
                               int64_t wanted)
{
    return fail(context, NO_CONTAINER, "%lld of %lld replicas are ready.",
                (long long)number_or_zero(workload->ready_replicas), (long long)wanted);
}

enum verdict check_statefulset_unready(struct check_context *context,
                                       const struct workload *workload)
{
    int64_t wanted = wanted_replicas(workload);
    if (!has_replica_status(workload) || status_is_stale(workload))
        return NOT_EVALUATED;
    if (number_or_zero(workload->ready_replicas) >= wanted ||
        age_within(context, workload->object.meta.created, STARTING_GRACE) ||
        pods_are_starting(context, workload, STARTING_GRACE))
        return PASSED;
    return fail_ready(context, workload, wanted);
}

/* ---- daemonset-unready ---- */

enum verdict check_daemonset_unready(struct check_context *context, const struct workload *workload)
{
    int64_t ready = number_or_zero(workload->ready_replicas);
    int64_t misscheduled = number_or_zero(workload->misscheduled);
    bool system = is_judged_as_system(context, workload);
    if (!has_replica_status(workload) || status_is_stale(workload) || (system && !misscheduled))
        return NOT_EVALUATED;
    int64_t wanted = number_or_zero(workload->desired_scheduled) - pods_on_lost_nodes(workload);
    if (ready >= wanted && misscheduled == 0)
        return PASSED;
    if (ready >= wanted || system)
        return fail(context, NO_CONTAINER, "%lld pod%s where the DaemonSet should not.",
                    (long long)misscheduled, misscheduled == 1 ? " runs" : "s run");
    return fail_ready(context, workload, number_or_zero(workload->desired_scheduled));
}

/* ---- replicaset-unready ---- */

/* The one that is in force: of a Deployment the newest, of others itself. Where none tells its
 * revision, it is the one that wants pods: those before are at 0. */
static const struct workload *current_set(const struct workload *workload)
{
    struct revision_history history;
    struct workload **child;
    if (workload->object.kind != KIND_DEPLOYMENT)
        return workload;
    history = revision_history_of(workload);
    if (history.n)
        return history.newest.replica_set;
    LIST_EACH (child, workload->children)
        if (wanted_replicas(*child) > 0)
            return *child;
    return NULL;
}

enum verdict check_replicaset_unready(struct check_context *context,
                                      const struct workload *workload)
{
    const struct workload *set = current_set(workload);
    if (!set || !has_replica_status(set) || status_is_stale(set) || status_is_stale(workload) ||
        is_judged_as_system(context, workload))
        return NOT_EVALUATED;
    int64_t wanted = wanted_replicas(set), ready = number_or_zero(set->ready_replicas);
    if (ready >= wanted || age_within(context, set->object.meta.created, STARTING_GRACE) ||
        pods_are_starting(context, workload, STARTING_GRACE))
        return PASSED;
    return fail(context, NO_CONTAINER, "%lld of %lld pods of %" STR_FMT " are ready.",
                (long long)ready, (long long)wanted,
                STR_ARG(resource_name(context->arena, &set->object)));
}

/* ---- system-workload-unhealthy ---- */

/* DaemonSets are forgiven what is on nodes that are not ready: those are reported themselves. */
static int64_t system_wanted(const struct workload *workload)
{
    if (workload->object.kind == KIND_DAEMONSET)
        return number_or_zero(workload->desired_scheduled) - pods_on_lost_nodes(workload);
    return wanted_replicas(workload);
}

/* An add-on that has some replicas left still serves. */
static enum severity severity_of_lack(const struct check_context *context,
                                      const struct workload *workload, int64_t available)
{
    if (str_eq(workload->object.meta.namespace, STR("kube-system")))
        return context->check->severity;
    bool system = is_system_namespace(workload->object.meta.namespace);
    if (available > 0)
        return system ? SEVERITY_HIGH : SEVERITY_MEDIUM;
    return system ? context->check->severity : SEVERITY_HIGH;
}

enum verdict check_system_workload_unhealthy(struct check_context *context,
                                             const struct workload *workload)
{
    if (!is_judged_as_system(context, workload) || !has_replica_status(workload) ||
        status_is_stale(workload))
        return NOT_EVALUATED;
    int64_t wanted = system_wanted(workload), available = available_replicas(workload);
    if (available >= wanted || pods_are_starting(context, workload, STARTING_GRACE))
        return PASSED;
    return fail_as(context, severity_of_lack(context, workload, available), NO_CONTAINER,
                   "The cluster service %" STR_FMT " has %lld of %lld replicas available.",
                   STR_ARG(workload->object.meta.name), (long long)available, (long long)wanted);
}

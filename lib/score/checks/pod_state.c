/* Where pods are in their lives: waiting, running but not ready, failed, not going away. */
#include "kube/pod_reason.h"
#include "score/checks.h"
#include "score/state.h"
#include "score/view.h"

#define UNSCHEDULABLE_GRACE (2 * CLOCK_MINUTE)
#define PENDING_GRACE       (5 * CLOCK_MINUTE)
#define READINESS_GRACE     (60 * CLOCK_SECOND)

static bool is_pending(const struct pod *pod)
{
    return str_eq(pod->phase, STR("Pending"));
}

static struct str node_text(const struct check_context *context, const struct pod *pod)
{
    if (!pod->node_name.n)
        return (struct str){0};
    return arena_printf(context->arena, " on node %" STR_FMT, STR_ARG(pod->node_name));
}

/* ---- pod-unschedulable ---- */

static int64_t since_of(const struct condition *condition, const struct pod *pod)
{
    if (condition && condition->last_transition != TIME_NONE)
        return condition->last_transition;
    return pod->object.meta.created;
}

static enum verdict ask_schedulable(struct check_context *context, const struct pod *pod)
{
    if (!pod_is_active(pod))
        return NOT_EVALUATED;
    const struct condition *scheduled = condition_find(pod->conditions, STR("PodScheduled"));
    int64_t since = since_of(scheduled, pod);
    if (str_eq(pod_summary_state(pod), STR("Unschedulable")))
        return fail(context, NO_CONTAINER, "Pod %" STR_FMT " is unschedulable.",
                    STR_ARG(pod->object.meta.name));
    if (!is_pending(pod) || !scheduled || !str_eq(scheduled->status, STR("False")) ||
        !str_eq(scheduled->reason, STR("Unschedulable")) ||
        age_within(context, since, UNSCHEDULABLE_GRACE))
        return PASSED;
    return fail(context, NO_CONTAINER,
                "Pod %" STR_FMT " has been unschedulable %" STR_FMT "%s%" STR_FMT ".",
                STR_ARG(pod->object.meta.name), STR_ARG(for_time(context, since)),
                scheduled->message.n ? ": " : "", STR_ARG(message_text(scheduled->message)));
}

enum verdict check_pod_unschedulable(struct check_context *context, const struct workload *workload)
{
    return each_pod(context, workload, ask_schedulable);
}

/* ---- pod-pending ---- */

/* Why the first container that waits does so: "ContainerCreating". */
static struct str waiting_text(const struct check_context *context, const struct pod *pod)
{
    const struct container_status *status;
    LIST_EACH (status, pod->containers)
        if (waiting_reason(status).n)
            return arena_printf(context->arena, ", container %" STR_FMT " waits: %" STR_FMT,
                                STR_ARG(status->name), STR_ARG(waiting_reason(status)));
    return (struct str){0};
}

static bool is_scheduled(const struct pod *pod)
{
    return pod->node || pod->node_name.n ||
           condition_is(pod->conditions, STR("PodScheduled"), STR("True"));
}

/* A pod that no scheduler has even looked at counts too, unless a gate holds it. */
static bool is_forgotten(const struct pod *pod)
{
    return !pod->object.summary && !condition_find(pod->conditions, STR("PodScheduled")) &&
           !(pod->spec && pod->spec->scheduling_gates.n);
}

static enum verdict ask_pending(struct check_context *context, const struct pod *pod)
{
    if (!pod_is_active(pod) || pod_is_on_lost_node(pod))
        return NOT_EVALUATED;
    if (!is_pending(pod) || !(is_scheduled(pod) || is_forgotten(pod)))
        return PASSED;
    int64_t since = since_of(condition_find(pod->conditions, STR("PodScheduled")), pod);
    if (since == TIME_NONE)
        return NOT_EVALUATED;
    if (age_within(context, since, PENDING_GRACE))
        return PASSED;
    return fail(context, NO_CONTAINER,
                "Pod %" STR_FMT " has been Pending%" STR_FMT " %" STR_FMT "%" STR_FMT ".",
                STR_ARG(pod->object.meta.name), STR_ARG(node_text(context, pod)),
                STR_ARG(for_time(context, since)),
                STR_ARG(is_scheduled(pod) ? waiting_text(context, pod)
                                          : STR(", no scheduler has looked at it")));
}

enum verdict check_pod_pending(struct check_context *context, const struct workload *workload)
{
    return each_pod(context, workload, ask_pending);
}

/* ---- pod-not-ready ---- */

static bool has_started(const struct pod *pod, struct str container)
{
    const struct container_status *status;
    LIST_EACH (status, pod->containers)
        if (str_eq(status->name, container))
            return status->started == TRI_TRUE;
    return false;
}

/* At most a day. */
static int64_t seconds(int64_t number, int64_t otherwise)
{
    int64_t most = CLOCK_DAY / CLOCK_SECOND;
    number = number == NUMBER_ABSENT || number < 0 ? otherwise : number;
    return number > most ? most : number;
}

/* How long the container may take to become ready: what its probes wait before they begin, and all
 * tries that its startup probe has (kubernetes.io, "Define startup probes"). */
static int64_t allowance(const struct pod *pod, const struct container *container)
{
    const struct probe *startup = container->startup, *readiness = container->readiness;
    int64_t delay = readiness ? seconds(readiness->initial_delay, 0) : 0, tries;
    if (!startup)
        return delay;
    tries = has_started(pod, container->name)
                ? 0
                : seconds(startup->period, 10) * seconds(startup->failure_threshold, 3);
    tries += seconds(startup->initial_delay, 0);
    return tries > delay ? tries : delay;
}

/* 60 s and the longest that a container of the pod may take. */
static int64_t readiness_window(const struct pod *pod)
{
    int64_t longest = 0;
    const struct container *container;
    if (pod->spec)
        LIST_EACH (container, pod->spec->containers)
            if (allowance(pod, container) > longest)
                longest = allowance(pod, container);
    return READINESS_GRACE + seconds(longest, 0) * CLOCK_SECOND;
}

static bool makes_ready(const struct container_status *status)
{
    return status->role == CONTAINER_MAIN || status->role == CONTAINER_SIDECAR;
}

static const struct container_status *unready_container(const struct pod *pod)
{
    const struct container_status *status;
    LIST_EACH (status, pod->containers)
        if (status->ready == TRI_FALSE && makes_ready(status))
            return status;
    return NULL;
}

/* A container that is done and not started again is never ready, and the others go on with the
 * pod's work. Are the rest all ready? */
static bool lacks_only_done(const struct pod *pod)
{
    const struct container_status *status;
    bool done = false;
    if (!pod->spec || !pod->spec->restart_policy.n ||
        str_eq(pod->spec->restart_policy, STR("Always")))
        return false;
    LIST_EACH (status, pod->containers) {
        if (!makes_ready(status) || status->ready == TRI_TRUE)
            continue;
        if (!status->terminated || status->terminated->exit_code != 0)
            return false;
        done = true;
    }
    return done;
}

static enum verdict fail_not_ready(struct check_context *context, const struct pod *pod,
                                   int64_t since, struct str reason, struct str message)
{
    const struct container_status *status = unready_container(pod);
    if (!status)
        return fail(context, NO_CONTAINER,
                    "Pod %" STR_FMT " has not been ready %" STR_FMT "%s%" STR_FMT "%s%" STR_FMT ".",
                    STR_ARG(pod->object.meta.name), STR_ARG(for_time(context, since)),
                    reason.n ? ": " : "", STR_ARG(reason), reason.n && message.n ? ", " : "",
                    STR_ARG(reason.n ? message_text(message) : (struct str){0}));
    return fail(context, status->name, "%" STR_FMT " has not been ready %" STR_FMT ".",
                STR_ARG(container_of_pod(context, pod, status->name)),
                STR_ARG(for_time(context, since)));
}

static enum verdict ask_ready(struct check_context *context, const struct pod *pod)
{
    const struct condition *ready = condition_find(pod->conditions, STR("Ready"));
    if (!pod_is_active(pod) || pod_is_on_lost_node(pod))
        return NOT_EVALUATED;
    if (!str_eq(pod->phase, STR("Running")))
        return PASSED;
    if (!ready && pod->summary_ready == TRI_ABSENT)
        return NOT_EVALUATED;
    if (!ready)
        return pod->summary_ready == TRI_TRUE ? PASSED
                                              : fail_not_ready(context, pod, pod->start_time,
                                                               (struct str){0}, (struct str){0});
    int64_t since = since_of(ready, pod);
    if (!str_eq(ready->status, STR("False")) || str_eq(ready->reason, STR("PodCompleted")) ||
        (str_eq(ready->reason, STR("ContainersNotReady")) && lacks_only_done(pod)) ||
        age_within(context, since, readiness_window(pod)))
        return PASSED;
    return fail_not_ready(context, pod, since, ready->reason, ready->message);
}

enum verdict check_pod_not_ready(struct check_context *context, const struct workload *workload)
{
    return each_pod(context, workload, ask_ready);
}

/* ---- pod-failed ---- */

/* Owners without the mark are controllers too where a manifest leaves it out (link_owners.c). */
static const struct owner_reference *controller_of(const struct pod *pod)
{
    const struct owner_reference *owner, *unmarked = NULL;
    LIST_EACH (owner, pod->object.meta.owners)
        if (owner->controller == TRI_TRUE)
            return owner;
        else if (owner->controller == TRI_ABSENT && !unmarked)
            unmarked = owner;
    return unmarked;
}

/* kubectl prints a pod whose container ended badly as Error. */
static bool has_failed(const struct pod *pod)
{
    static const char *const words[] = {"Evicted", "Error", NULL};
    return str_eq(pod->phase, STR("Failed")) || str_in(pod_summary_state(pod), words);
}

/* The condition DisruptionTarget says so of most of them. */
static bool was_taken(const struct pod *pod, struct str reason)
{
    return pod_reason_is_taken(reason) ||
           condition_is(pod->conditions, STR("DisruptionTarget"), STR("True"));
}

/* ", container c ended with exit code 42 (Error)" */
static struct str exit_text(const struct check_context *context, const struct pod *pod)
{
    const struct container_status *status;
    LIST_EACH (status, pod->containers) {
        const struct container_terminated *end = status->terminated;
        if (!end || end->exit_code == 0 || end->exit_code == NUMBER_ABSENT)
            continue;
        return arena_printf(
            context->arena, ", container %" STR_FMT " ended with exit code %lld%s%" STR_FMT "%s",
            STR_ARG(status->name), (long long)end->exit_code, end->reason.n ? " (" : "",
            STR_ARG(end->reason), end->reason.n ? ")" : "");
    }
    return (struct str){0};
}

/* A Job tells of its pods, unless it is not in the snapshot; then the pods that failed do, as long
 * as none has done the work. */
static bool job_tells(const struct check_context *context, const struct pod *pod)
{
    return !pod->workload->synthesized || context->shown->has_succeeded;
}

/* A pod that was taken away stays as Failed until it is collected; its controller has long made
 * another one. */
static enum verdict ask_failed(struct check_context *context, const struct pod *pod)
{
    const struct owner_reference *owner = controller_of(pod);
    if (!(pod->phase.n || pod->reason.n) || pod_is_terminating(pod) ||
        (owner && str_eq(owner->kind, STR("Job")) && job_tells(context, pod)))
        return NOT_EVALUATED;
    if (!has_failed(pod))
        return PASSED;
    struct str reason = pod->reason.n ? pod->reason : pod->phase;
    bool taken = was_taken(pod, reason);
    return fail_as(
        context, taken && (owner || pod->object.summary) ? SEVERITY_LOW : context->check->severity,
        NO_CONTAINER, "Pod %" STR_FMT " %s%" STR_FMT ": %" STR_FMT "%s%" STR_FMT "%" STR_FMT ".",
        STR_ARG(pod->object.meta.name), taken ? "was taken away" : "has failed",
        STR_ARG(node_text(context, pod)), STR_ARG(reason), pod->message.n ? ", " : "",
        STR_ARG(message_text(pod->message)), STR_ARG(exit_text(context, pod)));
}

enum verdict check_pod_failed(struct check_context *context, const struct workload *workload)
{
    return each_pod(context, workload, ask_failed);
}

/* ---- pod-stuck-terminating ---- */

static enum verdict ask_terminating(struct check_context *context, const struct pod *pod)
{
    const struct object_meta *meta = &pod->object.meta;
    if ((!pod->phase.n && meta->deleted == TIME_NONE) || pod_is_on_lost_node(pod))
        return NOT_EVALUATED;
    if (!pod_is_overdue(context, pod))
        return PASSED;
    return fail(context, NO_CONTAINER,
                "Pod %" STR_FMT "%" STR_FMT " should have gone %" STR_FMT
                " (grace period %lld s) and is still there.",
                STR_ARG(meta->name), STR_ARG(node_text(context, pod)),
                STR_ARG(time_ago(context, meta->deleted)), (long long)pod_deletion_grace(pod));
}

enum verdict check_pod_stuck_terminating(struct check_context *context,
                                         const struct workload *workload)
{
    return each_pod(context, workload, ask_terminating);
}

/* ---- pod-status-unknown ---- */

static struct str unknown_state(const struct pod *pod)
{
    const struct condition *ready = condition_find(pod->conditions, STR("Ready"));
    const struct container_status *status;
    if (str_eq(pod->phase, STR("Unknown")))
        return pod->phase;
    if (pod_reason_is_unknown(pod->reason))
        return pod->reason;
    if (ready && pod_reason_is_unknown(ready->reason))
        return ready->reason;
    LIST_EACH (status, pod->containers)
        if (status->role != CONTAINER_EPHEMERAL && status->terminated &&
            pod_reason_is_unknown(status->terminated->reason))
            return status->terminated->reason;
    return (struct str){0};
}

static enum verdict ask_known(struct check_context *context, const struct pod *pod)
{
    if (!pod_is_active(pod) || pod_is_on_lost_node(pod))
        return NOT_EVALUATED;
    struct str state = unknown_state(pod);
    if (!state.n)
        return PASSED;
    return fail(context, NO_CONTAINER,
                "Nobody knows the state of pod %" STR_FMT "%" STR_FMT " (%" STR_FMT ").",
                STR_ARG(pod->object.meta.name), STR_ARG(node_text(context, pod)), STR_ARG(state));
}

enum verdict check_pod_status_unknown(struct check_context *context,
                                      const struct workload *workload)
{
    return each_pod(context, workload, ask_known);
}

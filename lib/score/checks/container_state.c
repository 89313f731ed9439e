/* What the kubelet says of the containers of running pods. */
#include "kube/cluster_time.h"
#include "kube/pod_reason.h"
#include "kube/quantity.h"
#include "score/checks.h"
#include "score/state.h"
#include "score/walk.h"

/* The kubelet forgets its back-off when a container has run this long. */
#define BACK_OFF_MEMORY (10 * CLOCK_MINUTE)

#define SHORT_RUN (60 * CLOCK_MINUTE)

enum {
    LOOP_RESTARTS = 2,
    LOOP_RESTARTS_READY = 5, /* of a container that is ready just now */
    RESTARTS_OF_A_DAY = 5,
    RESTARTS_OF_A_LIFE = 10,
    DAYS_PER_ALLOWANCE = 30 /* a pod that lives longer may restart more often */
};

typedef bool status_test(const struct check_context *context, const struct pod *pod,
                         const struct container_status *status);

static const struct container_status *find_status(const struct check_context *context,
                                                  const struct pod *pod, status_test *test)
{
    const struct container_status *status;
    LIST_EACH (status, pod->containers)
        if (test(context, pod, status))
            return status;
    return NULL;
}

/* The run that ended last: the present one when it is over, else the one before. */
static const struct container_terminated *last_end(const struct container_status *status)
{
    return status->terminated ? status->terminated : status->last_terminated;
}

static int64_t restarts(const struct container_status *status)
{
    return number_or_zero(status->restart_count);
}

/* "3 restarts, last exit code 1 (Error) 12 min ago" */
static struct str past_of(const struct check_context *context,
                          const struct container_status *status)
{
    const struct container_terminated *end = last_end(status);
    int64_t n = restarts(status);
    struct str count =
        arena_printf(context->arena, "%lld restart%s", (long long)n, n == 1 ? "" : "s");
    if (!end)
        return count;
    if (end->exit_code == NUMBER_ABSENT && end->reason.n)
        return arena_printf(context->arena, "%" STR_FMT ", last %" STR_FMT, STR_ARG(count),
                            STR_ARG(end->reason));
    return arena_printf(
        context->arena, "%" STR_FMT ", last exit code %lld%s%" STR_FMT "%s %" STR_FMT,
        STR_ARG(count), (long long)(end->exit_code == NUMBER_ABSENT ? 0 : end->exit_code),
        end->reason.n ? " (" : "", STR_ARG(end->reason), end->reason.n ? ")" : "",
        STR_ARG(time_ago(context, end->finished)));
}

/* Its node restarted, which is said of the node. */
static bool ended_with_node(const struct pod *pod, const struct container_terminated *end)
{
    return pod->node && node_restart_ended(end, pod->node->restarted);
}

/* Without a container to debug with the pod serves all the same: a notice. */
static enum severity weight_of(const struct check_context *context,
                               const struct container_status *status)
{
    return status->role == CONTAINER_EPHEMERAL ? SEVERITY_LOW : context->check->severity;
}

/* ---- container-crash-loop ---- */

/* A container that is up and ready may be over it: it waited for something as it started, twice.
 * One that still loops has had several runs, all of them short. */
static bool seems_over_it(const struct check_context *context, const struct pod *pod,
                          const struct container_status *status)
{
    int64_t since = pod->object.meta.created, n = restarts(status);
    if (status->ready != TRI_TRUE || status->terminated)
        return false;
    if (since == TIME_NONE)
        since = pod->start_time;
    return n < LOOP_RESTARTS_READY || age_exceeds(context, since, n * SHORT_RUN);
}

/* Between back-offs a looping container runs: then it is one whose last run was short and is not
 * long over. */
static bool in_crash_loop(const struct check_context *context, const struct pod *pod,
                          const struct container_status *status)
{
    const struct container_terminated *end = last_end(status);
    if (str_eq(waiting_reason(status), STR("CrashLoopBackOff")))
        return true;
    if (!end || ended_with_node(pod, end) || restarts(status) < LOOP_RESTARTS ||
        !age_within(context, end->finished, BACK_OFF_MEMORY) || seems_over_it(context, pod, status))
        return false;
    bool once = status->role == CONTAINER_INIT ||
                (status->terminated && pod->spec && pod->spec->restart_policy.n &&
                 !str_eq(pod->spec->restart_policy, STR("Always")));
    if (once && end->exit_code == 0)
        return false;
    return end->started == TIME_NONE || end->finished - end->started < BACK_OFF_MEMORY;
}

static enum verdict ask_crash_loop(struct check_context *context, const struct pod *pod)
{
    if (!pod_is_active(pod))
        return NOT_EVALUATED;
    const struct container_status *status = find_status(context, pod, in_crash_loop);
    if (status)
        return fail(context, status->name, "%" STR_FMT " is crash-looping: %" STR_FMT ".",
                    STR_ARG(container_of_pod(context, pod, status->name)),
                    STR_ARG(past_of(context, status)));
    return PASSED;
}

enum verdict check_container_crash_loop(struct check_context *context,
                                        const struct workload *workload)
{
    return each_pod(context, workload, ask_crash_loop);
}

/* ---- container-oom-killed ---- */

/* In full for a day, then not at all. */
static bool ended_by_oom(const struct check_context *context,
                         const struct container_terminated *end)
{
    return end && str_eq(end->reason, STR("OOMKilled")) &&
           !age_exceeds(context, end->finished, CLOCK_DAY);
}

static bool oom_killed(const struct check_context *context, const struct pod *pod,
                       const struct container_status *status)
{
    (void)pod;
    return ended_by_oom(context, status->terminated) ||
           ended_by_oom(context, status->last_terminated);
}

static struct str memory_limit_text(const struct check_context *context, const struct pod *pod,
                                    struct str name)
{
    const struct container *container = container_named(context->effort, pod->spec, name);
    const struct resource_requirements *resources = container ? container->resources : NULL;
    if (!container || pod->spec->partial)
        return STR("limit not known");
    if (!resources || resources->limits.memory == NUMBER_ABSENT)
        return STR("no limit");
    return arena_printf(context->arena, "limit %" STR_FMT,
                        STR_ARG(quantity_memory_text(context->arena, resources->limits.memory)));
}

static enum verdict ask_oom(struct check_context *context, const struct pod *pod)
{
    if (pod_is_terminating(pod) || (!pod->containers.n && !pod_summary_state(pod).n))
        return NOT_EVALUATED;
    const struct container_status *status = find_status(context, pod, oom_killed);
    if (!status)
        return PASSED;
    const struct container_terminated *end =
        ended_by_oom(context, status->terminated) ? status->terminated : status->last_terminated;
    int64_t n = restarts(status);
    return fail_as(context, weight_of(context, status), status->name,
                   "%" STR_FMT " was OOMKilled (%" STR_FMT "), %lld restart%s, last %" STR_FMT ".",
                   STR_ARG(container_of_pod(context, pod, status->name)),
                   STR_ARG(memory_limit_text(context, pod, status->name)), (long long)n,
                   n == 1 ? "" : "s", STR_ARG(time_ago(context, end->finished)));
}

enum verdict check_container_oom_killed(struct check_context *context,
                                        const struct workload *workload)
{
    return each_pod(context, workload, ask_oom);
}

/* ---- container-restarts-high ---- */

struct restart_count {
    int64_t total, last; /* last: when the latest run ended */
    const struct container_status *most;
};

static struct restart_count count_restarts(const struct pod *pod)
{
    struct restart_count count = {.last = TIME_NONE};
    const struct container_status *status;
    LIST_EACH (status, pod->containers) {
        if (status->role != CONTAINER_MAIN && status->role != CONTAINER_SIDECAR)
            continue;
        const struct container_terminated *end = last_end(status);
        if (ended_with_node(pod, end))
            continue; /* nobody knows when its other restarts were */
        count.total += restarts(status);
        if (end && end->finished > count.last)
            count.last = end->finished;
        if (!count.most || restarts(status) > restarts(count.most))
            count.most = status;
    }
    if (!pod->containers.n)
        count.total = number_or_zero(pod->summary_restarts);
    return count;
}

/* The count never goes down, so it is held against the pod's age, and what is over for a week does
 * not count any more. */
static bool restarts_are_high(const struct check_context *context, const struct pod *pod,
                              const struct restart_count *count)
{
    int64_t created = pod->object.meta.created;
    int64_t days = created == TIME_NONE ? 0 : age_in(context, created, CLOCK_DAY);
    int64_t allowed =
        age_within(context, count->last, CLOCK_DAY) ? RESTARTS_OF_A_DAY : RESTARTS_OF_A_LIFE;
    if (age_exceeds(context, count->last, 7 * CLOCK_DAY))
        return false;
    if (days > DAYS_PER_ALLOWANCE)
        allowed = allowed * days / DAYS_PER_ALLOWANCE;
    return count->total >= allowed;
}

static enum verdict ask_restarts(struct check_context *context, const struct pod *pod)
{
    if (!pod_is_active(pod) || (!pod->containers.n && pod->summary_restarts == NUMBER_ABSENT))
        return NOT_EVALUATED;
    struct restart_count count = count_restarts(pod);
    if (!restarts_are_high(context, pod, &count))
        return PASSED;
    if (!count.most || !count.most->name.n)
        return fail(context, NO_CONTAINER, "Pod %" STR_FMT " restarted %lld times.",
                    STR_ARG(pod->object.meta.name), (long long)count.total);
    struct str age = STR("its life");
    if (pod->object.meta.created != TIME_NONE)
        age = age_text(context, pod->object.meta.created);
    return fail(context, count.most->name,
                "Pod %" STR_FMT " had %lld restarts in %" STR_FMT "; container %" STR_FMT
                ": %" STR_FMT ".",
                STR_ARG(pod->object.meta.name), (long long)count.total, STR_ARG(age),
                STR_ARG(count.most->name), STR_ARG(past_of(context, count.most)));
}

enum verdict check_container_restarts_high(struct check_context *context,
                                           const struct workload *workload)
{
    return each_pod(context, workload, ask_restarts);
}

/* ---- image-pull-failure ---- */

static bool pull_fails(const struct check_context *context, const struct pod *pod,
                       const struct container_status *status)
{
    (void)context, (void)pod;
    return pod_reason_is_pull(waiting_reason(status));
}

/* The image of a summary is not that of an init container. */
static struct str image_of(const struct check_context *context, const struct pod *pod,
                           const struct container_status *status)
{
    const struct container *container = container_named(context->effort, pod->spec, status->name);
    bool told =
        container && container->image.n && !(pod->spec->partial && status->role == CONTAINER_INIT);
    return told ? container->image : STR("its image");
}

/* What the registry or the runtime answered: from the status; where that says only that the kubelet
 * waits, from the latest event of the pod. */
static struct str pull_text(const struct check_context *context, const struct pod *pod,
                            const struct container_status *status)
{
    struct str text = waiting_message(status);
    bool says_little = !text.n || (str_has_prefix(text, STR("Back-off pulling image")) &&
                                   !str_has(text, STR("Err")));
    const struct event *event =
        says_little ? latest_event(context, &pod->object, STR("Failed")) : NULL;
    if (event && str_has_prefix(event->message, STR("Failed to pull image")))
        text = event->message;
    return text.n ? arena_printf(context->arena, ", %" STR_FMT, STR_ARG(message_cause(text)))
                  : (struct str){0};
}

static enum verdict ask_pull(struct check_context *context, const struct pod *pod)
{
    if (!pod_is_active(pod))
        return NOT_EVALUATED;
    if (!pod->waits) /* most pods; their containers need not be looked at */
        return PASSED;
    const struct container_status *status = find_status(context, pod, pull_fails);
    if (status)
        return fail_as(context, weight_of(context, status), status->name,
                       "%" STR_FMT " cannot get %" STR_FMT ": %" STR_FMT "%" STR_FMT ".",
                       STR_ARG(container_of_pod(context, pod, status->name)),
                       STR_ARG(image_of(context, pod, status)), STR_ARG(waiting_reason(status)),
                       STR_ARG(pull_text(context, pod, status)));
    return PASSED;
}

enum verdict check_image_pull_failure(struct check_context *context,
                                      const struct workload *workload)
{
    return each_pod(context, workload, ask_pull);
}

/* ---- container-config-error ---- */

/* The reason for which the container cannot be made or started; absent when it runs. */
static struct str start_failure(const struct container_status *status)
{
    const struct container_terminated *end = last_end(status);
    if (pod_reason_is_config(waiting_reason(status)))
        return waiting_reason(status);
    if (status->running_since == TIME_NONE && status->ready != TRI_TRUE && end &&
        pod_reason_is_start(end->reason))
        return end->reason;
    return (struct str){0};
}

static bool cannot_start(const struct check_context *context, const struct pod *pod,
                         const struct container_status *status)
{
    (void)context, (void)pod;
    return start_failure(status).n > 0;
}

static enum verdict ask_config(struct check_context *context, const struct pod *pod)
{
    if (!pod_is_active(pod))
        return NOT_EVALUATED;
    const struct container_status *status = find_status(context, pod, cannot_start);
    if (status)
        return fail_as(context, weight_of(context, status), status->name,
                       "%" STR_FMT " cannot start: %" STR_FMT "%s%" STR_FMT ".",
                       STR_ARG(container_of_pod(context, pod, status->name)),
                       STR_ARG(start_failure(status)), waiting_message(status).n ? ", " : "",
                       STR_ARG(message_cause(waiting_message(status))));
    return PASSED;
}

enum verdict check_container_config_error(struct check_context *context,
                                          const struct workload *workload)
{
    return each_pod(context, workload, ask_config);
}

/* ---- init-container-failing ---- */

/* Windows has negative ones. */
static bool ended_badly(const struct container_terminated *end)
{
    return end->exit_code != 0 && end->exit_code != NUMBER_ABSENT;
}

/* A summary shows that an init container ended only of one that ended badly. */
static bool init_fails(const struct check_context *context, const struct pod *pod,
                       const struct container_status *status)
{
    const struct container_terminated *before = status->last_terminated;
    if (status->role != CONTAINER_INIT)
        return false;
    if (status->terminated)
        return pod->object.summary || ended_badly(status->terminated);
    if (str_eq(waiting_reason(status), STR("CrashLoopBackOff")))
        return true;
    return before && ended_badly(before) && age_within(context, before->finished, BACK_OFF_MEMORY);
}

static enum verdict ask_init(struct check_context *context, const struct pod *pod)
{
    if (!pod_is_active(pod))
        return NOT_EVALUATED;
    if (!str_eq(pod->phase, STR("Pending")) && !pod->object.summary)
        return PASSED;
    const struct container_status *status = find_status(context, pod, init_fails);
    if (!status)
        return PASSED;
    if (pod->object.summary)
        return fail(context, NO_CONTAINER, "Pod %" STR_FMT " is in state %" STR_FMT ".",
                    STR_ARG(pod->object.meta.name), STR_ARG(pod_summary_state(pod)));
    return fail(context, status->name,
                "Init container %" STR_FMT " of pod %" STR_FMT
                " fails and holds the pod back: %" STR_FMT ".",
                STR_ARG(status->name), STR_ARG(pod->object.meta.name),
                STR_ARG(past_of(context, status)));
}

enum verdict check_init_container_failing(struct check_context *context,
                                          const struct workload *workload)
{
    return each_pod(context, workload, ask_init);
}

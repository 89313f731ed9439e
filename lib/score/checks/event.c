/* What the events of the last hour tell. They live no longer than that by default, and their
 * absence proves nothing. */
#include "kube/object_index.h"
#include "kube/pod_requests.h"
#include "score/checks.h"
#include "score/index.h"
#include "score/state.h"

enum { PROBE_FAILURES = 3, STORM_EVENTS = 50 };

static const char *const mount_reasons[] = {"FailedMount", "FailedAttachVolume", "FailedMapVolume",
                                            NULL};

/* What was counted of one object's events. */
struct tally {
    int64_t count;
    const struct event *latest; /* NULL: none */
};

static void tally_add(struct tally *tally, const struct event *event, int64_t count)
{
    tally->count = quantity_sum(tally->count, count);
    if (!tally->latest || event->last > tally->latest->last)
        tally->latest = event;
}

/* What came before that is over or not its own: before it last became ready; and a StatefulSet's
 * pods inherit names, so before it was made. */
static int64_t pod_since(const struct pod *pod)
{
    const struct condition *ready = condition_find(pod->conditions, STR("Ready"));
    return pod_is_ready(pod) && ready ? ready->last_transition : pod->object.meta.created;
}

static bool counts_since(const struct check_context *context, const struct event *event,
                         int64_t since)
{
    return age_within(context, event->last, CLOCK_HOUR) &&
           (since == TIME_NONE || event->last >= since);
}

static bool is_warning(const struct event *event)
{
    return str_eq(event->type, STR("Warning"));
}

/* The recent warnings of these reasons about the pod. The reasons tell already that they are: no
 * type is none other. */
static struct tally tally_pod(const struct check_context *context, const struct pod *pod,
                              const char *const *reasons)
{
    struct tally tally = {0};
    const struct object_meta *meta = &pod->object.meta;
    const struct event **event;
    event_list events = index_events(context->index, STR("Pod"), meta->namespace, meta->name);
    LIST_EACH (event, events)
        if ((is_warning(*event) || !(*event)->type.n) && str_in((*event)->reason, reasons) &&
            counts_since(context, *event, pod_since(pod)))
            tally_add(&tally, *event, event_count_last_hour(context, *event));
    return tally;
}

/* ---- probe-failing ---- */

static enum verdict ask_probes(struct check_context *context, const struct pod *pod)
{
    static const char *const reasons[] = {"Unhealthy", NULL};
    if (!pod_is_active(pod))
        return NOT_EVALUATED;
    struct tally tally = tally_pod(context, pod, reasons);
    if (tally.count < PROBE_FAILURES)
        return PASSED;
    return fail(context, NO_CONTAINER,
                "Probes of pod %" STR_FMT " failed %lld times, last %" STR_FMT "%s%" STR_FMT ".",
                STR_ARG(pod->object.meta.name), (long long)tally.count,
                STR_ARG(time_ago(context, tally.latest->last)), tally.latest->message.n ? ": " : "",
                STR_ARG(message_text(tally.latest->message)));
}

enum verdict check_probe_failing(struct check_context *context, const struct workload *workload)
{
    return each_pod(context, workload, ask_probes);
}

/* ---- volume-mount-failure ---- */

/* A pod that is ready has all its volumes. */
static enum verdict ask_mounts(struct check_context *context, const struct pod *pod)
{
    if (!pod_is_active(pod))
        return NOT_EVALUATED;
    struct tally tally = tally_pod(context, pod, mount_reasons);
    if (!tally.latest || pod_is_ready(pod))
        return PASSED;
    return fail(context, NO_CONTAINER,
                "A volume of pod %" STR_FMT " cannot be mounted (%" STR_FMT
                ", %lld time%s, last %" STR_FMT ")%s%" STR_FMT ".",
                STR_ARG(pod->object.meta.name), STR_ARG(tally.latest->reason),
                (long long)tally.count, tally.count == 1 ? "" : "s",
                STR_ARG(time_ago(context, tally.latest->last)), tally.latest->message.n ? ": " : "",
                STR_ARG(message_text(tally.latest->message)));
}

enum verdict check_volume_mount_failure(struct check_context *context,
                                        const struct workload *workload)
{
    return each_pod(context, workload, ask_mounts);
}

/* ---- warning-event-storm ---- */

struct warning {
    struct str reason;
    int64_t count;
};

typedef LIST(struct warning) warning_list;

static int by_reason(const void *a, const void *b)
{
    return str_cmp(((const struct warning *)a)->reason, ((const struct warning *)b)->reason);
}

/* Of equal ones the first by name. The list is sorted. */
static struct warning most_frequent(warning_list warnings)
{
    struct warning most = {0}, sum = {0};
    const struct warning *warning;
    LIST_SORT(warnings, by_reason);
    LIST_EACH (warning, warnings) {
        if (!str_eq(sum.reason, warning->reason))
            sum = (struct warning){.reason = warning->reason};
        sum.count = quantity_sum(sum.count, warning->count);
        if (sum.count > most.count)
            most = sum;
    }
    return most;
}

static void judge_storm(struct check_context *context, const struct object *object, int64_t since,
                        enum verdict *verdict)
{
    struct tally tally = {0};
    warning_list warnings = {0};
    const struct event **event;
    event_list events =
        index_events(context->index, object->kind_name, object->meta.namespace, object->meta.name);
    LIST_EACH (event, events) {
        if (!is_warning(*event) || !counts_since(context, *event, since))
            continue;
        int64_t count = event_count_last_hour(context, *event);
        tally_add(&tally, *event, count);
        LIST_ADD(context->arena, warnings, ((struct warning){(*event)->reason, count}));
    }
    if (tally.count <= STORM_EVENTS)
        return;
    struct warning most = most_frequent(warnings);
    *verdict = fail(context, NO_CONTAINER,
                    "%lld warnings about %" STR_FMT " in the last hour, %lld of them %" STR_FMT
                    ", the latest %" STR_FMT ".",
                    (long long)tally.count, STR_ARG(resource_name(context->arena, object)),
                    (long long)most.count, STR_ARG(most.reason),
                    STR_ARG(time_ago(context, tally.latest->last)));
}

/* When the last of its pods became ready: before, they were starting. TIME_NONE: one is not ready,
 * or there is none. */
static int64_t pods_since(const struct workload *workload)
{
    int64_t since = TIME_NONE;
    struct pod **pod;
    LIST_EACH (pod, workload->pods) {
        if (pod_has_ended(*pod) || pod_is_terminating(*pod))
            continue;
        if (!pod_is_ready(*pod))
            return TIME_NONE;
        if (since == TIME_NONE || pod_since(*pod) > since)
            since = pod_since(*pod);
    }
    return since;
}

static void judge_storms(struct check_context *context, const struct workload *workload,
                         enum verdict *verdict)
{
    struct workload **child;
    struct pod **pod;
    int64_t since = pods_since(workload);
    if (workload->object.kind != KIND_POD)
        judge_storm(context, &workload->object, since, verdict);
    LIST_EACH (child, workload->children)
        judge_storm(context, &(*child)->object, since, verdict);
    LIST_EACH (pod, workload->pods)
        judge_storm(context, &(*pod)->object, pod_since(*pod), verdict);
}

enum verdict check_warning_event_storm(struct check_context *context, const struct object *object)
{
    enum verdict verdict = PASSED;
    if (PODS >> object->kind & 1)
        judge_storms(context, (const struct workload *)object, &verdict);
    else
        judge_storm(context, object, TIME_NONE, &verdict);
    return verdict;
}

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

static bool is_recent_warning(const struct check_context *context, const struct event *event)
{
    return str_eq(event->type, STR("Warning")) && age_within(context, event->last, CLOCK_HOUR);
}

static void tally_add(struct tally *tally, const struct event *event, int64_t count)
{
    tally->count = quantity_sum(tally->count, count);
    if (!tally->latest || event->last > tally->latest->last)
        tally->latest = event;
}

/* The recent warnings of these reasons about the pod. What came before it last became ready is
 * over; and a StatefulSet's pods inherit names, so what came before it was made is not its own. */
static struct tally tally_pod(const struct check_context *context, const struct pod *pod,
                              const char *const *reasons)
{
    struct tally tally = {0};
    const struct object_meta *meta = &pod->object.meta;
    const struct condition *ready = condition_find(pod->conditions, STR("Ready"));
    int64_t since = pod_is_ready(pod) && ready ? ready->last_transition : meta->created;
    const struct event **event;
    event_list events = index_events(context->index, STR("Pod"), meta->namespace, meta->name);
    LIST_EACH (event, events)
        if (is_recent_warning(context, *event) && str_in((*event)->reason, reasons) &&
            (since == TIME_NONE || (*event)->last >= since))
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

static void judge_storm(struct check_context *context, const struct object *object,
                        enum verdict *verdict)
{
    struct tally tally = {0};
    const struct event **event;
    event_list events =
        index_events(context->index, object->kind_name, object->meta.namespace, object->meta.name);
    LIST_EACH (event, events)
        if (is_recent_warning(context, *event))
            tally_add(&tally, *event, event_count_last_hour(context, *event));
    if (tally.count <= STORM_EVENTS)
        return;
    *verdict = fail(context, NO_CONTAINER,
                    "%lld warnings about %" STR_FMT " in the last hour, the latest %" STR_FMT
                    " (%" STR_FMT ").",
                    (long long)tally.count, STR_ARG(resource_name(context->arena, object)),
                    STR_ARG(time_ago(context, tally.latest->last)), STR_ARG(tally.latest->reason));
}

static void judge_storms_below(struct check_context *context, const struct workload *workload,
                               enum verdict *verdict)
{
    struct workload **child;
    struct pod **pod;
    LIST_EACH (child, workload->children)
        judge_storm(context, &(*child)->object, verdict);
    LIST_EACH (pod, workload->pods)
        if (object_order(&(*pod)->object, &workload->object) != 0)
            judge_storm(context, &(*pod)->object, verdict);
}

enum verdict check_warning_event_storm(struct check_context *context, const struct object *object)
{
    enum verdict verdict = PASSED;
    judge_storm(context, object, &verdict);
    if (PODS >> object->kind & 1)
        judge_storms_below(context, (const struct workload *)object, &verdict);
    return verdict;
}

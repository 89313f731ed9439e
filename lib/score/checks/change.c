/* What has changed lately, and how often. */
#include "kube/pod_requests.h"
#include "kube/selector.h"
#include "score/checks.h"
#include "score/deploys.h"
#include "score/index.h"
#include "kube/revision.h"
#include "score/state.h"
#include "score/view.h"

#define RESTART_SLACK (5 * CLOCK_MINUTE)

enum { ROLLOUTS_A_DAY = 5, REVISIONS_A_DAY = 10, RESCALES_AN_HOUR = 6 };

static const struct str restarted_key = STR("kubectl.kubernetes.io/restartedAt");

/* ---- rollout-frequent ---- */

static uint32_t sets_made_today(const struct check_context *context,
                                const struct workload *workload)
{
    uint32_t n = 0;
    struct workload **child;
    LIST_EACH (child, workload->children)
        n += age_within(context, (*child)->object.meta.created, CLOCK_DAY);
    return n;
}

/* Of the newest ReplicaSet; the Deployment repeats it. 0: nothing tells. */
static int64_t revision_number(const struct workload *workload)
{
    struct revision_history history = revision_history_of(workload);
    int64_t number;
    if (history.n)
        return history.newest.number;
    return str_to_i64_saturated(pair_value(workload->object.meta.annotations,
                                           STR("deployment.kubernetes.io/revision")),
                                &number)
               ? number
               : 0;
}

/* How old a workload is when that many revisions are no more than REVISIONS_A_DAY. */
static int64_t time_of_revisions(int64_t number)
{
    int64_t ms;
    return __builtin_mul_overflow(number, CLOCK_DAY / REVISIONS_A_DAY, &ms) ? INT64_MAX : ms;
}

/* What ReplicaSets tell. */
static enum verdict judge_revisions(struct check_context *context, const struct workload *workload)
{
    int64_t created = workload->object.meta.created, number = revision_number(workload);
    if ((!number && !workload->children.n) || workload->object.kind != KIND_DEPLOYMENT)
        return NOT_EVALUATED;
    uint32_t today = sets_made_today(context, workload);
    if (today >= ROLLOUTS_A_DAY)
        return fail(context, NO_CONTAINER, "%u new ReplicaSets within 24 h.", today);
    if (created == TIME_NONE || number <= REVISIONS_A_DAY ||
        !age_below(context, created, time_of_revisions(number)))
        return PASSED;
    return fail(context, NO_CONTAINER, "Revision %lld already, %" STR_FMT " after it was made.",
                (long long)number, STR_ARG(age_text(context, created)));
}

enum verdict check_rollout_frequent(struct check_context *context, const struct workload *workload)
{
    enum verdict verdict = judge_revisions(context, workload);
    struct deploys deploys = deploys_of(context, workload);
    if (verdict == FAILED || deploys.today < ROLLOUTS_A_DAY)
        return verdict;
    return fail(context, NO_CONTAINER, "Loadline saw %u template changes in 24 hours.",
                deploys.today);
}

/* ---- recent-image-change, recent-template-change ---- */

enum change { CHANGE_NONE, CHANGE_IMAGE, CHANGE_TEMPLATE, CHANGE_RESTART, CHANGE_UNKNOWN };

/* Both are in the order of their keys. */
static bool are_equal_but(pair_list a, pair_list b, struct str key)
{
    uint32_t i = 0, k = 0;
    for (;; i++, k++) {
        i += i < a.n && str_eq(a.items[i].key, key);
        k += k < b.n && str_eq(b.items[k].key, key);
        if (i == a.n || k == b.n)
            return i == a.n && k == b.n;
        if (!str_eq(a.items[i].key, b.items[k].key) || !str_eq(a.items[i].value, b.items[k].value))
            return false;
    }
}

/* By what is read of them: values of variables and arguments are not kept. Specs that are equal are
 * one, as all that the reader shares. */
static bool templates_are_equal(const struct workload *a, const struct workload *b)
{
    return a->spec == b->spec &&
           are_equal_but(a->template_annotations, b->template_annotations, restarted_key) &&
           are_equal_but(a->template_labels, b->template_labels, STR("pod-template-hash"));
}

/* "kubectl rollout restart" changes nothing but an annotation of the template. ControllerRevisions
 * are read without annotations: there the time it holds must be that of the revision. */
static bool is_restart(const struct workload *workload, const struct revision_history *history)
{
    const struct workload *newest = history->newest.replica_set;
    const struct workload *previous = history->previous.replica_set;
    if (newest) {
        struct str at = pair_value(newest->template_annotations, restarted_key);
        return at.n && !str_eq(at, pair_value(previous->template_annotations, restarted_key)) &&
               templates_are_equal(newest, previous);
    }
    int64_t at = clock_parse(pair_value(workload->template_annotations, restarted_key));
    int64_t made = history->newest.created;
    return at != TIME_NONE && made != TIME_NONE && at - made < RESTART_SLACK &&
           made - at < RESTART_SLACK;
}

static enum change recent_change(const struct check_context *context,
                                 const struct workload *workload,
                                 const struct revision_history *history,
                                 struct container_image *before, struct container_image *after)
{
    int64_t since = revision_time(workload, history);
    if (!history->n || since == TIME_NONE)
        return CHANGE_UNKNOWN;
    if (!age_below(context, since, CLOCK_DAY) || history->newest.number == 1)
        return CHANGE_NONE;
    if (history->n < 2)
        return CHANGE_UNKNOWN;
    if (revision_image_change(history, before, after))
        return CHANGE_IMAGE;
    return is_restart(workload, history) ? CHANGE_RESTART : CHANGE_TEMPLATE;
}

/* Of a workload whose revisions the snapshot does not show; CHANGE_UNKNOWN unless there is any. */
static enum change deployed_change(const struct check_context *context,
                                   const struct workload *workload, int64_t *since)
{
    struct deploys deploys = deploys_of(context, workload);
    int64_t restarted = clock_parse(pair_value(workload->template_annotations, restarted_key));
    if (!deploys.today || !age_below(context, deploys.last->at, CLOCK_DAY))
        return CHANGE_UNKNOWN;
    *since = deploys.last->at;
    if (deploys.last->image)
        return CHANGE_IMAGE;
    return restarted != TIME_NONE && *since - restarted < RESTART_SLACK &&
                   restarted - *since < RESTART_SLACK
               ? CHANGE_RESTART
               : CHANGE_TEMPLATE;
}

/* What the change was that nobody but Loadline has seen; else NOT_EVALUATED. */
static enum verdict judge_deployed(struct check_context *context, const struct workload *workload,
                                   enum change wanted, const char *what)
{
    int64_t since;
    enum change change = deployed_change(context, workload, &since);
    if (change != wanted)
        return change == CHANGE_UNKNOWN ? NOT_EVALUATED : PASSED;
    return fail(context, NO_CONTAINER, "Loadline saw %s %" STR_FMT ".", what,
                STR_ARG(time_ago(context, since)));
}

enum verdict check_recent_image_change(struct check_context *context,
                                       const struct workload *workload)
{
    struct revision_history history = revision_history_of(workload);
    struct container_image before, after;
    enum change change = recent_change(context, workload, &history, &before, &after);
    if (change == CHANGE_UNKNOWN)
        return judge_deployed(context, workload, CHANGE_IMAGE,
                              "the pod template change to other images");
    if (change != CHANGE_IMAGE)
        return PASSED;
    return fail(context, after.name,
                "Container %" STR_FMT " went from %" STR_FMT " to %" STR_FMT " %" STR_FMT ".",
                STR_ARG(after.name), STR_ARG(before.image), STR_ARG(after.image),
                STR_ARG(time_ago(context, revision_time(workload, &history))));
}

enum verdict check_recent_template_change(struct check_context *context,
                                          const struct workload *workload)
{
    struct revision_history history = revision_history_of(workload);
    struct container_image before, after;
    enum change change = recent_change(context, workload, &history, &before, &after);
    if (change == CHANGE_UNKNOWN)
        return judge_deployed(context, workload, CHANGE_TEMPLATE,
                              "the pod template change, with the same images,");
    if (change != CHANGE_TEMPLATE)
        return PASSED;
    return fail(context, NO_CONTAINER,
                "The pod template changed %" STR_FMT
                ", the images did not (revision %lld to %lld).",
                STR_ARG(time_ago(context, revision_time(workload, &history))),
                (long long)history.previous.number, (long long)history.newest.number);
}

/* ---- recent-scale-change ---- */

/* The size that the newest ReplicaSet was last made to serve; NUMBER_ABSENT when nothing tells. */
static int64_t former_size(const struct revision_history *history)
{
    int64_t size;
    if (!history->n || !history->newest.replica_set)
        return NUMBER_ABSENT;
    return str_to_i64_saturated(pair_value(history->newest.replica_set->object.meta.annotations,
                                           STR("deployment.kubernetes.io/desired-replicas")),
                                &size)
               ? size
               : NUMBER_ABSENT;
}

/* Rollouts scale ReplicaSets too; that is no change of size. What an autoscaler does is reported on
 * it. */
static enum verdict judge_deployment_scale(struct check_context *context,
                                           const struct workload *workload)
{
    struct revision_history history = revision_history_of(workload);
    int64_t former = former_size(&history), wanted = wanted_replicas(workload);
    const struct event *event = latest_event(context, &workload->object, STR("ScalingReplicaSet"));
    bool rolled = age_within(context, revision_time(workload, &history), CLOCK_HOUR) ||
                  age_within(context, workload->object.meta.created, CLOCK_HOUR);
    if (!cluster_has(context->cluster, KIND_EVENT) && former == NUMBER_ABSENT)
        return NOT_EVALUATED;
    if (rolled || view_workload(context, workload)->autoscalers.n)
        return PASSED;
    if (former != NUMBER_ABSENT && former != wanted)
        return fail(context, NO_CONTAINER, "It is being scaled from %lld to %lld replicas.",
                    (long long)former, (long long)wanted);
    if (!event)
        return PASSED;
    return fail(context, NO_CONTAINER, "It was scaled %" STR_FMT "%s%" STR_FMT ".",
                STR_ARG(time_ago(context, event->last)), event->message.n ? ": " : "",
                STR_ARG(message_text(event->message)));
}

static enum verdict judge_autoscaler_scale(struct check_context *context,
                                           const struct autoscaler *autoscaler)
{
    const struct event *event =
        latest_event(context, &autoscaler->object, STR("SuccessfulRescale"));
    int64_t last = autoscaler->last_scale;
    if (event && event->last > last)
        last = event->last;
    if (autoscaler->current_replicas == NUMBER_ABSENT && last == TIME_NONE)
        return NOT_EVALUATED;
    if (!age_within(context, last, CLOCK_HOUR))
        return PASSED;
    return fail(context, NO_CONTAINER,
                "It scaled %" STR_FMT "/%" STR_FMT " %" STR_FMT "%s%" STR_FMT ".",
                STR_ARG(autoscaler->target_kind), STR_ARG(autoscaler->target_name),
                STR_ARG(time_ago(context, last)), event && event->message.n ? ": " : "",
                STR_ARG(event ? message_text(event->message) : (struct str){0}));
}

enum verdict check_recent_scale_change(struct check_context *context, const struct object *object)
{
    if (object->kind == KIND_DEPLOYMENT)
        return judge_deployment_scale(context, (const struct workload *)object);
    return judge_autoscaler_scale(context, (const struct autoscaler *)object);
}

/* ---- scale-flapping ---- */

enum verdict check_scale_flapping(struct check_context *context,
                                  const struct autoscaler *autoscaler)
{
    int64_t n = 0;
    const struct event **event;
    event_list events =
        index_events(context->index, autoscaler->object.kind_name,
                     autoscaler->object.meta.namespace, autoscaler->object.meta.name);
    LIST_EACH (event, events)
        if (str_eq((*event)->reason, STR("SuccessfulRescale")))
            n = quantity_sum(n, event_count_last_hour(context, *event));
    if (n < RESCALES_AN_HOUR)
        return PASSED;
    return fail(context, NO_CONTAINER,
                "It changed the size of %" STR_FMT " %lld times within an hour.",
                STR_ARG(autoscaler->target_name), (long long)n);
}

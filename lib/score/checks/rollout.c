/* Whether rollouts get through, and whether they could be undone. */
#include "kube/selector.h"
#include "score/checks.h"
#include "kube/revision.h"
#include "kube/rollout_progress.h"
#include "score/deploys.h"
#include "score/state.h"
#include "score/walk.h"

#define ROLLOUT_GRACE        (10 * CLOCK_MINUTE)
#define REVISION_REMEMBERED  (7 * CLOCK_DAY)
#define ROLLBACK_REMEMBERED  (7 * CLOCK_DAY)
#define NO_PROGRESS_DEADLINE INT64_C(2147483647)

/* ---- rollout-stalled ---- */

enum verdict check_rollout_stalled(struct check_context *context, const struct workload *workload)
{
    const struct condition *progressing = condition_find(workload->conditions, STR("Progressing"));
    if (!progressing || status_is_stale(workload))
        return NOT_EVALUATED;
    if (!str_eq(progressing->status, STR("False")) ||
        !str_eq(progressing->reason, STR("ProgressDeadlineExceeded")))
        return PASSED;
    return fail(context, NO_CONTAINER, "The rollout has been stuck %" STR_FMT "%s%" STR_FMT ".",
                STR_ARG(for_time(context, progressing->last_transition)),
                progressing->message.n ? ": " : "", STR_ARG(message_text(progressing->message)));
}

/* ---- rollout-in-progress ---- */

static struct str progress_text(const struct check_context *context,
                                const struct workload *workload,
                                const struct rollout_progress *progress)
{
    struct str text;
    if (progress->unseen)
        return STR("the controller has not seen the latest change yet");
    text = arena_printf(context->arena, "%lld of %lld %s are updated", (long long)progress->updated,
                        (long long)progress->wanted,
                        workload->object.kind == KIND_DAEMONSET ? "pods" : "replicas");
    if (workload->object.kind == KIND_STATEFULSET && progress->updated >= progress->wanted)
        return arena_printf(context->arena, "%" STR_FMT ", not all of them are ready yet",
                            STR_ARG(text));
    if (workload->object.kind != KIND_DEPLOYMENT)
        return text;
    return arena_printf(context->arena, "%" STR_FMT ", %lld old %s", STR_ARG(text),
                        (long long)progress->old,
                        progress->old == 1 ? "one remains" : "ones remain");
}

/* When the rollout began, or made its last step; TIME_NONE when nothing tells. */
static int64_t rollout_since(const struct workload *workload)
{
    struct revision_history history = revision_history_of(workload);
    const struct condition *progressing = condition_find(workload->conditions, STR("Progressing"));
    int64_t since = revision_time(workload, &history);
    return since == TIME_NONE && progressing ? progressing->last_update : since;
}

enum verdict check_rollout_in_progress(struct check_context *context,
                                       const struct workload *workload)
{
    struct rollout_progress progress = rollout_progress_of(workload);
    if (!progress.known)
        return NOT_EVALUATED;
    if (!rollout_is_under_way(workload))
        return PASSED;
    int64_t since = rollout_since(workload);
    bool slow = !progress.unseen && age_exceeds(context, since, ROLLOUT_GRACE);
    return fail_as(context, slow ? context->check->severity : SEVERITY_LOW, NO_CONTAINER,
                   "A rollout has been under way %" STR_FMT ": %" STR_FMT ".",
                   STR_ARG(for_time(context, since)),
                   STR_ARG(progress_text(context, workload, &progress)));
}

/* ---- rollout-paused ---- */

enum verdict check_rollout_paused(struct check_context *context, const struct workload *workload)
{
    if (!is_known(workload))
        return NOT_EVALUATED;
    if (workload->paused != TRI_TRUE)
        return PASSED;
    struct rollout_progress progress = rollout_progress_of(workload);
    if (!progress.incomplete)
        return fail(context, NO_CONTAINER, "The Deployment is paused.");
    progress.unseen = false; /* it will see no more until it goes on */
    return fail(context, NO_CONTAINER, "The Deployment is paused: %" STR_FMT ".",
                STR_ARG(progress_text(context, workload, &progress)));
}

/* ---- rollback-detected ---- */

/* When the youngest live pod was made, which no rollout outlives; TIME_NONE: not known. */
static int64_t youngest_pod(const struct workload *workload)
{
    int64_t youngest = TIME_NONE;
    struct pod **pod;
    LIST_EACH (pod, workload->pods)
        if (!pod_has_ended(*pod) &&
            (youngest == TIME_NONE || (*pod)->object.meta.created > youngest))
            youngest = (*pod)->object.meta.created;
    return youngest;
}

/* After a week a rollback is a part of the history: a notice. */
static enum severity rollback_severity(const struct check_context *context,
                                       const struct workload *workload, int64_t since)
{
    if (since == TIME_NONE)
        since = youngest_pod(workload);
    return age_exceeds(context, since, ROLLBACK_REMEMBERED) ? SEVERITY_LOW
                                                            : context->check->severity;
}

/* What was deployed since is no rollback any more. */
static enum verdict judge_deployed_rollback(struct check_context *context,
                                            const struct workload *workload, enum verdict otherwise)
{
    struct deploys deploys = deploys_of(context, workload);
    if (!deploys.last || !deploys.last->rolled_back)
        return otherwise;
    return fail(context, NO_CONTAINER,
                "Loadline saw it rolled back %" STR_FMT
                ": the template before the last one is in force again.",
                STR_ARG(time_ago(context, deploys.last->at)));
}

enum verdict check_rollback_detected(struct check_context *context, const struct workload *workload)
{
    struct revision_history history = revision_history_of(workload);
    int64_t since = revision_time(workload, &history);
    if (!history.reused)
        return judge_deployed_rollback(context, workload, history.n ? PASSED : NOT_EVALUATED);
    return fail_as(
        context, rollback_severity(context, workload, since), NO_CONTAINER,
        "Revision %lld in force is an older one, from %" STR_FMT ", taken up again%s%" STR_FMT ".",
        (long long)history.newest.number, STR_ARG(time_ago(context, history.newest.created)),
        since == TIME_NONE ? "" : " ",
        STR_ARG(since == TIME_NONE ? (struct str){0} : time_ago(context, since)));
}

/* ---- rollback-frequent ---- */

enum verdict check_rollback_frequent(struct check_context *context, const struct workload *workload)
{
    uint32_t sets = 0, most = 0;
    struct workload **child;
    if (!revision_history_of(workload).n)
        return NOT_EVALUATED;
    LIST_EACH (child, workload->children) {
        uint32_t n = revision_former_numbers(*child);
        sets += n > 0;
        most = n > most ? n : most;
    }
    if (sets < 2 && most < 2)
        return PASSED;
    return fail(context, NO_CONTAINER,
                "Of the revisions that are kept, %u %s come back after another one, one of them %u "
                "time%s.",
                sets, sets == 1 ? "has" : "have", most, most == 1 ? "" : "s");
}

/* ---- failed-revision-left ---- */

/* Between two back-offs a container runs: then its last run is not long over. Between two pulls of
 * an image it waits for another reason. */
static bool is_failing(const struct check_context *context, const struct pod *pod)
{
    const struct container_status *status;
    if (!pod_is_active(pod) || pod_is_ready(pod))
        return false;
    LIST_EACH (status, pod->containers)
        if (container_cannot_start(status) ||
            (status->last_terminated && status->last_terminated->exit_code != 0 &&
             age_within(context, status->last_terminated->finished, ROLLOUT_GRACE)))
            return true;
    return false;
}

/* Pods of a StatefulSet name their revision in a label. */
static bool update_fails(const struct check_context *context, const struct workload *workload)
{
    struct pod **pod;
    LIST_EACH (pod, workload->pods)
        if (str_eq(pair_value((*pod)->object.meta.labels, STR("controller-revision-hash")),
                   workload->update_revision) &&
            is_failing(context, *pod))
            return true;
    return false;
}

static bool has_failing_pod(const struct check_context *context, const struct workload *set)
{
    struct pod **pod;
    LIST_EACH (pod, set->pods)
        if (is_failing(context, *pod))
            return true;
    return false;
}

static bool is_left_over(const struct check_context *context, const struct workload *set)
{
    return age_within(context, set->object.meta.created, REVISION_REMEMBERED) &&
           number_or_zero(set->ready_replicas) == 0 && number_or_zero(set->status_replicas) > 0 &&
           has_failing_pod(context, set);
}

static enum verdict judge_replica_sets(struct check_context *context,
                                       const struct workload *workload)
{
    enum verdict verdict = PASSED;
    struct revision_history history = revision_history_of(workload);
    struct workload **child;
    if (!history.n)
        return NOT_EVALUATED;
    LIST_EACH (child, workload->children)
        if (*child != history.newest.replica_set && is_left_over(context, *child))
            verdict =
                fail(context, NO_CONTAINER,
                     "ReplicaSet %" STR_FMT " is superseded but still has %lld pod%s, none ready.",
                     STR_ARG((*child)->object.meta.name), (long long)(*child)->status_replicas,
                     (*child)->status_replicas == 1 ? "" : "s");
    return verdict;
}

enum verdict check_failed_revision_left(struct check_context *context,
                                        const struct workload *workload)
{
    if (workload->object.kind == KIND_DEPLOYMENT)
        return judge_replica_sets(context, workload);
    if (!workload->update_revision.n || !workload->current_revision.n)
        return NOT_EVALUATED;
    if (str_eq(workload->update_revision, workload->current_revision) ||
        !update_fails(context, workload))
        return PASSED;
    return fail(context, NO_CONTAINER,
                "The update to %" STR_FMT " is stuck: its pods do not start.",
                STR_ARG(workload->update_revision));
}

/* ---- revision-history-disabled, rollout-deadline-disabled ---- */

enum verdict check_revision_history_disabled(struct check_context *context,
                                             const struct workload *workload)
{
    if (!is_known(workload))
        return NOT_EVALUATED;
    if (workload->revision_history_limit != 0)
        return PASSED;
    return fail(context, NO_CONTAINER, "revisionHistoryLimit is 0, so no rollout can be undone.");
}

enum verdict check_rollout_deadline_disabled(struct check_context *context,
                                             const struct workload *workload)
{
    if (!is_known(workload))
        return NOT_EVALUATED;
    if (workload->progress_deadline == NUMBER_ABSENT ||
        workload->progress_deadline < NO_PROGRESS_DEADLINE)
        return PASSED;
    return fail(context, NO_CONTAINER,
                "progressDeadlineSeconds is %lld, so a rollout that is stuck never says so.",
                (long long)workload->progress_deadline);
}

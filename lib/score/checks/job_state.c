/* Whether Jobs and CronJobs do their work. */
#include "kube/cron.h"
#include "kube/manifest.h"
#include "score/checks.h"
#include "score/state.h"

enum { MISSED_PERIODS = 3 };

/* ---- job-failed ---- */

static const struct condition *job_failure(const struct workload *job)
{
    const struct condition *failed = condition_find(job->conditions, STR("Failed"));
    return failed && str_eq(failed->status, STR("True")) ? failed : NULL;
}

/* A CronJob keeps failed Jobs after later ones went well: only the latest that is over counts. So
 * of what else makes Jobs. */
static const struct workload *latest_job(const struct workload *workload)
{
    const struct workload *latest = NULL;
    struct workload **child;
    if (workload->object.kind == KIND_JOB)
        return workload;
    LIST_EACH (child, workload->children)
        if (job_is_over(*child) &&
            (!latest || (*child)->object.meta.created > latest->object.meta.created))
            latest = *child;
    return latest;
}

enum verdict check_job_failed(struct check_context *context, const struct workload *workload)
{
    const struct workload *job = latest_job(workload);
    if (!job || (!job->conditions.n && job->job.active == NUMBER_ABSENT &&
                 job->job.succeeded == NUMBER_ABSENT && job->job.failed == NUMBER_ABSENT))
        return NOT_EVALUATED;
    const struct condition *failed = job_failure(job);
    if (!failed)
        return PASSED;
    return fail(context, NO_CONTAINER,
                "Job %" STR_FMT " failed %" STR_FMT ": %" STR_FMT "%s%" STR_FMT ".",
                STR_ARG(job->object.meta.name), STR_ARG(time_ago(context, failed->last_transition)),
                STR_ARG(failed->reason), failed->message.n ? ", " : "",
                STR_ARG(message_text(failed->message)));
}

/* ---- cronjob-not-running ---- */

/* lastSuccessfulTime came with 1.21; before that a Job that is still kept tells. */
static int64_t last_success(const struct workload *workload)
{
    int64_t last = workload->last_successful;
    struct workload **child;
    LIST_EACH (child, workload->children)
        if (number_or_zero((*child)->job.succeeded) > 0 && (*child)->job_completion > last)
            last = (*child)->job_completion;
    return last;
}

static enum verdict judge_schedule(struct check_context *context, const struct workload *workload,
                                   int64_t period)
{
    int64_t created = workload->object.meta.created, success = last_success(workload);
    if (workload->last_schedule == TIME_NONE && success == TIME_NONE) {
        if (age_within(context, created, period))
            return PASSED;
        return fail(context, NO_CONTAINER,
                    "The schedule \"%" STR_FMT
                    "\" has never started a Job since it was made %" STR_FMT ".",
                    STR_ARG(workload->schedule), STR_ARG(time_ago(context, created)));
    }
    int64_t since = success != TIME_NONE ? success : created;
    if (!age_exceeds(context, since, MISSED_PERIODS * period))
        return PASSED;
    return fail(context, NO_CONTAINER,
                "No Job of the schedule \"%" STR_FMT "\" has succeeded %" STR_FMT "%s.",
                STR_ARG(workload->schedule), STR_ARG(for_time(context, since)),
                success == TIME_NONE ? ", since it was made" : "");
}

enum verdict check_cronjob_not_running(struct check_context *context,
                                       const struct workload *workload)
{
    if (workload->suspend == TRI_TRUE)
        return fail_as(context, SEVERITY_LOW, NO_CONTAINER, "The CronJob is suspended.");
    int64_t period = cron_longest_gap(workload->schedule);
    if (is_manifest(&workload->object) && workload->last_successful == TIME_NONE)
        return NOT_EVALUATED;
    if (period == CRON_NEVER && workload->last_schedule == TIME_NONE)
        return fail(context, NO_CONTAINER,
                    "The schedule \"%" STR_FMT "\" never comes: no day is like that.",
                    STR_ARG(workload->schedule));
    if (period == CRON_UNKNOWN || period > INT64_MAX / MISSED_PERIODS)
        return NOT_EVALUATED;
    return judge_schedule(context, workload, period);
}

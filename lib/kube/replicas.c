#include "kube/replicas.h"

#include "kube/status.h"

static bool is_batch(const struct workload *workload)
{
    return workload->object.kind == KIND_JOB || workload->object.kind == KIND_CRONJOB;
}

/* As many pods of the Job have succeeded as are to; one, where its spec does not say how many. */
static bool job_has_succeeded(const struct workload *job)
{
    int64_t goal = job->completions == NUMBER_ABSENT ? 1 : job->completions;
    return number_or_zero(job->job.succeeded) > 0 && job->job.succeeded >= goal;
}

/* A Job that reached its goal. One that failed after some pods succeeded did not. */
static bool job_is_done(const struct workload *workload)
{
    return workload->object.kind == KIND_JOB &&
           (condition_is(workload->conditions, STR("Complete"), STR("True")) ||
            (job_has_succeeded(workload) &&
             !condition_is(workload->conditions, STR("Failed"), STR("True"))));
}

static int64_t wanted_of(const struct workload *workload)
{
    if (is_batch(workload))
        return workload->suspend == TRI_TRUE || job_is_done(workload) ? 0 : 1;
    if (workload->object.kind == KIND_DAEMONSET)
        return number_or_zero(workload->desired_scheduled);
    return wanted_replicas(workload);
}

/* The API leaves out zeros. Where availableReplicas is left out, readyReplicas is the next best. */
static int64_t available_of(const struct workload *workload)
{
    if (is_batch(workload))
        return 1;
    if (workload->object.kind == KIND_STATEFULSET ||
        (workload->available_replicas == NUMBER_ABSENT && workload->object.kind != KIND_DAEMONSET))
        return number_or_zero(workload->ready_replicas);
    return available_replicas(workload);
}

/* A pod that is still said to be ready on a node that is not counts as one that serves: its
 * controller counts it, too. */
static void count_pods(const struct workload *workload, struct replicas *replicas)
{
    struct pod **pod;
    LIST_EACH (pod, workload->pods) {
        if (!pod_is_active(*pod))
            continue;
        replicas->pods++;
        if (pod_is_ready(*pod))
            replicas->ready++;
        else
            replicas->stranded += pod_is_stranded(*pod);
    }
}

/* All pods are being deleted, and nothing in the snapshot says whether others are to come. They do
 * for pods that a dead node has lost, and for what the cluster itself needs. Nobody misses the
 * others, but they have not gone either. */
static void count_leaving(const struct workload *workload, struct replicas *replicas)
{
    bool critical = workload_is_critical(workload);
    struct pod **pod;
    LIST_EACH (pod, workload->pods) {
        if (!pod_is_terminating(*pod) || pod_has_ended(*pod))
            continue;
        bool stranded = pod_is_stranded(*pod);
        replicas->leaving = true;
        replicas->pods += critical || stranded;
        replicas->stranded += stranded;
    }
}

/* Zeros that the API server gave it: its controller has not looked at it yet. */
static bool is_unobserved_daemonset(const struct workload *workload)
{
    return workload->object.kind == KIND_DAEMONSET &&
           workload->object.meta.generation != NUMBER_ABSENT &&
           workload->observed_generation == NUMBER_ABSENT &&
           number_or_zero(workload->desired_scheduled) == 0;
}

static bool is_current(const struct workload *workload)
{
    return is_batch(workload) || (has_replica_status(workload) && !status_is_stale(workload) &&
                                  !is_unobserved_daemonset(workload));
}

/* Of a DaemonSet only the status says how many it wants, or that there are pods of it. */
static bool is_wanted(const struct workload *workload, const struct replicas *replicas)
{
    return replicas->wanted > 0 ||
           (workload->object.kind == KIND_DAEMONSET && !replicas->current && replicas->pods > 0);
}

struct replicas replicas_of(const struct workload *workload)
{
    bool by_pods = workload->synthesized || workload->object.kind == KIND_POD;
    struct replicas replicas = {0};
    count_pods(workload, &replicas);
    if (by_pods) {
        if (!replicas.pods)
            count_leaving(workload, &replicas);
        replicas.counts = replicas.pods > 0 || replicas.leaving;
        return replicas;
    }
    replicas.wanted = wanted_of(workload);
    replicas.available = available_of(workload);
    replicas.current = is_current(workload);
    replicas.counts = is_wanted(workload, &replicas);
    return replicas;
}

static double lacking(int64_t wanted, int64_t there, uint32_t stranded)
{
    if (there > 0)
        wanted = wanted - stranded > 1 ? wanted - stranded : 1;
    return wanted <= there ? 0 : 1 - (double)there / (double)wanted;
}

double replicas_missing(const struct replicas *replicas)
{
    double missing = 0;
    if (replicas->current && replicas->wanted > 0)
        missing = lacking(replicas->wanted, replicas->available, replicas->stranded);
    if (replicas->pods && (!replicas->current || !replicas->ready)) {
        double by_pods = lacking(replicas->pods, replicas->ready, replicas->stranded);
        missing = by_pods > missing ? by_pods : missing;
    }
    return missing;
}

bool replicas_are_stranded(const struct replicas *replicas)
{
    return replicas->stranded > 0 && replicas->stranded >= replicas->pods - replicas->ready;
}

bool workload_has_ended(const struct workload *workload)
{
    struct pod **pod;
    if (!workload->synthesized && workload->object.kind != KIND_POD)
        return false;
    LIST_EACH (pod, workload->pods)
        if (!pod_has_ended(*pod))
            return false;
    return workload->pods.n > 0;
}

static bool is_critical(const struct pod_spec *spec)
{
    return spec && (str_eq(spec->priority_class, STR("system-cluster-critical")) ||
                    str_eq(spec->priority_class, STR("system-node-critical")));
}

bool workload_is_critical(const struct workload *workload)
{
    struct pod **pod;
    if (is_critical(workload->spec))
        return true;
    LIST_EACH (pod, workload->pods)
        if ((*pod)->spec != workload->spec && is_critical((*pod)->spec))
            return true;
    return false;
}

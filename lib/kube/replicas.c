#include "kube/replicas.h"

#include "kube/status.h"

static bool is_batch(const struct workload *workload)
{
    return workload->object.kind == KIND_JOB || workload->object.kind == KIND_CRONJOB;
}

/* A Job that reached its goal. One that failed after some pods succeeded did not. */
static bool job_is_done(const struct workload *workload)
{
    return workload->object.kind == KIND_JOB &&
           (condition_is(workload->conditions, STR("Complete"), STR("True")) ||
            (number_or_zero(workload->job.succeeded) > 0 &&
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

static void count_pods(const struct workload *workload, struct replicas *replicas)
{
    struct pod **pod;
    LIST_EACH (pod, workload->pods) {
        if (!pod_is_active(*pod))
            continue;
        replicas->pods++;
        replicas->ready += pod_is_ready(*pod);
        replicas->stranded += pod_is_stranded(*pod);
    }
}

struct replicas replicas_of(const struct workload *workload)
{
    bool by_pods = workload->synthesized || workload->object.kind == KIND_POD;
    struct replicas replicas = {0};
    count_pods(workload, &replicas);
    if (by_pods) {
        replicas.counts = replicas.pods > 0;
        return replicas;
    }
    replicas.wanted = wanted_of(workload);
    replicas.available = available_of(workload);
    replicas.counts = replicas.wanted > 0;
    replicas.current =
        is_batch(workload) || (has_replica_status(workload) && !status_is_stale(workload));
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

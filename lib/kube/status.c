#include "kube/status.h"

/* More of anything no cluster has; sums of such numbers stay far from the end of int64_t. */
#define NUMBER_CEILING INT64_C(1000000000000)

enum { LOST_STATE = 255 };

/* ---- conditions ---- */

const struct condition *condition_find(condition_list conditions, struct str type)
{
    const struct condition *condition;
    LIST_EACH (condition, conditions)
        if (str_eq(condition->type, type))
            return condition;
    return NULL;
}

bool condition_is(condition_list conditions, struct str type, struct str status)
{
    const struct condition *condition = condition_find(conditions, type);
    return condition && str_eq(condition->status, status);
}

/* ---- pods ---- */

/* kubectl prints a pod that is being deleted as Terminating, a summary may repeat that. */
bool pod_is_terminating(const struct pod *pod)
{
    return pod->object.meta.deleted != TIME_NONE ||
           str_eq(pod_summary_state(pod), STR("Terminating"));
}

static bool has_ended(const struct pod *pod)
{
    static const char *const words[] = {"Completed", "Evicted", NULL};
    return str_eq(pod->phase, STR("Succeeded")) || str_eq(pod->phase, STR("Failed")) ||
           str_in(pod_summary_state(pod), words);
}

static bool has_waiting(const struct pod *pod)
{
    const struct container_status *status;
    LIST_EACH (status, pod->containers)
        if (status->waiting)
            return true;
    return false;
}

bool container_serves(enum container_role role)
{
    return role == CONTAINER_MAIN || role == CONTAINER_SIDECAR;
}

/* containerd says Unknown, docker Error. */
bool container_was_lost(const struct container_terminated *end)
{
    return end && end->exit_code == LOST_STATE && end->finished != TIME_NONE &&
           (str_eq(end->reason, STR("Unknown")) || str_eq(end->reason, STR("Error")));
}

/* Has each container that the pod is ready by a status that says so? */
static bool has_ready_containers(const struct pod *pod)
{
    const struct container *container;
    const struct container_status *status;
    size_t wanted = 0, ready = 0;
    if (pod->spec && !pod->spec->partial)
        LIST_EACH (container, pod->spec->containers)
            wanted += container_serves(container->role);
    LIST_EACH (status, pod->containers) {
        if (!container_serves(status->role))
            continue;
        if (status->ready != TRI_TRUE)
            return false;
        ready++;
    }
    return ready > 0 && ready >= wanted;
}

static bool is_ready(const struct pod *pod)
{
    const struct condition *ready = condition_find(pod->conditions, STR("Ready"));
    if (pod->object.summary)
        return pod->summary_ready == TRI_TRUE || (ready && str_eq(ready->status, STR("True")));
    return ready ? str_eq(ready->status, STR("True")) : has_ready_containers(pod);
}

static void note_serving(struct pod *pod)
{
    const struct container_status *status;
    LIST_EACH (status, pod->containers) {
        if (!container_serves(status->role))
            continue;
        pod->serving++;
        pod->lost |=
            container_was_lost(status->terminated) || container_was_lost(status->last_terminated);
    }
}

void pod_note_status(struct pod *pod)
{
    bool has_status = pod->phase.n || pod->containers.n || pod->reason.n;
    pod->ended = has_ended(pod);
    pod->active = has_status && !pod_is_terminating(pod) && !pod->ended;
    pod->ready = is_ready(pod);
    pod->waits = has_waiting(pod);
    note_serving(pod);
}

bool pod_has_ended(const struct pod *pod)
{
    return pod->ended;
}

bool pod_is_active(const struct pod *pod)
{
    return pod->active;
}

bool pod_is_ready(const struct pod *pod)
{
    return pod->ready;
}

bool pod_is_on_lost_node(const struct pod *pod)
{
    return pod->node && node_ready(pod->node) == TRI_FALSE &&
           condition_find(pod->node->conditions, STR("Ready"));
}

bool container_cannot_start(const struct container_status *status)
{
    static const char *const starting[] = {"ContainerCreating", "PodInitializing", NULL};
    return waiting_reason(status).n && !str_in(waiting_reason(status), starting);
}

bool pod_is_stranded(const struct pod *pod)
{
    const struct container_status *status;
    if (!pod_is_on_lost_node(pod))
        return false;
    LIST_EACH (status, pod->containers)
        if (container_cannot_start(status))
            return false;
    return true;
}

struct str pod_summary_state(const struct pod *pod)
{
    if (!pod->object.summary)
        return (struct str){0};
    return pod->reason.n ? pod->reason : pod->phase;
}

/* ---- workloads and nodes ---- */

bool status_is_stale(const struct workload *workload)
{
    int64_t generation = workload->object.meta.generation;
    return generation != NUMBER_ABSENT && workload->observed_generation != NUMBER_ABSENT &&
           workload->observed_generation < generation;
}

int64_t wanted_replicas(const struct workload *workload)
{
    return workload->replicas == NUMBER_ABSENT ? 1 : number_or_zero(workload->replicas);
}

/* A summary tells how many there are of how many, or that they are too few. */
static bool summary_has_replicas(const struct workload *workload)
{
    bool wanted =
        workload->replicas != NUMBER_ABSENT || workload->desired_scheduled != NUMBER_ABSENT;
    bool there =
        workload->ready_replicas != NUMBER_ABSENT || workload->available_replicas != NUMBER_ABSENT;
    return (wanted && there) || condition_is(workload->conditions, STR("Available"), STR("False"));
}

bool has_replica_status(const struct workload *workload)
{
    int64_t told[] = {workload->observed_generation,  workload->status_replicas,
                      workload->ready_replicas,       workload->available_replicas,
                      workload->unavailable_replicas, workload->desired_scheduled};
    if (workload->synthesized)
        return false;
    if (workload->object.summary)
        return summary_has_replicas(workload);
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        if (told[i] != NUMBER_ABSENT)
            return true;
    return workload->conditions.n > 0;
}

int64_t available_replicas(const struct workload *workload)
{
    bool not_told = workload->object.summary || (workload->object.kind == KIND_DAEMONSET &&
                                                 workload->unavailable_replicas == NUMBER_ABSENT);
    return number_or_zero(workload->available_replicas == NUMBER_ABSENT && not_told
                              ? workload->ready_replicas
                              : workload->available_replicas);
}

int64_t number_or_zero(int64_t number)
{
    if (number < 0)
        return 0;
    return number > NUMBER_CEILING ? NUMBER_CEILING : number;
}

bool job_is_over(const struct workload *job)
{
    return job->job_completion != TIME_NONE ||
           condition_is(job->conditions, STR("Complete"), STR("True")) ||
           condition_is(job->conditions, STR("Failed"), STR("True"));
}

int64_t pods_not_ended(const struct workload *workload)
{
    int64_t n = 0;
    struct pod **pod;
    LIST_EACH (pod, workload->pods)
        n += !pod_has_ended(*pod);
    return n;
}

int64_t pods_on_lost_nodes(const struct workload *workload)
{
    int64_t lost = 0;
    struct pod **pod;
    LIST_EACH (pod, workload->pods)
        lost += !pod_has_ended(*pod) && pod_is_on_lost_node(*pod);
    return lost;
}

enum tri node_ready(const struct node *node)
{
    const struct condition *ready = condition_find(node->conditions, STR("Ready"));
    if (!ready)
        return node->object.summary ? TRI_ABSENT : TRI_FALSE;
    return str_eq(ready->status, STR("True")) ? TRI_TRUE : TRI_FALSE;
}

#include "score/state.h"

#include "score/index.h"

enum { MESSAGE_MAX = 200 };

/* More of anything no cluster has; sums of such numbers stay far from the end of int64_t. */
#define NUMBER_CEILING INT64_C(1000000000000)

/* ---- time ---- */

bool older_than(const struct judge *judge, int64_t since, int64_t ms)
{
    return since != TIME_NONE && judge->time - since > ms;
}

bool within(const struct judge *judge, int64_t since, int64_t ms)
{
    return since != TIME_NONE && judge->time - since <= ms;
}

struct str age_text(const struct judge *judge, int64_t since)
{
    char age[CLOCK_TEXT_SIZE];
    if (since == TIME_NONE)
        return STR("some time");
    return arena_str(judge->arena, clock_format_age(judge->time - since, age));
}

struct str for_time(const struct judge *judge, int64_t since)
{
    return arena_printf(judge->arena, "for %" STR_FMT, STR_ARG(age_text(judge, since)));
}

struct str time_ago(const struct judge *judge, int64_t since)
{
    if (since == TIME_NONE)
        return STR("at an unknown time");
    return arena_printf(judge->arena, "%" STR_FMT " ago", STR_ARG(age_text(judge, since)));
}

/* ---- conditions, annotations and events ---- */

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

struct str message_text(struct str message)
{
    str_cut(message, '\n', &message, NULL);
    message = str_trim(str_utf8_prefix(message, MESSAGE_MAX));
    while (str_has_suffix(message, STR(".")) || str_has_suffix(message, STR(",")))
        message.n--;
    return message;
}

bool str_in(struct str s, const char *const *words)
{
    for (; *words; words++)
        if (str_eq(s, str_of(*words)))
            return true;
    return false;
}

const struct event *latest_event(const struct judge *judge, const struct object *object,
                                 struct str reason)
{
    const struct event **event, *latest = NULL;
    event_list events =
        index_events(judge->index, object->kind_name, object->meta.namespace, object->meta.name);
    LIST_EACH (event, events)
        if (str_eq((*event)->reason, reason) && within(judge, (*event)->last, CLOCK_HOUR) &&
            (!latest || (*event)->last > latest->last))
            latest = *event;
    return latest;
}

int64_t event_count_last_hour(const struct judge *judge, const struct event *event)
{
    if (!within(judge, event->last, CLOCK_HOUR))
        return 0;
    int64_t span = event->first == TIME_NONE ? 0 : event->last - event->first;
    if (span <= CLOCK_HOUR || within(judge, event->first, CLOCK_HOUR))
        return event->count;
    return 1 + (int64_t)((double)(event->count - 1) * ((double)CLOCK_HOUR / (double)span));
}

/* ---- pods ---- */

/* kubectl prints a pod that is being deleted as Terminating, a summary may repeat that. */
bool pod_is_terminating(const struct pod *pod)
{
    return pod->object.meta.deleted != TIME_NONE ||
           str_eq(pod_summary_state(pod), STR("Terminating"));
}

bool pod_has_ended(const struct pod *pod)
{
    static const char *const words[] = {"Completed", "Evicted", NULL};
    return str_eq(pod->phase, STR("Succeeded")) || str_eq(pod->phase, STR("Failed")) ||
           str_in(pod_summary_state(pod), words);
}

bool pod_is_active(const struct pod *pod)
{
    bool has_status = pod->phase.n || pod->containers.n || pod->reason.n;
    return has_status && !pod_is_terminating(pod) && !pod_has_ended(pod);
}

bool pod_is_ready(const struct pod *pod)
{
    return pod->summary_ready == TRI_TRUE ||
           condition_is(pod->conditions, STR("Ready"), STR("True"));
}

bool pod_is_on_lost_node(const struct pod *pod)
{
    return pod->node && node_ready(pod->node) == TRI_FALSE;
}

struct str pod_summary_state(const struct pod *pod)
{
    if (!pod->object.summary)
        return (struct str){0};
    return pod->reason.n ? pod->reason : pod->phase;
}

struct str container_of_pod(const struct judge *judge, const struct pod *pod, struct str name)
{
    if (!name.n)
        return arena_printf(judge->arena, "Pod %" STR_FMT, STR_ARG(pod->object.meta.name));
    return arena_printf(judge->arena, "Container %" STR_FMT " of pod %" STR_FMT, STR_ARG(name),
                        STR_ARG(pod->object.meta.name));
}

enum verdict each_pod(struct judge *judge, const struct workload *workload,
                      enum verdict (*ask)(struct judge *, const struct pod *))
{
    enum verdict verdict = NOT_EVALUATED;
    struct pod **pod;
    LIST_EACH (pod, workload->pods) {
        enum verdict one = ask(judge, *pod);
        if (one == FAILED || verdict == NOT_EVALUATED)
            verdict = one;
    }
    return verdict;
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

bool has_replica_status(const struct workload *workload)
{
    int64_t told[] = {workload->observed_generation,  workload->status_replicas,
                      workload->ready_replicas,       workload->available_replicas,
                      workload->unavailable_replicas, workload->desired_scheduled};
    if (workload->synthesized)
        return false;
    if (workload->object.summary)
        return (workload->replicas != NUMBER_ABSENT ||
                workload->desired_scheduled != NUMBER_ABSENT) &&
               (workload->ready_replicas != NUMBER_ABSENT ||
                workload->available_replicas != NUMBER_ABSENT);
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

int64_t pods_on_lost_nodes(const struct workload *workload)
{
    int64_t lost = 0;
    struct pod **pod;
    LIST_EACH (pod, workload->pods)
        lost += !pod_has_ended(*pod) && pod_is_on_lost_node(*pod);
    return lost;
}

bool pods_are_starting(const struct judge *judge, const struct workload *workload, int64_t ms)
{
    bool starting = false;
    struct pod **pod;
    LIST_EACH (pod, workload->pods) {
        if (pod_is_ready(*pod) || !pod_is_active(*pod))
            continue;
        if (!within(judge, (*pod)->object.meta.created, ms))
            return false;
        starting = true;
    }
    return starting;
}

enum tri node_ready(const struct node *node)
{
    const struct condition *ready = condition_find(node->conditions, STR("Ready"));
    if (!ready)
        return node->object.summary ? TRI_ABSENT : TRI_FALSE;
    return str_eq(ready->status, STR("True")) ? TRI_TRUE : TRI_FALSE;
}

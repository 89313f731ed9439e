#include "kube/cluster_time.h"

#include <stdlib.h>

#include "kube/status.h"

/* ---- when it was looked at ---- */

static void take(int64_t *newest, int64_t time)
{
    if (time != TIME_NONE && (*newest == TIME_NONE || time > *newest))
        *newest = time;
}

/* A walk over times: the newest up to `until`. */
struct search {
    int64_t until;
    struct told_time found;
};

static void meet(struct search *search, const struct object *object, int64_t time)
{
    if (time == TIME_NONE || time > search->until ||
        (search->found.time != TIME_NONE && time <= search->found.time))
        return;
    search->found = (struct told_time){time, object};
}

static void meet_conditions(struct search *search, const struct object *object,
                            condition_list conditions)
{
    const struct condition *condition;
    LIST_EACH (condition, conditions) {
        meet(search, object, condition->last_transition);
        meet(search, object, condition->last_update);
    }
}

static void meet_end(struct search *search, const struct pod *pod,
                     const struct container_terminated *end)
{
    if (end)
        meet(search, &pod->object, end->finished);
}

static void meet_pod(struct search *search, const struct pod *pod)
{
    const struct container_status *status;
    meet(search, &pod->object, pod->start_time);
    meet_conditions(search, &pod->object, pod->conditions);
    LIST_EACH (status, pod->containers) {
        meet(search, &pod->object, status->running_since);
        meet_end(search, pod, status->terminated);
        meet_end(search, pod, status->last_terminated);
    }
}

/* What kubelets and controllers write for as long as the cluster runs. */
static void meet_status(struct search *search, const struct cluster *cluster)
{
    struct pod **pod;
    struct node **node;
    struct lease **lease;
    struct event **event;
    LIST_EACH (node, cluster->nodes)
        meet_conditions(search, &(*node)->object, (*node)->conditions);
    LIST_EACH (lease, cluster->leases)
        meet(search, &(*lease)->object, (*lease)->renew_time);
    LIST_EACH (event, cluster->events)
        meet(search, &(*event)->object, (*event)->last);
    LIST_EACH (pod, cluster->pods)
        meet_pod(search, *pod);
}

static void meet_others(struct search *search, const struct cluster *cluster)
{
    struct pod **pod;
    struct workload **workload;
#define JUDGED(list, walked, subject, type)                                                        \
    for (uint32_t i = 0; i < cluster->list.n; i++)                                                 \
        meet(search, &cluster->list.items[i]->object, cluster->list.items[i]->object.meta.created);
#include "kube/lists.def"
#undef JUDGED
    LIST_EACH (pod, cluster->pods)
        meet(search, &(*pod)->object, (*pod)->object.meta.created);
    LIST_EACH (workload, cluster->workloads)
        meet_conditions(search, &(*workload)->object, (*workload)->conditions);
}

static struct told_time newest_told(const struct cluster *cluster, bool status_only, int64_t until)
{
    struct search search = {until, {TIME_NONE, NULL}};
    meet_status(&search, cluster);
    if (!status_only)
        meet_others(&search, cluster);
    return search.found;
}

struct cluster_look cluster_look_of(const struct cluster *cluster)
{
    struct told_time newest = newest_told(cluster, false, INT64_MAX);
    if (cluster_newest_heartbeat(cluster, INT64_MAX) == TIME_NONE)
        return (struct cluster_look){newest, newest};
    int64_t status = newest_told(cluster, true, INT64_MAX).time;
    return (struct cluster_look){newest_told(cluster, false, status + CLUSTER_LOOK_MS), newest};
}

/* ---- heartbeats ---- */

int64_t node_heartbeat(const struct node *node, bool *leased)
{
    const struct condition *ready = condition_find(node->conditions, STR("Ready"));
    *leased = node->lease && node->lease->renew_time != TIME_NONE;
    return *leased ? node->lease->renew_time : ready ? ready->last_update : TIME_NONE;
}

int64_t cluster_newest_heartbeat(const struct cluster *cluster, int64_t time)
{
    int64_t newest = TIME_NONE;
    struct node **node;
    bool leased;
    LIST_EACH (node, cluster->nodes)
        if (node_ready(*node) == TRI_TRUE && node_heartbeat(*node, &leased) <= time)
            take(&newest, node_heartbeat(*node, &leased));
    return newest;
}

/* ---- the restart of a node ---- */

enum { ENDED_LEAST = 2 };

static const struct container_terminated *loss_of(const struct container_status *status)
{
    return container_was_lost(status->terminated)        ? status->terminated
           : container_was_lost(status->last_terminated) ? status->last_terminated
                                                         : NULL;
}

static int by_time(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

struct losses {
    int64_t *times;
    uint32_t n, containers;
};

static struct losses losses_of(struct arena *arena, const struct node *node)
{
    struct losses losses = {.n = 0};
    struct pod **pod;
    const struct container_status *status;
    size_t most = 0;
    LIST_EACH (pod, node->pods) {
        losses.containers += (*pod)->serving;
        most += (*pod)->lost ? (*pod)->serving : 0;
    }
    losses.times = ARENA_ARRAY(arena, most, int64_t);
    LIST_EACH (pod, node->pods) {
        if (!(*pod)->lost)
            continue;
        LIST_EACH (status, (*pod)->containers)
            if (container_serves(status->role) && loss_of(status))
                losses.times[losses.n++] = loss_of(status)->finished;
    }
    if (losses.n)
        qsort(losses.times, losses.n, sizeof *losses.times, by_time);
    return losses;
}

struct node_restart node_restart_of(struct arena *arena, const struct node *node)
{
    struct losses losses = losses_of(arena, node);
    struct node_restart restart = {TIME_NONE, 0, losses.containers};
    for (uint32_t from = 0, to = 0; from < losses.n; from++) {
        while (to < losses.n && losses.times[to] - losses.times[from] <= CLOCK_MINUTE)
            to++;
        if (to - from >= ENDED_LEAST && 2 * (to - from) >= losses.containers) {
            restart.time = losses.times[from];
            restart.ended = to - from > restart.ended ? to - from : restart.ended;
        }
    }
    return restart;
}

bool node_restart_ended(const struct container_terminated *end, int64_t restarted)
{
    return container_was_lost(end) && restarted != TIME_NONE &&
           end->finished >= restarted - CLOCK_MINUTE && end->finished <= restarted + CLOCK_MINUTE;
}

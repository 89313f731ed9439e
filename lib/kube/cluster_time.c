#include "kube/cluster_time.h"

#include <stdlib.h>

#include "kube/status.h"

/* ---- the newest time ---- */

static void take(int64_t *newest, int64_t time)
{
    if (time != TIME_NONE && (*newest == TIME_NONE || time > *newest))
        *newest = time;
}

static void take_conditions(int64_t *newest, condition_list conditions)
{
    const struct condition *condition;
    LIST_EACH (condition, conditions) {
        take(newest, condition->last_transition);
        take(newest, condition->last_update);
        take(newest, condition->last_heartbeat);
    }
}

static void take_end(int64_t *newest, const struct container_terminated *end)
{
    if (end)
        take(newest, end->finished);
}

static void take_pod(int64_t *newest, const struct pod *pod)
{
    const struct container_status *status;
    take(newest, pod->object.meta.created);
    take(newest, pod->start_time);
    take_conditions(newest, pod->conditions);
    LIST_EACH (status, pod->containers) {
        take(newest, status->running_since);
        take_end(newest, status->terminated);
        take_end(newest, status->last_terminated);
    }
}

int64_t cluster_newest_time(const struct cluster *cluster)
{
    int64_t newest = TIME_NONE;
    struct pod **pod;
    struct node **node;
    struct workload **workload;
    struct lease **lease;
    struct event **event;
#define JUDGED(list, walked, subject, type)                                                        \
    for (uint32_t i = 0; i < cluster->list.n; i++)                                                 \
        take(&newest, cluster->list.items[i]->object.meta.created);
#include "kube/lists.def"
#undef JUDGED
    LIST_EACH (pod, cluster->pods)
        take_pod(&newest, *pod);
    LIST_EACH (node, cluster->nodes)
        take_conditions(&newest, (*node)->conditions);
    LIST_EACH (workload, cluster->workloads)
        take_conditions(&newest, (*workload)->conditions);
    LIST_EACH (lease, cluster->leases)
        take(&newest, (*lease)->renew_time);
    LIST_EACH (event, cluster->events)
        take(&newest, (*event)->last);
    return newest;
}

/* ---- heartbeats ---- */

int64_t node_heartbeat(const struct node *node, bool *leased)
{
    const struct condition *ready = condition_find(node->conditions, STR("Ready"));
    *leased = node->lease && node->lease->renew_time != TIME_NONE;
    return *leased ? node->lease->renew_time : ready ? ready->last_heartbeat : TIME_NONE;
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

enum { LOST_STATE = 255, ENDED_LEAST = 2 };

/* containerd says Unknown, docker Error. */
static bool lost_its_state(const struct container_terminated *end)
{
    return end && end->exit_code == LOST_STATE && end->finished != TIME_NONE &&
           (str_eq(end->reason, STR("Unknown")) || str_eq(end->reason, STR("Error")));
}

static const struct container_terminated *loss_of(const struct container_status *status)
{
    return lost_its_state(status->terminated)        ? status->terminated
           : lost_its_state(status->last_terminated) ? status->last_terminated
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
    LIST_EACH (pod, node->pods)
        losses.containers += (*pod)->containers.n;
    losses.times = ARENA_ARRAY(arena, losses.containers, int64_t);
    losses.containers = 0;
    LIST_EACH (pod, node->pods)
        LIST_EACH (status, (*pod)->containers) {
            if (status->role != CONTAINER_MAIN && status->role != CONTAINER_SIDECAR)
                continue;
            losses.containers++;
            if (loss_of(status))
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
    return lost_its_state(end) && restarted != TIME_NONE &&
           end->finished >= restarted - CLOCK_MINUTE && end->finished <= restarted + CLOCK_MINUTE;
}

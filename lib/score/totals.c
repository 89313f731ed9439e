#include "score/totals.h"

#include "kube/pod_requests.h"
#include "kube/provider.h"
#include "kube/status.h"

static int64_t newest_lease(const struct cluster *cluster, int64_t time)
{
    int64_t newest = TIME_NONE;
    struct node **node;
    LIST_EACH (node, cluster->nodes)
        if ((*node)->lease && (*node)->lease->renew_time <= time &&
            (newest == TIME_NONE || (*node)->lease->renew_time > newest))
            newest = (*node)->lease->renew_time;
    return newest;
}

static struct resource_list room_of(const struct cluster *cluster)
{
    struct resource_list room = {0};
    struct node **node;
    LIST_EACH (node, cluster->nodes)
        if ((*node)->allocatable.cpu > 0 && (*node)->allocatable.memory > 0)
            room = resource_sum(room, (*node)->allocatable);
    return room;
}

/* Where somebody adds nodes as they are needed, there is no telling what room there will be. */
static bool may_grow(const struct cluster *cluster)
{
    static const char *const fixed[] = {"kind", "k3s", "minikube", "unknown", NULL};
    return !str_in(provider_of(cluster), fixed);
}

static bool is_operator_down(const struct platform_object *object)
{
    return object->object.kind == KIND_CLUSTEROPERATOR &&
           (condition_is(object->conditions, STR("Available"), STR("False")) ||
            condition_is(object->conditions, STR("Degraded"), STR("True")));
}

static bool has_operator_down(const struct cluster *cluster)
{
    struct platform_object **object;
    LIST_EACH (object, cluster->platform_objects)
        if (is_operator_down(*object))
            return true;
    return false;
}

struct totals *totals_build(struct arena *arena, const struct cluster *cluster, int64_t time)
{
    struct totals *totals = ARENA_NEW(arena, struct totals);
    totals->newest_lease = newest_lease(cluster, time);
    totals->room = room_of(cluster);
    totals->may_grow = may_grow(cluster);
    totals->operator_down = has_operator_down(cluster);
    return totals;
}

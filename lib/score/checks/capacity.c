/* Whether what pods reserve fits, today and with one node less. */
#include "kube/quantity.h"
#include "kube/pod_requests.h"
#include "kube/selector.h"
#include "kube/taint.h"
#include "score/checks.h"
#include "score/state.h"

#define NEARLY_FULL 0.9

static bool is_nearly_full(int64_t used, int64_t whole)
{
    return (double)used / (double)whole >= NEARLY_FULL;
}

/* ---- node-cpu-overcommitted, node-memory-overcommitted, node-pod-capacity ---- */

static int64_t node_memory_limits(const struct node *node)
{
    int64_t total = 0;
    struct pod **pod;
    LIST_EACH (pod, node->pods)
        total = quantity_sum(total, pod_memory_limit((*pod)->spec));
    return total;
}

/* Summary items do not say what they reserve. */
static bool pods_are_known(const struct node *node)
{
    struct pod **pod;
    LIST_EACH (pod, node->pods)
        if ((*pod)->object.summary || !(*pod)->spec || (*pod)->spec->partial)
            return false;
    return true;
}

/* What a node that is lost still holds says nothing. One that does not tell its state is counted.
 */
static bool can_be_filled(const struct node *node, int64_t allocatable)
{
    return allocatable > 0 &&
           (node_ready(node) == TRI_TRUE || !condition_find(node->conditions, STR("Ready")));
}

enum verdict check_node_cpu_overcommitted(struct check_context *context, const struct node *node)
{
    int64_t whole = node->allocatable.cpu;
    if (!can_be_filled(node, whole) || !pods_are_known(node))
        return NOT_EVALUATED;
    int64_t used = node->requested.cpu;
    if (!is_nearly_full(used, whole))
        return PASSED;
    return fail(context, NO_CONTAINER, "Pods reserve %" STR_FMT " of %" STR_FMT " CPUs, %d %%.",
                STR_ARG(quantity_cpu_text(context->arena, used)),
                STR_ARG(quantity_cpu_text(context->arena, whole)), quantity_percent(used, whole));
}

enum verdict check_node_memory_overcommitted(struct check_context *context, const struct node *node)
{
    int64_t whole = node->allocatable.memory;
    if (!can_be_filled(node, whole) || !pods_are_known(node))
        return NOT_EVALUATED;
    int64_t used = node->requested.memory;
    if (!is_nearly_full(used, whole))
        return PASSED;
    return fail(context, NO_CONTAINER,
                "Pods reserve %" STR_FMT " of %" STR_FMT " memory, %d %%; their limits are %d %%.",
                STR_ARG(quantity_memory_text(context->arena, used)),
                STR_ARG(quantity_memory_text(context->arena, whole)), quantity_percent(used, whole),
                quantity_percent(node_memory_limits(node), whole));
}

/* AWS Fargate makes a node for each pod, which is full then: docs.aws.amazon.com/eks, "Fargate". */
static bool is_made_for_a_pod(const struct node *node)
{
    return str_eq(pair_value(node->object.meta.labels, STR("eks.amazonaws.com/compute-type")),
                  STR("fargate"));
}

enum verdict check_node_pod_capacity(struct check_context *context, const struct node *node)
{
    int64_t whole = node->allocatable.pods, pods = node->pods.n;
    if (whole == NUMBER_ABSENT || !can_be_filled(node, whole) || is_made_for_a_pod(node))
        return NOT_EVALUATED;
    whole /= 1000;
    if (whole > 0 && !is_nearly_full(pods, whole))
        return PASSED;
    return fail(context, NO_CONTAINER, "The node runs %lld pods and may run %lld.", (long long)pods,
                (long long)whole);
}

/* ---- cluster-headroom-low ---- */

static bool is_control_plane(const struct node *node)
{
    return pair_has(node->object.meta.labels, STR("node-role.kubernetes.io/control-plane")) ||
           pair_has(node->object.meta.labels, STR("node-role.kubernetes.io/master"));
}

static bool repels_pods(const struct node *node)
{
    const struct taint *taint;
    LIST_EACH (taint, node->taints)
        if (taint_keeps_off(taint))
            return true;
    return false;
}

/* By its label, or by a taint that nothing else has. */
static bool is_kept_for_control_plane(const struct node *node)
{
    const struct taint *taint;
    LIST_EACH (taint, node->taints)
        if (str_eq(taint->key, STR("node-role.kubernetes.io/control-plane")) ||
            str_eq(taint->key, STR("node-role.kubernetes.io/master")))
            return true;
    return is_control_plane(node) && repels_pods(node);
}

/* Any pod may go to such a node, but for a cordon and for taints. */
static bool has_room(const struct node *node)
{
    return node_ready(node) == TRI_TRUE && node->allocatable.cpu > 0 &&
           node->allocatable.memory > 0;
}

static bool is_cordoned(const struct node *node)
{
    return node->unschedulable == TRI_TRUE;
}

/* Pods of DaemonSets and static pods go with their node; the others need a place elsewhere. */
static bool moves(const struct pod *pod)
{
    const struct owner_reference *owner;
    LIST_EACH (owner, pod->object.meta.owners)
        if (owner->controller == TRI_TRUE &&
            (str_eq(owner->kind, STR("DaemonSet")) || str_eq(owner->kind, STR("Node"))))
            return false;
    return !pod_is_terminating(pod);
}

/* Of pods that were there before the node's taints: those of a pool of their own stay in it. */
static struct resource_list unwelcome_requests(const struct check_context *context,
                                               const struct node *node)
{
    struct resource_list total = {0};
    struct pod **pod;
    LIST_EACH (pod, node->pods)
        if ((*pod)->spec && !(*pod)->spec->partial && moves(*pod) &&
            !taints_let_in(context->effort, node, (*pod)->spec))
            total = resource_sum(total, pod_requests((*pod)->spec));
    return total;
}

static struct resource_list moving_requests(const struct node *node)
{
    struct resource_list total = {0};
    struct pod **pod;
    LIST_EACH (pod, node->pods)
        if (moves(*pod))
            total = resource_sum(total, pod_requests((*pod)->spec));
    return total;
}

/* What the open nodes have and what is reserved on them, and the nodes with the most of each. */
struct room {
    struct resource_list whole, used;
    const struct node *most_cpu, *most_memory;
    uint32_t open, cordoned, lost, repelling; /* repelling: but for control planes */
    bool known;                               /* what all pods reserve */
    bool unwelcome; /* something is reserved on repelling nodes by pods that may not stay */
};

static void add_open_node(struct room *room, const struct node *node)
{
    room->open++;
    room->known = room->known && pods_are_known(node);
    room->whole = resource_sum(room->whole, node->allocatable);
    room->used = resource_sum(room->used, node->requested);
    if (!room->most_cpu || node->allocatable.cpu > room->most_cpu->allocatable.cpu)
        room->most_cpu = node;
    if (!room->most_memory || node->allocatable.memory > room->most_memory->allocatable.memory)
        room->most_memory = node;
}

/* Does it want a place, and has none yet? Who holds pods back with gates does not. */
static bool waits_for_node(const struct pod *pod)
{
    return str_eq(pod->phase, STR("Pending")) && pod->spec && !pod->spec->partial &&
           !pod->node_name.n && !pod->spec->scheduling_gates.n && moves(pod);
}

static void add_repelling_node(const struct check_context *context, struct room *room,
                               const struct node *node)
{
    struct resource_list unwelcome = unwelcome_requests(context, node);
    room->repelling++;
    room->unwelcome |= unwelcome.cpu > 0 || unwelcome.memory > 0;
    room->used = resource_sum(room->used, unwelcome);
}

/* What runs on a node that is not ready has to find another place already, and what runs on one
 * that is cordoned, or that has got a taint since, will have to. */
static struct room room_of(const struct check_context *context, const struct cluster *cluster)
{
    struct room room = {.known = true};
    struct node **node;
    struct pod **pod;
    LIST_EACH (pod, cluster->pods)
        if (waits_for_node(*pod))
            room.used = resource_sum(room.used, pod_requests((*pod)->spec));
    LIST_EACH (node, cluster->nodes) {
        bool repels = repels_pods(*node), open = has_room(*node) && !repels;
        bool cordoned = open && is_cordoned(*node);
        bool lost = node_ready(*node) == TRI_FALSE && !is_control_plane(*node);
        if (open && !cordoned)
            add_open_node(&room, *node);
        else if (repels && has_room(*node) && !is_kept_for_control_plane(*node))
            add_repelling_node(context, &room, *node);
        else if (cordoned || lost)
            room.used = resource_sum(room.used, moving_requests(*node));
        room.cordoned += cordoned;
        room.lost += lost;
    }
    return room;
}

/* With a node of `node_whole` gone, and what `stays` on it, is more reserved than the others have?
 */
static bool falls_short(int64_t whole, int64_t used, int64_t node_whole, int64_t stays)
{
    return used - stays > whole - node_whole;
}

static enum verdict fail_without_open(struct check_context *context, const struct room *room)
{
    uint32_t closed = room->cordoned + room->repelling;
    const char *why = !room->repelling  ? "cordoned"
                      : !room->cordoned ? "tainted"
                                        : "cordoned or tainted";
    if (closed == 1)
        return fail(context, NO_CONTAINER, "The only ready node that could take pods is %s.", why);
    return fail(context, NO_CONTAINER, "All %u nodes that could take pods are %s.", closed, why);
}

enum verdict check_cluster_headroom_low(struct check_context *context,
                                        const struct cluster *cluster)
{
    struct room room = room_of(context, cluster);
    uint32_t ready = room.open + room.cordoned + room.repelling;
    if (!ready || ready + room.lost < 2 || !room.known)
        return NOT_EVALUATED;
    if (!room.open && !room.cordoned && !room.unwelcome)
        return NOT_EVALUATED; /* nothing but pools of their own */
    if (!room.open)
        return fail_without_open(context, &room);
    int64_t cpu_stays = room.most_cpu->requested.cpu - moving_requests(room.most_cpu).cpu;
    int64_t memory_stays =
        room.most_memory->requested.memory - moving_requests(room.most_memory).memory;
    bool cpu =
        falls_short(room.whole.cpu, room.used.cpu, room.most_cpu->allocatable.cpu, cpu_stays);
    bool memory = falls_short(room.whole.memory, room.used.memory,
                              room.most_memory->allocatable.memory, memory_stays);
    if (!cpu && !memory)
        return PASSED;
    return fail(
        context, NO_CONTAINER,
        "Without its largest node the cluster lacks %s: pods reserve %d %% of the CPU and %d "
        "%% of the memory of %u node%s.",
        cpu && memory ? "CPU and memory"
        : cpu         ? "CPU"
                      : "memory",
        quantity_percent(room.used.cpu, room.whole.cpu),
        quantity_percent(room.used.memory, room.whole.memory), room.open,
        room.open == 1 ? "" : "s");
}

/* ---- single-zone-or-node ---- */

static bool is_worker(const struct node *node)
{
    return !(is_control_plane(node) && repels_pods(node));
}

static struct str zone_of(const struct node *node)
{
    struct str zone = pair_value(node->object.meta.labels, STR("topology.kubernetes.io/zone"));
    return zone.n ? zone
                  : pair_value(node->object.meta.labels,
                               STR("failure-domain.beta.kubernetes.io/zone"));
}

struct layout {
    uint32_t workers, cordoned, control_planes; /* workers: but for the cordoned ones */
    uint32_t lost, repelling, open;             /* of the workers; open: the others */
    bool one_zone;                              /* all workers name the same one */
    struct str zone;
    struct str worker; /* the last that takes pods, or the last */
};

/* A node that does not tell its state is not lost. */
static bool is_lost(const struct node *node)
{
    return condition_find(node->conditions, STR("Ready")) && node_ready(node) == TRI_FALSE;
}

static void add_worker(struct layout *layout, const struct node *node)
{
    struct str zone = zone_of(node);
    bool lost = is_lost(node), repels = !lost && repels_pods(node);
    if (!zone.n || (layout->workers && !str_eq(zone, layout->zone)))
        layout->one_zone = false;
    layout->zone = zone;
    if (!layout->open || !(lost || repels))
        layout->worker = node->object.meta.name;
    layout->lost += lost;
    layout->repelling += repels;
    layout->open += !lost && !repels;
    layout->workers++;
}

static struct layout layout_of(const struct cluster *cluster)
{
    struct layout layout = {.one_zone = true};
    struct node **node;
    LIST_EACH (node, cluster->nodes) {
        layout.control_planes += is_control_plane(*node);
        if (!is_worker(*node))
            continue;
        if (is_cordoned(*node))
            layout.cordoned++;
        else
            add_worker(&layout, *node);
    }
    return layout;
}

static bool has_native_nodes(const struct cluster *cluster)
{
    struct node **node;
    LIST_EACH (node, cluster->nodes)
        if (!(*node)->object.summary)
            return true;
    return false;
}

static enum verdict fail_one_worker(struct check_context *context, const struct cluster *cluster,
                                    const struct layout *layout)
{
    if (cluster->nodes.n == 1)
        return fail(context, NO_CONTAINER,
                    "All workloads share the cluster's one node, %" STR_FMT ".",
                    STR_ARG(layout->worker));
    return fail(context, NO_CONTAINER, "Of %u nodes only %" STR_FMT " takes new pods%s%s%s%s.",
                cluster->nodes.n, STR_ARG(layout->worker),
                layout->cordoned ? "; others are cordoned" : "",
                layout->open && layout->lost ? "; others are not ready" : "",
                layout->open && layout->repelling ? "; others have taints" : "",
                cluster->nodes.n - layout->cordoned > layout->workers
                    ? "; others are kept for the control plane"
                    : "");
}

enum verdict check_single_zone_or_node(struct check_context *context, const struct cluster *cluster)
{
    if (!has_native_nodes(cluster))
        return NOT_EVALUATED;
    struct layout layout = layout_of(cluster);
    if (!layout.workers && layout.cordoned)
        return fail(context, NO_CONTAINER, "No node takes pods: %s cordoned.",
                    layout.cordoned == 1 ? "the only worker is" : "all workers are");
    if (layout.workers == 1 || layout.open == 1)
        return fail_one_worker(context, cluster, &layout);
    if (layout.workers > 1 && layout.one_zone)
        return fail(context, NO_CONTAINER, "The %u workers are all in zone %" STR_FMT ".",
                    layout.workers, STR_ARG(layout.zone));
    if (layout.control_planes == 1)
        return fail(context, NO_CONTAINER, "There is one control-plane node.");
    return PASSED;
}

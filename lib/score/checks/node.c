/* What nodes say of themselves. A dead kubelet turns all conditions Unknown: such a node is not
 * ready, and nothing else is said of it. */
#include "kube/cluster_time.h"
#include "kube/release.h"
#include "kube/pod_requests.h"
#include "kube/selector.h"
#include "score/checks.h"
#include "score/index.h"
#include "score/state.h"
#include "score/totals.h"

/* A kubelet renews its lease every 10 s; without leases in the snapshot there is only the status,
 * which it writes every five minutes when nothing changes. */
#define LEASE_AGE     (40 * CLOCK_SECOND)
#define HEARTBEAT_AGE (5 * CLOCK_MINUTE + LEASE_AGE)
#define SNAPSHOT_AGE  (10 * CLOCK_MINUTE)

enum { FLAPS_A_DAY = 3, SKEW_ALLOWED = 3, LAST_MINOR_WITH_CONTAINERD_1 = 35 };

/* ---- node-not-ready ---- */

enum verdict check_node_not_ready(struct check_context *context, const struct node *node)
{
    const struct condition *ready = condition_find(node->conditions, STR("Ready"));
    enum tri state = node_ready(node);
    if (state == TRI_ABSENT)
        return NOT_EVALUATED;
    if (state == TRI_TRUE)
        return PASSED;
    if (!ready)
        return fail(context, NO_CONTAINER, "The node has no Ready condition.");
    return fail(context, NO_CONTAINER,
                "Ready has been %" STR_FMT " %" STR_FMT "%s%" STR_FMT "%s%" STR_FMT ".",
                STR_ARG(ready->status), STR_ARG(for_time(context, ready->last_transition)),
                ready->reason.n ? ": " : "", STR_ARG(ready->reason), ready->message.n ? ", " : "",
                STR_ARG(message_text(ready->message)));
}

/* ---- pressures and network ---- */

static enum verdict judge_pressure(struct check_context *context, const struct node *node,
                                   struct str type)
{
    const struct condition *condition = condition_find(node->conditions, type);
    if (!condition || str_eq(condition->status, STR("Unknown")))
        return NOT_EVALUATED;
    if (!str_eq(condition->status, STR("True")))
        return PASSED;
    return fail(context, NO_CONTAINER, "%" STR_FMT " has been True %" STR_FMT "%s%" STR_FMT ".",
                STR_ARG(type), STR_ARG(for_time(context, condition->last_transition)),
                condition->message.n ? ": " : "", STR_ARG(message_text(condition->message)));
}

enum verdict check_node_memory_pressure(struct check_context *context, const struct node *node)
{
    return judge_pressure(context, node, STR("MemoryPressure"));
}

enum verdict check_node_disk_pressure(struct check_context *context, const struct node *node)
{
    return judge_pressure(context, node, STR("DiskPressure"));
}

enum verdict check_node_pid_pressure(struct check_context *context, const struct node *node)
{
    return judge_pressure(context, node, STR("PIDPressure"));
}

enum verdict check_node_network_unavailable(struct check_context *context, const struct node *node)
{
    return judge_pressure(context, node, STR("NetworkUnavailable"));
}

/* ---- node-cordoned ---- */

enum verdict check_node_cordoned(struct check_context *context, const struct node *node)
{
    if (node->object.summary && node->unschedulable == TRI_ABSENT)
        return NOT_EVALUATED;
    if (node->unschedulable != TRI_TRUE)
        return PASSED;
    return fail(context, NO_CONTAINER, "The node is cordoned: no new pod can go there.");
}

/* ---- node-heartbeat-stale ---- */

/* Nodes are compared with each other, and leases with leases: a snapshot takes a while to arrive,
 * and its clock may be off. Where all lag alike, it is old (snapshot-old). */
enum verdict check_node_heartbeat_stale(struct check_context *context, const struct node *node)
{
    bool leased;
    int64_t last = node_heartbeat(node, &leased), newest = context->totals->newest_lease;
    if (node_ready(node) != TRI_TRUE || last == TIME_NONE)
        return NOT_EVALUATED;
    if ((context->heartbeat == TIME_NONE || context->heartbeat - last <= HEARTBEAT_AGE) &&
        !(leased && newest != TIME_NONE && newest - last > LEASE_AGE))
        return PASSED;
    return fail(context, NO_CONTAINER, "The kubelet %s %" STR_FMT ".",
                leased ? "last renewed its lease" : "last wrote its status",
                STR_ARG(time_ago(context, last)));
}

/* ---- snapshot-old ---- */

enum verdict check_snapshot_old(struct check_context *context, const struct cluster *cluster)
{
    (void)cluster;
    if (context->heartbeat == TIME_NONE)
        return NOT_EVALUATED;
    if (!age_exceeds(context, context->heartbeat, SNAPSHOT_AGE))
        return PASSED;
    return fail(context, NO_CONTAINER,
                "The newest heartbeat of any node is %" STR_FMT
                " old: the nodes were looked at then, and all ages are too high by that.",
                STR_ARG(age_text(context, context->heartbeat)));
}

/* ---- node-restarted ---- */

enum verdict check_node_restarted(struct check_context *context, const struct node *node)
{
    char text[CLOCK_TEXT_SIZE];
    if (!node->containers)
        return NOT_EVALUATED;
    if (!age_within(context, node->restarted, CLOCK_DAY))
        return PASSED;
    return fail(context, NO_CONTAINER,
                "The node, or its container runtime, restarted %" STR_FMT ", at %" STR_FMT
                ": %u of its %u containers ended within a minute.",
                STR_ARG(time_ago(context, node->restarted)),
                STR_ARG(clock_format_short(node->restarted, text)), node->restart_ended,
                node->containers);
}

/* ---- node-flapping ---- */

static int64_t not_ready_events_of_a_day(const struct check_context *context,
                                         const struct node *node)
{
    int64_t n = 0;
    const struct event **event;
    event_list events = index_events(context->index, node->object.kind_name, (struct str){0},
                                     node->object.meta.name);
    LIST_EACH (event, events)
        if (str_eq((*event)->reason, STR("NodeNotReady")) &&
            age_within(context, (*event)->last, CLOCK_DAY))
            n = quantity_sum(n, (*event)->count);
    return n;
}

/* Some writers stamp every condition at each heartbeat as if it had just changed. */
static bool stamps_all_alike(const struct node *node)
{
    const struct condition *condition;
    LIST_EACH (condition, node->conditions)
        if (condition->last_transition == TIME_NONE ||
            condition->last_transition != condition->last_update)
            return false;
    return true;
}

/* When the node became ready. TIME_NONE: nobody can tell. */
static int64_t ready_since(const struct node *node)
{
    const struct condition *ready = condition_find(node->conditions, STR("Ready"));
    return ready && !stamps_all_alike(node) ? ready->last_transition : TIME_NONE;
}

static bool kubelet_is_lost(const struct node *node)
{
    return !condition_is(node->conditions, STR("Ready"), STR("True")) &&
           !condition_is(node->conditions, STR("Ready"), STR("False"));
}

/* A node that joined within the hour has become ready for the first time. A change that is yet to
 * come tells of a clock, not of the node. */
enum verdict check_node_flapping(struct check_context *context, const struct node *node)
{
    int64_t events = not_ready_events_of_a_day(context, node), since = ready_since(node);
    if (kubelet_is_lost(node))
        return NOT_EVALUATED;
    if (events >= FLAPS_A_DAY)
        return fail(context, NO_CONTAINER, "The node was NotReady %lld times within 24 h.",
                    (long long)events);
    if (node_ready(node) != TRI_TRUE || (since == TIME_NONE && !events))
        return NOT_EVALUATED;
    if (since > context->time)
        return NOT_EVALUATED;
    if (!age_below(context, since, CLOCK_HOUR) ||
        age_within(context, node->object.meta.created, CLOCK_HOUR))
        return PASSED;
    return fail(context, NO_CONTAINER, "The node became ready again only %" STR_FMT ".",
                STR_ARG(time_ago(context, since)));
}

/* ---- node-version-skew ---- */

static enum verdict judge_support(struct check_context *context, struct release server)
{
    char text[CLOCK_TEXT_SIZE];
    int64_t end = release_end_of_life(server);
    if (!age_exceeds(context, end, 0))
        return PASSED;
    return fail(context, NO_CONTAINER,
                "Kubernetes %lld.%lld has had no security fixes since %" STR_FMT ".",
                (long long)server.major, (long long)server.minor,
                STR_ARG(str_sub(clock_format_short(end, text), 0, 10)));
}

/* The newest kubelet stands for the API server, which is never older than it. */
enum verdict check_node_version_skew(struct check_context *context, const struct node *node)
{
    struct release server, kubelet;
    if (!release_parse(node->kubelet_version, &kubelet) ||
        !release_parse(context->cluster->server_version, &server))
        return NOT_EVALUATED;
    if (kubelet.major == server.major && kubelet.minor == server.minor)
        return judge_support(context, server);
    return fail(context, NO_CONTAINER,
                "The kubelet is %" STR_FMT ", that of another node %" STR_FMT "%s.",
                STR_ARG(node->kubelet_version), STR_ARG(context->cluster->server_version),
                server.minor - kubelet.minor > SKEW_ALLOWED
                    ? ": more than three minors apart is not supported"
                    : "");
}

/* ---- node-runtime-deprecated ---- */

/* From 1.26 the kubelet needs CRI v1, which containerd has from 1.6; from 1.36 it needs 2.0. */
static bool containerd_is_too_old(struct release containerd, struct release kubelet)
{
    if (kubelet.minor > LAST_MINOR_WITH_CONTAINERD_1)
        return containerd.major < 2;
    return kubelet.minor >= 26 &&
           (containerd.major < 1 || (containerd.major == 1 && containerd.minor < 6));
}

/* The kubelet's own shim was deprecated with 1.20 and went with 1.24; cri-dockerd takes its place,
 * and kubeadm notes its socket. kubernetes.io/blog/2022/02/17/dockershim-faq */
static bool docker_is_supported(const struct node *node)
{
    struct str socket =
        pair_value(node->object.meta.annotations, STR("kubeadm.alpha.kubernetes.io/cri-socket"));
    return str_has(socket, STR("cri-dockerd"));
}

enum verdict check_node_runtime_deprecated(struct check_context *context, const struct node *node)
{
    struct str name, version;
    struct release kubelet, runtime;
    if (!node->runtime_version.n)
        return NOT_EVALUATED;
    str_cut(node->runtime_version, ':', &name, &version);
    while (str_has_prefix(version, STR("/")))
        version = str_sub(version, 1, version.n);
    bool docker = str_eq(name, STR("docker")), old = docker && !docker_is_supported(node);
    if (str_eq(name, STR("containerd")) && release_parse(version, &runtime) &&
        release_parse(node->kubelet_version, &kubelet))
        old = containerd_is_too_old(runtime, kubelet);
    if (!old)
        return PASSED;
    return fail(context, NO_CONTAINER, "The container runtime is %" STR_FMT ", %s.",
                STR_ARG(node->runtime_version),
                docker ? "which Kubernetes has not supported by itself since 1.24"
                       : "too old for its kubelet");
}

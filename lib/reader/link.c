#include "reader/link.h"

#include "base/rand.h"
#include "kube/cluster_time.h"
#include "kube/pod_requests.h"
#include "reader/linker.h"

/* ---- nodes ---- */

static bool is_over(const struct pod *pod)
{
    return str_eq(pod->phase, STR("Succeeded")) || str_eq(pod->phase, STR("Failed"));
}

/* By what name a node was found last: names are interned, so many pods have the same bytes. */
struct node_found {
    struct str name;
    struct node *node;
};
enum { NODES_FOUND_BITS = 8 };

static struct node *find_node(const struct linker *linker, struct str name)
{
    return (struct node *)(void *)object_index_find(linker->index, KIND_NODE, STR(""), STR(""),
                                                    name);
}

static struct node *node_of(const struct linker *linker, struct node_found *found,
                            const struct pod *pod)
{
    struct str name = pod->node_name;
    if (!name.n)
        return NULL;
    uint64_t spread = (uint64_t)(uintptr_t)name.p * UINT64_C(0x9e3779b97f4a7c15);
    struct node_found *place = &found[spread >> (64 - NODES_FOUND_BITS)];
    if (place->name.p != name.p || place->name.n != name.n)
        *place = (struct node_found){name, find_node(linker, name)};
    return place->node;
}

static void link_restart(struct linker *linker, struct node *node)
{
    struct node_restart restart = node_restart_of(linker->arena, node);
    node->restarted = restart.time;
    node->restart_ended = restart.ended;
    node->containers = restart.containers;
}

/* Pods of one owner stand together, and mostly share their spec. */
static void put_pods(struct cluster *cluster)
{
    const struct pod_spec *spec = NULL;
    struct resource_list requests = {0};
    struct pod **pod;
    LIST_EACH (pod, cluster->pods) {
        struct node *node = (*pod)->node;
        if (!node || is_over(*pod))
            continue;
        if ((*pod)->spec != spec)
            requests = pod_requests((*pod)->spec);
        spec = (*pod)->spec;
        LIST_PUT(node->pods, *pod);
        node->requested = resource_sum(node->requested, requests);
    }
}

static void link_nodes(struct linker *linker)
{
    struct cluster *cluster = linker->cluster;
    struct node_found found[1 << NODES_FOUND_BITS] = {0};
    struct node **node;
    struct pod **pod;
    LIST_EACH (pod, cluster->pods) {
        (*pod)->node = node_of(linker, found, *pod);
        if ((*pod)->node && !is_over(*pod))
            (*pod)->node->pods.n++;
    }
    LIST_EACH (node, cluster->nodes) {
        LIST_ROOM(linker->arena, (*node)->pods);
        (*node)->lease = (struct lease *)(void *)object_index_find(
            linker->index, KIND_LEASE, STR(""), STR("kube-node-lease"), (*node)->object.meta.name);
    }
    put_pods(cluster);
    LIST_EACH (node, cluster->nodes)
        link_restart(linker, *node);
}

/* ---- facts about the whole ---- */

/* "v1.33.2-gke.100", or without the v, as one number that grows with the version; 0 when it is
 * none. */
static uint64_t version_rank(struct str version)
{
    uint64_t rank = 0;
    struct str part, rest = version;
    if (str_has_prefix(version, STR("v")))
        rest = str_sub(rest, 1, rest.n);
    for (int i = 0; i < 3; i++) {
        uint64_t number;
        str_cut(rest, '.', &part, &rest);
        if (!str_to_u64(str_sub(part, 0, str_digits(part)), &number) || number > UINT16_MAX)
            return i == 2 ? rank << 16 : 0;
        rank = rank << 16 | number;
    }
    return rank;
}

static void find_server_version(struct cluster *cluster)
{
    struct node **node;
    uint64_t newest = 0;
    LIST_EACH (node, cluster->nodes) {
        uint64_t rank = version_rank((*node)->kubelet_version);
        if (rank > newest) {
            newest = rank;
            cluster->server_version = (*node)->kubelet_version;
        }
    }
}

static bool is_of_policy_engine(struct str name)
{
    static const char *const engines[] = {"kyverno", "gatekeeper", "kubewarden", "jspolicy",
                                          "datree"};
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++)
        if (str_has(name, str_of(engines[i])))
            return true;
    return false;
}

/* By its webhooks; who does not list these shows its controller. */
static void find_policy_engine(struct cluster *cluster)
{
    static const char *const controllers[] = {"kyverno", "kyverno-admission-controller",
                                              "gatekeeper-controller-manager",
                                              "kubewarden-controller", NULL};
    struct webhook_configuration **configuration;
    struct workload **workload;
    const struct webhook *webhook;
    LIST_EACH (configuration, cluster->webhook_configurations) {
        cluster->policy_engine |= is_of_policy_engine((*configuration)->object.meta.name);
        LIST_EACH (webhook, (*configuration)->webhooks)
            cluster->policy_engine |=
                is_of_policy_engine(webhook->name) || is_of_policy_engine(webhook->service_name);
    }
    LIST_EACH (workload, cluster->workloads)
        cluster->policy_engine |= (*workload)->object.kind == KIND_DEPLOYMENT &&
                                  str_in((*workload)->object.meta.name, controllers);
}

static void mark_foreign_policies(struct cluster *cluster)
{
    const struct str *name;
    uint32_t at;
    LIST_EACH (name, cluster->foreign_policy_namespaces) {
        OBJECTS_LOWER_BOUND(cluster->namespaces, STR(""), *name, at);
        if (at < cluster->namespaces.n &&
            str_eq(cluster->namespaces.items[at]->object.meta.name, *name))
            cluster->namespaces.items[at]->foreign_network_policies = true;
    }
}

/* ---- all of it ---- */

/* What has no name cannot be found by it. */
#define INDEX_ALL(index, list)                                                                     \
    for (uint32_t i = 0; i < (list).n; i++) {                                                      \
        if ((list).items[i]->object.meta.name.n)                                                   \
            object_index_add((index), &(list).items[i]->object);                                   \
    }

void link_cluster(struct arena *arena, struct cluster *cluster, const struct link_visitor *visitor)
{
    struct linker linker = {.arena = arena, .cluster = cluster};
    rand_bytes(&cluster->seed, sizeof cluster->seed);
    linker.index = object_index_new(arena, cluster->seed);
    INDEX_ALL(linker.index, cluster->workloads)
    INDEX_ALL(linker.index, cluster->services)
    INDEX_ALL(linker.index, cluster->nodes)
    INDEX_ALL(linker.index, cluster->leases)
    link_owners(&linker);
    link_labels(&linker);
    if (visitor)
        visitor->owned(visitor->context, cluster);
    link_services(&linker);
    link_nodes(&linker);
    find_server_version(cluster);
    find_policy_engine(cluster);
    mark_foreign_policies(cluster);
}

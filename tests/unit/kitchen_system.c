/* What a cluster has beside its applications. */
#include "kitchen.h"

enum { CONTROL_NODES = 3, NODES_FOR_THREE = 5 };

/* A workload of kube-system: all its pods are in one state, but for those on dead nodes. */
struct daemon {
    const char *kind, *name, *image, *label; /* label: its k8s-app */
    unsigned number;                         /* seeds the places of its pods */
    unsigned pods, down;
    bool everywhere; /* one pod a node */
};

#define SPEC                                                                                       \
    "'priorityClassName':'system-node-critical','tolerations':[{'operator':'Exists'}],"            \
    "'containers':[{'name':'main','image':'registry.k8s.io/%s','resources':{'requests':{'cpu':"    \
    "'100m','memory':'70Mi'},'limits':{'memory':'170Mi'}}}]"
#define META                                                                                       \
    "'name':'%s','namespace':'kube-system','uid':'%s','creationTimestamp':'2026-01-02T09:00:00Z'"

static unsigned put_daemon_pods(struct kitchen *kitchen, const struct daemon *daemon)
{
    unsigned ready = 0;
    for (unsigned i = 0; i < daemon->pods; i++) {
        unsigned node = daemon->everywhere ? i : kitchen_node(kitchen, daemon->number, i);
        enum pod_state state = i < daemon->down                 ? POD_LOOPS
                               : kitchen_is_dead(kitchen, node) ? POD_STRANDED
                                                                : POD_WELL;
        const char *pod = arena_printf(kitchen->arena, "%s-%u", daemon->name, i).p;
        ready += state == POD_WELL;
        kitchen_put(kitchen,
                    "{'apiVersion':'v1','kind':'Pod','metadata':{" META ",'labels':{'k8s-app':'%s'}"
                    ",'ownerReferences':[{'apiVersion':'apps/v1','kind':'%s','name':'%s%s',"
                    "'controller':true}]},'spec':{" SPEC ",'nodeName':'node-%u'},%s}",
                    pod, pod, daemon->label, daemon->everywhere ? daemon->kind : "ReplicaSet",
                    daemon->name, daemon->everywhere ? "" : "-5d8", daemon->image, node,
                    kitchen_pod_status(kitchen, state, "main"));
    }
    return ready;
}

static void put_daemon_set(struct kitchen *kitchen, const struct daemon *daemon)
{
    unsigned ready = put_daemon_pods(kitchen, daemon);
    kitchen_put(kitchen,
                "{'apiVersion':'apps/v1','kind':'DaemonSet','metadata':{" META ",'generation':1},"
                "'spec':{'selector':{'matchLabels':{'k8s-app':'%s'}},'template':{'metadata':{"
                "'labels':{'k8s-app':'%s'}},'spec':{" SPEC "}}},'status':{'observedGeneration':1,"
                "'desiredNumberScheduled':%u,'currentNumberScheduled':%u,"
                "'updatedNumberScheduled':%u,'numberReady':%u,'numberAvailable':%u,"
                "'numberMisscheduled':0}}",
                daemon->name, daemon->name, daemon->label, daemon->label, daemon->image,
                daemon->pods, daemon->pods, daemon->pods, ready, ready);
}

static void put_dns(struct kitchen *kitchen)
{
    const struct recipe *recipe = kitchen->recipe;
    struct daemon dns = {.kind = "Deployment",
                         .name = "coredns",
                         .label = "kube-dns",
                         .image = "coredns/coredns:v1.11.1",
                         .number = 53000,
                         .down = recipe->dns_down};
    dns.pods = recipe->dns ? recipe->dns : 2;
    unsigned ready = put_daemon_pods(kitchen, &dns);
    kitchen_put(kitchen,
                "{'apiVersion':'apps/v1','kind':'ReplicaSet','metadata':{" META ",'labels':{"
                "'k8s-app':'kube-dns'},'ownerReferences':[{'apiVersion':'apps/v1','kind':"
                "'Deployment','name':'coredns','controller':true}]},'spec':{'replicas':%u,"
                "'template':{'spec':{" SPEC "}}},'status':{'replicas':%u,'readyReplicas':%u}}",
                "coredns-5d8", "coredns-5d8", dns.pods, dns.image, dns.pods, ready);
    kitchen_put(kitchen,
                "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{" META ",'generation':1},"
                "'spec':{'replicas':%u,'selector':{'matchLabels':{'k8s-app':'kube-dns'}},"
                "'template':{'metadata':{'labels':{'k8s-app':'kube-dns'}},'spec':{" SPEC "}}},"
                "'status':{'observedGeneration':1,'replicas':%u,'updatedReplicas':%u,"
                "'readyReplicas':%u,'availableReplicas':%u,'conditions':[{'type':'Available',"
                "'status':'%s','lastTransitionTime':'2026-03-17T09:00:00Z'},{'type':'Progressing',"
                "'status':'True','reason':'NewReplicaSetAvailable','lastTransitionTime':"
                "'2026-03-17T09:00:00Z','lastUpdateTime':'2026-03-17T09:00:00Z'}]}}",
                "coredns", "coredns", dns.pods, dns.image, dns.pods, dns.pods, ready, ready,
                ready ? "True" : "False");
    kitchen_put(kitchen,
                "{'apiVersion':'v1','kind':'Service','metadata':{" META "},'spec':{'type':"
                "'ClusterIP','clusterIP':'10.96.0.10','selector':{'k8s-app':'kube-dns'},'ports':[{"
                "'name':'dns','protocol':'UDP','port':53,'targetPort':53}]}}",
                "kube-dns", "kube-dns");
}

/* Static pods: their owner is the node. */
static void put_control_plane(struct kitchen *kitchen)
{
    static const char *const components[] = {"kube-apiserver", "etcd", "kube-controller-manager",
                                             "kube-scheduler"};
    const struct recipe *recipe = kitchen->recipe;
    unsigned nodes = recipe->nodes >= NODES_FOR_THREE ? CONTROL_NODES : recipe->nodes ? 1 : 0;
    for (unsigned node = 0; node < nodes; node++)
        for (size_t i = 0; i < sizeof components / sizeof *components; i++) {
            const char *name = arena_printf(kitchen->arena, "%s-node-%u", components[i], node).p;
            enum pod_state state = node < recipe->control_down      ? POD_LOOPS
                                   : kitchen_is_dead(kitchen, node) ? POD_STRANDED
                                                                    : POD_WELL;
            kitchen_put(kitchen,
                        "{'apiVersion':'v1','kind':'Pod','metadata':{" META ",'labels':{"
                        "'component':'%s','tier':'control-plane'},'ownerReferences':[{"
                        "'apiVersion':'v1','kind':'Node','name':'node-%u','controller':true}]},"
                        "'spec':{" SPEC ",'hostNetwork':true,'nodeName':'node-%u'},%s}",
                        name, name, components[i], node, components[i], node,
                        kitchen_pod_status(kitchen, state, "main"));
        }
}

#define RBAC "'apiVersion':'rbac.authorization.k8s.io/v1'"
#define BOOTSTRAP                                                                                  \
    "'creationTimestamp':'2026-01-01T00:00:00Z','labels':{'kubernetes.io/bootstrapping':"          \
    "'rbac-defaults'}"

static void put_roles(struct kitchen *kitchen)
{
    const char *namespace = kitchen->recipe->care == CARE_NONE ? "default" : "shop";
    kitchen_put(kitchen, "{" RBAC ",'kind':'ClusterRole','metadata':{'name':'cluster-admin','uid':"
                         "'r1'," BOOTSTRAP "},'rules':[{'apiGroups':['*'],'resources':['*'],"
                         "'verbs':['*']},{'nonResourceURLs':['*'],'verbs':['*']}]}");
    kitchen_put(kitchen, "{" RBAC ",'kind':'ClusterRoleBinding','metadata':{'name':'cluster-admin',"
                         "'uid':'r2'," BOOTSTRAP "},'roleRef':{'apiGroup':"
                         "'rbac.authorization.k8s.io','kind':'ClusterRole','name':'cluster-admin'},"
                         "'subjects':[{'kind':'Group','name':'system:masters'}]}");
    kitchen_put(kitchen,
                "{" RBAC ",'kind':'Role','metadata':{'name':'reader','namespace':'%s','uid':'r3',"
                "'creationTimestamp':'2026-01-01T00:00:00Z'},'rules':[{'apiGroups':[''],"
                "'resources':['pods'],'verbs':['get','list']}]}",
                namespace);
    kitchen_put(kitchen,
                "{" RBAC ",'kind':'%s','metadata':{'name':'ops',%s'uid':'r4','creationTimestamp':"
                "'2026-01-01T00:00:00Z'},'roleRef':{'apiGroup':'rbac.authorization.k8s.io','kind':"
                "'%s','name':'%s'},'subjects':[{'kind':'ServiceAccount','name':'app','namespace':"
                "'%s'}]}",
                kitchen->recipe->care == CARE_NONE ? "ClusterRoleBinding" : "RoleBinding",
                kitchen->recipe->care == CARE_NONE ? "" : "'namespace':'shop',",
                kitchen->recipe->care == CARE_NONE ? "ClusterRole" : "Role",
                kitchen->recipe->care == CARE_NONE ? "cluster-admin" : "reader", namespace);
}

void kitchen_put_system(struct kitchen *kitchen)
{
    unsigned nodes = kitchen->recipe->nodes;
    kitchen_put(kitchen, "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'kube-system',"
                         "'uid':'nk','creationTimestamp':'2026-01-01T00:00:00Z'}}");
    put_dns(kitchen);
    put_daemon_set(kitchen, &(struct daemon){"DaemonSet", "calico-node", "calico/node:v3.28.0",
                                             "calico-node", 52000, nodes,
                                             kitchen->recipe->cni_down ? nodes : 0, true});
    put_daemon_set(kitchen, &(struct daemon){"DaemonSet", "kube-proxy", "kube-proxy:v1.34.1",
                                             "kube-proxy", 51000, nodes, 0, true});
    put_control_plane(kitchen);
    put_roles(kitchen);
    kitchen_put(kitchen,
                "{'apiVersion':'apiregistration.k8s.io/v1','kind':'APIService','metadata':{"
                "'name':'v1.apps','uid':'a1','creationTimestamp':'2026-01-01T00:00:00Z'},"
                "'spec':{},'status':{'conditions':[{'type':'Available','status':'True',"
                "'lastTransitionTime':'2026-01-01T00:00:00Z'}]}}");
}

static void put_operator(struct kitchen *kitchen, unsigned number)
{
    const struct recipe *recipe = kitchen->recipe;
    bool degraded = number < recipe->degraded;
    bool unavailable = !degraded && number < recipe->degraded + recipe->unavailable;
    kitchen_put(kitchen,
                "{'apiVersion':'config.openshift.io/v1','kind':'ClusterOperator','metadata':{"
                "'name':'operator-%u','uid':'co%u','creationTimestamp':'2026-01-01T00:00:00Z'},"
                "'spec':{},'status':{'conditions':[{'type':'Available','status':'%s',"
                "'lastTransitionTime':'2026-03-17T09:00:00Z'},{'type':'Degraded','status':'%s',"
                "'lastTransitionTime':'2026-03-17T09:00:00Z','reason':'SyncFailed'}]}}",
                number, number, unavailable ? "False" : "True", degraded ? "True" : "False");
}

void kitchen_put_operators(struct kitchen *kitchen)
{
    const struct recipe *recipe = kitchen->recipe;
    for (unsigned i = 0; i < recipe->operators; i++)
        put_operator(kitchen, i);
    for (unsigned i = 0; i < recipe->pools; i++)
        kitchen_put(kitchen,
                    "{'apiVersion':'machineconfiguration.openshift.io/v1','kind':"
                    "'MachineConfigPool','metadata':{'name':'pool-%u','uid':'mcp%u',"
                    "'creationTimestamp':'2026-01-01T00:00:00Z'},'status':{'conditions':[{'type':"
                    "'Degraded','status':'%s','lastTransitionTime':'2026-03-17T09:00:00Z'}]}}",
                    i, i, i < recipe->degraded_pools ? "True" : "False");
}

/* What happens to a cluster as a whole; and workloads that are added to it. */
#include "family.h"
#include "mutations.h"

static const struct pod_picture loops = {
    "Running",
    false,
    true,
    "{'ready':false,'started':false,'restartCount':50,'state':{'waiting':{'reason':"
    "'CrashLoopBackOff'}},'lastState':{'terminated':{'reason':'Error','exitCode':1,'startedAt':"
    "'@130','finishedAt':'@120'}}}",
    NULL,
    NULL};

/* ---- pillars ---- */

static bool is_system(const struct entry *entry)
{
    return str_eq(entry->namespace, STR("kube-system")) ||
           str_has_prefix(entry->namespace, STR("openshift-")) ||
           str_eq(entry->namespace, STR("calico-system"));
}

static bool is_named(const struct entry *entry, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (str_eq(entry->name, str_of(names[i])))
            return is_system(entry);
    return false;
}

static bool is_dns(struct change *change, uint32_t at)
{
    static const char *const names[] = {"coredns", "kube-dns", "dns-default",
                                        "rke2-coredns-rke2-coredns"};
    return is_named(&change->inventory->entries[at], names, sizeof names / sizeof *names) &&
           family_is_live(change, at);
}

static bool is_network(struct change *change, uint32_t at)
{
    static const char *const names[] = {
        "calico-node", "canal",        "cilium", "kube-flannel-ds", "weave-net",   "aws-node",
        "kindnet",     "ovnkube-node", "sdn",    "kube-router",     "kube-flannel"};
    return change_is_kind(change, at, "DaemonSet") &&
           is_named(&change->inventory->entries[at], names, sizeof names / sizeof *names) &&
           family_is_live(change, at);
}

/* what: which ones. */
static bool pillar_down(struct change *change)
{
    fits_function *fits = *(fits_function *const *)change->what;
    if (change_pick(change, "", fits) == NOT_THERE)
        return false;
    for (uint32_t at = 0; at < change->inventory->n; at++)
        if (change->objects.items[at].n && fits(change, at))
            family_paint(change, at, &loops, UINT32_MAX);
    return true;
}

static fits_function *const dns = is_dns, *const network = is_network,
                            *const any_workload = family_is_live;

static bool all_nodes_dead(struct change *change)
{
    bool any = false;
    for (uint32_t at = 0; at < change->inventory->n; at++) {
        if (!change_is_kind(change, at, "Node"))
            continue;
        struct json_object *tree = change_open(change, at);
        tree_set_condition(change, tree, "Ready", "Unknown", 7200, "NodeStatusUnknown");
        change_close(change, at, tree);
        any = true;
    }
    return any;
}

/* Pods of nobody and Jobs are what remains. */
static bool everything_down(struct change *change)
{
    if (!pillar_down(change))
        return false;
    all_nodes_dead(change);
    for (uint32_t at = 0; at < change->inventory->n; at++)
        if (change_is_kind(change, at, "Pod") && !change->inventory->entries[at].ended &&
            str_has(change->objects.items[at], STR("\"Running\""))) {
            struct json_object *pod = change_open(change, at);
            tree_set_condition(change, pod, "Ready", "False", 7200, "ContainersNotReady");
            change_close(change, at, pod);
        }
    return true;
}

static bool all_cordoned(struct change *change)
{
    bool any = false;
    for (uint32_t at = 0; at < change->inventory->n; at++) {
        if (!change_is_kind(change, at, "Node"))
            continue;
        struct json_object *tree = change_open(change, at);
        tree_set(change, tree, "spec.unschedulable", "true");
        change_close(change, at, tree);
        any = true;
    }
    return any;
}

/* ---- evidence ---- */

static bool without_nodes(struct change *change)
{
    change_remove_kind(change, "Node");
    return true;
}

/* Neither pods nor a status of those that make them. */
/* Those that a custom resource owns, too. */
static bool tells_replicas(const struct change *change, uint32_t at)
{
    static const char *const kinds[] = {"Deployment", "StatefulSet", "DaemonSet", "ReplicaSet",
                                        "ReplicationController"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (change_is_kind(change, at, kinds[i]))
            return true;
    return false;
}

static bool without_status(struct change *change)
{
    for (uint32_t at = 0; at < change->inventory->n; at++) {
        if (change_is_kind(change, at, "Pod")) {
            change_remove(change, at);
        } else if (change->objects.items[at].n &&
                   (tells_replicas(change, at) || family_has_spec(change, at))) {
            struct json_object *tree = change_open(change, at);
            tree_set(change, tree, "status", NULL);
            change_close(change, at, tree);
        }
    }
    return true;
}

/* An agent may leave it out; what is broken there, or on nodes, is better not shown, and that
 * cannot be helped. */
static bool without_system(struct change *change)
{
    bool any = false;
    for (uint32_t at = 0; at < change->inventory->n; at++) {
        const struct entry *entry = &change->inventory->entries[at];
        bool system = str_eq(entry->namespace, STR("kube-system"));
        if (entry->found && (system || change_is_kind(change, at, "Node")))
            return false;
        if (system)
            change_remove(change, at);
        any |= system;
    }
    return any;
}

static bool unrelated_members(struct change *change)
{
    for (uint32_t at = 0; at < change->inventory->n; at++)
        if (change->objects.items[at].n)
            change->objects.items[at] = arena_printf(
                change->arena,
                "{\"x-unrelated\":{\"kind\":\"Pod\",\"status\":[1,null,{}]},%" STR_FMT,
                STR_ARG(str_sub(change->objects.items[at], 1, change->objects.items[at].n)));
    for (int i = 0; i < 20; i++)
        change_add(change,
                   "{'apiVersion':'example.com/v1','kind':'Widget','metadata':{'name':"
                   "'w%d','namespace':'default'},'status':{'phase':'Failed'}}",
                   i);
    return true;
}

/* ---- workloads that are added ---- */

static struct str any_namespace(struct change *change)
{
    uint32_t at = change_pick(change, "", family_has_spec);
    return at == NOT_THERE ? STR("default") : change->inventory->entries[at].namespace;
}

#define HARDENED                                                                                   \
    "'serviceAccountName':'default','automountServiceAccountToken':false,'priorityClassName':"     \
    "'normal','securityContext':{'runAsNonRoot':true,'runAsUser':20000,'runAsGroup':20000,"        \
    "'fsGroup':20000,'seccompProfile':{'type':'RuntimeDefault'}},'topologySpreadConstraints':[{"   \
    "'maxSkew':1,'topologyKey':'kubernetes.io/hostname','whenUnsatisfiable':'ScheduleAnyway',"     \
    "'labelSelector':{'matchLabels':{'app':'added'}}}],'containers':[{'name':'c','image':"         \
    "'registry.example.com/c:1.0.0@sha256:"                                                        \
    "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef','imagePullPolicy':"         \
    "'Always','resources':{'requests':{'cpu':'1m','memory':'1Mi','ephemeral-storage':'1Mi'},"      \
    "'limits':{'cpu':'1m','memory':'1Mi','ephemeral-storage':'1Mi'}},'securityContext':{"          \
    "'allowPrivilegeEscalation':false,'readOnlyRootFilesystem':true,'capabilities':{'drop':["      \
    "'ALL']}},'readinessProbe':{'exec':{'command':['r']}},'livenessProbe':{'exec':{'command':["    \
    "'l']}}}]"
#define PLAIN "'containers':[{'name':'c','image':'registry.example.com/c:1.0.0'}]"

/* A Deployment of two pods: all of them loop, or the first one, or none. */
struct addition {
    const char *spec;
    unsigned looping;
};

static void add_pod(struct change *change, struct str namespace, const struct addition *what,
                    unsigned number)
{
    bool bad = number < what->looping;
    change_add(
        change,
        "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'added-5d8-%u','namespace':'%" STR_FMT
        "','uid':'added%u','creationTimestamp':'@864000','labels':{'app':'added',"
        "'app.kubernetes.io/name':'added','pod-template-hash':'5d8'},'ownerReferences':[{"
        "'apiVersion':'apps/v1','kind':'ReplicaSet','name':'added-5d8','controller':true}]},"
        "'spec':{%s},'status':{'phase':'Running','conditions':[{'type':'Ready','status':"
        "'%s','lastTransitionTime':'@7200'}],'containerStatuses':[{'name':'c',%s]}}",
        number, STR_ARG(namespace), number, what->spec, bad ? "False" : "True",
        bad ? loops.container + 1 : pod_well.container + 1);
}

static bool added(struct change *change)
{
    const struct addition *what = change->what;
    struct str namespace = any_namespace(change);
    unsigned ready = 2 - what->looping;
    const char *labels = "'labels':{'app':'added','app.kubernetes.io/name':'added'}";
    change_add(change,
               "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'added','namespace':"
               "'%" STR_FMT "','uid':'added','creationTimestamp':'@864000','generation':1},'spec':{"
               "'replicas':2,'selector':{'matchLabels':{'app':'added'}},'template':{'metadata':{%s}"
               ",'spec':{%s}}},'status':{'observedGeneration':1,'replicas':2,'updatedReplicas':2,"
               "'readyReplicas':%u,'availableReplicas':%u,'conditions':[{'type':'Available',"
               "'status':'%s','lastTransitionTime':'@7200'},{'type':'Progressing','status':'True',"
               "'reason':'NewReplicaSetAvailable','lastTransitionTime':'@86400',"
               "'lastUpdateTime':'@86400'}]}}",
               STR_ARG(namespace), labels, what->spec, ready, ready,
               what->looping ? "False" : "True");
    change_add(change,
               "{'apiVersion':'apps/v1','kind':'ReplicaSet','metadata':{'name':'added-5d8',"
               "'namespace':'%" STR_FMT "','uid':'addedrs','creationTimestamp':'@864000',%s,"
               "'annotations':{'deployment.kubernetes.io/revision':'1'},'ownerReferences':[{"
               "'apiVersion':'apps/v1','kind':'Deployment','name':'added','controller':true}]},"
               "'spec':{'replicas':2,'template':{'metadata':{%s},'spec':{%s}}},'status':{"
               "'replicas':2,'readyReplicas':%u,'observedGeneration':1}}",
               STR_ARG(namespace), labels, labels, what->spec, ready);
    for (unsigned i = 0; i < 2; i++)
        add_pod(change, namespace, what, i);
    return true;
}

static bool lone_pod_added(struct change *change)
{
    change_add(change,
               "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'alone','namespace':'%" STR_FMT
               "','uid':'alone','creationTimestamp':'@864000'},'spec':{" HARDENED "},'status':{"
               "'phase':'Running','conditions':[{'type':'Ready','status':'False',"
               "'lastTransitionTime':'@7200'}],'containerStatuses':[{'name':'c',%s]}}",
               STR_ARG(any_namespace(change)), loops.container + 1);
    return true;
}

/* ---- fifty pods that have ended ---- */

struct ended {
    const char *status;
    bool owned;
};

static bool fifty_ended(struct change *change)
{
    const struct ended *what = change->what;
    struct str namespace = any_namespace(change), owner = {0};
    if (what->owned) {
        uint32_t at = change_pick(change, "ReplicaSet", NULL);
        if (at == NOT_THERE)
            return false;
        namespace = change->inventory->entries[at].namespace;
        owner = arena_printf(change->arena,
                             ",'ownerReferences':[{'apiVersion':'apps/v1','kind':'ReplicaSet',"
                             "'name':'%" STR_FMT "','controller':true}]",
                             STR_ARG(change->inventory->entries[at].name));
    }
    for (int i = 0; i < 50; i++)
        change_add(
            change,
            "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'ended-%d','namespace':'%" STR_FMT
            "','uid':'ended%d','creationTimestamp':'@864000'%" STR_FMT "},'spec':{" HARDENED
            "},'status':{%s}}",
            i, STR_ARG(namespace), i, STR_ARG(owner), what->status);
    return true;
}

static bool is_of_template(struct change *change, uint32_t at)
{
    return family_has_spec(change, at) && !change_is_kind(change, at, "Pod") &&
           !change_is_kind(change, at, "CronJob");
}

/* With the labels and the first container's name of its template, and nothing to complain of. */
static bool fifty_twins(struct change *change)
{
    uint32_t at = change_pick(change, "", is_of_template);
    if (at == NOT_THERE)
        return false;
    const struct entry *owner = &change->inventory->entries[at];
    struct json_object *tree = change_open(change, at);
    struct json_object *labels = tree_find(tree, "spec.template.metadata.labels");
    struct json_object *containers = tree_find(tree, "spec.template.spec.containers");
    struct str name = tree_length(containers)
                          ? tree_text(json_object_array_get_idx(containers, 0), "name")
                          : STR("c");
    static const char named[] = "'name':'c'";
    const char *hardened = HARDENED, *rest = strstr(hardened, named);
    struct str spec =
        arena_printf(change->arena, "%.*s'name':'%" STR_FMT "'%s", (int)(rest - hardened), hardened,
                     STR_ARG(name), rest + strlen(named));
    struct str pairs =
        arena_str(change->arena, str_of(labels ? json_object_to_json_string(labels) : "{}"));
    change_leave(tree);
    for (int i = 0; i < 50; i++)
        change_add(
            change,
            "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'twin-%d','namespace':'%" STR_FMT
            "','uid':'twin%d','creationTimestamp':'@864000','labels':%" STR_FMT
            ",'ownerReferences':[{'apiVersion':'%" STR_FMT "','kind':'%" STR_FMT
            "','name':'%" STR_FMT "','controller':true}]},'spec':{%" STR_FMT "},'status':{%s}}",
            i, STR_ARG(owner->namespace), i, STR_ARG(pairs), STR_ARG(owner->api_version),
            STR_ARG(owner->kind), STR_ARG(owner->name), STR_ARG(spec), (const char *)change->what);
    return true;
}

#define EVICTED   "'phase':'Failed','reason':'Evicted','message':'m','startTime':'@90000'"
#define COMPLETED "'phase':'Succeeded','startTime':'@90000'"

static const struct mutation rows[] = {
    {"DNS is down", FORCES_BLOCK, pillar_down, &dns},
    {"the pod network is down", FORCES_BLOCK, pillar_down, &network},
    {"no node is ready", FORCES_BLOCK, all_nodes_dead, NULL},
    {"everything is down", FORCES_BOTTOM, everything_down, &any_workload},
    {"DNS is down, too", NEVER_RAISES, pillar_down, &dns},
    {"the pod network is down, too", NEVER_RAISES, pillar_down, &network},
    {"no node is ready any more", NEVER_RAISES, all_nodes_dead, NULL},
    {"all nodes are cordoned", NEVER_RAISES, all_cordoned, NULL},
    {"no Nodes are shown", FORBIDS_SAFE, without_nodes, NULL},
    {"neither Pods nor a status are shown", FORBIDS_SAFE, without_status, NULL},
    {"kube-system is not shown", NEVER_RAISES, without_system, NULL},
    {"unrelated members and objects are added", CHANGES_NOTHING, unrelated_members, NULL},
    {"a hardened workload is added that is down", NEVER_RAISES, added,
     &(struct addition){HARDENED, 2}},
    {"a plain workload is added that is down", NEVER_RAISES, added, &(struct addition){PLAIN, 2}},
    {"a hardened pod is added that is down", NEVER_RAISES, lone_pod_added, NULL},
    {"50 evicted pods are added", NEVER_RAISES, fifty_ended, &(struct ended){EVICTED, false}},
    {"50 evicted pods of a workload are added", NEVER_RAISES, fifty_ended,
     &(struct ended){EVICTED, true}},
    {"50 completed pods are added", NEVER_RAISES, fifty_ended, &(struct ended){COMPLETED, false}},
    {"50 completed pods of a workload are added", NEVER_RAISES, fifty_ended,
     &(struct ended){COMPLETED, true}},
    {"50 evicted pods like those of a workload are added", NEVER_RAISES, fifty_twins, EVICTED},
    {"50 completed pods like those of a workload are added", NEVER_RAISES, fifty_twins, COMPLETED},
};

const struct mutation_table mutations_of_clusters = MUTATION_TABLE(rows);

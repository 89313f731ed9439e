/* What happens to nodes, volumes, services and rules, and what is added. */
#include "family.h"
#include "mutations.h"

/* Sets members of one object. */
struct object_change {
    const char *kind;
    const char *members[4][2];
};

static bool is_unfound(struct change *change, uint32_t at)
{
    return !change->inventory->entries[at].found;
}

static bool object(struct change *change)
{
    const struct object_change *what = change->what;
    uint32_t at = change_pick(change, what->kind, is_unfound);
    if (at == NOT_THERE)
        return false;
    struct json_object *tree = change_open(change, at);
    for (int i = 0; i < 4 && what->members[i][0]; i++)
        tree_set(change, tree, what->members[i][0], what->members[i][1]);
    change_close(change, at, tree);
    return true;
}

static bool claim_bound(struct change *change)
{
    uint32_t at = change_pick(change, "PersistentVolumeClaim", NULL);
    if (at == NOT_THERE)
        return false;
    struct json_object *tree = change_open(change, at);
    tree_set(change, tree, "status.phase", "'Bound'");
    change_close(change, at, tree);
    return true;
}

static bool is_without_fault(struct change *change, uint32_t at)
{
    return !change->inventory->entries[at].faulty;
}

static bool is_faulty(struct change *change, uint32_t at)
{
    return change->inventory->entries[at].faulty;
}

/* what: a kind. One that selects nothing, or overlaps another one, may well be deleted. */
static bool one_gone(struct change *change)
{
    uint32_t at = change_pick(change, change->what, is_without_fault);
    if (at != NOT_THERE)
        change_remove(change, at);
    return at != NOT_THERE;
}

static bool all_gone(struct change *change)
{
    bool there = change_pick(change, change->what, is_without_fault) != NOT_THERE &&
                 change_pick(change, change->what, is_faulty) == NOT_THERE;
    change_remove_kind(change, change->what);
    return there;
}

/* ---- nodes ---- */

static bool is_ready_node(struct change *change, uint32_t at)
{
    struct json_object *tree = change_open(change, at);
    bool ready = str_eq(tree_condition(tree, "Ready"), STR("True"));
    change_leave(tree);
    return ready;
}

static bool is_dead_node(struct change *change, uint32_t at)
{
    struct json_object *tree = change_open(change, at);
    struct str ready = tree_condition(tree, "Ready");
    bool dead = ready.n && !str_eq(ready, STR("True"));
    change_leave(tree);
    return dead;
}

static bool is_cordoned(struct change *change, uint32_t at)
{
    return str_has(change->objects.items[at], STR("unschedulable"));
}

/* A node that is ready comes under pressure, ... what: the condition. */
static bool node_condition(struct change *change)
{
    uint32_t at = change_pick(change, "Node", is_ready_node);
    if (at == NOT_THERE)
        return false;
    struct json_object *tree = change_open(change, at);
    tree_set_condition(change, tree, change->what, "True", 7200, "m");
    change_close(change, at, tree);
    return true;
}

static void set_all_conditions(struct change *change, uint32_t at, bool ready)
{
    static const char *const others[] = {"MemoryPressure", "DiskPressure", "PIDPressure",
                                         "NetworkUnavailable"};
    struct json_object *tree = change_open(change, at);
    unsigned since = ready ? 864000 : 7200;
    tree_set_condition(change, tree, "Ready", ready ? "True" : "Unknown", since, "NodeStatus");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (tree_condition(tree, others[i]).n)
            tree_set_condition(change, tree, others[i], ready ? "False" : "Unknown", since,
                               "NodeStatus");
    change_close(change, at, tree);
}

static const struct pod_picture stranded = {
    "Running",
    false,
    true,
    "{'ready':true,'started':true,'restartCount':0,'state':{'running':{'startedAt':'@864000'}},"
    "'lastState':{}}",
    NULL,
    NULL};

static bool node_dies(struct change *change)
{
    uint32_t at = change_pick(change, "Node", is_ready_node);
    if (at == NOT_THERE)
        return false;
    set_all_conditions(change, at, false);
    if (change->what)
        family_paint_node(change, change->inventory->entries[at].name, change->what);
    return true;
}

static bool node_revives(struct change *change)
{
    uint32_t at = change_pick(change, "Node", is_dead_node);
    if (at == NOT_THERE)
        return false;
    set_all_conditions(change, at, true);
    family_paint_node(change, change->inventory->entries[at].name, &pod_well);
    return true;
}

static bool node_uncordoned(struct change *change)
{
    uint32_t at = change_pick(change, "Node", is_cordoned);
    if (at == NOT_THERE)
        return false;
    struct json_object *tree = change_open(change, at);
    tree_set(change, tree, "spec.unschedulable", NULL);
    tree_set(change, tree, "spec.taints", NULL);
    change_close(change, at, tree);
    return true;
}

/* A taint keeps what runs on a control plane's node there, as it should. */
static bool is_worker(struct change *change, uint32_t at)
{
    return !str_has(change->objects.items[at], STR("node-role.kubernetes.io/control-plane"));
}

static bool worker_tainted(struct change *change)
{
    uint32_t at = change_pick(change, "Node", is_worker);
    if (at == NOT_THERE)
        return false;
    struct json_object *tree = change_open(change, at);
    tree_set(change, tree, "spec.taints[]", "{'key':'example.com/x','effect':'NoSchedule'}");
    change_close(change, at, tree);
    return true;
}

/* Where little is shown, the first Event shows more than what it tells: that most was asked for. */
static bool shows_more_than_an_event(struct change *change)
{
    return change_pick(change, "Event", NULL) != NOT_THERE ||
           change_pick(change, "ClusterRoleBinding", NULL) != NOT_THERE;
}

static bool node_flaps(struct change *change)
{
    uint32_t at = change_pick(change, "Node", is_ready_node);
    if (at == NOT_THERE || !shows_more_than_an_event(change))
        return false;
    struct str name = change->inventory->entries[at].name;
    change_add(change,
               "{'apiVersion':'v1','kind':'Event','metadata':{'name':'flap','namespace':'default',"
               "'uid':'flap'},'involvedObject':{'kind':'Node','name':'%" STR_FMT "'},'type':"
               "'Normal','reason':'NodeNotReady','count':9,'firstTimestamp':'@80000',"
               "'lastTimestamp':'@3600','message':'m'}",
               STR_ARG(name));
    return true;
}

/* ---- what is added ---- */

static struct str any_namespace(struct change *change)
{
    uint32_t at = change_pick(change, "", family_has_spec);
    return at == NOT_THERE ? (struct str){0} : change->inventory->entries[at].namespace;
}

/* what: JSON, of an object in a namespace (%s) or of the cluster. */
static bool added(struct change *change)
{
    struct str namespace = any_namespace(change), rest = str_of(change->what), before;
    if (!namespace.n)
        return false;
    if (str_cut(rest, '%', &before, &rest))
        change_add(change, "%" STR_FMT "%" STR_FMT "%" STR_FMT, STR_ARG(before), STR_ARG(namespace),
                   STR_ARG(str_sub(rest, 1, rest.n)));
    else
        change_add(change, "%" STR_FMT, STR_ARG(before));
    return true;
}

static bool warned(struct change *change)
{
    return shows_more_than_an_event(change) && added(change);
}

#define META(name)                                                                                 \
    "'metadata':{'name':'" name "','namespace':'%s','uid':'" name "','creationTimestamp':'@"       \
    "864000'"

static const char lost_claim[] = "{'apiVersion':'v1','kind':'PersistentVolumeClaim'," META(
    "lost") "},'spec':{'volumeName':'v'},'status':{'phase':'Lost'}}";
static const char lone_failure[] = "{'apiVersion':'batch/v1','kind':'Job'," META(
    "failing") "},'spec':{'template':{'spec':{'containers':[{'name':'c','image':'x/"
               "c:1'}]}}},'status':{"
               "'failed':3,'conditions':[{'type':'Failed','status':'True','reason':'"
               "BackoffLimitExceeded',"
               "'lastTransitionTime':'@3600'}]}}";
static const char credentials[] =
    "{'apiVersion':'v1','kind':'ConfigMap'," META("settings") "},'data':{'password':'hunter2'}}";
static const char open_ingress[] = "{'apiVersion':'networking.k8s.io/v1','kind':'Ingress'," META(
    "open") "},'spec':{'rules':[{'host':'a.example.com','http':{'paths':[{'path':'/"
            "','pathType':'Prefix',"
            "'backend':{'service':{'name':'nobody','port':{'number':80}}}}]}}]}}";
static const char mighty_role[] =
    "{'apiVersion':'rbac.authorization.k8s.io/v1','kind':'ClusterRoleBinding','metadata':{'name':"
    "'mighty','uid':'mighty','creationTimestamp':'@864000'},'roleRef':{'apiGroup':"
    "'rbac.authorization.k8s.io','kind':'ClusterRole','name':'cluster-admin'},'subjects':[{'kind':"
    "'Group','apiGroup':'rbac.authorization.k8s.io','name':'system:authenticated'}]}";
static const char dead_webhook[] =
    "{'apiVersion':'admissionregistration.k8s.io/v1','kind':'ValidatingWebhookConfiguration',"
    "'metadata':{'name':'guard','uid':'guard','creationTimestamp':'@864000'},'webhooks':[{'name':"
    "'guard.example.com','failurePolicy':'Fail','clientConfig':{'service':{'name':'nobody',"
    "'namespace':'nowhere'}},'rules':[{'apiGroups':[''],'apiVersions':['v1'],'operations':["
    "'CREATE'],'resources':['pods']}]}]}";
static const char dead_api[] =
    "{'apiVersion':'apiregistration.k8s.io/v1','kind':'APIService','metadata':{'name':"
    "'v1.metrics.example.com','uid':'api','creationTimestamp':'@864000'},'spec':{'service':{'name':"
    "'nobody','namespace':'nowhere'}},'status':{'conditions':[{'type':'Available','status':"
    "'False','reason':'ServiceNotFound','lastTransitionTime':'@7200'}]}}";
static const char sick_operator[] =
    "{'apiVersion':'config.openshift.io/v1','kind':'ClusterOperator','metadata':{'name':'dns-x',"
    "'uid':'co','creationTimestamp':'@864000'},'status':{'conditions':[{'type':'Available',"
    "'status':'False','lastTransitionTime':'@7200'},{'type':'Degraded','status':'True',"
    "'lastTransitionTime':'@7200'}]}}";
static const char storm[] = "{'apiVersion':'v1','kind':'Event'," META(
    "storm") "},'involvedObject':{'kind':'Pod','namespace':'default','name':'nobody'},'type':'"
             "Warning',"
             "'reason':'Strange','count':900,'firstTimestamp':'@3000','lastTimestamp':'@60','"
             "message':'m'}";

static bool endpoints_away(struct change *change)
{
    uint32_t at = change_pick(change, "EndpointSlice", NULL);
    if (at == NOT_THERE)
        return false;
    struct json_object *tree = change_open(change, at);
    tree_set(change, tree, "endpoints", "[{'conditions':{'ready':false}}]");
    change_close(change, at, tree);
    return true;
}

/* Where no role is shown, the first one may show that all was asked for: what then is missing costs
 * what it costs, and no longer what costs not to know it (docs/scoring.md, "What a snapshot leaves
 * out"). */
static bool added_to_roles(struct change *change)
{
    for (uint32_t i = 0; i < change->inventory->n; i++)
        if (str_has(change->inventory->entries[i].kind, STR("Role")))
            return added(change);
    return false;
}

static const struct mutation rows[] = {
    {"a node is not ready, and its pods neither", NEVER_RAISES, node_dies, &stranded},
    {"a node is not ready, its pods are", NEVER_RAISES, node_dies, NULL},
    {"a node is short of memory", NEVER_RAISES, node_condition, "MemoryPressure"},
    {"a node is short of disk", NEVER_RAISES, node_condition, "DiskPressure"},
    {"a node is short of processes", NEVER_RAISES, node_condition, "PIDPressure"},
    {"a node has no network", NEVER_RAISES, node_condition, "NetworkUnavailable"},
    {"a node comes and goes", NEVER_RAISES, node_flaps, NULL},
    {"a node is cordoned", NEVER_RAISES, object,
     &(struct object_change){"Node", {{"spec.unschedulable", "true"}}}},
    {"a node is cordoned and tainted", NEVER_RAISES, object,
     &(struct object_change){"Node",
                             {{"spec.unschedulable", "true"},
                              {"spec.taints[]", "{'key':'node.kubernetes.io/unschedulable',"
                                                "'effect':'NoSchedule'}"}}}},
    {"a worker gets a taint", NEVER_RAISES, worker_tainted, NULL},
    {"a node is ready again", NEVER_LOWERS, node_revives, NULL},
    {"a node is uncordoned", NEVER_LOWERS, node_uncordoned, NULL},
    {"a network policy is deleted", NEVER_RAISES, one_gone, "NetworkPolicy"},
    {"all network policies are deleted", NEVER_RAISES, all_gone, "NetworkPolicy"},
    {"a disruption budget is deleted", NEVER_RAISES, one_gone, "PodDisruptionBudget"},
    {"all disruption budgets are deleted", NEVER_RAISES, all_gone, "PodDisruptionBudget"},
    {"a quota is deleted", NEVER_RAISES, one_gone, "ResourceQuota"},
    {"a claim is lost", NEVER_RAISES, object,
     &(struct object_change){"PersistentVolumeClaim", {{"status.phase", "'Lost'"}}}},
    {"a claim is pending", NEVER_RAISES, object,
     &(struct object_change){"PersistentVolumeClaim",
                             {{"status.phase", "'Pending'"}, {"spec.volumeName", NULL}}}},
    {"a claim is bound", NEVER_LOWERS, claim_bound, NULL},
    {"a namespace does not terminate", NEVER_RAISES, object,
     &(struct object_change){
         "Namespace",
         {{"status.phase", "'Terminating'"}, {"metadata.deletionTimestamp", "'@7200'"}}}},
    {"a quota is used up", NEVER_RAISES, object,
     &(struct object_change){"ResourceQuota",
                             {{"status", "{'hard':{'pods':'10'},'used':{'pods':'10'}}"}}}},
    {"a job has failed", NEVER_RAISES, object,
     &(struct object_change){
         "Job",
         {{"status", "{'failed':6,'conditions':[{'type':'Failed','status':'True','reason':"
                     "'BackoffLimitExceeded','lastTransitionTime':'@3600'}]}"}}}},
    {"a cron job does not run", NEVER_RAISES, object,
     &(struct object_change){
         "CronJob",
         {{"status.lastScheduleTime", "'@8640000'"}, {"status.lastSuccessfulTime", "'@8640000'"}}}},
    {"a cron job is suspended", NEVER_RAISES, object,
     &(struct object_change){"CronJob", {{"spec.suspend", "true"}}}},
    {"a service selects nobody", NEVER_RAISES, object,
     &(struct object_change){"Service", {{"spec.selector", "{'app':'nobody-has-this'}"}}}},
    {"a service has no ready endpoint", NEVER_RAISES, endpoints_away, NULL},
    {"an aggregated API is away", NEVER_RAISES, object,
     &(struct object_change){
         "APIService",
         {{"status.conditions", "[{'type':'Available','status':'False','reason':'Away',"
                                "'lastTransitionTime':'@7200'}]"}}}},
    {"a lost claim is added", NEVER_RAISES, added, lost_claim},
    {"a failed job is added", NEVER_RAISES, added, lone_failure},
    {"a ConfigMap with a password is added", NEVER_RAISES, added, credentials},
    {"an ingress to nobody is added", NEVER_RAISES, added, open_ingress},
    {"everybody may do everything", NEVER_RAISES, added_to_roles, mighty_role},
    {"a dead webhook is required", NEVER_RAISES, added, dead_webhook},
    {"an aggregated API that is away is added", NEVER_RAISES, added, dead_api},
    {"a sick operator is added", NEVER_RAISES, added, sick_operator},
    {"warnings pour in", NEVER_RAISES, warned, storm},
};

const struct mutation_table mutations_of_objects = MUTATION_TABLE(rows);

/* What happens to the pods of a workload. */
#include "family.h"
#include "mutations.h"

const struct mutation_table *const mutation_tables[MUTATION_TABLES] = {
    &mutations_of_pods, &mutations_of_specs, &mutations_of_objects, &mutations_of_clusters};

#define ENDED(reason, code, started, finished)                                                     \
    "'lastState':{'terminated':{'reason':'" reason "','exitCode':" code ",'startedAt':'@" started  \
    "','finishedAt':'@" finished "'}}"
#define WAITS(reason)                                                                              \
    "'ready':false,'started':false,'state':{'waiting':{'reason':'" reason "','message':'m'}}"
#define RUNS "'started':true,'state':{'running':{'startedAt':'@3600'}}"
#define INIT "{" WAITS("PodInitializing") ",'restartCount':0,'lastState':{}}"

static const struct pod_picture loops = {
    "Running",
    false,
    true,
    "{" WAITS("CrashLoopBackOff") ",'restartCount':50," ENDED("Error", "1", "130", "120") "}",
    NULL,
    NULL};
static const struct pod_picture unpullable = {
    "Pending", false, true, "{" WAITS("ImagePullBackOff") ",'restartCount':0,'lastState':{}}",
    NULL,      NULL};
static const struct pod_picture misconfigured = {
    "Pending", false,
    true,      "{" WAITS("CreateContainerConfigError") ",'restartCount':0,'lastState':{}}",
    NULL,      NULL};
static const struct pod_picture unmountable = {
    "Pending", false,
    true,      "{" WAITS("ContainerCreating") ",'restartCount':0,'lastState':{}}",
    NULL,      "FailedMount"};
static const struct pod_picture unschedulable = {"Pending", false, false, NULL, NULL, NULL};
static const struct pod_picture init_loops = {
    "Pending",
    false,
    true,
    INIT,
    "{" WAITS("CrashLoopBackOff") ",'restartCount':50," ENDED("Error", "1", "130", "120") "}",
    NULL};
static const struct pod_picture not_ready = {
    "Running", false, true, "{'ready':false," RUNS ",'restartCount':0,'lastState':{}}", NULL, NULL};
static const struct pod_picture probe_fails = {
    "Running", false,      true, "{'ready':false," RUNS ",'restartCount':0,'lastState':{}}",
    NULL,      "Unhealthy"};
static const struct pod_picture unknown = {
    "Unknown", false, true, "{'ready':false," RUNS ",'restartCount':0,'lastState':{}}", NULL, NULL};
static const struct pod_picture out_of_memory = {
    "Running",
    true,
    true,
    "{'ready':true," RUNS ",'restartCount':4," ENDED("OOMKilled", "137", "9000", "3600") "}",
    NULL,
    NULL};
static const struct pod_picture restarts = {
    "Running", true,
    true,      "{'ready':true," RUNS ",'restartCount':900," ENDED("Error", "1", "9000", "3600") "}",
    NULL,      NULL};

static bool one(struct change *change)
{
    uint32_t at = change_pick(change, "", family_is_well_and_several);
    if (at != NOT_THERE)
        family_paint(change, at, change->what, 1);
    return at != NOT_THERE;
}

static bool all(struct change *change)
{
    uint32_t at = change_pick(change, "", family_is_well);
    if (at != NOT_THERE)
        family_paint(change, at, change->what, UINT32_MAX);
    return at != NOT_THERE;
}

/* Whatever the state it is in: nothing is worse than all of them gone. */
static bool all_of_any(struct change *change)
{
    uint32_t at = change_pick(change, "", family_is_live);
    if (at != NOT_THERE)
        family_paint(change, at, change->what, UINT32_MAX);
    return at != NOT_THERE;
}

static bool pods_gone(struct change *change)
{
    uint32_t at = change_pick(change, "", family_is_well);
    if (at != NOT_THERE)
        family_remove_pods(change, at);
    return at != NOT_THERE;
}

/* What is wrong with the pod picked; it stays as ready as it was. */
static bool is_running_pod(struct change *change, uint32_t at)
{
    const struct entry *entry = &change->inventory->entries[at];
    return change_is_kind(change, at, "Pod") && !entry->ended && entry->owner_name.n;
}

static bool pod_terminates(struct change *change)
{
    uint32_t at = change_pick(change, "Pod", is_running_pod);
    if (at == NOT_THERE)
        return false;
    /* Its controller has made another one: this one is beside what is wanted. */
    struct json_object *pod = change_open(change, at);
    const char *name = arena_printf(change->arena, "'%" STR_FMT "-left'",
                                    STR_ARG(change->inventory->entries[at].name))
                           .p;
    tree_set(change, pod, "metadata.name", name);
    tree_set(change, pod, "metadata.uid", name);
    tree_set(change, pod, "metadata.deletionTimestamp", "'@7200'");
    tree_set(change, pod, "metadata.deletionGracePeriodSeconds", "30");
    struct str text = str_of(json_object_to_json_string_ext(pod, JSON_C_TO_STRING_NOSLASHESCAPE));
    objects_add(change->arena, &change->objects, arena_str(change->arena, text));
    change_leave(pod);
    return true;
}

/* ---- what a controller says ---- */

struct condition_to_set {
    const char *type, *status, *reason;
};

static bool deployment_condition(struct change *change)
{
    const struct condition_to_set *condition = change->what;
    uint32_t at = change_pick(change, "Deployment", family_is_well);
    if (at == NOT_THERE)
        return false;
    struct json_object *tree = change_open(change, at);
    tree_set_condition(change, tree, condition->type, condition->status, 7200, condition->reason);
    change_close(change, at, tree);
    return true;
}

static bool deployment_paused(struct change *change)
{
    uint32_t at = change_pick(change, "Deployment", family_is_well);
    if (at == NOT_THERE)
        return false;
    struct json_object *tree = change_open(change, at);
    tree_set(change, tree, "spec.paused", "true");
    change_close(change, at, tree);
    return true;
}

static bool deployment_updates(struct change *change)
{
    uint32_t at = change_pick(change, "Deployment", family_is_well);
    if (at == NOT_THERE)
        return false;
    struct json_object *tree = change_open(change, at);
    tree_set(change, tree, "status.updatedReplicas", "0");
    tree_set_condition(change, tree, "Progressing", "True", 7200, "ReplicaSetUpdated");
    change_close(change, at, tree);
    return true;
}

/* ---- the other way ---- */

static bool mended(struct change *change)
{
    uint32_t at = change_pick(change, "", family_is_unwell);
    if (at == NOT_THERE)
        return false;
    family_paint(change, at, &pod_well, UINT32_MAX);
    struct json_object *tree = change_open(change, at);
    if (tree_condition(tree, "Progressing").n)
        tree_set_condition(change, tree, "Progressing", "True", 7200, "NewReplicaSetAvailable");
    int64_t generation = tree_number(tree, "metadata.generation", 0);
    if (generation)
        tree_set_number(tree, "status.observedGeneration", generation);
    change_close(change, at, tree);
    return true;
}

static bool is_well_alone(struct change *change, uint32_t at)
{
    if (!family_is_well(change, at) || family_is_well_and_several(change, at))
        return false;
    return change_is_kind(change, at, "Deployment") || change_is_kind(change, at, "StatefulSet");
}

static bool grows(struct change *change)
{
    uint32_t at = change_pick(change, "", is_well_alone);
    return at != NOT_THERE && family_grow(change, at);
}

#define BROKEN(what, picture)                                                                      \
    {"one pod of several " what, NEVER_RAISES, one, &picture},                                     \
    {                                                                                              \
        "every pod of a workload " what, NEVER_RAISES, all, &picture                               \
    }

static const struct mutation rows[] = {
    BROKEN("crash-loops", loops),
    BROKEN("cannot pull its image", unpullable),
    BROKEN("lacks its configuration", misconfigured),
    BROKEN("cannot mount its volume", unmountable),
    BROKEN("cannot be scheduled", unschedulable),
    BROKEN("crash-loops in an init container", init_loops),
    BROKEN("is not ready", not_ready),
    BROKEN("fails its probe", probe_fails),
    BROKEN("is unknown", unknown),
    BROKEN("was out of memory", out_of_memory),
    BROKEN("restarts often", restarts),
    {"every pod of any workload crash-loops", NEVER_RAISES, all_of_any, &loops},
    {"the pods of a workload are gone", NEVER_RAISES, pods_gone, NULL},
    {"a pod does not terminate", NEVER_RAISES, pod_terminates, NULL},
    {"a rollout is stuck", NEVER_RAISES, deployment_condition,
     &(struct condition_to_set){"Progressing", "False", "ProgressDeadlineExceeded"}},
    {"pods cannot be created", NEVER_RAISES, deployment_condition,
     &(struct condition_to_set){"ReplicaFailure", "True", "FailedCreate"}},
    {"a rollout is paused", NEVER_RAISES, deployment_paused, NULL},
    {"a rollout is under way", NEVER_RAISES, deployment_updates, NULL},
    {"a workload is mended", NEVER_LOWERS, mended, NULL},
    {"one replica becomes two", NEVER_LOWERS, grows, NULL},
};

const struct mutation_table mutations_of_pods = MUTATION_TABLE(rows);

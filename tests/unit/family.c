#include "family.h"

const struct pod_picture pod_well = {
    "Running",
    true,
    true,
    "{'ready':true,'started':true,'restartCount':0,'state':{'running':{'startedAt':'@864000'}},"
    "'lastState':{}}",
    NULL,
    NULL};

/* ---- who belongs to it ---- */

static const char *const controllers[] = {
    "Deployment", "StatefulSet",           "DaemonSet",
    "ReplicaSet", "ReplicationController", "DeploymentConfig"};

static bool is_controller(const struct entry *entry)
{
    for (size_t i = 0; i < sizeof controllers / sizeof *controllers; i++)
        if (str_eq(entry->kind, str_of(controllers[i])))
            return true;
    return false;
}

static bool owns(const struct entry *owner, const struct entry *entry)
{
    return str_eq(entry->owner_name, owner->name) && str_eq(entry->owner_kind, owner->kind) &&
           str_eq(entry->namespace, owner->namespace);
}

/* Members of a family: the workload, then the ReplicaSets below it, then the pods of these. */
struct family {
    uint32_t *members;
    uint32_t sets, n; /* the workload and its sets; all of them */
};

static struct family family_of(const struct change *change, uint32_t at)
{
    const struct entry *entries = change->inventory->entries;
    uint32_t n = change->inventory->n;
    struct family family = {ARENA_ARRAY(change->arena, n + 1, uint32_t), 1, 1};
    family.members[0] = at;
    for (uint32_t i = 0; i < n; i++)
        if (i != at && change_is_kind(change, i, "ReplicaSet") && owns(&entries[at], &entries[i]))
            family.members[family.sets++] = i;
    family.n = family.sets;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t set = 0; set < family.sets; set++)
            if (change_is_kind(change, i, "Pod") && !entries[i].ended &&
                owns(&entries[family.members[set]], &entries[i])) {
                family.members[family.n++] = i;
                break;
            }
    return family;
}

/* ---- what controllers say ---- */

static bool is_daemon_set(struct json_object *tree)
{
    return str_eq(tree_text(tree, "kind"), STR("DaemonSet"));
}

static int64_t wanted(struct json_object *tree)
{
    return is_daemon_set(tree) ? tree_number(tree, "status.desiredNumberScheduled", 0)
                               : tree_number(tree, "spec.replicas", 1);
}

static int64_t ready(struct json_object *tree)
{
    return tree_number(tree, is_daemon_set(tree) ? "status.numberReady" : "status.readyReplicas",
                       0);
}

static void say_ready(struct change *change, struct json_object *tree, int64_t n)
{
    bool daemon_set = is_daemon_set(tree),
         deployment = tree_find(tree, "status.conditions") && !daemon_set;
    int64_t all = wanted(tree);
    n = n < 0 ? 0 : n > all ? all : n;
    tree_set_number(tree, daemon_set ? "status.numberReady" : "status.readyReplicas", n);
    tree_set_number(tree, daemon_set ? "status.numberAvailable" : "status.availableReplicas", n);
    tree_set_number(tree, daemon_set ? "status.numberUnavailable" : "status.unavailableReplicas",
                    all - n);
    if (deployment && tree_condition(tree, "Available").n)
        tree_set_condition(change, tree, "Available", 4 * n >= 3 * all && n ? "True" : "False",
                           7200, "MinimumReplicas");
}

static void add_ready(struct change *change, uint32_t at, int64_t more)
{
    struct json_object *tree = change_open(change, at);
    if (tree_find(tree, "status")) {
        say_ready(change, tree, ready(tree) + more);
        change_close(change, at, tree);
    } else {
        change_leave(tree);
    }
}

/* ---- which fit ---- */

static bool is_top(const struct change *change, uint32_t at)
{
    const struct entry *entry = &change->inventory->entries[at];
    return is_controller(entry) && !entry->owner_name.n && change->objects.items[at].n;
}

static bool looks(struct change *change, uint32_t at, int64_t at_least, bool all_ready,
                  bool some_missing)
{
    if (!is_top(change, at))
        return false;
    struct json_object *tree = change_open(change, at);
    int64_t want = wanted(tree), have = ready(tree);
    bool fits = tree_find(tree, "status") && want >= at_least && (!all_ready || have >= want) &&
                (!some_missing || have < want);
    change_leave(tree);
    return fits;
}

bool family_is_live(struct change *change, uint32_t at)
{
    return looks(change, at, 1, false, false);
}

bool family_is_well(struct change *change, uint32_t at)
{
    return looks(change, at, 1, true, false);
}

bool family_is_well_and_several(struct change *change, uint32_t at)
{
    return looks(change, at, 2, true, false);
}

bool family_is_unwell(struct change *change, uint32_t at)
{
    return looks(change, at, 1, false, true);
}

bool family_has_spec(struct change *change, uint32_t at)
{
    const struct entry *entry = &change->inventory->entries[at];
    return is_top(change, at) ||
           (change_is_kind(change, at, "Pod") && !entry->owner_name.n && !entry->ended);
}

/* ---- pictures ---- */

static void paint_containers(struct change *change, struct json_object *pod, const char *list,
                             const char *status)
{
    const char *path = arena_printf(change->arena, "status.%sStatuses", list).p;
    struct json_object *containers = tree_find(pod, "spec.containers");
    size_t n = tree_length(containers);
    tree_set(change, pod, path, status ? "[]" : NULL);
    for (size_t i = 0; status && i < n; i++) {
        struct json_object *holder = json_object_new_object(), *one;
        struct json_object *container = json_object_array_get_idx(containers, i);
        tree_set(change, holder, "one", status);
        one = json_object_get(tree_find(holder, "one"));
        json_object_put(holder);
        json_object_object_add(one, "name", json_object_new_string(tree_text(container, "name").p));
        json_object_object_add(one, "image",
                               json_object_new_string(tree_text(container, "image").p));
        json_object_array_add(tree_find(pod, path), one);
    }
}

static struct str any_node(struct change *change, struct str other_than)
{
    uint32_t n = change->inventory->n;
    for (uint32_t i = 0; i < n; i++) {
        if (!change_is_kind(change, i, "Node") ||
            str_eq(change->inventory->entries[i].name, other_than))
            continue;
        struct json_object *node = change_open(change, i);
        bool good = str_eq(tree_condition(node, "Ready"), STR("True")) &&
                    !tree_find(node, "spec.unschedulable") && !tree_find(node, "spec.taints");
        change_leave(node);
        if (good)
            return change->inventory->entries[i].name;
    }
    return (struct str){0};
}

static void place(struct change *change, struct json_object *pod, bool placed)
{
    struct str node = tree_text(pod, "spec.nodeName");
    if (placed && !node.n)
        node = any_node(change, node);
    tree_set_condition(change, pod, "PodScheduled", placed ? "True" : "False", 7200,
                       placed ? "" : "Unschedulable");
    if (!placed || !node.n)
        tree_set(change, pod, "spec.nodeName", NULL);
    else
        tree_set(change, pod, "spec.nodeName",
                 arena_printf(change->arena, "'%" STR_FMT "'", STR_ARG(node)).p);
}

static void warn(struct change *change, const struct entry *pod, const char *reason)
{
    change_add(change,
               "{'apiVersion':'v1','kind':'Event','metadata':{'name':'%" STR_FMT ".%s',"
               "'namespace':'%" STR_FMT "','uid':'%" STR_FMT ".%s'},'involvedObject':{'kind':"
               "'Pod','namespace':'%" STR_FMT "','name':'%" STR_FMT "'},'type':'Warning','reason':"
               "'%s','count':30,'firstTimestamp':'@7000','lastTimestamp':'@60','message':'m'}",
               STR_ARG(pod->name), reason, STR_ARG(pod->namespace), STR_ARG(pod->name), reason,
               STR_ARG(pod->namespace), STR_ARG(pod->name), reason);
}

/* By how much it is more ready now: 1, 0 or -1. */
static int paint(struct change *change, uint32_t at, const struct pod_picture *picture)
{
    const struct entry *entry = &change->inventory->entries[at];
    struct json_object *pod = change_open(change, at);
    bool was_ready = str_eq(tree_condition(pod, "Ready"), STR("True"));
    const char *status = picture->ready ? "True" : "False";
    unsigned since = picture->ready ? 864000 : 7200;
    tree_set(change, pod, "status.phase", arena_printf(change->arena, "'%s'", picture->phase).p);
    place(change, pod, picture->placed);
    tree_set_condition(change, pod, "Initialized", picture->init ? "False" : "True", since, "");
    tree_set_condition(change, pod, "ContainersReady", status, since, "");
    tree_set_condition(change, pod, "Ready", status, since, "");
    paint_containers(change, pod, "container", picture->container);
    if (picture->init)
        paint_containers(change, pod, "initContainer", picture->init);
    change_close(change, at, pod);
    if (picture->event)
        warn(change, entry, picture->event);
    return picture->ready - was_ready;
}

/* The pod and, all the way up, those that count it. */
static void paint_and_tell(struct change *change, uint32_t at, const struct pod_picture *picture)
{
    const struct entry *entry = &change->inventory->entries[at];
    int more = paint(change, at, picture);
    for (int depth = 0; depth < 2 && entry->owner_name.n; depth++) {
        at = change_find(change, entry->owner_kind, entry->namespace, entry->owner_name);
        if (at == NOT_THERE || !is_controller(&change->inventory->entries[at]))
            break;
        entry = &change->inventory->entries[at];
        add_ready(change, at, more);
    }
}

void family_paint(struct change *change, uint32_t at, const struct pod_picture *picture,
                  unsigned pods)
{
    struct family family = family_of(change, at);
    struct json_object *tree = change_open(change, at);
    int64_t want = wanted(tree);
    change_leave(tree);
    for (uint32_t i = family.sets; i < family.n && i - family.sets < pods; i++)
        paint_and_tell(change, family.members[i], picture);
    if (pods >= family.n - family.sets && pods >= want)
        add_ready(change, at, picture->ready ? want : -want);
}

static bool is_ready(struct change *change, uint32_t pod)
{
    struct json_object *tree = change_open(change, pod);
    bool ready_now = str_eq(tree_condition(tree, "Ready"), STR("True"));
    change_leave(tree);
    return ready_now;
}

void family_paint_node(struct change *change, struct str node, const struct pod_picture *picture)
{
    for (uint32_t i = 0; i < change->inventory->n; i++)
        if (change_is_kind(change, i, "Pod") && !change->inventory->entries[i].ended &&
            str_eq(change->inventory->entries[i].node, node) &&
            is_ready(change, i) != picture->ready)
            paint_and_tell(change, i, picture);
}

/* ---- pod specs ---- */

void family_edit_spec(struct change *change, uint32_t at,
                      void (*edit)(struct change *change, struct json_object *spec))
{
    struct family family = family_of(change, at);
    for (uint32_t i = 0; i < family.n; i++) {
        uint32_t member = family.members[i];
        struct json_object *tree = change_open(change, member);
        struct json_object *spec =
            tree_find(tree, change_is_kind(change, member, "Pod") ? "spec" : "spec.template.spec");
        if (spec)
            edit(change, spec);
        change_close(change, member, tree);
    }
}

/* ---- more and fewer ---- */

static void grow_controller(struct change *change, uint32_t at)
{
    static const char desired[] = "deployment.kubernetes.io/desired-replicas";
    struct json_object *tree = change_open(change, at);
    struct json_object *annotations = tree_find(tree, "metadata.annotations");
    int64_t have = ready(tree);
    tree_set_number(tree, "spec.replicas", wanted(tree) + 1);
    if (json_object_is_type(annotations, json_type_object) &&
        json_object_object_get_ex(annotations, desired, NULL))
        json_object_object_add(
            annotations, desired,
            json_object_new_string(arena_printf(change->arena, "%lld", (long long)wanted(tree)).p));
    tree_set_number(tree, "status.replicas", wanted(tree));
    if (tree_find(tree, "status.updatedReplicas"))
        tree_set_number(tree, "status.updatedReplicas", wanted(tree));
    if (tree_find(tree, "status.currentReplicas"))
        tree_set_number(tree, "status.currentReplicas", wanted(tree));
    say_ready(change, tree, have + 1);
    change_close(change, at, tree);
}

static void copy_pod(struct change *change, uint32_t at)
{
    struct json_object *pod = change_open(change, at);
    struct str node = any_node(change, tree_text(pod, "spec.nodeName"));
    const char *name = arena_printf(change->arena, "'%" STR_FMT "-more'",
                                    STR_ARG(change->inventory->entries[at].name))
                           .p;
    tree_set(change, pod, "metadata.name", name);
    if (tree_find(pod, "metadata.uid"))
        tree_set(change, pod, "metadata.uid", name);
    if (node.n)
        tree_set(change, pod, "spec.nodeName",
                 arena_printf(change->arena, "'%" STR_FMT "'", STR_ARG(node)).p);
    struct str text = str_of(json_object_to_json_string_ext(pod, JSON_C_TO_STRING_NOSLASHESCAPE));
    objects_add(change->arena, &change->objects, arena_str(change->arena, text));
    change_leave(pod);
}

bool family_grow(struct change *change, uint32_t at)
{
    struct family family = family_of(change, at);
    if (family.n == family.sets)
        return false;
    uint32_t pod = family.members[family.sets];
    const struct entry *entry = &change->inventory->entries[pod];
    uint32_t owner = change_find(change, entry->owner_kind, entry->namespace, entry->owner_name);
    copy_pod(change, pod);
    grow_controller(change, at);
    if (owner != at)
        grow_controller(change, owner);
    return true;
}

void family_remove_pods(struct change *change, uint32_t at)
{
    struct family family = family_of(change, at);
    struct json_object *tree = change_open(change, at);
    int64_t want = wanted(tree);
    change_leave(tree);
    for (uint32_t i = family.sets; i < family.n; i++)
        change_remove(change, family.members[i]);
    for (uint32_t i = 0; i < family.sets; i++)
        add_ready(change, family.members[i], -want);
}

/* What is written into the pod spec of a workload, and taken out of it. */
#include "family.h"
#include "mutations.h"

enum { EDITS_MAX = 6 };

/* Members of the spec, or of each of its containers; json NULL takes the member away, "path[]" adds
 * to a list. */
struct spec_change {
    const char *of_spec[EDITS_MAX][2], *of_containers[EDITS_MAX][2];
};

static void apply(struct change *change, struct json_object *tree, const char *const edits[][2])
{
    for (int i = 0; i < EDITS_MAX && edits[i][0]; i++)
        tree_set(change, tree, edits[i][0], edits[i][1]);
}

static void edit(struct change *change, struct json_object *spec)
{
    const struct spec_change *what = change->what;
    struct json_object *containers = tree_find(spec, "containers");
    apply(change, spec, what->of_spec);
    for (size_t i = 0; i < tree_length(containers); i++)
        apply(change, json_object_array_get_idx(containers, i), what->of_containers);
}

static bool spec(struct change *change)
{
    uint32_t at = change_pick(change, "", family_has_spec);
    if (at != NOT_THERE)
        family_edit_spec(change, at, edit);
    return at != NOT_THERE;
}

/* ---- what depends on what is there ---- */

static bool a_pod_reserves(const struct change *change)
{
    for (uint32_t i = 0; i < change->inventory->n; i++)
        if (change_is_kind(change, i, "Pod") &&
            str_has(change->objects.items[i], STR("\"requests\"")))
            return true;
    return false;
}

/* Where no pod reserves anything, the first request shows that a cluster with one node left has no
 * room for its loss (cluster-headroom-low), which nothing could show before. */
static bool small_limits(struct change *change)
{
    return a_pod_reserves(change) && spec(change);
}

static void let_tags_change(struct change *change, struct json_object *spec)
{
    struct json_object *containers = tree_find(spec, "containers");
    for (size_t i = 0; i < tree_length(containers); i++) {
        struct json_object *container = json_object_array_get_idx(containers, i);
        struct str image = tree_text(container, "image"), tag;
        str_cut(image, '@', &image, NULL);
        if (str_cut_last(image, ':', NULL, &tag) && !str_has(tag, STR("/")))
            image.n -= tag.n + 1;
        tree_set(change, container, "image",
                 arena_printf(change->arena, "'%" STR_FMT ":latest'", STR_ARG(image)).p);
    }
}

static bool tags_can_change(struct change *change)
{
    uint32_t at = change_pick(change, "", family_has_spec);
    if (at != NOT_THERE)
        family_edit_spec(change, at, let_tags_change);
    return at != NOT_THERE;
}

static void take_host_paths(struct change *change, struct json_object *spec)
{
    struct json_object *volumes = tree_find(spec, "volumes");
    for (size_t i = 0; i < tree_length(volumes); i++)
        if (tree_find(json_object_array_get_idx(volumes, i), "hostPath")) {
            tree_set(change, json_object_array_get_idx(volumes, i), "hostPath", NULL);
            tree_set(change, json_object_array_get_idx(volumes, i), "emptyDir", "{}");
        }
}

static bool host_paths_gone(struct change *change)
{
    uint32_t at = change_pick(change, "", family_has_spec);
    if (at != NOT_THERE)
        family_edit_spec(change, at, take_host_paths);
    return at != NOT_THERE;
}

/* ---- what does not ---- */

static const struct spec_change no_limits = {.of_containers = {{"resources.limits", NULL}}};
static const struct spec_change no_probes = {
    .of_containers = {{"readinessProbe", NULL}, {"livenessProbe", NULL}, {"startupProbe", NULL}}};
static const struct spec_change privileged = {
    .of_containers = {{"securityContext.privileged", "true"}}};
static const struct spec_change root = {
    .of_spec = {{"securityContext.runAsNonRoot", NULL}},
    .of_containers = {{"securityContext.runAsNonRoot", NULL}, {"securityContext.runAsUser", "0"}}};
static const struct spec_change writable = {
    .of_containers = {{"securityContext.readOnlyRootFilesystem", "false"}}};
static const struct spec_change escalates = {
    .of_containers = {{"securityContext.allowPrivilegeEscalation", "true"}}};
static const struct spec_change capable = {
    .of_containers = {{"securityContext.capabilities", "{'add':['SYS_ADMIN','NET_RAW']}"}}};
static const struct spec_change no_context = {
    .of_spec = {{"securityContext.runAsNonRoot", NULL}, {"securityContext.seccompProfile", NULL}},
    .of_containers = {{"securityContext.runAsNonRoot", NULL},
                      {"securityContext.seccompProfile", NULL},
                      {"securityContext.readOnlyRootFilesystem", NULL},
                      {"securityContext.allowPrivilegeEscalation", NULL},
                      {"securityContext.capabilities.drop", NULL}}};
static const struct spec_change host_network = {.of_spec = {{"hostNetwork", "true"}}};
static const struct spec_change host_pid = {.of_spec = {{"hostPID", "true"}, {"hostIPC", "true"}}};
static const struct spec_change mounts_root = {
    .of_spec = {{"volumes[]", "{'name':'host','hostPath':{'path':'/'}}"}},
    .of_containers = {{"volumeMounts[]", "{'name':'host','mountPath':'/host'}"}}};
static const struct spec_change secret_in_plain = {
    .of_containers = {{"env[]", "{'name':'DB_PASSWORD','value':'hunter2secret'}"}}};
static const struct spec_change token = {.of_spec = {{"automountServiceAccountToken", "true"}}};
static const struct spec_change no_spread = {
    .of_spec = {{"topologySpreadConstraints", NULL}, {"affinity", NULL}}};

/* Requests so small that they overbook nothing. */
#define SMALL "{'cpu':'1m','memory':'1Mi','ephemeral-storage':'1Mi'}"
static const struct spec_change limits = {
    .of_containers = {{"resources", "{'requests':" SMALL ",'limits':" SMALL "}"}}};
static const struct spec_change context = {
    .of_spec = {{"securityContext", "{'runAsNonRoot':true,'runAsUser':20000,'runAsGroup':20000,"
                                    "'fsGroup':20000,'seccompProfile':{'type':'RuntimeDefault'}}"},
                {"hostNetwork", NULL},
                {"hostPID", NULL},
                {"hostIPC", NULL}},
    .of_containers = {{"securityContext",
                       "{'allowPrivilegeEscalation':false,'readOnlyRootFilesystem':true,"
                       "'runAsNonRoot':true,'runAsUser':20000,'runAsGroup':20000,"
                       "'capabilities':{'drop':['ALL']}}"}}};
static const struct spec_change probes = {
    .of_containers = {{"readinessProbe", "{'exec':{'command':['ready']}}"},
                      {"livenessProbe", "{'exec':{'command':['live']}}"}}};
static const struct spec_change no_token = {.of_spec = {{"automountServiceAccountToken", "false"}}};
static const struct mutation rows[] = {
    {"limits are taken away", NEVER_RAISES, spec, &no_limits},
    {"probes are taken away", NEVER_RAISES, spec, &no_probes},
    {"security contexts are taken away", NEVER_RAISES, spec, &no_context},
    {"spreading is taken away", NEVER_RAISES, spec, &no_spread},
    {"containers are privileged", NEVER_RAISES, spec, &privileged},
    {"containers run as root", NEVER_RAISES, spec, &root},
    {"root file systems are writable", NEVER_RAISES, spec, &writable},
    {"privileges may escalate", NEVER_RAISES, spec, &escalates},
    {"capabilities are added", NEVER_RAISES, spec, &capable},
    {"pods share the node's network", NEVER_RAISES, spec, &host_network},
    {"pods share the node's processes", NEVER_RAISES, spec, &host_pid},
    {"pods mount the node's root", NEVER_RAISES, spec, &mounts_root},
    {"image tags can change", NEVER_RAISES, tags_can_change, NULL},
    {"a password is in the environment", NEVER_RAISES, spec, &secret_in_plain},
    {"API tokens are mounted", NEVER_RAISES, spec, &token},
    {"small limits are set", NEVER_LOWERS, small_limits, &limits},
    {"security contexts are set", NEVER_LOWERS, spec, &context},
    {"probes are set", NEVER_LOWERS, spec, &probes},
    {"API tokens are not mounted", NEVER_LOWERS, spec, &no_token},
    {"host paths are taken away", NEVER_LOWERS, host_paths_gone, NULL},
};

const struct mutation_table mutations_of_specs = MUTATION_TABLE(rows);

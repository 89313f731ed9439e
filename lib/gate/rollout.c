#include "gate/rollout.h"

#include "gate/settle.h"
#include "kube/kinds.h"
#include "kube/pod_requests.h"
#include "kube/release.h"
#include "kube/selector.h"

struct looking {
    struct arena *arena;
    const struct cluster *before, *after;
    const struct ledger *ledger;
    struct rollout *rollout;
};

static void note(struct looking *l, struct rollout_finding *finding, const struct proposed *object,
                 struct str message)
{
    if (finding->message.p) {
        finding->more++;
        return;
    }
    finding->message = message;
    finding->namespace = object->namespace;
    finding->resource = kind_resource(l->arena, object->kind_name, object->name);
}

/* ---- the selector ---- */

static bool selects(enum kind kind)
{
    return kind == KIND_DEPLOYMENT || kind == KIND_STATEFULSET || kind == KIND_DAEMONSET ||
           kind == KIND_REPLICASET;
}

static struct str sentence(struct looking *l, const struct proposed *object, const char *rest)
{
    return arena_printf(l->arena, "%" STR_FMT " %" STR_FMT " in %" STR_FMT " %s",
                        STR_ARG(object->kind_name), STR_ARG(object->name),
                        STR_ARG(object->namespace), rest);
}

static void look_at_selector(struct looking *l, const struct proposed *object,
                             const struct workload *old, const struct workload *workload)
{
    const char *why = NULL;
    if (!selects(object->kind) || !workload->selector)
        return;
    if (!selector_matches(workload->selector, workload->template_labels))
        why = "will be refused: its selector does not match the labels of its template.";
    else if (old && old->selector && !selector_equals(old->selector, workload->selector))
        why = "will be refused: its selector differs, and a selector cannot change.";
    if (why)
        note(l, &l->rollout->selector, object, sentence(l, object, why));
}

/* ---- Pod Security ---- */

struct standard {
    struct str level;
    struct release release; /* as of which; the newest where nobody says */
};

static struct standard standard_of(const struct cluster *cluster, struct str name)
{
    struct standard standard = {.release = {1, INT64_MAX}};
    struct namespace *const *namespace;
    LIST_EACH (namespace, cluster->namespaces)
        if (str_eq((*namespace)->object.meta.name, name)) {
            pair_list labels = (*namespace)->object.meta.labels;
            struct str version =
                pair_value(labels, STR("pod-security.kubernetes.io/enforce-version"));
            standard.level = pair_value(labels, STR("pod-security.kubernetes.io/enforce"));
            if (!release_parse(version, &standard.release)) /* "latest": of the API server */
                release_parse(cluster->server_version, &standard.release);
            break;
        }
    return standard;
}

/* Hosts of probes are a part of the standard from 1.34 on (k8s.io/pod-security-admission/policy,
 * "CheckHostProbesAndHostLifecycle"). */
static bool breaks(const struct risk *risk, const struct standard *standard)
{
    struct str frameworks = str_of(risk->check->frameworks), level = standard->level;
    if (risk->check == &checks[CHECK_probe_host_override] && standard->release.minor < 34)
        return false;
    return str_has(frameworks, STR("PSS:baseline/")) ||
           (str_eq(level, STR("restricted")) && str_has(frameworks, STR("PSS:restricted/")));
}

static void look_at_pod_security(struct looking *l, const struct proposed *object,
                                 const struct workload *workload)
{
    const struct standard standard = standard_of(l->after, object->namespace);
    const struct str level = standard.level;
    const struct risk *risk;
    if (!(str_eq(level, STR("baseline")) || str_eq(level, STR("restricted"))))
        return;
    LIST_EACH (risk, l->ledger->risks)
        if (risk->object == &workload->object && breaks(risk, &standard)) {
            note(l, &l->rollout->pod_security, object,
                 arena_printf(l->arena,
                              "Namespace %" STR_FMT " takes pods of level %" STR_FMT
                              " only and will refuse those of %" STR_FMT " %" STR_FMT ": %" STR_FMT,
                              STR_ARG(object->namespace), STR_ARG(level),
                              STR_ARG(object->kind_name), STR_ARG(object->name),
                              STR_ARG(risk->message)));
            return;
        }
}

/* ---- room ---- */

static bool holds(const struct node *node, struct resource_list wanted)
{
    const struct resource_list *room = &node->allocatable;
    return (room->cpu == NUMBER_ABSENT || wanted.cpu <= room->cpu) &&
           (room->memory == NUMBER_ABSENT || wanted.memory <= room->memory);
}

static void look_at_room(struct looking *l, const struct proposed *object,
                         struct resource_list wanted)
{
    struct node *const *node;
    if (!l->after->nodes.n)
        return;
    LIST_EACH (node, l->after->nodes)
        if (holds(*node, wanted))
            return;
    note(l, &l->rollout->room, object,
         sentence(l, object,
                  "will not start: a pod of it requests more CPU or memory than any node has."));
}

/* ---- quotas ---- */

static int64_t wanted_of(const struct quota_entry *entry, struct resource_list wanted,
                         struct resource_list limits)
{
    if (str_eq(entry->resource, STR("requests.cpu")) || str_eq(entry->resource, STR("cpu")))
        return wanted.cpu;
    if (str_eq(entry->resource, STR("requests.memory")) || str_eq(entry->resource, STR("memory")))
        return wanted.memory;
    if (str_eq(entry->resource, STR("limits.cpu")))
        return limits.cpu;
    if (str_eq(entry->resource, STR("limits.memory")))
        return limits.memory;
    return 0;
}

static struct str over_quota(struct looking *l, const struct proposed *object,
                             const struct resource_quota *quota, const struct quota_entry *entry)
{
    return arena_printf(
        l->arena,
        "Quota %" STR_FMT " of namespace %" STR_FMT " will refuse %" STR_FMT " %" STR_FMT
        ": one pod of it wants more %" STR_FMT " than the quota allows in all.",
        STR_ARG(quota->object.meta.name), STR_ARG(object->namespace), STR_ARG(object->kind_name),
        STR_ARG(object->name), STR_ARG(entry->resource));
}

/* A pod that is larger than the quota as a whole starts in no order of things. Whether it is one of
 * those that a quota with scopes is about is not looked at. */
static void look_at_quota(struct looking *l, const struct proposed *object,
                          const struct pod_spec *spec)
{
    struct resource_list wanted = pod_requests(spec), limits = pod_limits(spec);
    struct resource_quota *const *quota;
    const struct quota_entry *entry;
    LIST_EACH (quota, l->after->quotas) {
        if ((*quota)->scoped || !str_eq((*quota)->object.meta.namespace, object->namespace))
            continue;
        LIST_EACH (entry, (*quota)->entries)
            if (entry->hard != NUMBER_ABSENT && wanted_of(entry, wanted, limits) > entry->hard) {
                note(l, &l->rollout->quota, object, over_quota(l, object, *quota, entry));
                return;
            }
    }
}

struct rollout rollout_of(struct arena *arena, const struct proposal *proposal,
                          const struct cluster *before, const struct cluster *after,
                          const struct ledger *ledger)
{
    struct rollout rollout = {0};
    struct looking l = {arena, before, after, ledger, &rollout};
    const struct proposed *object;
    LIST_EACH (object, proposal->objects) {
        const struct workload *workload = proposed_workload(after, object);
        if (object->kind == KIND_NONE || !workload)
            continue;
        look_at_selector(&l, object, proposed_workload(before, object), workload);
        look_at_pod_security(&l, object, workload);
        if (!workload->spec || workload->replicas == 0)
            continue;
        look_at_room(&l, object, pod_requests(workload->spec));
        look_at_quota(&l, object, workload->spec);
    }
    return rollout;
}

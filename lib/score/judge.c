#include "score/judge.h"

#include <stdarg.h>
#include <string.h>

#include "kube/selector.h"
#include "score/index.h"

/* What the check that is being asked has said about the object so far. */
struct verdict_draft {
    uint32_t count;
    enum severity severity; /* of the row at first, then of the message kept */
    struct str container, message;
};

struct run {
    struct judge judge;
    struct verdict_draft draft;
    struct findings *findings;
    uint8_t *cause_seen[CAUSE_COUNT]; /* per ordinal: did a check of the cause evaluate it? */
};

static void keep(struct judge *judge, enum severity severity, struct str container,
                 const char *format, va_list args)
{
    struct verdict_draft *draft = judge->draft;
    if (draft->count++ && severity >= draft->severity)
        return;
    draft->severity = severity;
    draft->container = container;
    draft->message = arena_vprintf(judge->arena, format, args);
}

enum verdict fail(struct judge *judge, struct str container, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    keep(judge, judge->check->severity, container, format, args);
    va_end(args);
    return FAILED;
}

enum verdict fail_as(struct judge *judge, enum severity severity, struct str container,
                     const char *format, ...)
{
    va_list args;
    va_start(args, format);
    keep(judge, severity, container, format, args);
    va_end(args);
    return FAILED;
}

struct str resource_name(struct arena *arena, const struct object *object)
{
    struct str kind = object->kind_name, name = object->meta.name;
    char *p = arena_bytes(arena, kind.n + 1 + name.n);
    for (size_t i = 0; i < kind.n; i++)
        p[i] = str_lower(kind.p[i]);
    p[kind.n] = '/';
    if (name.n)
        memcpy(p + kind.n + 1, name.p, name.n);
    return (struct str){p, kind.n + 1 + name.n};
}

static bool is_system(const struct score_policy *policy, struct str namespace)
{
    const struct str *name;
    if (policy->all_namespaces)
        return false;
    LIST_EACH (name, policy->system_namespaces)
        if (str_eq(*name, namespace))
            return true;
    return false;
}

/* Is the check to be asked about this object at all? */
static bool asked(const struct run *run, const struct check *check, const struct object *object)
{
    if (!(check->kinds >> object->kind & 1))
        return false;
    if (check->category != CATEGORY_POLICY && check->category != CATEGORY_HISTORY)
        return true;
    bool is_namespace = object->kind == KIND_NAMESPACE;
    struct str namespace = is_namespace ? object->meta.name : object->meta.namespace;
    return !is_system(run->judge.policy, namespace);
}

/* The annotation is "<check>[,<check>...]: reason". Without a reason it does not count. */
static bool exempted(const struct run *run, const struct check *check, const struct object *object,
                     struct str *reason)
{
    struct str ids, id;
    if (!run->judge.policy->allow_exemptions)
        return false;
    if (!str_cut(pair_value(object->meta.annotations, STR("loadline.io/exempt")), ':', &ids,
                 reason))
        return false;
    *reason = str_trim(*reason);
    while (ids.n && reason->n) {
        str_cut(ids, ',', &id, &ids);
        if (str_eq(str_trim(id), str_of(check->id)))
            return true;
    }
    return false;
}

static struct finding *add_finding(struct run *run)
{
    struct findings *f = run->findings;
    if (f->n == f->cap) {
        uint32_t cap = f->cap ? 2 * f->cap : 256;
        struct finding *items = ARENA_ARRAY(run->judge.arena, cap, struct finding);
        if (f->n)
            memcpy(items, f->items, f->n * sizeof *items);
        f->items = items;
        f->cap = cap;
    }
    return &f->items[f->n++];
}

static void note_evaluated(struct run *run, const struct check *check, uint32_t ordinal)
{
    run->findings->checks[check - checks].evaluated++;
    uint8_t *seen = run->cause_seen[check->cause];
    if (seen && !seen[ordinal]) {
        seen[ordinal] = 1;
        run->findings->cause_evaluated[check->cause]++;
    }
}

/* Takes the verdict on one object, and clears the draft for the next. */
static void settle(struct run *run, uint32_t ordinal, const struct object *object,
                   enum verdict verdict)
{
    const struct check *check = run->judge.check;
    struct verdict_draft draft = run->draft;
    run->draft = (struct verdict_draft){.severity = check->severity};
    if (verdict == NOT_EVALUATED)
        return;
    note_evaluated(run, check, ordinal);
    if (verdict == PASSED)
        return;
    run->findings->checks[check - checks].failed++;
    struct finding *finding = add_finding(run);
    *finding = (struct finding){.check = check,
                                .object = object,
                                .ordinal = ordinal,
                                .severity = draft.severity,
                                .container = draft.container,
                                .message = draft.message,
                                .count = draft.count};
    finding->exempt = exempted(run, check, object, &finding->exempt_reason);
}

#define ASK(member, ordinal, pointer)                                                              \
    if (asked(run, check, &(pointer)->object))                                                     \
    settle(run, (ordinal), &(pointer)->object, check->function.member(judge, (pointer)))

#define WALK(member, list)                                                                         \
    case SUBJECT_##member:                                                                         \
        for (uint32_t i = 0; i < cluster->list.n; i++)                                             \
            ASK(member, i, cluster->list.items[i]);                                                \
        break

#define WALK_OBJECTS(list)                                                                         \
    for (uint32_t i = 0; i < cluster->list.n; i++, ordinal++) {                                    \
        const struct object *object = &cluster->list.items[i]->object;                             \
        if (asked(run, check, object))                                                             \
            settle(run, ordinal, object, check->function.object(judge, object));                   \
    }

static void ask_all_objects(struct run *run, const struct check *check)
{
    struct judge *judge = &run->judge;
    const struct cluster *cluster = judge->cluster;
    uint32_t ordinal = 0;
    WALK_OBJECTS(tops)
    WALK_OBJECTS(services)
    WALK_OBJECTS(ingresses)
    WALK_OBJECTS(network_policies)
    WALK_OBJECTS(pdbs)
    WALK_OBJECTS(autoscalers)
    WALK_OBJECTS(service_accounts)
    WALK_OBJECTS(roles)
    WALK_OBJECTS(role_bindings)
    WALK_OBJECTS(config_maps)
    WALK_OBJECTS(secrets)
    WALK_OBJECTS(claims)
    WALK_OBJECTS(volumes)
    WALK_OBJECTS(quotas)
    WALK_OBJECTS(limit_ranges)
    WALK_OBJECTS(storage_classes)
    WALK_OBJECTS(priority_classes)
    WALK_OBJECTS(webhook_configurations)
    WALK_OBJECTS(api_services)
    WALK_OBJECTS(namespaces)
    WALK_OBJECTS(nodes)
}

/* The cluster as a whole is an object too: "cluster/cluster". */
static void ask_cluster(struct run *run, const struct check *check)
{
    static const struct object whole = {.kind_name = {"cluster", 7}, .meta.name = {"cluster", 7}};
    settle(run, 0, &whole, check->function.cluster(&run->judge, run->judge.cluster));
}

static void ask(struct run *run, const struct check *check)
{
    struct judge *judge = &run->judge;
    const struct cluster *cluster = judge->cluster;
    if ((cluster->seen & check->needs) != check->needs)
        return;
    judge->check = check;
    run->draft = (struct verdict_draft){.severity = check->severity};
    switch (check->subject) {
        WALK(workload, tops);
        WALK(service, services);
        WALK(ingress, ingresses);
        WALK(network_policy, network_policies);
        WALK(pdb, pdbs);
        WALK(autoscaler, autoscalers);
        WALK(service_account, service_accounts);
        WALK(role, roles);
        WALK(role_binding, role_bindings);
        WALK(config_map, config_maps);
        WALK(namespace, namespaces);
        WALK(node, nodes);
        WALK(claim, claims);
        WALK(volume, volumes);
        WALK(quota, quotas);
        WALK(webhook_configuration, webhook_configurations);
        WALK(api_service, api_services);
    case SUBJECT_object:
        ask_all_objects(run, check);
        break;
    case SUBJECT_cluster:
        ask_cluster(run, check);
        break;
    }
}

/* How many objects the largest list can hold that is the subject of a cause. */
static uint32_t cause_objects(const struct cluster *cluster)
{
    uint32_t n = cluster->tops.n;
    n = cluster->nodes.n > n ? cluster->nodes.n : n;
    n = cluster->roles.n > n ? cluster->roles.n : n;
    return cluster->pdbs.n > n ? cluster->pdbs.n : n;
}

struct findings *judge_cluster(struct arena *arena, const struct cluster *cluster,
                               const struct score_policy *policy, int64_t time)
{
    struct run run = {.judge = {.arena = arena,
                                .cluster = cluster,
                                .policy = policy,
                                .time = time,
                                .index = index_build(arena, cluster)},
                      .findings = ARENA_NEW(arena, struct findings)};
    run.judge.draft = &run.draft;
    run.findings->checks = ARENA_ARRAY(arena, CHECK_COUNT, struct check_result);
    for (int cause = CAUSE_none + 1; cause < CAUSE_COUNT; cause++)
        run.cause_seen[cause] = ARENA_ARRAY(arena, cause_objects(cluster), uint8_t);
    for (int i = 0; i < CHECK_COUNT; i++)
        ask(&run, &checks[i]);
    return run.findings;
}

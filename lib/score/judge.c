#include "score/judge.h"

#include "kube/cluster_time.h"

#include "kube/kinds.h"
#include "kube/replicas.h"
#include "kube/selector.h"
#include "score/completeness.h"
#include "score/component.h"
#include "score/evidence.h"
#include "score/grants.h"
#include "score/hosts.h"
#include "score/index.h"
#include "score/recall.h"
#include "score/selection.h"
#include "score/view.h"

enum { SUBJECT_COUNT = SUBJECT_cluster + 1, CHUNK = 128 };
enum { STEPS_A_QUESTION = 3, STEPS_A_FINDING = 110, EXEMPTIONS_A_STEP = 4 };

/* Findings as they come up. */
struct chunk {
    struct finding items[CHUNK];
    uint32_t n;
    struct chunk *next;
};

struct run {
    struct check_context context;
    struct verdict_draft draft;
    struct findings *findings;
    bool has_exemptions[CHECK_COUNT];
    bool recalls[CHECK_COUNT]; /* something is recalled of the check */
    struct chunk *first, *last;
    LIST(const struct check *) checks[SUBJECT_COUNT]; /* that have what they need in the snapshot */
};

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

static bool is_in_system(const struct score_policy *policy, const struct object *object)
{
    bool is_namespace = object->kind == KIND_NAMESPACE;
    return is_system(policy, is_namespace ? object->meta.name : object->meta.namespace);
}

/* What has ended is asked nothing that looks ahead: it is down to nobody, and dilutes nothing. */
static bool has_ended(const struct object *object)
{
    return (object->kind == KIND_NONE || kind_has_pods(object->kind)) &&
           workload_has_ended((const struct workload *)object);
}

bool judge_leaves_out(const struct score_policy *policy, const struct object *object)
{
    return is_in_system(policy, object) || has_ended(object);
}

/* Is the check to be asked about this object at all? */
static bool is_asked(const struct check *check, const struct object *object, bool left_out)
{
    if (!(check->kinds >> object->kind & 1))
        return false;
    return !left_out || (check->category != CATEGORY_POLICY && check->category != CATEGORY_HISTORY);
}

/* The annotation is "<check>[,<check>...]: reason". Without a reason it does not count. */
static bool exempted(const struct run *run, const struct check *check, const struct object *object,
                     struct str *reason)
{
    struct str ids, id;
    if (!run->context.policy->allow_exemptions)
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

static void look_up_exemption(const struct run *run, struct finding *finding)
{
    const exemption_list *list = &run->context.policy->exemptions;
    if (!run->has_exemptions[finding->check - checks])
        return;
    effort_spend(run->context.cluster->effort, EFFORT_findings, list->n / EXEMPTIONS_A_STEP);
    struct str resource = resource_name(run->context.arena, finding->object);
    const struct exemption *exemption =
        exemption_find(list, finding->check, finding->object->meta.namespace, resource);
    finding->exemption = exemption;
    if (!exemption || exemption->expires <= run->context.time)
        return;
    finding->exempt = true;
    finding->exempt_reason = exemption->reason;
}

static struct finding *add_finding(struct run *run)
{
    if (!run->last || run->last->n == CHUNK) {
        struct chunk *chunk = ARENA_NEW(run->context.arena, struct chunk);
        *(run->last ? &run->last->next : &run->first) = chunk;
        run->last = chunk;
    }
    run->findings->n++;
    return &run->last->items[run->last->n++];
}

static void note_evaluated(struct run *run, const struct check *check, uint32_t ordinal)
{
    struct asked *asked = &run->findings->asked[check_account(check)];
    run->findings->checks[check - checks].evaluated++;
    assert(ordinal / 64 < asked->words);
    asked->bits[ordinal / 64] |= UINT64_C(1) << ordinal % 64;
}

/* The verdict on the snapshot as it was pushed. */
static enum verdict recall_verdict(struct run *run, const struct object *object,
                                   enum verdict verdict)
{
    const struct check *check = run->context.check;
    if (!run->recalls[check - checks])
        return verdict;
    struct str resource = resource_name(run->context.arena, object);
    const struct recalled *known =
        recall_find(run->context.policy->recall, check, object->meta.namespace, resource);
    if (!known)
        return verdict;
    if (!known->found)
        return verdict == FAILED ? PASSED : verdict;
    run->draft = (struct verdict_draft){.severity = known->risk->severity,
                                        .container = known->risk->container,
                                        .message = known->risk->message,
                                        .count = known->risk->count};
    return FAILED;
}

static struct check_context *begin(struct run *run, const struct check *check)
{
    run->context.check = check;
    run->draft = (struct verdict_draft){.severity = check->severity};
    return &run->context;
}

/* Takes the verdict on one object. */
static void settle(struct run *run, uint32_t ordinal, const struct object *object,
                   enum verdict verdict)
{
    const struct check *check = run->context.check;
    verdict = recall_verdict(run, object, verdict);
    struct verdict_draft draft = run->draft;
    if (verdict == NOT_EVALUATED)
        return;
    note_evaluated(run, check, ordinal);
    ASSERT_SLOW((verdict == FAILED) == (draft.count > 0)); /* it failed, and said so */
    if (verdict == PASSED)
        return;
    run->findings->checks[check - checks].failed++;
    effort_spend(run->context.cluster->effort, EFFORT_findings, STEPS_A_FINDING);
    struct finding *finding = add_finding(run);
    *finding = (struct finding){.check = check,
                                .object = object,
                                .ordinal = ordinal,
                                .severity = draft.severity,
                                .container = draft.container,
                                .message = draft.message,
                                .count = draft.count};
    finding->exempt = exempted(run, check, object, &finding->exempt_reason);
    if (!finding->exempt)
        look_up_exemption(run, finding);
}

static uint32_t containers_of(const struct pod_spec *spec)
{
    return spec ? spec->containers.n : 0;
}

/* Of asking checks about it: some walk its containers and some its pods. */
static uint64_t steps_of(const struct check_context *context, const struct object *object,
                         enum subject subject, uint32_t asked)
{
    uint64_t walked = 0;
    if (subject == SUBJECT_workload) {
        const struct workload *workload = (const struct workload *)object;
        walked = containers_of(workload->spec) + view_workload(context, workload)->live.n +
                 (uint64_t)workload->pods.n;
    }
    return asked * (STEPS_A_QUESTION + walked * 3 / 2);
}

static void spend_on(struct run *run, const struct object *object, enum subject subject)
{
    struct effort *effort = run->context.cluster->effort;
    effort->object = object;
    effort_spend(effort, EFFORT_checks,
                 steps_of(&run->context, object, subject, run->checks[subject].n));
}

/* All checks about an object, then about the next: what is known of it is in the caches then. */
#define ASK(member, ordinal, subject, about, is_left_out)                                          \
    do {                                                                                           \
        bool left_out = is_left_out;                                                               \
        const struct check **check;                                                                \
        spend_on(run, about, SUBJECT_##member);                                                    \
        LIST_EACH (check, run->checks[SUBJECT_##member])                                           \
            if (is_asked(*check, about, left_out))                                                 \
                settle(run, (ordinal), about,                                                      \
                       (*check)->function.member(begin(run, *check), subject));                    \
    } while (0)

static void ask_by_type(struct run *run)
{
    const struct cluster *cluster = run->context.cluster;
#define JUDGED(list, walked, subject, type)                                                        \
    for (uint32_t i = 0; i < cluster->walked.n; i++)                                               \
        ASK(subject, i, cluster->walked.items[i], &cluster->walked.items[i]->object,               \
            judge_leaves_out(run->context.policy, &cluster->walked.items[i]->object));
#include "kube/lists.def"
#undef JUDGED
}

static void ask_of_any_type(struct run *run)
{
    const struct cluster *cluster = run->context.cluster;
    uint32_t ordinal = 0;
#define JUDGED(list, walked, subject, type)                                                        \
    for (uint32_t i = 0; i < cluster->walked.n; i++, ordinal++)                                    \
        ASK(object, ordinal, &cluster->walked.items[i]->object, &cluster->walked.items[i]->object, \
            judge_leaves_out(run->context.policy, &cluster->walked.items[i]->object));
#include "kube/lists.def"
#undef JUDGED
}

static void ask_evidence(struct run *run)
{
    for (uint32_t i = 0; i < EVIDENCE_COUNT; i++)
        ASK(evidence, i, &evidence[i], &evidence[i].object, false);
}

/* The cluster as a whole is an object too: "cluster/cluster". */
static void ask_cluster(struct run *run)
{
    static const struct object whole = {.kind_name = STR("cluster"), .meta.name = STR("cluster")};
    const struct check **check;
    LIST_EACH (check, run->checks[SUBJECT_cluster])
        settle(run, 0, &whole,
               (*check)->function.cluster(begin(run, *check), run->context.cluster));
}

/* The checks that have what they need in the snapshot, by their subject. */
static void choose_checks(struct run *run)
{
    uint64_t seen = run->context.cluster->seen;
    for (int i = 0; i < SUBJECT_COUNT; i++)
        LIST_RESERVE(run->context.arena, run->checks[i], CHECK_COUNT);
    for (int i = 0; i < CHECK_COUNT; i++)
        if ((seen & checks[i].needs) == checks[i].needs)
            LIST_PUT(run->checks[checks[i].subject], &checks[i]);
}

/* The findings in the order of the checks, those of one check in the order in which they came. */
static struct finding *in_order_of_checks(struct run *run)
{
    const struct findings *findings = run->findings;
    struct finding *ordered = ARENA_ARRAY(run->context.arena, findings->n, struct finding);
    uint32_t at[CHECK_COUNT + 1] = {0};
    for (int i = 0; i < CHECK_COUNT; i++)
        at[i + 1] = at[i] + findings->checks[i].failed;
    assert(at[CHECK_COUNT] == findings->n);
    for (const struct chunk *chunk = run->first; chunk; chunk = chunk->next)
        for (uint32_t i = 0; i < chunk->n; i++)
            ordered[at[chunk->items[i].check - checks]++] = chunk->items[i];
    return ordered;
}

/* How many ordinals there are. */
static uint32_t objects_of(const struct cluster *cluster, enum subject subject)
{
    switch (subject) {
#define JUDGED(list, walked, subject, type)                                                        \
    case SUBJECT_##subject:                                                                        \
        return cluster->walked.n;
#include "kube/lists.def"
#undef JUDGED
    case SUBJECT_object:
        return cluster->objects + cluster->roots.n + cluster->outdated.n;
    case SUBJECT_evidence:
        return EVIDENCE_COUNT;
    case SUBJECT_cluster:
        break;
    }
    return 1;
}

static void make_room(struct run *run)
{
    struct check_context *context = &run->context;
    for (int i = 0; i < CHECK_COUNT; i++) {
        struct asked *asked = &run->findings->asked[check_account(&checks[i])];
        if (asked->bits)
            continue;
        asked->words = objects_of(context->cluster, checks[i].subject) / 64 + 1;
        asked->bits = ARENA_ARRAY(context->arena, asked->words, uint64_t);
    }
}

void judge_prepare(struct check_context *context)
{
    context->heartbeat = cluster_newest_heartbeat(context->cluster, context->time);
    context->index = index_build(context->arena, context->cluster);
    context->views = views_build(context->arena, context->cluster);
    context->selection = selection_build(context->arena, context->cluster);
    context->grants = grants_build(context->arena, context->cluster);
    context->hosts = hosts_build(context->arena, context->cluster);
    context->known_kinds = completeness_kinds(context->cluster);
    context->components = components_build(context);
}

static void note_exemptions(struct run *run)
{
    const struct exemption *exemption;
    LIST_EACH (exemption, run->context.policy->exemptions)
        run->has_exemptions[exemption->check - checks] = true;
}

static void note_recalled(struct run *run)
{
    const struct recalled *recalled;
    if (run->context.policy->recall)
        LIST_EACH (recalled, run->context.policy->recall->items)
            run->recalls[recalled->risk->check - checks] = true;
}

struct findings *judge_cluster(struct arena *arena, const struct cluster *cluster,
                               const struct score_policy *policy, int64_t time)
{
    struct run run = {
        .context = {.arena = arena, .cluster = cluster, .policy = policy, .time = time},
        .findings = ARENA_NEW(arena, struct findings)};
    judge_prepare(&run.context);
    run.context.draft = &run.draft;
    run.context.said = ARENA_ARRAY(arena, CHECK_COUNT, struct said);
    run.findings->checks = ARENA_ARRAY(arena, CHECK_COUNT, struct check_result);
    make_room(&run);
    choose_checks(&run);
    note_exemptions(&run);
    note_recalled(&run);
    ask_by_type(&run);
    ask_of_any_type(&run);
    ask_evidence(&run);
    ask_cluster(&run);
    run.findings->items = in_order_of_checks(&run);
    run.context.draft = NULL; /* no check is asked any more */
    run.findings->context = arena_copy(arena, &run.context, sizeof run.context);
    return run.findings;
}

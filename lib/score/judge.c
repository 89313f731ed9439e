#include "score/judge.h"

#include "kube/cluster_time.h"
#include "score/around.h"
#include "score/completeness.h"
#include "score/component.h"
#include "score/evidence.h"
#include "score/grants.h"
#include "score/hosts.h"
#include "score/index.h"
#include "score/judge_run.h"
#include "score/proof.h"
#include "score/recall.h"
#include "score/selection.h"
#include "score/totals.h"
#include "score/view.h"

/* All checks about an object, then about the next: what is known of it is in the caches then. */
#define ASK(member, ordinal, subject, about, is_left_out)                                          \
    do {                                                                                           \
        bool left_out = is_left_out;                                                               \
        const struct check **check;                                                                \
        judge_enter(run, about, SUBJECT_##member, run->checks[SUBJECT_##member].n);                \
        LIST_EACH (check, run->checks[SUBJECT_##member])                                           \
            if (judge_asks(*check, about, left_out))                                               \
                judge_settle(                                                                      \
                    run, *check, (ordinal), about,                                                 \
                    (*check)->function.member(judge_begin(run, &run->context, *check), subject));  \
    } while (0)

static void ask_by_type(struct judge_run *run)
{
    const struct cluster *cluster = run->context.cluster;
#define JUDGED(list, walked, subject, type)                                                        \
    for (uint32_t i = 0; i < cluster->walked.n; i++)                                               \
        ASK(subject, i, cluster->walked.items[i], &cluster->walked.items[i]->object,               \
            judge_leaves_out(run->context.policy, &cluster->walked.items[i]->object));
#include "kube/lists.def"
#undef JUDGED
}

static void ask_of_any_type(struct judge_run *run)
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

static void ask_evidence(struct judge_run *run)
{
    for (uint32_t i = 0; i < EVIDENCE_COUNT; i++)
        ASK(evidence, i, &evidence[i], &evidence[i].object, false);
}

/* The cluster as a whole is an object too: "cluster/cluster". */
static void ask_cluster(struct judge_run *run)
{
    static const struct object whole = {.kind_name = STR("cluster"), .meta.name = STR("cluster")};
    const struct check **check;
    run->context.shown = NULL;
    LIST_EACH (check, run->checks[SUBJECT_cluster])
        judge_settle(run, *check, 0, &whole,
                     (*check)->function.cluster(judge_begin(run, &run->context, *check),
                                                run->context.cluster));
}

static bool is_local(const struct check *check, const struct score_policy *policy)
{
    return check->sees == SEES_LOCAL || (check->sees == SEES_DEPLOYS && !policy->deploys);
}

/* The checks that have what they need in the snapshot, by their subject. */
static void choose_checks(struct judge_run *run)
{
    uint64_t seen = run->context.cluster->seen;
    for (int i = 0; i < SUBJECT_COUNT; i++)
        LIST_RESERVE(run->context.arena, run->checks[i], CHECK_COUNT);
    LIST_RESERVE(run->context.arena, run->local_checks, CHECK_COUNT);
    for (int i = 0; i < CHECK_COUNT; i++) {
        if ((seen & checks[i].needs) != checks[i].needs)
            continue;
        if (is_local(&checks[i], run->context.policy)) {
            LIST_PUT(run->local_checks, &checks[i]);
            run->local_asked[i / 64] |= UINT64_C(1) << i % 64;
        } else {
            LIST_PUT(run->checks[checks[i].subject], &checks[i]);
        }
    }
}

/* What local checks are shown. */
static void narrow(struct judge_run *run)
{
    const struct check_context *all = &run->context;
    run->local_policy.trusted_registries = all->policy->trusted_registries;
    run->local = (struct check_context){.arena = all->arena,
                                        .effort = all->effort,
                                        .policy = &run->local_policy,
                                        .now = all->now,
                                        .valid = &run->valid,
                                        .setting = all->setting,
                                        .known_kinds = all->setting.known_kinds,
                                        .time = TIME_NONE,
                                        .heartbeat = TIME_NONE,
                                        .draft = all->draft,
                                        .said = all->said};
}

/* The findings in the order of the checks, those of one check in the order in which they came. */
static struct finding **in_order_of_checks(struct judge_run *run)
{
    const struct findings *findings = run->findings;
    struct finding **ordered = ARENA_ARRAY(run->context.arena, findings->n, struct finding *);
    uint32_t at[CHECK_COUNT + 1] = {0};
    for (int i = 0; i < CHECK_COUNT; i++)
        at[i + 1] = at[i] + findings->checks[i].failed;
    assert(at[CHECK_COUNT] == findings->n);
    for (struct findings_chunk *chunk = run->first; chunk; chunk = chunk->next)
        for (uint32_t i = 0; i < chunk->n; i++)
            ordered[at[chunk->items[i].check - checks]++] = &chunk->items[i];
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

static void make_room(struct judge_run *run)
{
    struct check_context *context = &run->context;
    for (int i = 0; i < CHECK_COUNT; i++) {
        struct asked *asked = &run->findings->asked[check_account(&checks[i])];
        run->asked[i] = asked;
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
    context->setting = setting_of(context);
    context->components = components_build(context);
    context->proofs = proofs_build(context->arena);
    context->totals = totals_build(context->arena, context->cluster, context->time);
    context->arounds = around_build(context);
}

static void note_exemptions(struct judge_run *run)
{
    const struct exemption *exemption;
    LIST_EACH (exemption, run->context.policy->exemptions)
        run->has_exemptions[exemption->check - checks] = true;
}

static void note_recalled(struct judge_run *run)
{
    const struct recalled *recalled;
    if (run->context.policy->recall)
        LIST_EACH (recalled, run->context.policy->recall->items)
            run->recalls[recalled->risk->check - checks] = true;
}

struct findings *judge_cluster(struct arena *arena, const struct cluster *cluster,
                               const struct score_policy *policy, int64_t time,
                               struct verdict_memory *memory)
{
    struct judge_run run = {.context = {.arena = arena,
                                        .cluster = cluster,
                                        .effort = cluster->effort,
                                        .policy = policy,
                                        .now = time,
                                        .time = time},
                            .findings = ARENA_NEW(arena, struct findings)};
    assert(!memory || !policy->recall); /* what is recalled is another cluster's */
    judge_prepare(&run.context);
    run.context.draft = &run.draft;
    run.context.said = ARENA_ARRAY(arena, CHECK_COUNT, struct said);
    run.findings->checks = ARENA_ARRAY(arena, CHECK_COUNT, struct check_result);
    make_room(&run);
    choose_checks(&run);
    narrow(&run);
    note_exemptions(&run);
    note_recalled(&run);
    run.findings->recall = verdict_recall_begin(memory, &run.context, run.local_asked);
    judge_local(&run);
    ask_by_type(&run);
    ask_of_any_type(&run);
    ask_evidence(&run);
    ask_cluster(&run);
    run.findings->items = in_order_of_checks(&run);
    run.context.draft = NULL; /* no check is asked any more */
    run.findings->context = arena_copy(arena, &run.context, sizeof run.context);
    return run.findings;
}

/* Local checks: what they said of a workload is taken from the judgement before, when nothing that
 * it follows from has changed (verdict_memory.h). */
#include "score/judge.h"
#include "score/judge_run.h"

static void ask_local_of(struct judge_run *run, uint32_t ordinal, const struct workload *workload,
                         bool left_out)
{
    const struct check **check;
    LIST_EACH (check, run->local_checks)
        if (judge_asks(*check, &workload->object, left_out))
            judge_settle(
                run, *check, ordinal, &workload->object,
                (*check)->function.workload(judge_begin(run, &run->local, *check), workload));
}

/* Asks, and notes what was said, and the steps that it took. Those of findings are taken anew. */
static void learn_local(struct judge_run *run, uint32_t ordinal, const struct workload *workload,
                        bool left_out)
{
    const struct effort *effort = run->context.effort;
    struct local_verdicts verdicts = {.n = 0};
    uint64_t before[EFFORT_COUNT];
    memcpy(before, effort->by_kind, sizeof before);
    memset(run->evaluated, 0, sizeof run->evaluated);
    run->valid = (struct validity){INT64_MIN, INT64_MAX};
    ask_local_of(run, ordinal, workload, left_out);
    verdicts.valid = run->valid;
    memcpy(verdicts.evaluated, run->evaluated, sizeof verdicts.evaluated);
    for (enum effort_kind kind = 0; kind < EFFORT_COUNT; kind++)
        verdicts.spent[kind] = kind == EFFORT_findings ? 0 : effort->by_kind[kind] - before[kind];
    verdict_recall_note(run->findings->recall, ordinal, &verdicts);
}

/* Takes what was said before. */
static void recall_local(struct judge_run *run, uint32_t ordinal, const struct object *object,
                         const struct local_verdicts *verdicts)
{
    for (enum effort_kind kind = 0; kind < EFFORT_COUNT; kind++)
        effort_spend(run->context.effort, kind, verdicts->spent[kind]);
    for (int word = 0; word < CHECK_WORDS; word++)
        for (uint64_t bits = verdicts->evaluated[word]; bits; bits &= bits - 1)
            judge_note_evaluated(run, (uint32_t)(word * 64 + __builtin_ctzll(bits)), ordinal);
    for (uint32_t i = 0; i < verdicts->n; i++) {
        const struct local_finding *said = &verdicts->findings[i];
        struct finding *finding = judge_note_failed(run, said->check, ordinal, object);
        finding->severity = said->severity;
        finding->container = said->container;
        finding->message = said->message;
        finding->count = said->count;
        finding->id = said->id;
    }
}

void judge_local(struct judge_run *run)
{
    const struct cluster *cluster = run->context.cluster;
    for (uint32_t i = 0; i < cluster->roots.n; i++) {
        const struct workload *workload = cluster->roots.items[i];
        bool left_out = judge_leaves_out(run->context.policy, &workload->object);
        judge_enter(run, &workload->object, SUBJECT_workload, run->local_checks.n);
        const struct local_verdicts *known =
            verdict_recall_find(run->findings->recall, i, left_out);
        if (known)
            recall_local(run, i, &workload->object, known);
        else
            learn_local(run, i, workload, left_out);
    }
}

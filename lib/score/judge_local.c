/* Local checks: what they said of a workload is taken from the judgement before, when nothing that
 * it follows from has changed (verdict_memory.h). */
#include "score/judge.h"
#include "score/judge_run.h"

static void ask_local_of(struct judge_run *run, uint32_t ordinal, const struct workload *workload,
                         bool left_out)
{
    const struct check **check;
    run->said_n = 0;
    LIST_EACH (check, run->local_checks) {
        if (!judge_asks(*check, &workload->object, left_out))
            continue;
        const struct finding *found = judge_settle(
            run, *check, ordinal, &workload->object,
            (*check)->function.workload(judge_begin(run, &run->local, *check), workload));
        if (found)
            run->said[run->said_n++] = found;
    }
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
    verdict_recall_note(run->findings->recall, ordinal, &verdicts, run->said, run->said_n);
}

/* What was evaluated of as many workloads, those of which it is known: a row is a workload, a
 * column a check, of 64 checks in a row each. */
enum { ROWS = 64 };
struct block {
    uint64_t rows[CHECK_WORDS][ROWS];
    bool any;
};

/* Rows become columns. */
static void transpose(uint64_t bits[ROWS])
{
    uint64_t mask = UINT32_MAX;
    for (unsigned step = ROWS / 2; step; step >>= 1, mask ^= mask << step)
        for (unsigned i = 0; i < ROWS; i = (i + step + 1) & ~step) {
            uint64_t swapped = (bits[i] >> step ^ bits[i + step]) & mask;
            bits[i] ^= swapped << step;
            bits[i + step] ^= swapped;
        }
}

/* Notes the block of workloads with these ordinals, from 64 * `at` on, and empties it. */
static void note_block(struct judge_run *run, struct block *block, uint32_t at)
{
    if (!block->any)
        return;
    for (uint32_t word = 0; word < CHECK_WORDS; word++) {
        transpose(block->rows[word]);
        for (uint32_t check = word * 64; check < CHECK_COUNT && check < word * 64 + 64; check++) {
            uint64_t column = block->rows[word][check % 64];
            if (column)
                judge_note_many(run, check, at, column);
        }
    }
    *block = (struct block){.any = false};
}

/* Takes what was said before. */
static void recall_local(struct judge_run *run, struct block *block, uint32_t ordinal,
                         const struct object *object, const struct local_verdicts *verdicts)
{
    block->any = true;
    for (enum effort_kind kind = 0; kind < EFFORT_COUNT; kind++)
        effort_spend(run->context.effort, kind, verdicts->spent[kind]);
    for (int word = 0; word < CHECK_WORDS; word++)
        block->rows[word][ordinal % ROWS] = verdicts->evaluated[word];
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
    struct block block = {.any = false};
    for (uint32_t i = 0; i < cluster->roots.n; i++) {
        const struct workload *workload = cluster->roots.items[i];
        bool left_out = judge_leaves_out(run->context.policy, &workload->object);
        judge_enter(run, &workload->object, SUBJECT_workload, run->local_checks.n);
        const struct local_verdicts *known =
            verdict_recall_find(run->findings->recall, i, left_out);
        if (known)
            recall_local(run, &block, i, &workload->object, known);
        else
            learn_local(run, i, workload, left_out);
        if (i % ROWS == ROWS - 1 || i + 1 == cluster->roots.n)
            note_block(run, &block, i / ROWS);
    }
}

#include "score/hazard.h"

enum {
    RANK_NONE,
#define HAZARD(check, part, thousandths, least) RANK_##check,
#include "score/hazards.def"
#undef HAZARD
};

const struct hazard hazards[CHECK_COUNT] = {
#define HAZARD(check, part, thousandths, least)                                                    \
    [CHECK_##check] = {PART_##part, SEVERITY_##least, (thousandths) / 1000.0, RANK_##check},
#include "score/hazards.def"
#undef HAZARD
};

static struct finding_run run_from(const struct findings *findings, uint32_t from)
{
    struct finding_run run = {findings->items[from]->check, from, from + 1};
    while (run.to < findings->n && findings->items[run.to]->check == run.check)
        run.to++;
    return run;
}

static void file_run(struct arena *arena, struct filed_findings *filed,
                     struct finding *const *items, const struct finding_run *run)
{
    enum hazard_part part = hazard_of(run->check)->part;
    enum cause cause = run->check->cause;
    for (uint32_t i = run->from; i < run->to && part != PART_POSTURE; i++)
        LIST_ADD(arena, filed->of[part], items[i]);
    for (uint32_t i = run->from; i < run->to && (part == PART_WORKLOAD || part == PART_MASS); i++)
        LIST_ADD(arena, filed->outages, items[i]);
    for (uint32_t i = run->from; i < run->to && cause != CAUSE_none; i++)
        LIST_ADD(arena, filed->sharing[cause], items[i]);
}

void hazard_file(struct arena *arena, struct findings *findings)
{
    struct filed_findings *filed = ARENA_NEW(arena, struct filed_findings);
    struct finding_run run;
    for (uint32_t from = 0; from < findings->n; from = run.to) {
        run = run_from(findings, from);
        LIST_ADD(arena, filed->runs, run);
        file_run(arena, filed, findings->items, &run);
    }
    findings->filed = filed;
}

double hazard_amount(const struct finding *finding)
{
    const struct hazard *hazard = hazard_of(finding->check);
    return finding->exempt || finding->severity > hazard->least ? 0 : hazard->amount;
}

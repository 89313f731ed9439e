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

void hazard_file(struct arena *arena, struct findings *findings)
{
    struct filed_findings *filed = ARENA_NEW(arena, struct filed_findings);
    for (uint32_t i = 0; i < findings->n; i++) {
        struct finding *finding = findings->items[i];
        enum hazard_part part = hazard_of(finding->check)->part;
        enum cause cause = finding->check->cause;
        if (part != PART_POSTURE)
            LIST_ADD(arena, filed->of[part], finding);
        if (part == PART_WORKLOAD || part == PART_MASS)
            LIST_ADD(arena, filed->outages, finding);
        if (cause != CAUSE_none)
            LIST_ADD(arena, filed->sharing[cause], finding);
    }
    findings->filed = filed;
}

double hazard_amount(const struct finding *finding)
{
    const struct hazard *hazard = hazard_of(finding->check);
    return finding->exempt || finding->severity > hazard->least ? 0 : hazard->amount;
}

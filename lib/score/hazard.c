#include "score/hazard.h"

enum {
    RANK_NONE,
#define HAZARD(check, part, thousandths, least) RANK_##check,
#include "score/hazards.def"
#undef HAZARD
};

static const struct hazard hazards[CHECK_COUNT] = {
#define HAZARD(check, part, thousandths, least)                                                    \
    [CHECK_##check] = {PART_##part, SEVERITY_##least, (thousandths) / 1000.0, RANK_##check},
#include "score/hazards.def"
#undef HAZARD
};

const struct hazard *hazard_of(const struct check *check)
{
    ASSERT_SLOW(check_is_known(check));
    return &hazards[check - checks];
}

double hazard_amount(const struct finding *finding)
{
    const struct hazard *hazard = hazard_of(finding->check);
    return finding->exempt || finding->severity > hazard->least ? 0 : hazard->amount;
}

#include "score/fold.h"

/* The first of a check is its costliest: what it says of severity and cause is said of all. */
static void begin(struct risk *together, const struct risk *first)
{
    *together = (struct risk){.check = first->check,
                              .severity = first->severity,
                              .namespace = STR(""),
                              .resource = STR(FOLD_RESOURCE),
                              .absorbed_by = first->absorbed_by,
                              .exempt = first->exempt,
                              .exempt_reason = first->exempt_reason};
}

static void add(struct risk *together, const struct risk *risk)
{
    if (!together->count)
        begin(together, risk);
    if (risk->severity < together->severity)
        together->severity = risk->severity;
    if (!risk->absorbed_by || together->absorbed_by != risk->absorbed_by)
        together->absorbed_by = NULL;
    together->exempt &= risk->exempt;
    together->impact += risk->impact;
    together->count++;
}

static void finish(struct arena *arena, struct risk *together)
{
    if (!together->exempt)
        together->exempt_reason = (struct str){0};
    together->message =
        together->count == 1
            ? STR("One more object has this risk; it costs no more than those that are named.")
            : arena_printf(arena,
                           "%u more objects have this risk; each costs no more than those that are "
                           "named.",
                           together->count);
    risk_identify(together);
}

const struct ledger *ledger_fold(struct arena *arena, const struct ledger *ledger, uint32_t named)
{
    if (ledger->risks.n <= named)
        return ledger;
    struct ledger *folded = arena_copy(arena, ledger, sizeof *ledger);
    struct risk *together = ARENA_ARRAY(arena, CHECK_COUNT, struct risk);
    folded->risks.n = 0;
    folded->risks.items = NULL;
    LIST_RESERVE(arena, folded->risks, named + CHECK_COUNT);
    for (uint32_t i = 0; i < ledger->risks.n; i++) {
        const struct risk *risk = &ledger->risks.items[i];
        if (i < named)
            LIST_PUT(folded->risks, *risk);
        else
            add(&together[risk->check - checks], risk);
    }
    for (int i = 0; i < CHECK_COUNT; i++) {
        if (!together[i].count)
            continue;
        finish(arena, &together[i]);
        LIST_PUT(folded->risks, together[i]);
    }
    return folded;
}

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
                              .exemption = first->exemption,
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
    if (together->exemption != risk->exemption)
        together->exemption = NULL;
    together->impact += risk->impact;
    together->would_cost += risk->would_cost;
    together->count++;
}

static void finish(struct arena *arena, struct risk *together)
{
    if (!together->exempt) {
        together->exempt_reason = (struct str){0};
        together->would_cost = 0;
    }
    together->message =
        together->count == 1
            ? STR("One more object has this risk; it costs no more than those that are named.")
            : arena_printf(arena,
                           "%u more objects have this risk; each costs no more than those that are "
                           "named.",
                           together->count);
    risk_identify(together);
}

struct exempt_risk {
    uint32_t would_cost, at;
};

static int by_would_cost(const void *a, const void *b)
{
    const struct exempt_risk *x = a, *y = b;
    if (x->would_cost != y->would_cost)
        return x->would_cost > y->would_cost ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

uint32_t fold_exempt(struct arena *arena, const struct ledger *ledger, uint32_t most,
                     uint32_t **places)
{
    LIST(struct exempt_risk) exempt = {0};
    for (uint32_t i = 0; i < ledger->risks.n; i++) {
        const struct risk *risk = &ledger->risks.items[i];
        if (risk->exempt && risk->would_cost)
            LIST_ADD(arena, exempt, ((struct exempt_risk){risk->would_cost, i}));
    }
    LIST_SORT(exempt, by_would_cost);
    uint32_t n = exempt.n < most ? exempt.n : most;
    *places = ARENA_ARRAY(arena, n, uint32_t);
    for (uint32_t i = 0; i < n; i++)
        (*places)[i] = exempt.items[i].at;
    return n;
}

/* One a risk of the ledger: does it stay by name? */
static bool *choose(struct arena *arena, const struct ledger *ledger, uint32_t named)
{
    bool *stays = ARENA_ARRAY(arena, ledger->risks.n, bool);
    uint32_t *places, left = named, n = fold_exempt(arena, ledger, named / FOLD_EXEMPT, &places);
    for (uint32_t i = 0; i < n; i++, left--)
        stays[places[i]] = true;
    for (uint32_t i = 0; left; i++) { /* there are more than `named` */
        left -= !stays[i];
        stays[i] = true;
    }
    return stays;
}

const struct ledger *ledger_fold(struct arena *arena, const struct ledger *ledger, uint32_t named)
{
    if (ledger->risks.n <= named)
        return ledger;
    struct ledger *folded = arena_copy(arena, ledger, sizeof *ledger);
    struct risk *together = ARENA_ARRAY(arena, CHECK_COUNT, struct risk);
    const bool *stays = choose(arena, ledger, named);
    folded->risks.n = 0;
    folded->risks.items = NULL;
    LIST_RESERVE(arena, folded->risks, named + CHECK_COUNT);
    for (uint32_t i = 0; i < ledger->risks.n; i++) {
        const struct risk *risk = &ledger->risks.items[i];
        if (stays[i])
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

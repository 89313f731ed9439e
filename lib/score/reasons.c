#include "score/reasons.h"

#include "score/hazard.h"
#include "score/model_text.h"

enum { LINE_MAX_BYTES = 600 };

/* The risks of one check. */
struct group {
    const struct risk *first; /* the costliest */
    uint32_t n, impact;
};

struct tally {
    struct group groups[CHECK_COUNT];
    uint32_t order[CHECK_COUNT], n; /* checks that are told, as they came */
    struct group rest;              /* of what is not told: nothing of it is down */
    const struct group *most;       /* the check of the rest that costs most */
};

bool risk_is_outage(const struct risk *risk)
{
    enum hazard_part part = hazard_of(risk->check)->part;
    return part != PART_POSTURE && part != PART_EVIDENCE;
}

/* Has its check a line of its own? What keeps a cluster from being SAFE has, even if nothing is
 * down.
 */
static bool is_told(const struct risk *risk)
{
    return risk_is_outage(risk) || risk->check == &checks[CHECK_insufficient_evidence];
}

static void count_in(struct group *group, const struct risk *risk)
{
    if (!group->first)
        group->first = risk;
    group->n++;
    group->impact += risk->impact;
}

static struct tally *tally_of(struct arena *arena, const struct ledger *ledger)
{
    struct tally *tally = ARENA_NEW(arena, struct tally);
    const struct risk *risk;
    LIST_EACH (risk, ledger->risks) {
        struct group *group = &tally->groups[risk->check - checks];
        if (!risk->impact)
            continue;
        if (!group->n && is_told(risk))
            tally->order[tally->n++] = (uint32_t)(risk->check - checks);
        count_in(group, risk);
        if (is_told(risk))
            continue;
        count_in(&tally->rest, risk);
        if (!tally->most || group->impact > tally->most->impact)
            tally->most = group;
    }
    return tally;
}

/* The group of outages that costs most among those not told yet; NULL: all are. */
static struct group *take_costliest(struct tally *tally)
{
    struct group *costliest = NULL;
    for (uint32_t i = 0; i < tally->n; i++) {
        struct group *group = &tally->groups[tally->order[i]];
        if (group->n && (!costliest || group->impact > costliest->impact))
            costliest = group;
    }
    return costliest;
}

static struct str place_of(struct arena *arena, const struct risk *risk)
{
    if (!risk->namespace.n)
        return risk->resource;
    return arena_printf(arena, "%" STR_FMT " in %" STR_FMT, STR_ARG(risk->resource),
                        STR_ARG(risk->namespace));
}

/* "deployment/api in shop costs 12.19: ...", "container-crash-loop costs 61.20 on 14 objects, most
 * on deployment/api in shop: ..." */
static struct str outage_line(struct arena *arena, const struct group *group)
{
    const struct risk *risk = group->first;
    struct str place = place_of(arena, risk);
    if (group->n == 1)
        return arena_printf(arena, "%" STR_FMT " costs %u.%02u: %" STR_FMT, STR_ARG(place),
                            group->impact / 100, group->impact % 100, STR_ARG(risk->message));
    return arena_printf(arena, "%s costs %u.%02u on %u objects, among them %" STR_FMT ": %" STR_FMT,
                        risk->check->id, group->impact / 100, group->impact % 100, group->n,
                        STR_ARG(place), STR_ARG(risk->message));
}

static struct str rest_line(struct arena *arena, const struct tally *tally)
{
    const struct group *all = &tally->rest, *most = tally->most;
    return arena_printf(arena,
                        "What is not down costs %u.%02u in all; %s costs most of it, %u.%02u on %u "
                        "object%s.",
                        all->impact / 100, all->impact % 100, most->first->check->id,
                        most->impact / 100, most->impact % 100, most->n, most->n == 1 ? "" : "s");
}

/* ---- exemptions ---- */

/* "2 risks are exempt; they would cost 4.25." An exemption that has expired counts again. */
static void tell_of_exemptions(struct arena *arena, const struct ledger *ledger, str_list *lines)
{
    struct group exempt = {0}, expired = {0};
    const struct risk *risk;
    LIST_EACH (risk, ledger->risks) {
        struct group *group = risk->exempt ? &exempt : &expired;
        if (!risk->exempt && !risk->exemption)
            continue;
        group->n++;
        group->impact += risk->exempt ? risk->would_cost : risk->impact;
    }
    if (exempt.n)
        LIST_PUT(*lines,
                 arena_printf(arena, "%u risk%s exempt; without that %s would cost %u.%02u.",
                              exempt.n, exempt.n == 1 ? " is" : "s are",
                              exempt.n == 1 ? "it" : "they", exempt.impact / 100,
                              exempt.impact % 100));
    if (expired.n)
        LIST_PUT(*lines,
                 arena_printf(arena, "The exemption%s of %u risk%s expired: %s %u.%02u again.",
                              expired.n == 1 ? "" : "s", expired.n,
                              expired.n == 1 ? " has" : "s have",
                              expired.n == 1 ? "it costs" : "they cost", expired.impact / 100,
                              expired.impact % 100));
}

str_list ledger_reasons(struct arena *arena, const struct ledger *ledger, uint32_t most)
{
    struct tally *tally = tally_of(arena, ledger);
    struct group *group;
    str_list lines;
    LIST_RESERVE(arena, lines, most + 3);
    while (lines.n < most && (group = take_costliest(tally)) != NULL) {
        LIST_PUT(lines, line_text(arena, outage_line(arena, group), LINE_MAX_BYTES));
        group->n = 0;
    }
    if (tally->most)
        LIST_PUT(lines, line_text(arena, rest_line(arena, tally), LINE_MAX_BYTES));
    tell_of_exemptions(arena, ledger, &lines);
    return lines;
}

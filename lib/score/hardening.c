#include "score/hardening.h"

#include <math.h>

#include "base/asserts.h"
#include "score/evidence.h"
#include "score/hazard.h"

/* Posture alone costs MOST at the most; SCALE is how much posture makes it serious. */
#define MOST  0.62
#define SCALE 46.0

#define DOWN 0.5 /* a workload down that far is not among those asked */

enum { ASKED_LEAST = 5 }; /* a check of fewer objects is shared by this many */

static const double costs[SEVERITY_COUNT] = {5, 2.5, 1.25, 0.5};

double hardening_cost(enum severity severity)
{
    return costs[severity];
}

double hardening_hazard(double x)
{
    return MOST * (1 - exp(-(x / SCALE) * (x / SCALE)));
}

static double square_of(const struct finding *finding)
{
    return costs[finding->severity] * costs[finding->severity];
}

static bool is_posture(const struct check *check)
{
    return hazard_of(check)->part == PART_POSTURE;
}

/* ---- one cause, one payer ---- */

/* Of the findings of one object: the costliest, of several the one of the first check. */
static bool pays_before(const struct finding *a, const struct finding *b)
{
    return a->severity != b->severity ? a->severity < b->severity : a->check < b->check;
}

/* payers: of each object, by its ordinal; NULL for all, before and after. */
static void choose_payers_of(const finding_list *sharing, const struct finding **payers)
{
    struct finding **finding;
    LIST_EACH (finding, *sharing) {
        const struct finding **payer = &payers[(*finding)->ordinal];
        if (!(*finding)->exempt && (!*payer || pays_before(*finding, *payer)))
            *payer = *finding;
    }
    LIST_EACH (finding, *sharing)
        if (!(*finding)->exempt && *finding != payers[(*finding)->ordinal])
            (*finding)->absorbed_by = payers[(*finding)->ordinal]->check;
    LIST_EACH (finding, *sharing)
        payers[(*finding)->ordinal] = NULL;
}

/* Of the findings that one object has for one cause one pays; the others name it. */
static void choose_payers(struct arena *arena, struct findings *findings)
{
    uint32_t words = 0;
    for (int cause = CAUSE_none + 1; cause < CAUSE_COUNT; cause++)
        if (findings->asked[cause].words > words)
            words = findings->asked[cause].words;
    const struct finding **payers = ARENA_ARRAY(arena, (size_t)words * 64, const struct finding *);
    for (int cause = CAUSE_none + 1; cause < CAUSE_COUNT; cause++)
        choose_payers_of(&findings->filed->sharing[cause], payers);
}

static bool pays(const struct finding *posture)
{
    return !posture->exempt && !posture->absorbed_by;
}

/* ---- how many objects share a cause ---- */

/* A bit a workload that is down, as ordinals of workloads and of objects of any type have it. */
static uint64_t *workloads_down(struct arena *arena, const struct findings *findings,
                                const struct outage *outage)
{
    uint32_t roots = findings->context->cluster->roots.n;
    uint64_t *bits = ARENA_ARRAY(arena, roots / 64 + 1, uint64_t);
    for (uint32_t i = 0; i < roots; i++)
        if (outage->units[i].of > 0 && outage->units[i].degree >= DOWN)
            bits[i / 64] |= UINT64_C(1) << i % 64;
    return bits;
}

static bool is_among_workloads(const struct check *check)
{
    return check->subject == SUBJECT_workload || check->subject == SUBJECT_object;
}

static bool is_down(const struct finding *finding, const uint64_t *down, uint32_t roots)
{
    return is_among_workloads(finding->check) && finding->ordinal < roots &&
           (down[finding->ordinal / 64] >> finding->ordinal % 64 & 1);
}

/* Objects asked that are not down; the cluster as a whole is one. */
static double asked_of(const struct findings *findings, const struct check *check,
                       const uint64_t *down)
{
    const struct asked *asked = &findings->asked[check_account(check)];
    uint32_t n = 0, words = findings->context->cluster->roots.n / 64 + 1;
    if (check->subject == SUBJECT_cluster)
        return 1;
    for (uint32_t i = 0; i < asked->words; i++) {
        uint64_t leave_out = is_among_workloads(check) && i < words ? down[i] : 0;
        n += (uint32_t)__builtin_popcountll(asked->bits[i] & ~leave_out);
    }
    return n;
}

/* ---- the sum ---- */

struct account {
    double squares;  /* sum of the squares of what its findings cost */
    double n, found; /* objects that share them; those with a finding that are not down */
    double raw;      /* its part of the sum; 0: it is not known yet */
};

static double raw_of(const struct account *account, const struct check *check)
{
    double n = account->n > account->found ? account->n : account->found;
    if (check->subject != SUBJECT_cluster && n < ASKED_LEAST)
        n = ASKED_LEAST;
    return sqrt(account->squares / n);
}

/* What the finding adds to the sum. */
static double part_of(struct account *account, const struct finding *finding)
{
    if (account->raw <= 0)
        account->raw = raw_of(account, finding->check);
    return account->raw * square_of(finding) / account->squares;
}

static void add_up(struct account *account, const struct findings *findings,
                   const struct finding_run *run, const uint64_t *down)
{
    uint32_t roots = findings->context->cluster->roots.n;
    for (uint32_t i = run->from; i < run->to; i++) {
        const struct finding *finding = findings->items[i];
        if (!pays(finding))
            continue;
        if (account->squares <= 0)
            account->n = asked_of(findings, run->check, down);
        account->squares += square_of(finding);
        account->found += !is_down(finding, down, roots);
    }
}

static double price_posture(struct account *account, const struct findings *findings,
                            const struct finding_run *run, double x)
{
    for (uint32_t i = run->from; i < run->to; i++) {
        struct finding *finding = findings->items[i];
        if (!pays(finding))
            continue;
        finding->hazard = part_of(account, finding);
        x += finding->hazard;
    }
    return x;
}

static double price_evidence(const struct findings *findings, const struct finding_run *run,
                             double x)
{
    for (uint32_t i = run->from; i < run->to; i++) {
        struct finding *finding = findings->items[i];
        if (finding->exempt)
            continue;
        finding->hazard = evidence[finding->ordinal].prior;
        x += finding->hazard;
    }
    return x;
}

double hardening_sum(struct arena *arena, struct findings *findings, const struct outage *outage)
{
    const uint64_t *down = workloads_down(arena, findings, outage);
    struct account *accounts = ARENA_ARRAY(arena, ACCOUNT_COUNT, struct account);
    const struct finding_run *run;
    double x = 0;
    choose_payers(arena, findings);
    LIST_EACH (run, findings->filed->runs)
        if (is_posture(run->check))
            add_up(&accounts[check_account(run->check)], findings, run, down);
    LIST_EACH (run, findings->filed->runs)
        if (is_posture(run->check))
            x = price_posture(&accounts[check_account(run->check)], findings, run, x);
        else if (run->check == &checks[CHECK_evidence_missing])
            x = price_evidence(findings, run, x);
    return x;
}

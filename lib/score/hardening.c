#include "score/hardening.h"

#include <math.h>

#include "base/asserts.h"
#include "base/radix.h"
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

static bool is_posture(const struct finding *finding)
{
    return hazard_of(finding->check)->part == PART_POSTURE;
}

/* ---- one cause, one payer ---- */

/* The findings of one account about one object stand together, the one that is to pay first. */
static uint64_t rank_of(const struct finding *finding)
{
    uint64_t account = check_account(finding->check), check = (uint64_t)(finding->check - checks);
    _Static_assert(ACCOUNT_COUNT <= 1 << 12 && CHECK_COUNT <= 1 << 12 && SEVERITY_COUNT <= 4,
                   "they fit into one number");
    return account << 48 | (uint64_t)finding->ordinal << 16 | (uint64_t)finding->exempt << 15 |
           (uint64_t)finding->severity << 12 | check;
}

/* Of the findings that one object has for one cause, the costliest pays; the others name it. */
static void choose_payers(struct arena *arena, struct findings *findings)
{
    struct radix_item *sorted = arena_raw(arena, findings->n * sizeof *sorted);
    const struct finding *payer = NULL;
    uint32_t n = 0;
    for (uint32_t i = 0; i < findings->n; i++)
        if (findings->items[i]->check->cause != CAUSE_none)
            sorted[n++] = (struct radix_item){rank_of(findings->items[i]), i};
    radix_sort(arena, sorted, n);
    for (uint32_t i = 0; i < n; i++) {
        struct finding *finding = findings->items[sorted[i].at];
        bool same = payer && finding->check->cause == payer->check->cause &&
                    finding->ordinal == payer->ordinal;
        if (same && !finding->exempt)
            finding->absorbed_by = payer->check;
        else if (!same)
            payer = finding->exempt ? NULL : finding;
    }
}

static bool pays(const struct finding *finding)
{
    return is_posture(finding) && !finding->exempt && !finding->absorbed_by;
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
};

static double raw_of(const struct account *account, const struct check *check)
{
    double n = account->n > account->found ? account->n : account->found;
    if (check->subject != SUBJECT_cluster && n < ASKED_LEAST)
        n = ASKED_LEAST;
    return sqrt(account->squares / n);
}

static struct account *add_up(struct arena *arena, const struct findings *findings,
                              const uint64_t *down)
{
    struct account *accounts = ARENA_ARRAY(arena, ACCOUNT_COUNT, struct account);
    for (uint32_t i = 0; i < findings->n; i++) {
        const struct finding *finding = findings->items[i];
        struct account *account = &accounts[check_account(finding->check)];
        if (!pays(finding))
            continue;
        if (account->squares <= 0)
            account->n = asked_of(findings, finding->check, down);
        account->squares += square_of(finding);
        account->found += !is_down(finding, down, findings->context->cluster->roots.n);
    }
    return accounts;
}

double hardening_sum(struct arena *arena, struct findings *findings, const struct outage *outage)
{
    const uint64_t *down = workloads_down(arena, findings, outage);
    double x = 0;
    choose_payers(arena, findings);
    const struct account *accounts = add_up(arena, findings, down);
    for (uint32_t i = 0; i < findings->n; i++) {
        struct finding *finding = findings->items[i];
        const struct account *account = &accounts[check_account(finding->check)];
        if (pays(finding))
            finding->hazard =
                raw_of(account, finding->check) * square_of(finding) / account->squares;
        else if (finding->check == &checks[CHECK_evidence_missing] && !finding->exempt)
            finding->hazard = evidence[finding->ordinal].prior;
        else
            continue;
        x += finding->hazard;
    }
    return x;
}

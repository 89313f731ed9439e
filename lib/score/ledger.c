#include "score/ledger.h"

#include <math.h>
#include <stdlib.h>

/* What a category may cost, and what a check of a severity costs, in points: docs/scoring.md. */
static const double budgets[CATEGORY_COUNT] = {40, 28, 17, 15};
static const double costs[CATEGORY_COUNT][SEVERITY_COUNT] = {
    [CATEGORY_POLICY] = {5, 2.5, 1.25, 0.5},
    [CATEGORY_RUNTIME] = {32, 14, 7, 3},
    [CATEGORY_HISTORY] = {16, 9, 4, 1.5},
    [CATEGORY_HEALTH] = {30, 12, 5, 2},
};

uint32_t check_cost(enum category category, enum severity severity)
{
    return (uint32_t)(costs[category][severity] * 100 + 0.5);
}

uint32_t category_budget(enum category category)
{
    return (uint32_t)(budgets[category] * 100);
}

static double cost_of(const struct finding *finding)
{
    return costs[finding->check->category][finding->severity];
}

/* ---- one cause, one payer ---- */

static int by_cause_and_object(const void *a, const void *b)
{
    const struct finding *x = *(struct finding *const *)a, *y = *(struct finding *const *)b;
    if (x->check->cause != y->check->cause)
        return x->check->cause < y->check->cause ? -1 : 1;
    if (x->ordinal != y->ordinal)
        return x->ordinal < y->ordinal ? -1 : 1;
    if (x->exempt != y->exempt)
        return x->exempt ? 1 : -1;
    if (cost_of(x) != cost_of(y))
        return cost_of(x) > cost_of(y) ? -1 : 1;
    return (x->check > y->check) - (x->check < y->check);
}

/* Of the findings that one object has for one cause, the costliest pays; the others name it. */
static void choose_payers(struct arena *arena, struct findings *findings)
{
    struct finding **sorted = ARENA_ARRAY(arena, findings->n, struct finding *);
    const struct finding *payer = NULL;
    uint32_t n = 0;
    for (uint32_t i = 0; i < findings->n; i++)
        if (findings->items[i].check->cause != CAUSE_none)
            sorted[n++] = &findings->items[i];
    if (n)
        qsort(sorted, n, sizeof *sorted, by_cause_and_object);
    for (uint32_t i = 0; i < n; i++) {
        struct finding *finding = sorted[i];
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
    return !finding->exempt && !finding->absorbed_by;
}

/* ---- raw losses ---- */

/* What findings are added up in: their check's own account, or that of their cause. */
static uint32_t account_of(const struct finding *finding)
{
    enum cause cause = finding->check->cause;
    return cause != CAUSE_none ? (uint32_t)cause
                               : CAUSE_COUNT + (uint32_t)(finding->check - checks);
}

static uint32_t account_evaluated(const struct findings *findings, uint32_t account)
{
    return account < CAUSE_COUNT ? findings->cause_evaluated[account]
                                 : findings->checks[account - CAUSE_COUNT].evaluated;
}

/* The raw loss of an account is sqrt(sum of cost^2 / N): cost * sqrt(F/N) when all cost the same.
 * Each finding has the share of it that its cost^2 has of the sum. Returns the loss per category.
 */
static void weigh(struct arena *arena, struct findings *findings, double lost[CATEGORY_COUNT])
{
    double *squares = ARENA_ARRAY(arena, CAUSE_COUNT + CHECK_COUNT, double);
    double raw[CATEGORY_COUNT] = {0};
    for (uint32_t i = 0; i < findings->n; i++)
        if (pays(&findings->items[i]))
            squares[account_of(&findings->items[i])] +=
                cost_of(&findings->items[i]) * cost_of(&findings->items[i]);
    for (uint32_t i = 0; i < findings->n; i++) {
        struct finding *finding = &findings->items[i];
        if (!pays(finding))
            continue;
        uint32_t account = account_of(finding);
        double n = account_evaluated(findings, account);
        double share = cost_of(finding) * cost_of(finding) / squares[account];
        finding->weight = sqrt(squares[account] / n) * share;
        raw[finding->check->category] += finding->weight;
    }
    for (int c = 0; c < CATEGORY_COUNT; c++)
        lost[c] = budgets[c] * (1 - exp(-raw[c] / budgets[c]));
}

/* ---- hundredths ---- */

struct portion {
    double remainder;
    uint32_t at;
};

static int by_remainder(const void *a, const void *b)
{
    const struct portion *x = a, *y = b;
    if (x->remainder != y->remainder)
        return x->remainder > y->remainder ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

/* Splits total into n whole parts in proportion to the weights, by largest remainder; of equal
 * remainders the first gets more. All weights 0: all parts 0. */
static void apportion(struct arena *arena, uint32_t total, const double *weights, uint32_t n,
                      uint32_t *parts)
{
    struct portion *portions = ARENA_ARRAY(arena, n, struct portion);
    double sum = 0;
    uint32_t given = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += weights[i];
    for (uint32_t i = 0; i < n; i++) {
        double exact = sum > 0 ? total * (weights[i] / sum) : 0;
        parts[i] = (uint32_t)exact;
        given += parts[i];
        portions[i] = (struct portion){weights[i] > 0 ? exact - parts[i] : -1, i};
    }
    if (sum <= 0)
        return;
    qsort(portions, n, sizeof *portions, by_remainder);
    for (uint32_t i = 0; given < total; i = (i + 1) % n, given++)
        parts[portions[i].at]++;
}

static void publish_losses(struct arena *arena, struct ledger *ledger, const double *lost)
{
    double total = 0;
    uint32_t parts[CATEGORY_COUNT];
    for (int c = 0; c < CATEGORY_COUNT; c++)
        total += lost[c];
    uint32_t hundredths = (uint32_t)floor(total * 100 + 0.5);
    apportion(arena, hundredths, lost, CATEGORY_COUNT, parts);
    for (int c = 0; c < CATEGORY_COUNT; c++)
        ledger->categories[c].lost = parts[c];
    ledger->score_exact = SCORE_EXACT_MAX - hundredths;
    ledger->csc_score = (int)((ledger->score_exact + 50) / 100);
    ledger->decision = decision_of(ledger->csc_score);
}

static void publish_impacts(struct arena *arena, struct ledger *ledger,
                            const struct findings *findings)
{
    double *weights = ARENA_ARRAY(arena, findings->n, double);
    uint32_t *parts = ARENA_ARRAY(arena, findings->n, uint32_t);
    uint32_t *at = ARENA_ARRAY(arena, findings->n, uint32_t);
    for (int c = 0; c < CATEGORY_COUNT; c++) {
        uint32_t n = 0;
        for (uint32_t i = 0; i < findings->n; i++) {
            if (findings->items[i].check->category != (enum category)c)
                continue;
            at[n] = i;
            weights[n++] = findings->items[i].weight;
        }
        apportion(arena, ledger->categories[c].lost, weights, n, parts);
        for (uint32_t i = 0; i < n; i++)
            ledger->risks.items[at[i]].impact = parts[i];
    }
}

/* ---- risks ---- */

struct str risk_id_text(uint64_t id, char out[RISK_ID_LEN + 1])
{
    for (size_t i = 0; i < RISK_ID_LEN; i++)
        out[i] = "0123456789abcdef"[id >> (60 - 4 * i) & 15];
    out[RISK_ID_LEN] = '\0';
    return (struct str){out, RISK_ID_LEN};
}

bool risk_id_parse(struct str text, uint64_t *id)
{
    static const char digits[] = "0123456789abcdef";
    uint64_t value = 0;
    if (text.n != RISK_ID_LEN)
        return false;
    for (size_t i = 0; i < RISK_ID_LEN; i++) {
        const char *digit = memchr(digits, text.p[i], sizeof digits - 1);
        if (!digit)
            return false;
        value = value << 4 | (uint64_t)(digit - digits);
    }
    *id = value;
    return true;
}

void risk_identify(struct risk *risk)
{
    const struct str parts[] = {str_of(risk->check->id), risk->namespace, risk->resource,
                                risk->container};
    uint64_t hash = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        hash = str_hash(str_hash(hash, parts[i]), (struct str){"", 1});
    risk_id_text(hash, risk->id);
}

static struct risk risk_of(struct arena *arena, const struct finding *finding)
{
    struct risk risk = {.check = finding->check,
                        .severity = finding->severity,
                        .namespace = finding->object->meta.namespace,
                        .resource = resource_name(arena, finding->object),
                        .container = finding->container,
                        .message = finding->message,
                        .count = finding->count ? finding->count : 1,
                        .absorbed_by = finding->absorbed_by,
                        .exempt = finding->exempt,
                        .exempt_reason = finding->exempt_reason};
    risk_identify(&risk);
    return risk;
}

int risk_order(const struct risk *x, const struct risk *y)
{
    if (x->impact != y->impact)
        return x->impact > y->impact ? -1 : 1;
    if (x->severity != y->severity)
        return x->severity < y->severity ? -1 : 1;
    if (x->check != y->check)
        return x->check < y->check ? -1 : 1;
    int order = str_cmp(x->namespace, y->namespace);
    if (order == 0)
        order = str_cmp(x->resource, y->resource);
    if (order == 0)
        order = str_cmp(x->container, y->container);
    /* Objects without a name are told apart by what is said of them only. */
    return order ? order : str_cmp(x->message, y->message);
}

static int by_cost(const void *a, const void *b)
{
    return risk_order(a, b);
}

static void publish_coverage(struct ledger *ledger)
{
    for (int i = 0; i < CHECK_COUNT; i++) {
        struct category_result *category = &ledger->categories[checks[i].category];
        category->checks++;
        category->evaluated += ledger->checks[i].evaluated > 0;
    }
    for (int c = 0; c < CATEGORY_COUNT; c++)
        ledger->categories[c].budget = category_budget((enum category)c);
}

struct ledger *ledger_build(struct arena *arena, struct findings *findings)
{
    struct ledger *ledger = ARENA_NEW(arena, struct ledger);
    double lost[CATEGORY_COUNT];
    choose_payers(arena, findings);
    weigh(arena, findings, lost);
    ledger->checks = findings->checks;
    ledger->risks.items = ARENA_ARRAY(arena, findings->n, struct risk);
    ledger->risks.n = findings->n;
    for (uint32_t i = 0; i < findings->n; i++)
        ledger->risks.items[i] = risk_of(arena, &findings->items[i]);
    publish_coverage(ledger);
    publish_losses(arena, ledger, lost);
    publish_impacts(arena, ledger, findings);
    if (ledger->risks.n)
        qsort(ledger->risks.items, ledger->risks.n, sizeof *ledger->risks.items, by_cost);
    return ledger;
}

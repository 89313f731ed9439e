#include "score/ledger.h"

#include "base/hash.h"
#include "base/radix.h"
#include "kube/credential_cut.h"

#include <math.h>

#include "score/apportion.h"
#include "score/evidence.h"
#include "score/hardening.h"
#include "score/hazard.h"
#include "score/headline.h"
#include "score/pillar.h"
#include "score/priced.h"
#include "score/verdict_memory.h"

#define HAZARD_SCALE 10000 /* of published hazards */

/* ---- hazards ---- */

/* Posture is scaled. What is lacking may raise the hazard of the score, which it returns. */
static double scale_run(struct finding *const *items, const struct finding_run *run, double scale,
                        double hazard)
{
    enum hazard_part part = hazard_of(run->check)->part;
    double least = log(100.0 / EVIDENCE_CAP);
    if (part != PART_POSTURE && part != PART_EVIDENCE)
        return hazard;
    for (uint32_t i = run->from; i < run->to; i++) {
        bool caps = run->check == &checks[CHECK_insufficient_evidence] && !items[i]->exempt;
        if (caps && hazard < least) {
            items[i]->hazard = least - hazard;
            hazard = least;
        } else {
            items[i]->hazard *= scale;
        }
    }
    return hazard;
}

/* Sets the hazard of each finding. Returns that of the score: what is down, posture, which outages
 * push into the background, and evidence that is missing. */
static double price(struct arena *arena, struct findings *findings, struct outage **outage)
{
    hazard_file(arena, findings);
    *outage = outage_price(arena, findings);
    double down = (*outage)->hazard + pillar_price(arena, findings, *outage);
    double x = hardening_sum(arena, findings, *outage);
    double posture = hardening_hazard(x) * exp(-down), hazard = down + posture;
    const struct finding_run *run;
    LIST_EACH (run, findings->filed->runs)
        hazard = scale_run(findings->items, run, x > 0 ? posture / x : 1, hazard);
    assert(isfinite(hazard) && hazard >= 0);
    return hazard;
}

/* ---- points ---- */

/* Those of the findings, which have their ids; and the sums of those of each category. */
static struct portion *portions_of(struct arena *arena, const struct findings *findings,
                                   struct portion *categories)
{
    struct portion *portions = arena_raw(arena, findings->n * sizeof *portions);
    const struct finding_run *run;
    LIST_EACH (run, findings->filed->runs) {
        struct portion *category = &categories[run->check->category];
        for (uint32_t i = run->from; i < run->to; i++) {
            const struct finding *finding = findings->items[i];
            assert(finding->hazard >= 0);
            portions[i].weight = finding->hazard;
            portions[i].key = finding->id;
            category->weight += finding->hazard;
        }
    }
    return portions;
}

static void publish_hazards(struct arena *arena, struct ledger *ledger, struct portion *categories,
                            double hazard)
{
    ledger->hazard = (uint32_t)(hazard * HAZARD_SCALE + 0.5);
    for (int c = 0; c < CATEGORY_COUNT; c++)
        categories[c].key = (uint64_t)c;
    apportion(arena, ledger->hazard, categories, CATEGORY_COUNT);
    for (int c = 0; c < CATEGORY_COUNT; c++)
        ledger->categories[c].hazard = categories[c].part;
}

/* Points go by hazard; so a category loses what its risks cost. What each finding costs; there is
 * an order, too, when the judgement before had the same hazards. */
static const struct priced *publish_points(struct arena *arena, struct ledger *ledger,
                                           const struct findings *findings,
                                           struct portion *portions, double hazard)
{
    const struct priced *last = verdict_recall_priced(findings->recall);
    const struct finding_run *run;
    double exact = floor(SCORE_EXACT_MAX * exp(-hazard) + 1e-6);
    assert(exact >= 0 && exact <= SCORE_EXACT_MAX);
    ledger->score_exact = (uint32_t)exact;
    const struct priced fresh = {findings->n, SCORE_EXACT_MAX - ledger->score_exact, portions,
                                 NULL};
    const struct priced *priced =
        last && priced_is_same(last, &fresh) ? last : arena_copy(arena, &fresh, sizeof fresh);
    if (priced != last)
        apportion(arena, fresh.total, portions, fresh.n);
    LIST_EACH (run, findings->filed->runs)
        for (uint32_t i = run->from; i < run->to; i++)
            ledger->categories[run->check->category].lost += priced->portions[i].part;
    ledger->csc_score = (int)(ledger->score_exact / 100);
    ledger->decision = decision_of(ledger->csc_score);
    return priced;
}

/* ---- risks ---- */

/* What risks call an object. Most objects have several. */
struct names {
    const struct object *object;
    struct str namespace, resource;
};

/* A container as it was found, and without secrets. What was recalled has few texts. */
struct container_name {
    struct str raw, cut;
};

enum { NAMES = 4096, CONTAINERS = 256 }; /* powers of two */

/* What was asked for lately, by the address of the object or of the text. */
struct naming {
    struct arena *arena;
    struct names *names[NAMES];
    struct container_name containers[CONTAINERS];
};

static struct names *names_of(struct naming *naming, const struct object *object)
{
    struct arena *arena = naming->arena;
    struct names **at = &naming->names[hash_pointer(object) % NAMES];
    if (*at && (*at)->object == object)
        return *at;
    *at = ARENA_NEW(arena, struct names);
    **at = (struct names){.object = object,
                          .namespace = credential_cut(arena, object->meta.namespace),
                          .resource = credential_cut(arena, resource_name(arena, object))};
    return *at;
}

static struct str container_of(struct naming *naming, struct str raw)
{
    struct container_name *name = &naming->containers[hash_pointer(raw.p) % CONTAINERS];
    if (!raw.n)
        return raw;
    if (raw.p != name->raw.p || raw.n != name->raw.n)
        *name = (struct container_name){raw, credential_cut(naming->arena, raw)};
    return name->cut;
}

/* Into *risk, all but its id. */
static void put_risk(struct naming *naming, const struct finding *finding, uint32_t impact,
                     struct risk *restrict risk)
{
    const struct names *names = names_of(naming, finding->object);
    risk->check = finding->check;
    risk->severity = finding->severity;
    risk->namespace = names->namespace;
    risk->resource = names->resource;
    risk->container = container_of(naming, finding->container);
    risk->message = finding->message;
    risk->count = finding->count ? finding->count : 1;
    risk->impact = impact;
    risk->absorbed_by = finding->absorbed_by;
    risk->exempt = finding->exempt;
    risk->exempt_reason = credential_cut(naming->arena, finding->exempt_reason);
    risk->exemption = finding->exemption;
    risk->object = finding->object;
    risk->would_cost = 0;
    risk->pending = NULL;
}

/* Of those that are not known by it already. */
static void identify(struct naming *naming, struct findings *findings)
{
    for (uint32_t i = 0; i < findings->n; i++) {
        struct finding *finding = findings->items[i];
        if (finding->id)
            continue;
        struct risk risk;
        put_risk(naming, finding, 0, &risk);
        finding->id = risk_identify(&risk);
    }
}

static int by_order(const void *a, const void *b)
{
    const struct risk *const *x = a, *const *y = b;
    return risk_order(*x, *y);
}

/* What comes first in risk_order(), as one number. */
static uint64_t rank_of(const struct finding *finding, uint32_t impact)
{
    uint64_t check = (uint64_t)(finding->check - checks);
    return (uint64_t)(UINT32_MAX - impact) << 32 | (uint64_t)finding->severity << 24 | check;
}

/* Risks of one rank mostly come in order already: that of the cluster's lists. */
static bool is_in_order(const struct risk *risks, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++)
        if (risk_order(&risks[i - 1], &risks[i]) > 0)
            return false;
    return true;
}

/* Those of the order before are as a stable sort would have them: its ties stand as found. */
static bool is_sorted(const struct risk *risks, const uint32_t *order, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        int before = risk_order(&risks[i - 1], &risks[i]);
        if (before > 0 || (before == 0 && order[i - 1] > order[i]))
            return false;
    }
    return true;
}

/* Sorts risks of one rank, and their order with them. */
static void sort_run(struct arena *arena, struct risk *risks, uint32_t *order, uint32_t n)
{
    struct risk *unsorted = arena_copy(arena, risks, n * sizeof *risks);
    uint32_t *found = arena_copy(arena, order, n * sizeof *order);
    struct risk **sorted = arena_raw(arena, n * sizeof *sorted);
    for (uint32_t i = 0; i < n; i++)
        sorted[i] = &unsorted[i];
    list_sort_stable(sorted, arena_raw(arena, n * sizeof *sorted), n, sizeof *sorted, by_order);
    for (uint32_t i = 0; i < n; i++) {
        risks[i] = *sorted[i];
        order[i] = found[sorted[i] - unsorted];
    }
}

/* Made where they belong: there may be many, and each is large. */
static void put_risks(struct naming *naming, struct risk *risks, const struct findings *findings,
                      const struct priced *priced, const uint32_t *order)
{
    for (uint32_t i = 0; i < findings->n; i++) {
        const struct finding *finding = findings->items[order[i]];
        put_risk(naming, finding, priced->portions[order[i]].part, &risks[i]);
        risk_id_text(finding->id, risks[i].id);
    }
}

/* Puts them in order. Which finding each is. */
static uint32_t *rank_risks(struct naming *naming, struct risk *risks,
                            const struct findings *findings, const struct priced *priced)
{
    struct arena *arena = naming->arena;
    uint32_t n = findings->n, *order = arena_raw(arena, n * sizeof *order);
    struct radix_item *ranked = arena_raw(arena, n * sizeof *ranked);
    for (uint32_t i = 0; i < n; i++)
        ranked[i] = (struct radix_item){rank_of(findings->items[i], priced->portions[i].part), i};
    radix_sort(arena, ranked, n);
    for (uint32_t i = 0; i < n; i++)
        order[i] = ranked[i].at;
    put_risks(naming, risks, findings, priced, order);
    for (uint32_t i = 0, run; i < n; i += run) {
        run = radix_run(&ranked[i], n - i);
        if (!is_in_order(&risks[i], run))
            sort_run(arena, &risks[i], &order[i], run);
    }
    return order;
}

/* Names may have changed where hazards and ids have not: the order before is looked through. */
static const struct priced *publish_risks(struct naming *naming, struct ledger *ledger,
                                          const struct findings *findings,
                                          const struct priced *priced)
{
    struct arena *arena = naming->arena;
    uint32_t n = findings->n;
    struct risk *risks = ledger->risks.items = arena_raw(arena, n * sizeof *risks);
    ledger->risks.n = n;
    if (priced->order) {
        put_risks(naming, risks, findings, priced, priced->order);
        if (is_sorted(risks, priced->order, n))
            return priced;
    }
    struct priced *ranked = arena_copy(arena, priced, sizeof *priced);
    ranked->order = rank_risks(naming, risks, findings, priced);
    return ranked;
}

static void publish_coverage(struct ledger *ledger)
{
    for (int i = 0; i < CHECK_COUNT; i++) {
        struct category_result *category = &ledger->categories[checks[i].category];
        category->checks++;
        category->evaluated += ledger->checks[i].evaluated > 0;
    }
}

struct ledger *ledger_build(struct arena *arena, struct findings *findings)
{
    struct ledger *ledger = ARENA_NEW(arena, struct ledger);
    struct outage *outage;
    double hazard = price(arena, findings, &outage);
    ledger->checks = findings->checks;
    struct naming *naming = ARENA_NEW(arena, struct naming);
    naming->arena = arena;
    identify(naming, findings);
    publish_coverage(ledger);
    struct portion categories[CATEGORY_COUNT] = {0};
    struct portion *portions = portions_of(arena, findings, categories);
    publish_hazards(arena, ledger, categories, hazard);
    const struct priced *priced = publish_points(arena, ledger, findings, portions, hazard);
    findings->priced = publish_risks(naming, ledger, findings, priced);
    ledger->verdict = headline(arena, ledger, findings, outage);
    return ledger;
}

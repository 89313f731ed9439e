#include "score/headline.h"

#include "score/component.h"
#include "score/hazard.h"
#include "score/model_text.h"

enum { CLAUSES_MAX = 8, CLAUSES_SHOWN = 3, CLAUSE_MAX_BYTES = 300 };

#define LIVE 0.03 /* degrees below it are changes under way, not outages */

/* What there is to say, and how much of the score it is. */
struct clause {
    double hazard;
    struct str text;
};

struct telling {
    struct arena *arena;
    const struct ledger *ledger;
    const struct findings *findings;
    const struct outage *outage;
    struct clause clauses[CLAUSES_MAX];
    uint32_t n;
};

static void say(struct telling *t, double hazard, struct str text)
{
    uint32_t at = t->n;
    if (hazard <= 0 || t->n == CLAUSES_MAX)
        return;
    for (; at > 0 && t->clauses[at - 1].hazard < hazard; at--)
        t->clauses[at] = t->clauses[at - 1];
    t->clauses[at] = (struct clause){hazard, line_text(t->arena, text, CLAUSE_MAX_BYTES)};
    t->n++;
}

/* "1 of 3 nodes is", "2 of 3 nodes are" */
static struct str count_text(struct arena *arena, uint32_t n, uint32_t of, const char *what)
{
    return arena_printf(arena, "%u of %u %s%s %s", n, of, what, of == 1 ? "" : "s",
                        n == 1 ? "is" : "are");
}

/* ---- findings of a part ---- */

struct tally {
    double hazard;
    uint32_t n; /* findings that are not exempt */
    const struct finding *costliest;
};

static void count_in(struct tally *tally, const struct finding *finding)
{
    if (finding->exempt)
        return;
    tally->n++;
    tally->hazard += finding->hazard;
    if (!tally->costliest || finding->hazard > tally->costliest->hazard)
        tally->costliest = finding;
}

static struct tally tally_of_part(const struct telling *t, enum hazard_part part)
{
    struct tally tally = {0};
    struct finding **finding;
    LIST_EACH (finding, t->findings->filed->of[part])
        count_in(&tally, *finding);
    return tally;
}

/* The check is none of posture. */
static struct tally tally_of_check(const struct telling *t, enum check_id id)
{
    struct tally tally = {0};
    struct finding **finding;
    LIST_EACH (finding, t->findings->filed->of[hazard_of(&checks[id])->part])
        if ((*finding)->check == &checks[id])
            count_in(&tally, *finding);
    return tally;
}

/* A message as a clause: without its full stop. */
static struct str clause_of(const struct tally *tally)
{
    struct str text = tally->costliest->message;
    if (str_has_suffix(text, STR(".")))
        text.n--;
    return text;
}

/* "node/n1: DiskPressure has been True for 2 h" */
static struct str about_object(const struct telling *t, const struct tally *tally)
{
    return arena_printf(t->arena, "%" STR_FMT ": %" STR_FMT,
                        STR_ARG(resource_name(t->arena, tally->costliest->object)),
                        STR_ARG(clause_of(tally)));
}

/* ---- what is down ---- */

static void tell_of_nodes(struct telling *t)
{
    uint32_t of = t->findings->context->cluster->nodes.n;
    struct tally dead = tally_of_check(t, CHECK_node_not_ready);
    struct tally all = tally_of_part(t, PART_NODE);
    if (dead.n)
        say(t, dead.hazard,
            arena_printf(t->arena, "%" STR_FMT " NotReady",
                         STR_ARG(count_text(t->arena, dead.n, of, "node"))));
    else if (all.hazard > 0)
        say(t, all.hazard, about_object(t, &all));
}

static void tell_of_component(struct telling *t, enum hazard_part part)
{
    struct tally tally = tally_of_part(t, part);
    if (tally.hazard > 0)
        say(t, tally.hazard, clause_of(&tally));
}

static void tell_of_control_plane(struct telling *t)
{
    struct tally operators = tally_of_check(t, CHECK_cluster_operator_degraded);
    struct tally down = tally_of_check(t, CHECK_cluster_operator_unavailable);
    struct tally all = tally_of_part(t, PART_CONTROL);
    uint32_t n = operators.n + down.n;
    if (n > 1 && n == all.n)
        say(t, all.hazard,
            arena_printf(t->arena, "%u cluster operators are %s, %" STR_FMT " among them", n,
                         down.n ? "degraded or unavailable" : "degraded",
                         STR_ARG(all.costliest->object->meta.name)));
    else if (all.hazard > 0)
        say(t, all.hazard, about_object(t, &all));
}

/* ---- workloads ---- */

struct workload_counts {
    uint32_t all, gone, lacking, failing;
    double worst;
    const struct finding *payer; /* of the one that is furthest down */
};

static bool is_batch(enum kind kind)
{
    return kind == KIND_JOB || kind == KIND_CRONJOB;
}

/* A change that was taken back, or memory that runs short, fails nobody yet. */
static bool tells_of_failing(const struct finding *finding)
{
    return finding->check->category != CATEGORY_HISTORY &&
           finding->check != &checks[CHECK_container_usage_near_limit] &&
           hazard_amount(finding) >= LIVE;
}

static bool is_failing(const struct outage_unit *unit)
{
    for (uint32_t i = 0; i < unit->findings_n; i++)
        if (tells_of_failing(unit->findings[i]))
            return true;
    return false;
}

static struct workload_counts count_workloads(const struct telling *t)
{
    const struct cluster *cluster = t->findings->context->cluster;
    struct workload_counts counts = {0};
    for (uint32_t i = 0; i < cluster->roots.n; i++) {
        const struct outage_unit *unit = &t->outage->units[i];
        if (unit->down > counts.worst && unit->payer) {
            counts.worst = unit->down;
            counts.payer = unit->payer;
        }
        if (!unit->replicas.counts || is_batch(cluster->roots.items[i]->object.kind) ||
            component_of(t->findings->context, cluster->roots.items[i]) == COMPONENT_CONTROL_PLANE)
            continue;
        counts.all++;
        if (unit->degree >= 1)
            counts.gone++;
        else if (unit->degree >= LIVE && unit->missing > 0)
            counts.lacking++;
        else if (unit->degree >= LIVE && is_failing(unit))
            counts.failing++;
    }
    return counts;
}

/* How many workloads are down for the same reason as the worst one? */
static bool is_common(const struct telling *t, const struct workload_counts *counts)
{
    uint32_t n = 0, down = counts->gone + counts->lacking + counts->failing;
    for (uint32_t i = 0; counts->payer && i < t->findings->context->cluster->roots.n; i++) {
        const struct outage_unit *unit = &t->outage->units[i];
        n += unit->payer && unit->degree >= LIVE && unit->payer->check == counts->payer->check;
    }
    return 2 * n >= down;
}

static struct str because(const struct telling *t, const struct workload_counts *counts)
{
    if (!counts->payer || !is_common(t, counts))
        return STR("");
    return arena_printf(t->arena, " (%s)", counts->payer->check->id);
}

/* Of the findings of workloads and of what fails beside them. */
static const struct finding *costliest_outage(const struct telling *t)
{
    struct tally workloads = tally_of_part(t, PART_WORKLOAD), masses = tally_of_part(t, PART_MASS);
    if (!workloads.costliest || !masses.costliest)
        return workloads.costliest ? workloads.costliest : masses.costliest;
    return masses.costliest->hazard > workloads.costliest->hazard ? masses.costliest
                                                                  : workloads.costliest;
}

static void tell_of_workloads(struct telling *t)
{
    struct workload_counts counts = count_workloads(t);
    const struct finding *costliest = costliest_outage(t);
    uint32_t partly = counts.lacking + counts.failing;
    const char *fail =
        partly == 1 ? "lacks replicas or keeps failing" : "lack replicas or keep failing";
    struct str more = {0}, why = because(t, &counts);
    double hazard = t->outage->hazard;
    if (partly)
        more = arena_printf(t->arena, ", %u more %s", partly, fail);
    if (counts.gone)
        say(t, hazard,
            arena_printf(t->arena, "%u of %u workload%s %s unavailable%" STR_FMT "%" STR_FMT,
                         counts.gone, counts.all, counts.all == 1 ? "" : "s",
                         counts.gone == 1 ? "is" : "are", STR_ARG(why), STR_ARG(more)));
    else if (partly)
        say(t, hazard,
            arena_printf(t->arena, "%u of %u workload%s %s%" STR_FMT, partly, counts.all,
                         counts.all == 1 ? "" : "s", fail, STR_ARG(why)));
    else if (costliest)
        say(t, hazard,
            arena_printf(t->arena, "%s of %" STR_FMT, costliest->check->id,
                         STR_ARG(resource_name(t->arena, costliest->object))));
}

/* ---- the rest ---- */

static void tell_of_evidence(struct telling *t)
{
    struct tally tally = tally_of_check(t, CHECK_insufficient_evidence);
    struct str first;
    if (!tally.n || tally.hazard <= 0)
        return;
    str_cut(tally.costliest->message, '.', &first, NULL);
    say(t, tally.hazard, arena_printf(t->arena, "n%" STR_FMT, STR_ARG(str_sub(first, 1, first.n))));
}

/* Whole points that each category costs without anything being down: the rest is told as what is.
 */
static void count_posture(const struct telling *t, uint32_t points[CATEGORY_COUNT])
{
    const struct risk *risk;
    for (int c = 0; c < CATEGORY_COUNT; c++)
        points[c] = 0;
    LIST_EACH (risk, t->ledger->risks)
        if (hazard_of(risk->check)->part == PART_POSTURE ||
            risk->check == &checks[CHECK_evidence_missing])
            points[risk->check->category] += risk->impact;
    for (int c = 0; c < CATEGORY_COUNT; c++)
        points[c] = (points[c] + 50) / 100;
}

/* "; policy costs 7 points, health 2" */
static struct str posture_text(const struct telling *t)
{
    uint32_t points[CATEGORY_COUNT];
    struct str text = STR("");
    count_posture(t, points);
    for (int c = 0; c < CATEGORY_COUNT; c++) {
        struct str name = category_name((enum category)c);
        if (points[c] && !text.n)
            text = arena_printf(t->arena, "; %" STR_FMT " costs %u point%s", STR_ARG(name),
                                points[c], points[c] == 1 ? "" : "s");
        else if (points[c])
            text = arena_printf(t->arena, "%" STR_FMT ", %" STR_FMT " %u", STR_ARG(text),
                                STR_ARG(name), points[c]);
    }
    return text;
}

static struct str all_well(const struct telling *t)
{
    uint32_t nodes = t->findings->context->cluster->nodes.n, all = count_workloads(t).all;
    return arena_printf(t->arena, "nothing is down (%u workload%s, %u node%s)", all,
                        all == 1 ? "" : "s", nodes, nodes == 1 ? "" : "s");
}

/* What is down now comes first, posture last. */
struct str headline(struct arena *arena, const struct ledger *ledger,
                    const struct findings *findings, const struct outage *outage)
{
    struct telling t = {arena, ledger, findings, outage, .n = 0};
    struct str text = {0};
    tell_of_nodes(&t);
    tell_of_component(&t, PART_DNS);
    tell_of_component(&t, PART_NETWORK);
    tell_of_component(&t, PART_INGRESS);
    tell_of_control_plane(&t);
    tell_of_workloads(&t);
    tell_of_evidence(&t);
    if (!t.n)
        say(&t, 1, all_well(&t));
    for (uint32_t i = 0; i < t.n && i < CLAUSES_SHOWN; i++)
        text = arena_printf(arena, "%" STR_FMT "%s%" STR_FMT, STR_ARG(text), i ? "; " : "",
                            STR_ARG(t.clauses[i].text));
    return arena_printf(arena, "%" STR_FMT ": %" STR_FMT "%" STR_FMT "%s.",
                        STR_ARG(decision_name(ledger->decision)), STR_ARG(text),
                        STR_ARG(posture_text(&t)),
                        findings->context->policy->partial ? " (of the namespaces shown)" : "");
}

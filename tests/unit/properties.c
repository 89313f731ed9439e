#include "properties.h"

#include "change.h"
#include "codec/source.h"
#include "kube/kinds.h"
#include "reader/snapshot_reader.h"
#include "score/completeness.h"
#include "score/ledger.h"
#include "report/report.h"

#include <math.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

enum { MENDED_MAX = 60, ABOUT = 400 };

/* A specimen read; close with arena_free(judged.arena). */
struct judged {
    struct arena *arena;
    struct cluster *cluster;
    struct score_policy policy;
    int64_t time;
};

static struct judged open_text(const struct specimen *specimen, struct arena *arena,
                               struct str text)
{
    struct judged judged = {.arena = arena, .time = specimen->time};
    const struct snapshot_options options = {0};
    struct snapshot_error error = {0};
    judged.policy = score_policy_default();
    judged.cluster = snapshot_read(judged.arena, source_of(&text), &options, &error);
    if (!judged.cluster)
        fail_msg("%s cannot be read: %s at %llu", specimen->name,
                 error.json.text ? error.json.text : "no object",
                 (unsigned long long)error.json.offset);
    return judged;
}

static struct judged open_specimen(const struct specimen *specimen, bool all_namespaces)
{
    struct arena *arena = arena_new(SIZE_MAX / 2);
    struct judged judged = open_text(specimen, arena, objects_list(arena, &specimen->objects));
    judged.policy.all_namespaces = all_namespaces;
    return judged;
}

static struct ledger *ledger_of(const struct judged *judged)
{
    return score(judged->arena, judged->cluster, &judged->policy, judged->time);
}

static bool put(void *context, struct str bytes)
{
    buf_put(context, bytes);
    return true;
}

static struct str report_of(const struct judged *judged)
{
    struct buf out = buf_init(judged->arena, SIZE_MAX);
    struct sink sink = {put, &out};
    report_json(judged->arena, ledger_of(judged), (struct report_terms){.time = TIME_NONE}, NULL,
                sink);
    return buf_str(&out);
}

uint32_t score_of_specimen(const struct specimen *specimen)
{
    struct judged judged = open_specimen(specimen, false);
    uint32_t score = ledger_of(&judged)->score_exact;
    arena_free(judged.arena);
    return score;
}

bool is_readable(const struct specimen *specimen)
{
    struct arena *arena = arena_new(SIZE_MAX / 2);
    const struct snapshot_options options = {0};
    struct snapshot_error error = {0};
    struct str text = objects_list(arena, &specimen->objects);
    bool readable = snapshot_read(arena, source_of(&text), &options, &error) != NULL;
    arena_free(arena);
    return readable;
}

uint32_t score_by_policy(const struct specimen *specimen, const struct score_policy *policy)
{
    struct judged judged = open_specimen(specimen, false);
    judged.policy = *policy;
    uint32_t score = ledger_of(&judged)->score_exact;
    arena_free(judged.arena);
    return score;
}

uint32_t note_findings(const struct specimen *specimen, struct inventory *inventory)
{
    struct judged judged = open_specimen(specimen, false);
    const struct ledger *ledger = ledger_of(&judged);
    uint32_t score = ledger->score_exact;
    inventory_note(inventory, ledger);
    arena_free(judged.arena);
    return score;
}

void assert_rounded_down(const struct specimen *specimen)
{
    struct judged judged = open_specimen(specimen, false);
    const struct ledger *ledger = ledger_of(&judged);
    double hazard = ledger->hazard / 10000.0, score = 10000 * exp(-hazard), parts = 0;
    for (int c = 0; c < CATEGORY_COUNT; c++)
        parts += ledger->categories[c].hazard / 10000.0;
    if (ledger->csc_score != (int)(ledger->score_exact / 100))
        fail_msg("%s: %u is published as %d", specimen->name, ledger->score_exact,
                 ledger->csc_score);
    if (fabs(score - ledger->score_exact) > 2)
        fail_msg("%s: hazard %f makes %.1f, not %u", specimen->name, hazard, score,
                 ledger->score_exact);
    if (fabs(parts - hazard) > 0.0005)
        fail_msg("%s: hazard %f, by category %f", specimen->name, hazard, parts);
    arena_free(judged.arena);
}

void assert_sums(const struct specimen *specimen)
{
    struct judged judged = open_specimen(specimen, false);
    const struct ledger *ledger = ledger_of(&judged);
    uint32_t impacts[CATEGORY_COUNT] = {0}, total = 0;
    const struct risk *risk;
    LIST_EACH (risk, ledger->risks) {
        impacts[risk->check->category] += risk->impact;
        if ((risk->exempt || risk->absorbed_by) && risk->impact)
            fail_msg("%s: %s costs, though another pays for it", specimen->name, risk->check->id);
    }
    for (int c = 0; c < CATEGORY_COUNT; c++) {
        if (impacts[c] != ledger->categories[c].lost)
            fail_msg("%s: impacts of category %d are %u, it loses %u", specimen->name, c,
                     impacts[c], ledger->categories[c].lost);
        total += ledger->categories[c].lost;
    }
    if (total + ledger->score_exact != 10000)
        fail_msg("%s: %u lost, %u left", specimen->name, total, ledger->score_exact);
    arena_free(judged.arena);
}

static struct findings *without(struct arena *arena, const struct findings *from, uint32_t left_out)
{
    struct findings *findings = ARENA_NEW(arena, struct findings);
    *findings = *from;
    findings->n = 0;
    findings->items = ARENA_ARRAY(arena, from->n, struct finding *);
    for (uint32_t i = 0; i < from->n; i++)
        if (i != left_out)
            findings->items[findings->n++] =
                arena_copy(arena, from->items[i], sizeof *from->items[i]);
    return findings;
}

void assert_mending_helps(const struct specimen *specimen)
{
    struct judged judged = open_specimen(specimen, false);
    struct findings *all =
        judge_cluster(judged.arena, judged.cluster, &judged.policy, judged.time, NULL);
    struct ledger *before = ledger_build(judged.arena, without(judged.arena, all, UINT32_MAX));
    uint64_t seed = 1;
    for (uint32_t tries = 0; tries < MENDED_MAX && all->n; tries++) {
        uint32_t mended = all->n <= MENDED_MAX ? tries % all->n : objects_throw(&seed, all->n);
        struct ledger *after = ledger_build(judged.arena, without(judged.arena, all, mended));
        if (after->score_exact < before->score_exact)
            fail_msg("%s: %u, and without %s %u", specimen->name, before->score_exact,
                     all->items[mended]->check->id, after->score_exact);
    }
    arena_free(judged.arena);
}

void assert_order_is_nothing(const struct specimen *specimen)
{
    struct specimen other = *specimen;
    struct judged judged = open_specimen(specimen, false);
    struct str expected = report_of(&judged);
    other.objects.items = ARENA_ARRAY(judged.arena, specimen->objects.n, struct str);
    memcpy(other.objects.items, specimen->objects.items,
           specimen->objects.n * sizeof *other.objects.items);
    objects_shuffle(&other.objects, specimen->objects.n);
    struct judged shuffled = open_specimen(&other, false);
    if (!str_eq(report_of(&shuffled), expected))
        fail_msg("%s: another order, another report", specimen->name);
    arena_free(shuffled.arena);
    arena_free(judged.arena);
}

/* ---- forms ---- */

static struct str one_after_another(struct arena *arena, const struct objects *objects)
{
    struct buf out = buf_init(arena, SIZE_MAX);
    for (uint32_t i = 0; i < objects->n; i++) {
        buf_put(&out, objects->items[i]);
        buf_putc(&out, '\n');
    }
    return buf_str(&out);
}

static void put_collection(struct buf *out, enum kind kind, const struct objects *objects,
                           const enum kind *kinds)
{
    bool first = true;
    buf_printf(out, "%s\"%s\":[", out->n > 1 ? "," : "", kind_plural(kind).p);
    for (uint32_t i = 0; i < objects->n; i++) {
        if (kinds[i] != kind)
            continue;
        buf_put(out, first ? STR("") : STR(","));
        buf_put(out, objects->items[i]);
        first = false;
    }
    buf_putc(out, ']');
}

/* Kinds that a List's silence says there are none of are empty collections; but for roles, which
 * every cluster has: naming none of them says more than silence. Objects of kinds that are not read
 * follow one by one. */
static struct str collections(const struct judged *judged, const struct objects *objects)
{
    struct buf out = buf_init(judged->arena, SIZE_MAX);
    enum kind *kinds = ARENA_ARRAY(judged->arena, objects->n, enum kind);
    struct inventory *inventory = inventory_of(judged->arena, objects);
    uint64_t roles = UINT64_C(1) << KIND_ROLE | UINT64_C(1) << KIND_ROLEBINDING;
    uint64_t known = completeness_kinds(judged->cluster) & ~(roles & ~judged->cluster->seen);
    for (uint32_t i = 0; i < objects->n; i++)
        kinds[i] = kind_find(inventory->entries[i].kind, inventory->entries[i].api_version);
    buf_putc(&out, '{');
    for (enum kind kind = KIND_NONE + 1; kind < KIND_COUNT; kind++)
        if (known >> kind & 1)
            put_collection(&out, kind, objects, kinds);
    buf_putc(&out, '}');
    for (uint32_t i = 0; i < objects->n; i++)
        if (kinds[i] == KIND_NONE)
            buf_put(&out, objects->items[i]);
    return buf_str(&out);
}

static void expect_report(const struct specimen *specimen, struct arena *arena, struct str text,
                          struct str expected, const char *what)
{
    struct judged judged = open_text(specimen, arena, text);
    struct str report = report_of(&judged);
    size_t same = 0;
    while (same < report.n && same < expected.n && report.p[same] == expected.p[same])
        same++;
    size_t from = same > 60 ? same - 60 : 0;
    if (!str_eq(report, expected))
        fail_msg("%s: %s, another report:\n%" STR_FMT "\n%" STR_FMT, specimen->name, what,
                 STR_ARG(str_sub(expected, from, 200)), STR_ARG(str_sub(report, from, 200)));
}

/* In a List some ConfigMaps and Secrets may be picked ones; a collection of them has all. */
static struct specimen without_picked(struct arena *arena, const struct specimen *specimen)
{
    struct judged judged = open_specimen(specimen, false);
    struct specimen part = *specimen;
    part.objects.items =
        arena_copy(arena, specimen->objects.items, specimen->objects.n * sizeof(struct str));
    uint64_t unsure = judged.cluster->seen & ~completeness_kinds(judged.cluster);
    for (enum kind kind = KIND_NONE + 1; kind < KIND_COUNT; kind++) {
        if (!(unsure >> kind & 1))
            continue;
        struct inventory *inventory = inventory_of(arena, &part.objects);
        struct change change = change_begin(arena, inventory, &part.objects, specimen->time, 1);
        change_remove_kind(&change, kind_name(kind).p);
        part.objects.n = 0;
        for (uint32_t i = 0; i < change.objects.n; i++)
            if (change.objects.items[i].n)
                part.objects.items[part.objects.n++] = change.objects.items[i];
    }
    arena_free(judged.arena);
    return part;
}

void assert_form_is_nothing(const struct specimen *whole)
{
    struct arena *arena = arena_new(SIZE_MAX / 2);
    struct specimen part = without_picked(arena, whole), *specimen = &part;
    struct judged judged = open_specimen(specimen, false);
    struct str expected = report_of(&judged);
    expect_report(specimen, judged.arena, one_after_another(judged.arena, &specimen->objects),
                  expected, "one after another");
    expect_report(specimen, judged.arena, collections(&judged, &specimen->objects), expected,
                  "by kind");
    arena_free(judged.arena);
    arena_free(arena);
}

/* ---- extending ---- */

/* The last third of the objects, and of the others every seventh once more. */
static struct objects cut_off(struct arena *arena, struct objects *objects)
{
    struct objects rest = {0};
    uint32_t first = objects->n - objects->n / 3;
    for (uint32_t i = 0; i < objects->n; i++)
        if (i >= first || i % 7 == 3)
            objects_add(arena, &rest, objects->items[i]);
    objects->n = first;
    return rest;
}

static struct str report_of_text(const struct specimen *specimen, struct arena *arena,
                                 struct str text)
{
    struct judged judged = open_text(specimen, arena, text);
    return report_of(&judged);
}

void assert_extended_is_joined(const struct specimen *specimen)
{
    struct arena *arena = arena_new(SIZE_MAX / 2);
    struct objects objects = specimen->objects;
    objects.items = arena_copy(arena, objects.items, objects.n * sizeof *objects.items);
    objects_shuffle(&objects, objects.n + 1);
    struct objects rest = cut_off(arena, &objects);
    struct str text = objects_list(arena, &objects), more = one_after_another(arena, &rest);
    struct buf all = buf_init(arena, SIZE_MAX);
    buf_put(&all, text);
    buf_put(&all, more);
    struct str of_text = report_of_text(specimen, arena, text);
    struct str of_all = report_of_text(specimen, arena, buf_str(&all));

    struct snapshot_basis *basis = NULL;
    const struct snapshot_options options = {.basis = &basis};
    struct snapshot_error error = {0};
    struct judged judged = {
        .arena = arena, .policy = score_policy_default(), .time = specimen->time};
    struct cluster *first = snapshot_read(arena, source_of(&text), &options, &error);
    if (!first || !basis ||
        !(judged.cluster = snapshot_extend(basis, source_of(&more), NULL, &error)))
        fail_msg("%s cannot be extended", specimen->name);
    if (!str_eq(report_of(&judged), of_all))
        fail_msg("%s: extended, another report than joined", specimen->name);
    judged.cluster = first;
    if (!str_eq(report_of(&judged), of_text))
        fail_msg("%s: to be extended, another report", specimen->name);
    arena_free(arena);
}

/* ---- memory ---- */

static void expect_not_above(const struct specimen *specimen, const struct ledger *with,
                             const struct ledger *without, const char *kind)
{
    if (with->score_exact > without->score_exact)
        fail_msg("%s: without %s %u, and %u when they were shown before", specimen->name, kind,
                 without->score_exact, with->score_exact);
}

/* Takes each kind away in turn. */
void assert_memory_never_raises(const struct specimen *specimen)
{
    struct judged whole = open_specimen(specimen, false);
    uint64_t shown = ledger_of(&whole)->shown;
    struct inventory *inventory = inventory_of(whole.arena, &specimen->objects);
    for (enum kind kind = KIND_NONE + 1; kind < KIND_COUNT; kind++) {
        struct arena *arena = arena_new(SIZE_MAX / 2);
        struct specimen part = *specimen;
        struct change change =
            change_begin(arena, inventory, &specimen->objects, specimen->time, 1);
        change_remove_kind(&change, kind_name(kind).p);
        part.objects = change.objects;
        if (shown >> kind & 1 && objects_list(arena, &part.objects).n > 100) {
            struct judged judged = open_specimen(&part, false);
            struct ledger *without = ledger_of(&judged);
            judged.policy.shown_before = shown;
            expect_not_above(specimen, ledger_of(&judged), without, kind_name(kind).p);
            arena_free(judged.arena);
        }
        arena_free(arena);
    }
    arena_free(whole.arena);
}

void assert_doubling_changes_little(const struct specimen *specimen)
{
    struct judged once = open_specimen(specimen, true);
    struct specimen doubled = *specimen;
    doubled.objects = objects_twice(once.arena, &specimen->objects);
    struct judged twice = open_specimen(&doubled, true);
    uint32_t before = ledger_of(&once)->categories[CATEGORY_POLICY].lost;
    uint32_t after = ledger_of(&twice)->categories[CATEGORY_POLICY].lost;
    if (before + ABOUT <= after || after + ABOUT <= before)
        fail_msg("%s: policy loses %u, with every object twice %u", specimen->name, before, after);
    arena_free(twice.arena);
    arena_free(once.arena);
}

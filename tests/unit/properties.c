#include "properties.h"

#include "codec/source.h"
#include "kube/snapshot.h"
#include "score/ledger.h"
#include "report/report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

enum { MENDED_MAX = 60 };

/* A specimen read; close with arena_free(judged.arena). */
struct judged {
    struct arena *arena;
    struct cluster *cluster;
    struct score_policy policy;
    int64_t time;
};

static struct judged open_specimen(const struct specimen *specimen, bool all_namespaces)
{
    struct judged judged = {.arena = arena_new(SIZE_MAX / 2), .time = specimen->time};
    const struct snapshot_options options = {0};
    struct snapshot_error error = {0};
    struct str text = objects_list(judged.arena, &specimen->objects);
    judged.policy = score_policy_default();
    judged.policy.all_namespaces = all_namespaces;
    judged.cluster = snapshot_read(judged.arena, source_of(&text), &options, &error);
    if (!judged.cluster)
        fail_msg("%s cannot be read: %s at %llu", specimen->name,
                 error.json.text ? error.json.text : "no object",
                 (unsigned long long)error.json.offset);
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
    report_json(judged->arena, ledger_of(judged), false, sink);
    return buf_str(&out);
}

uint32_t score_of_specimen(const struct specimen *specimen)
{
    struct judged judged = open_specimen(specimen, false);
    uint32_t score = ledger_of(&judged)->score_exact;
    arena_free(judged.arena);
    return score;
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
        if (ledger->categories[c].lost > ledger->categories[c].budget)
            fail_msg("%s: category %d loses more than it has", specimen->name, c);
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
    findings->items = ARENA_ARRAY(arena, from->n, struct finding);
    for (uint32_t i = 0; i < from->n; i++)
        if (i != left_out)
            findings->items[findings->n++] = from->items[i];
    return findings;
}

void assert_mending_helps(const struct specimen *specimen)
{
    struct judged judged = open_specimen(specimen, false);
    struct findings *all = judge_cluster(judged.arena, judged.cluster, &judged.policy, judged.time);
    struct ledger *before = ledger_build(judged.arena, without(judged.arena, all, UINT32_MAX));
    uint64_t seed = 1;
    for (uint32_t tries = 0; tries < MENDED_MAX && all->n; tries++) {
        uint32_t mended = all->n <= MENDED_MAX ? tries % all->n : objects_throw(&seed, all->n);
        struct ledger *after = ledger_build(judged.arena, without(judged.arena, all, mended));
        if (after->score_exact < before->score_exact)
            fail_msg("%s: %u, and without %s %u", specimen->name, before->score_exact,
                     all->items[mended].check->id, after->score_exact);
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

void assert_doubling_changes_little(const struct specimen *specimen)
{
    struct judged once = open_specimen(specimen, true);
    struct specimen doubled = *specimen;
    doubled.objects = objects_twice(once.arena, &specimen->objects);
    struct judged twice = open_specimen(&doubled, true);
    uint32_t before = ledger_of(&once)->categories[CATEGORY_POLICY].lost;
    uint32_t after = ledger_of(&twice)->categories[CATEGORY_POLICY].lost;
    if (before + 100 <= after || after + 100 <= before)
        fail_msg("%s: policy loses %u, with every object twice %u", specimen->name, before, after);
    arena_free(twice.arena);
    arena_free(once.arena);
}

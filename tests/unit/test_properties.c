/* Properties of the score on clusters thrown at random. Those of the ledger alone are in
 * test_ledger.c, those of real clusters in test_real_snapshots.c. make properties throws more:
 * PROPERTY_ROUNDS clusters from PROPERTY_SEED on. */
#include "judge.h"
#include "properties.h"
#include "recipe.h"
#include "trials.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#ifdef __SANITIZE_ADDRESS__ /* several times as slow */
enum { TRIALS = 4 };
#else
enum { TRIALS = 20 };
#endif
enum { ROUNDS = 25, ENOUGH = 20 };

/* ---- clusters ---- */

/* Up to `below`, and none of `of` times out of of + 1. */
static unsigned sometimes(uint64_t *dice, unsigned of, unsigned below)
{
    return objects_throw(dice, of + 1) || !below ? 0 : objects_throw(dice, below);
}

static void throw_system(struct recipe *recipe, uint64_t *dice)
{
    recipe->system = objects_throw(dice, 4) > 0;
    recipe->dns = 1 + objects_throw(dice, 4);
    recipe->dns_down = sometimes(dice, 3, recipe->dns);
    recipe->cni_down = !objects_throw(dice, 12);
    recipe->control_down = sometimes(dice, 6, 3);
    recipe->operators = sometimes(dice, 3, 30);
    recipe->degraded = sometimes(dice, 2, recipe->operators);
    recipe->unavailable = sometimes(dice, 2, recipe->operators);
    recipe->pools = recipe->operators ? 2 : 0;
    recipe->degraded_pools = sometimes(dice, 2, 3);
}

static struct recipe random_recipe(uint64_t seed)
{
    uint64_t dice = seed * UINT64_C(0x9e3779b97f4a7c15);
    struct recipe recipe = {.name = "thrown", .seed = seed};
    recipe.care = (enum care)objects_throw(&dice, 5);
    recipe.care = recipe.care > CARE_RANDOM ? CARE_RANDOM : recipe.care;
    recipe.nodes = 1 + objects_throw(&dice, 12);
    recipe.apps = 1 + objects_throw(&dice, objects_throw(&dice, 4) ? 25 : 90);
    recipe.looping = sometimes(&dice, 1, recipe.apps);
    recipe.stalled = objects_throw(&dice, recipe.looping + 1);
    recipe.unpullable = sometimes(&dice, 4, recipe.apps);
    recipe.partial = sometimes(&dice, 1, recipe.apps);
    recipe.dead_nodes = sometimes(&dice, 3, recipe.nodes);
    recipe.full_nodes = sometimes(&dice, 3, recipe.nodes);
    recipe.cordoned = sometimes(&dice, 3, recipe.nodes);
    recipe.privileged = !objects_throw(&dice, 6);
    recipe.jobs = sometimes(&dice, 1, 8);
    recipe.failed_jobs = sometimes(&dice, 1, recipe.jobs);
    recipe.cronjobs = sometimes(&dice, 1, 6);
    recipe.bare_pods = sometimes(&dice, 2, 6);
    recipe.claims = sometimes(&dice, 1, 6);
    recipe.evicted = sometimes(&dice, 3, 30);
    recipe.completed = sometimes(&dice, 3, 30);
    throw_system(&recipe, &dice);
    return recipe;
}

static struct specimen specimen_of(struct arena *arena, const struct recipe *recipe)
{
    return (struct specimen){recipe->name, recipe_objects(arena, recipe),
                             clock_parse(STR(JUDGE_TIME))};
}

static struct specimen thrown(struct arena *arena, uint64_t seed)
{
    struct recipe recipe = random_recipe(seed);
    recipe.name = arena_printf(arena, "cluster %llu", (unsigned long long)seed).p;
    return specimen_of(arena, &recipe);
}

static uint32_t score_of(const struct recipe *recipe)
{
    struct arena *arena = arena_new(SIZE_MAX / 2);
    struct specimen specimen = specimen_of(arena, recipe);
    uint32_t score = score_of_specimen(&specimen);
    arena_free(arena);
    return score;
}

/* ---- of every cluster ---- */

static void each_round(void (*holds)(const struct specimen *))
{
    uint64_t first = trials_seed();
    for (uint64_t seed = first; seed < first + trials_rounds(ROUNDS); seed++) {
        struct arena *arena = arena_new(SIZE_MAX / 2);
        struct specimen specimen = thrown(arena, seed);
        holds(&specimen);
        arena_free(arena);
    }
}

static void sums(void **state)
{
    (void)state;
    each_round(assert_sums);
}

static void rounding(void **state)
{
    (void)state;
    each_round(assert_rounded_down);
}

static void mending(void **state)
{
    (void)state;
    each_round(assert_mending_helps);
}

static void order(void **state)
{
    (void)state;
    each_round(assert_order_is_nothing);
}

static void form(void **state)
{
    (void)state;
    each_round(assert_form_is_nothing);
}

static void extending(void **state)
{
    (void)state;
    each_round(assert_extended_is_joined);
}

static void memory(void **state)
{
    (void)state;
    each_round(assert_memory_never_raises);
}

static void doubling(void **state)
{
    (void)state;
    each_round(assert_doubling_changes_little);
}

/* ---- mutations ---- */

static void try_table(const struct mutation_table *table)
{
    uint64_t first = trials_seed();
    unsigned wrong = 0, rounds = trials_rounds(TRIALS);
    for (uint64_t seed = first; seed < first + rounds; seed++) {
        struct arena *arena = arena_new(SIZE_MAX / 2);
        struct specimen specimen = thrown(arena, seed);
        wrong += trials_of(&specimen, table, seed, 2, 1);
        arena_free(arena);
    }
    if (wrong)
        fail_msg("%u go the wrong way, of seeds from %llu on", wrong, (unsigned long long)first);
}

static void what_happens_to_pods(void **state)
{
    (void)state;
    try_table(&mutations_of_pods);
}

static void what_happens_to_specs(void **state)
{
    (void)state;
    try_table(&mutations_of_specs);
}

static void what_happens_to_objects(void **state)
{
    (void)state;
    try_table(&mutations_of_objects);
}

static void what_happens_to_clusters(void **state)
{
    (void)state;
    try_table(&mutations_of_clusters);
}

/* Behind the four before it. */
static void no_mutation_is_idle(void **state)
{
    (void)state;
    struct arena *arena = arena_new(SIZE_MAX / 2);
    struct str idle = trials_idle(arena);
    if (idle.n && trials_rounds(TRIALS) >= ENOUGH)
        fail_msg("nothing was there to happen to:%" STR_FMT, STR_ARG(idle));
    arena_free(arena);
}

/* ---- made to order ---- */

static struct recipe ordinary(enum care care, unsigned apps)
{
    return (struct recipe){
        .name = "", .care = care, .nodes = 6 + apps / 10, .apps = apps, .system = true};
}

/* One Deployment more of five hundred that crash-loops, however many do already. */
static void one_of_many_costs_two_points(void **state)
{
    (void)state;
    static const unsigned looping[] = {0, 1, 5, 50, 250, 499};
    for (enum care care = CARE_NONE; care <= CARE_FULL; care++)
        for (size_t i = 0; i < sizeof looping / sizeof *looping; i++) {
            struct recipe recipe = ordinary(care, 500);
            recipe.looping = looping[i];
            uint32_t before = score_of(&recipe);
            recipe.looping++;
            uint32_t after = score_of(&recipe);
            if (before > after + 200 || after > before)
                fail_msg("care %d, %u of 500 looping: %u, one more: %u", (int)care, looping[i],
                         before, after);
        }
}

/* Nothing is down, and everything that may be written wrong is. */
static void posture_alone_is_53_at_least(void **state)
{
    (void)state;
    enum { TIMES = 6 };
    struct arena *arena = arena_new(SIZE_MAX / 2);
    struct recipe recipe = ordinary(CARE_NONE, 30);
    recipe.privileged = true;
    struct specimen specimen = specimen_of(arena, &recipe);
    struct inventory *inventory = inventory_of(arena, &specimen.objects);
    struct change change =
        change_begin(arena, inventory, &specimen.objects, specimen.time, trials_seed());
    for (size_t row = 0; row < mutations_of_specs.n; row++)
        for (int i = 0; i < TIMES && mutations_of_specs.rows[row].direction == NEVER_RAISES; i++) {
            change.what = mutations_of_specs.rows[row].what;
            mutations_of_specs.rows[row].apply(&change);
        }
    specimen.objects = change.objects;
    uint32_t score = score_of_specimen(&specimen);
    if (score < 5300)
        fail_msg("%u", score);
    arena_free(arena);
}

/* At least as much is down of the cluster as of the workload that is added, or it does not raise.
 */
static void one_that_partly_fails_raises_only_the_worse(void **state)
{
    (void)state;
    enum { DEGREE = 5 }; /* of one that loops, 1 in so many */
    for (enum care care = CARE_NONE; care <= CARE_FULL; care++)
        for (unsigned apps = 5; apps <= 320; apps *= 2)
            for (unsigned looping = 0; looping * DEGREE < apps; looping = 2 * looping + 1) {
                struct recipe recipe = ordinary(care, apps);
                recipe.looping = looping;
                uint32_t before = score_of(&recipe);
                recipe.apps++;
                recipe.partial = 1;
                uint32_t after = score_of(&recipe);
                if (after > before)
                    fail_msg("care %d, %u of %u looping: %u, one more that partly loops: %u",
                             (int)care, looping, apps, before, after);
            }
}

/* What was broken before its node was lost is no better for that. */
static void dead_nodes_hide_nothing(void **state)
{
    (void)state;
    static const struct recipe broken[] = {
        {.name = "one node's control plane", .control_down = 1},
        {.name = "two nodes' control plane", .control_down = 2},
        {.name = "the control plane", .control_down = 3},
        {.name = "the pod network", .cni_down = true},
        {.name = "DNS", .dns_down = 2},
        {.name = "applications", .looping = 10, .unpullable = 5, .partial = 10},
    };
    unsigned raises = 0;
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        for (unsigned nodes = 3; nodes <= 12; nodes += 3)
            for (unsigned dead = 0; dead < nodes; dead++) {
                struct recipe recipe = broken[i];
                recipe.care = CARE_FULL;
                recipe.system = true;
                recipe.apps = 30;
                recipe.nodes = nodes;
                recipe.dead_nodes = dead;
                uint32_t before = score_of(&recipe);
                recipe.dead_nodes++;
                uint32_t after = score_of(&recipe);
                if (after > before)
                    print_error("%s down, %u of %u nodes: %u, one more: %u\n", recipe.name, dead,
                                nodes, before, after);
                raises += after > before;
            }
    assert_int_equal(raises, 0);
}

static void without(struct specimen *specimen, const char *kind)
{
    for (uint32_t i = 0; i < specimen->objects.n; i++)
        if (str_has(specimen->objects.items[i], str_of(kind)))
            specimen->objects.items[i] = (struct str){0};
}

/* Whose owner says that some namespaces are shown is not asked for Nodes. */
static void partial_clusters_need_no_nodes(void **state)
{
    (void)state;
    struct arena *arena = arena_new(SIZE_MAX / 2);
    struct score_policy policy = score_policy_default();
    struct recipe recipe = ordinary(CARE_FULL, 20);
    struct specimen specimen = specimen_of(arena, &recipe);
    without(&specimen, "\"kind\":\"Node\",\"metadata\"");
    assert_in_range(score_by_policy(&specimen, &policy), 6000, 6999);
    policy.partial = true;
    assert_in_range(score_by_policy(&specimen, &policy), 8000, 10000);
    without(&specimen, "\"kind\":\"Pod\",\"metadata\"");
    assert_in_range(score_by_policy(&specimen, &policy), 8000, 10000);
    without(&specimen, "\"kind\":\"Deployment\",\"metadata\"");
    without(&specimen, "\"kind\":\"ReplicaSet\",\"metadata\"");
    without(&specimen, "\"kind\":\"DaemonSet\",\"metadata\"");
    assert_in_range(score_by_policy(&specimen, &policy), 0, 6999);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums),
        cmocka_unit_test(rounding),
        cmocka_unit_test(mending),
        cmocka_unit_test(order),
        cmocka_unit_test(form),
        cmocka_unit_test(extending),
        cmocka_unit_test(memory),
        cmocka_unit_test(doubling),
        cmocka_unit_test(what_happens_to_pods),
        cmocka_unit_test(what_happens_to_specs),
        cmocka_unit_test(what_happens_to_objects),
        cmocka_unit_test(what_happens_to_clusters),
        cmocka_unit_test(no_mutation_is_idle),
        cmocka_unit_test(one_of_many_costs_two_points),
        cmocka_unit_test(posture_alone_is_53_at_least),
        cmocka_unit_test(one_that_partly_fails_raises_only_the_worse),
        cmocka_unit_test(dead_nodes_hide_nothing),
        cmocka_unit_test(partial_clusters_need_no_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

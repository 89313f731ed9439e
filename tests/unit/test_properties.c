/* Properties of the score on clusters thrown at random. Those of the ledger alone are in
 * test_ledger.c, those of real clusters in test_real_snapshots.c. */
#include "properties.h"
#include "judge.h"
#include "recipe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

enum { ROUNDS = 25 };

static struct recipe random_recipe(uint64_t seed)
{
    uint64_t dice = seed;
    struct recipe recipe = {.name = "thrown", .care = CARE_RANDOM, .seed = seed};
    recipe.nodes = 1 + objects_throw(&dice, 8);
    recipe.apps = 1 + objects_throw(&dice, 40);
    recipe.looping = objects_throw(&dice, 3) ? objects_throw(&dice, recipe.apps) : 0;
    recipe.stalled = objects_throw(&dice, recipe.looping + 1);
    recipe.dead_nodes = objects_throw(&dice, 4) ? 0 : objects_throw(&dice, recipe.nodes);
    recipe.full_nodes = objects_throw(&dice, 4) ? 0 : objects_throw(&dice, recipe.nodes);
    return recipe;
}

static struct specimen specimen_of(struct arena *arena, const struct recipe *recipe)
{
    return (struct specimen){recipe->name, recipe_objects(arena, recipe),
                             clock_parse(STR(JUDGE_TIME))};
}

static void each_round(void (*holds)(const struct specimen *))
{
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        struct arena *arena = arena_new(SIZE_MAX / 2);
        struct recipe recipe = random_recipe(seed);
        recipe.name = arena_printf(arena, "cluster %llu", (unsigned long long)seed).p;
        struct specimen specimen = specimen_of(arena, &recipe);
        holds(&specimen);
        arena_free(arena);
    }
}

static void sums(void **state)
{
    (void)state;
    each_round(assert_sums);
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

static void doubling(void **state)
{
    (void)state;
    each_round(assert_doubling_changes_little);
}

static uint32_t score_of(const struct recipe *recipe)
{
    struct arena *arena = arena_new(SIZE_MAX / 2);
    struct specimen specimen = specimen_of(arena, recipe);
    uint32_t score = score_of_specimen(&specimen);
    arena_free(arena);
    return score;
}

/* One Deployment among up to five hundred that crash-loops. */
static void one_crash_loop_costs_a_point(void **state)
{
    (void)state;
    static const unsigned apps[] = {1, 2, 7, 47, 200, 500};
    for (size_t i = 0; i < sizeof apps / sizeof *apps; i++)
        for (enum care care = CARE_NONE; care <= CARE_FULL; care++) {
            struct recipe recipe = {.name = "", .care = care, .nodes = 9, .apps = apps[i]};
            uint32_t healthy = score_of(&recipe);
            recipe.looping = 1;
            uint32_t looping = score_of(&recipe);
            if (looping + 100 > healthy)
                fail_msg("%u applications, care %d: %u, was %u", apps[i], (int)care, looping,
                         healthy);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums),
        cmocka_unit_test(mending),
        cmocka_unit_test(order),
        cmocka_unit_test(doubling),
        cmocka_unit_test(one_crash_loop_costs_a_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

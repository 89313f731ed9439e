/* The spread of scores that the costs were set for, on clusters made to order; and the table of
 * docs/scoring.md that shows it. */
#include "judge.h"
#include "properties.h"
#include "recipe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

enum { PAGE_MAX = 1 << 20 };

static const struct row {
    struct recipe recipe;
    int least, most;
} rows[] = {
    {{"hardened, healthy", CARE_FULL, .nodes = 6, .apps = 47}, 91, 100},
    {{"ordinary, healthy", CARE_COMMON, .nodes = 6, .apps = 47}, 69, 80},
    {{"nothing set, one old node, healthy", CARE_NONE, .nodes = 1, .apps = 30}, 60, 75},
    {{"ordinary, 14 of 47 applications looping", CARE_COMMON, 6, 47, .looping = 14}, 58, 66},
    {{"nothing set, one old node, six of 30 looping", CARE_NONE, 1, 30, .looping = 6}, 50, 60},
    {{"... and their rollouts stuck", CARE_NONE, 1, 30, .looping = 6, .stalled = 6}, 45, 55},
    {{"hardened, everything looping and stuck", CARE_FULL, 6, 30, 30, .stalled = 30}, 50, 69},
    {{"ordinary, everything looping and stuck", CARE_COMMON, 6, 30, 30, .stalled = 30}, 30, 49},
    {{"everything broken", CARE_NONE, 6, 30, 30, 30, .dead_nodes = 3, .full_nodes = 3}, 0, 44},
};

static int score_of(const struct recipe *recipe)
{
    struct arena *arena = arena_new(SIZE_MAX / 2);
    struct specimen specimen = {recipe->name, recipe_objects(arena, recipe),
                                clock_parse(STR(JUDGE_TIME))};
    int score = (int)((score_of_specimen(&specimen) + 50) / 100);
    arena_free(arena);
    return score;
}

static void spread(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int score = score_of(&rows[i].recipe);
        if (score < rows[i].least || score > rows[i].most)
            fail_msg("%s: %d, should be %d to %d", rows[i].recipe.name, score, rows[i].least,
                     rows[i].most);
    }
}

static void the_page_shows_it(void **state)
{
    (void)state;
    static char page[PAGE_MAX];
    FILE *file = fopen("docs/scoring.md", "r");
    assert_non_null(file);
    struct str text = {page, fread(page, 1, sizeof page, file)};
    fclose(file);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char line[256];
        snprintf(line, sizeof line, "\n| %s | %d |", rows[i].recipe.name,
                 score_of(&rows[i].recipe));
        if (!str_has(text, str_of(line)))
            fail_msg("docs/scoring.md has no line %s", line);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spread),
        cmocka_unit_test(the_page_shows_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

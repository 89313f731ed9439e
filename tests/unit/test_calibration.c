/* The scores of clusters made to order, and the table of docs/scoring.md that shows them. With
 * CALIBRATION_KEEP=DIRECTORY each cluster is left there, for other scorers to read. */
#include "judge.h"
#include "properties.h"
#include "recipe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

enum { PAGE_MAX = 1 << 20 };

/* What the first formula said, what the reference implementation of the second one says, and the
 * range that a person would accept. */
static const struct row {
    struct recipe recipe;
    int first, reference, least, most;
} rows[] = {
#define NORMAL .system = true, .nodes = 6
    {{"hardened", CARE_FULL, NORMAL, .apps = 20}, 100, 100, 91, 100},
    {{"ordinary", CARE_COMMON, NORMAL, .apps = 20}, 76, 89, 80, 95},
    {{"nothing set", CARE_NONE, NORMAL, .apps = 20}, 66, 79, 70, 90},
    {{"nothing set, privileged", CARE_NONE, NORMAL, .apps = 20, .privileged = true},
     65,
     76,
     60,
     78},
    {{"ordinary, 1 of 5 down", CARE_COMMON, NORMAL, .apps = 5, .looping = 1}, 66, 72, 50, 69},
    {{"ordinary, 2 of 5 down", CARE_COMMON, NORMAL, .apps = 5, .looping = 2}, 64, 60, 30, 49},
    {{"ordinary, 1 of 10 down", CARE_COMMON, NORMAL, .apps = 10, .looping = 1}, 68, 74, 60, 72},
    {{"hardened, 1 of 10 down", CARE_FULL, NORMAL, .apps = 10, .looping = 1}, 91, 82, 65, 76},
    {{"ordinary, 1 of 300 down", CARE_COMMON, NORMAL, .apps = 300, .looping = 1}, 73, 87, 80, 95},
    {{"ordinary, 14 of 47 down", CARE_COMMON, NORMAL, .apps = 47, .looping = 14}, 62, 40, 25, 45},
    {{"hardened, all down", CARE_FULL, NORMAL, .apps = 20, .looping = 20}, 79, 15, 0, 20},
    {{"6 of 7 cannot pull", CARE_COMMON, NORMAL, .apps = 7, .unpullable = 6}, 60, 35, 0, 30},
    {{"hardened, 1 of 3 control-plane nodes NotReady", CARE_FULL, .system = true, .nodes = 6,
      .apps = 20, .dead_nodes = 1},
     83,
     22,
     0,
     90},
    {{"hardened, no node ready", CARE_FULL, NORMAL, .apps = 20, .dead_nodes = 6}, 65, 0, 0, 10},
    {{"hardened, DNS 1 of 2", CARE_FULL, NORMAL, .apps = 20, .dns_down = 1}, 85, 82, 70, 90},
    {{"hardened, DNS 0 of 2", CARE_FULL, NORMAL, .apps = 20, .dns_down = 2}, 85, 26, 10, 49},
    {{"hardened, network of pods down", CARE_FULL, NORMAL, .apps = 20, .cni_down = true},
     85,
     26,
     10,
     49},
    {{"hardened, 1 of 30 operators degraded", CARE_FULL, NORMAL, .apps = 20, .operators = 30,
      .degraded = 1},
     100,
     67,
     60,
     75},
    {{"hardened, 4 of 30 operators degraded", CARE_FULL, NORMAL, .apps = 20, .operators = 30,
      .degraded = 4},
     100,
     38,
     25,
     49},
    {{"hardened, 50 evicted pods", CARE_FULL, NORMAL, .apps = 20, .evicted = 50}, 82, 86, 70, 95},
    {{"all broken", CARE_NONE, NORMAL, .apps = 30, .looping = 30, .dead_nodes = 3, .full_nodes = 3},
     43,
     1,
     0,
     10},
};

static void keep(struct arena *arena, const struct row *row, const struct objects *objects)
{
    const char *directory = getenv("CALIBRATION_KEEP");
    if (!directory)
        return;
    struct str path = arena_printf(arena, "%s/%02d.json", directory, (int)(row - rows));
    FILE *file = fopen(path.p, "w");
    struct str list = objects_list(arena, objects);
    assert_non_null(file);
    assert_int_equal(fwrite(list.p, 1, list.n, file), list.n);
    fclose(file);
}

static int score_of(const struct row *row)
{
    struct arena *arena = arena_new(SIZE_MAX / 2);
    struct specimen specimen = {row->recipe.name, recipe_objects(arena, &row->recipe),
                                clock_parse(STR(JUDGE_TIME))};
    int score = (int)(score_of_specimen(&specimen) / 100);
    keep(arena, row, &specimen.objects);
    arena_free(arena);
    return score;
}

static void spread(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int score = score_of(&rows[i]);
        if (score >= rows[i].least && score <= rows[i].most)
            continue;
        print_error("%s: %d, should be %d to %d\n", rows[i].recipe.name, score, rows[i].least,
                    rows[i].most);
        wrong++;
    }
    assert_int_equal(wrong, 0);
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
        snprintf(line, sizeof line, "\n| %s | %d | %d | %d |", rows[i].recipe.name, rows[i].first,
                 rows[i].reference, score_of(&rows[i]));
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

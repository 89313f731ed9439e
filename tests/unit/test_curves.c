/* The drawing of docs/scoring-curves.svg is that of the score as it is; and curves only fall. */
#include "curves.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>

enum { DRAWING_MAX = 1 << 20 };

static struct arena *arena;
static struct curve_panels *panels;

static void the_drawing_is_this_one(void **state)
{
    (void)state;
    char *drawing = arena_bytes(arena, DRAWING_MAX);
    FILE *file = fopen("docs/scoring-curves.svg", "r");
    assert_non_null(file);
    struct str text = {drawing, fread(drawing, 1, DRAWING_MAX, file)};
    fclose(file);
    if (!str_eq(text, curves_svg(arena, panels)))
        fail_msg("docs/scoring-curves.svg is another one: make curves draws it");
}

static void more_down_is_never_better(void **state)
{
    (void)state;
    for (int i = 0; i < CURVE_PANELS; i++)
        for (int k = 0; k < CURVES_A_PANEL; k++) {
            const struct curve *curve = &panels->panels[i].curves[k];
            for (uint32_t p = 1; p < curve->n; p++)
                if (curve->score[p] > curve->score[p - 1])
                    fail_msg("%s, %s: %u down %u, %u down %u", panels->panels[i].title,
                             curve->label, curve->down[p - 1], curve->score[p - 1], curve->down[p],
                             curve->score[p]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_drawing_is_this_one),
        cmocka_unit_test(more_down_is_never_better),
    };
    arena = arena_new(SIZE_MAX / 2);
    panels = curves_measure(arena);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(arena);
    return failed;
}

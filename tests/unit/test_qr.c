/* qr: a square of modules, with what a camera looks for. */
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#include "scratch.h"
#include "service/qr.h"

/* A finder is a dark frame of seven modules, a light one in it, and a dark square of three. */
static bool is_finder(struct str modules, size_t side, size_t top, size_t left)
{
    static const char *const rows[] = {"1111111", "1000001", "1011101", "1011101",
                                       "1011101", "1000001", "1111111"};
    for (size_t i = 0; i < COUNT(rows); i++)
        if (memcmp(modules.p + (top + i) * side + left, rows[i], 7) != 0)
            return false;
    return true;
}

static void codes_have_their_finders(void **state)
{
    static const size_t lengths[] = {1, 17, 18, 150, 2953};
    static char text[2953];
    (void)state;
    memset(text, 'a', sizeof text);
    for (size_t i = 0; i < COUNT(lengths); i++) {
        size_t side;
        struct str modules = qr_modules(arena, (struct str){text, lengths[i]}, &side);
        assert_true(side >= 21 && side <= 177 && side % 4 == 1);
        assert_int_equal(modules.n, side * side);
        assert_true(is_finder(modules, side, 0, 0));
        assert_true(is_finder(modules, side, 0, side - 7));
        assert_true(is_finder(modules, side, side - 7, 0));
        assert_false(is_finder(modules, side, side - 7, side - 7));
    }
}

static void what_is_no_text_has_none(void **state)
{
    static char text[2954];
    size_t side;
    (void)state;
    memset(text, 'a', sizeof text);
    assert_null(qr_modules(arena, (struct str){text, sizeof text}, &side).p);
    assert_null(qr_modules(arena, (struct str){0}, &side).p);
    assert_null(qr_modules(arena, STR("a\0b"), &side).p);
    assert_int_equal(side, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codes_have_their_finders),
        cmocka_unit_test(what_is_no_text_has_none),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}

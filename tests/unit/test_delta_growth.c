/* A base that grows by additions. */
#include "deltas.h"
#include "listings.h"
#include "scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

enum { PIECE = 32 * 1024, ROOM = 64 * 1024 };

static bool is_read_back(const struct delta_stored *stored, struct str delta, struct str text)
{
    struct delta_result result = delta_read_text(arena, stored, delta, ROOM);
    return result.right && str_eq(result.text, text);
}

/* Of a list that drifts away from its base: what was added is not in the next delta any more. */
static void what_was_added_is_not_told_again(void **state)
{
    (void)state;
    struct listing listing = {300, 4000, 0, 1, as_they_are};
    struct delta_stored stored = delta_store_text(arena, list_of(listing), PIECE), first = stored;
    struct str text, text_before = {0}, before = {0};
    first.base = delta_base_read(stored.written.items, 1);
    for (unsigned i = 1; i <= 5; i++) {
        listing.changed = i * 30;
        text = list_of(listing);
        struct delta_made made = delta_make_text(arena, stored.base, text, PIECE);
        assert_true(is_read_back(&stored, made.delta, text));
        assert_int_equal(delta_base_additions(stored.base), i - 1);
        assert_true(made.literal > 0 && made.literal < made.length / 10);
        delta_store_addition(arena, &stored, &made);
        assert_true(!before.n || is_read_back(&stored, before, text_before));
        before = made.addition.delta;
        text_before = text;
        assert_true(is_read_back(&stored, before, text));
        assert_true(before.n < made.delta.n / 2);
        made = delta_make_text(arena, stored.base, text, PIECE);
        assert_true(str_eq(made.delta, before) && !made.literal && !made.addition.chunks.n);
    }
    struct delta_result own = delta_read_text(arena, &stored, (struct str){0}, ROOM);
    assert_true(own.right && str_eq(own.text, first.text));
    assert_false(is_read_back(&first, before, text_before)); /* that base has not grown */
    delta_base_free(first.base);
    delta_base_free(stored.base);
}

static bool is_forward(const struct delta_stored *stored, struct str delta)
{
    struct delta_reader *reader = delta_reader_open(stored->base, delta, (struct delta_text){0});
    bool forward = delta_reader_is_forward(reader);
    delta_reader_free(reader);
    return forward;
}

/* Additions may be read in any order; the base's own text counts. */
static void own_text_is_read_forward(void **state)
{
    (void)state;
    struct listing listing = {300, 4000, 0, 1, as_they_are}, back = {300, 4000, 0, 1, backwards};
    struct delta_stored stored = delta_store_text(arena, list_of(listing), PIECE);
    for (listing.changed = 20; listing.changed <= 80; listing.changed += 20) {
        struct delta_made made = delta_make_text(arena, stored.base, list_of(listing), PIECE);
        assert_true(is_forward(&stored, made.delta));
        assert_true(made.addition.chunks.n);
        delta_store_addition(arena, &stored, &made);
        assert_true(is_forward(&stored, made.addition.delta));
    }
    struct delta_made made = delta_make_text(arena, stored.base, list_of(back), PIECE);
    assert_false(made.whole || is_forward(&stored, made.delta));
    delta_base_free(stored.base);
}

/* Additions that are damaged, of another base, or not in their order. */
static void additions_that_do_not_belong(void **state)
{
    (void)state;
    struct listing listing = {300, 4000, 0, 1, as_they_are};
    struct delta_stored stored = delta_store_text(arena, list_of(listing), PIECE),
                        other = delta_store_text(arena, list_of(listing), PIECE);
    struct str last = {0}, text = {0};
    for (unsigned i = 1; i <= 2; i++) {
        listing.changed = i * 40;
        text = list_of(listing);
        struct delta_made made = delta_make_text(arena, stored.base, text, PIECE);
        delta_store_addition(arena, &stored, &made);
        last = made.addition.delta;
    }
    assert_true(is_read_back(&stored, last, text));
    struct str *written = stored.written.items;
    const struct str of_another[] = {other.written.items[0], written[1]},
                     swapped[] = {written[0], written[2], written[1]},
                     cut[] = {written[0], str_sub(written[1], 0, written[1].n - 1)},
                     fewer[] = {written[0], written[1]};
    assert_null(delta_base_read(of_another, COUNT(of_another)));
    assert_null(delta_base_read(cut, COUNT(cut)));
    assert_null(delta_base_read(NULL, 0));
    struct delta_stored wrong = stored;
    wrong.base = delta_base_read(swapped, COUNT(swapped));
    assert_non_null(wrong.base);
    assert_false(is_read_back(&wrong, last, text));
    delta_base_free(wrong.base);
    wrong.base = delta_base_read(fewer, COUNT(fewer));
    assert_non_null(wrong.base);
    assert_false(is_read_back(&wrong, last, text));
    delta_base_free(wrong.base);
    delta_base_free(other.base);
    delta_base_free(stored.base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_added_is_not_told_again),
        cmocka_unit_test(own_text_is_read_forward),
        cmocka_unit_test(additions_that_do_not_belong),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}

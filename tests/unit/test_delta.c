/* Deltas: the same bytes come back, also of awkward ones; what is made is bounded. Of real
 * snapshots see test_delta_snapshots.c. */
#include "base/buf.h"
#include "base/clock.h"
#include "codec/varint.h"
#include "deltas.h"
#include "listings.h"
#include "scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { PIECE = 32 * 1024, ROOM = 64 * 1024, OBJECTS_MAX = 100000 };

static void a_list_comes_back_whatever_becomes_of_it(void **state)
{
    (void)state;
    static const struct {
        struct listing from, to;
        double most; /* bytes of the delta, for one of the base */
    } rows[] = {
        {{1000, 4000, 0, 0, as_they_are}, {1000, 4000, 0, 0, as_they_are}, 0.001},
        {{1000, 4000, 0, 0, as_they_are}, {1000, 4000, 10, 3, as_they_are}, 0.2},
        {{1000, 4000, 0, 0, as_they_are}, {1001, 4000, 0, 0, as_they_are}, 0.2},
        {{1000, 4000, 0, 0, as_they_are}, {999, 4000, 0, 0, as_they_are}, 0.2},
        {{1000, 4000, 0, 0, as_they_are}, {500, 4000, 0, 0, as_they_are}, 0.2},
        {{1000, 9000, 0, 0, as_they_are}, {1000, 9000, 0, 0, backwards}, 1.2},
        {{1000, 9000, 0, 0, as_they_are}, {1000, 9000, 0, 0, shuffled}, 1.2},
        {{1000, 9000, 0, 0, as_they_are}, {2000, 9000, 0, 0, doubled}, 1.2},
        {{1000, 4000, 0, 0, all_one}, {900, 4000, 0, 0, all_one}, 1.0},
        {{1000, 4000, 0, 0, as_they_are}, {1000, 4000, 1000, 1, as_they_are}, 2.0},
        {{OBJECTS_MAX, 0, 0, 0, as_they_are}, {OBJECTS_MAX, 0, 1, 1, as_they_are}, 0.5},
        {{OBJECTS_MAX, 0, 0, 0, as_they_are}, {OBJECTS_MAX, 0, 0, 0, shuffled}, 6.0},
        {{1, 0, 0, 0, as_they_are}, {1000, 400, 0, 0, as_they_are}, 1000},
        {{1, 0, 0, 0, as_they_are}, {1, 0, 0, 0, as_they_are}, 10},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct delta_stored stored = delta_store_text(arena, list_of(rows[i].from), PIECE);
        struct delta_result again = delta_read_text(arena, &stored, (struct str){0}, ROOM);
        assert_true(again.right && str_eq(again.text, stored.text));
        size_t n = delta_round_trip(arena, &stored, list_of(rows[i].to));
        if ((double)n > rows[i].most * (double)stored.packed.n + 200)
            fail_msg("row %zu: %zu bytes, and the base has %zu", i, n, stored.packed.n);
        delta_base_free(stored.base);
        arena_reset(arena);
    }
}

/* ---- what is known of the text before ---- */

/* The list, cut into its objects; `separator` stands between. */
static delta_piece_list pieces_of(struct arena *own, struct listing listing, const char *separator)
{
    delta_piece_list pieces = {0};
    struct str text = list_of(listing), object, separating = str_of(separator);
    struct delta_piece head = {.bytes = STR("{\"items\":[")};
    uint64_t lead = 0;
    LIST_ADD(own, pieces, head);
    text = str_sub(text, head.bytes.n, text.n - STR("]}\n").n);
    while (text.n) {
        const char *end = memmem(text.p, text.n, "\"},{", 4);
        size_t n = end ? (size_t)(end - text.p) + 2 : text.n;
        object = str_sub(text, 0, n);
        LIST_ADD(own, pieces, ((struct delta_piece){object, str_hash(1, object) | 1, lead}));
        text = str_sub(text, n + 1, text.n);
        if (text.n)
            LIST_ADD(own, pieces, (struct delta_piece){.bytes = separating});
        lead = separating.n <= TEXT_LEAD_MAX ? str_hash(1, separating) | 1 : 0;
    }
    LIST_ADD(own, pieces, (struct delta_piece){.bytes = STR("]}\n")});
    return pieces;
}

static void what_is_known_is_not_cut_again(void **state)
{
    (void)state;
    static const char many[] = ",                                ";
    static const struct {
        struct listing from, to;
        const char *between_from, *between_to;
        double least, most; /* bytes that are known, of all */
    } rows[] = {
        {{1000, 4000, 0, 0, as_they_are}, {1000, 4000, 0, 0, as_they_are}, ",", ",", .998, 1},
        {{1000, 4000, 0, 0, as_they_are}, {1000, 4000, 10, 3, as_they_are}, ",", ",", .9, .995},
        {{1000, 4000, 0, 0, as_they_are}, {1001, 4000, 0, 0, as_they_are}, ",", ",", .99, 1},
        {{1000, 4000, 0, 0, as_they_are}, {500, 4000, 0, 0, as_they_are}, ",", ",", .99, 1},
        {{1000, 4000, 0, 0, as_they_are}, {1000, 4000, 0, 0, as_they_are}, ",", ", ", 0, .6},
        {{1000, 4000, 0, 0, as_they_are},
         {1000, 4000, 0, 0, as_they_are},
         many + 2,
         many + 2,
         .99,
         1},
        {{1000, 4000, 0, 0, as_they_are}, {1000, 4000, 0, 0, as_they_are}, many, many, 0, .6},
        {{1000, 4000, 0, 0, as_they_are}, {1000, 4000, 0, 0, as_they_are}, "", "", .99, 1},
        {{400, 20000, 0, 0, as_they_are}, {400, 20000, 0, 0, backwards}, ",", ",", .3, .9},
        {{400, 20000, 0, 0, as_they_are}, {400, 20000, 0, 0, shuffled}, ",", ",", .3, .9},
        {{400, 20000, 0, 0, as_they_are}, {800, 20000, 0, 0, doubled}, ",", ",", .3, .95},
        {{9000, 100, 0, 0, as_they_are}, {9000, 100, 10, 3, as_they_are}, ",", ",", .7, .99},
        {{1000, 4000, 0, 0, all_one}, {900, 4000, 0, 0, all_one}, ",", ",", .9, 1},
        {{1, 0, 0, 0, as_they_are}, {1, 0, 0, 0, as_they_are}, ",", ",", 0, 0},
        {{1, 30000, 0, 0, as_they_are}, {1, 30000, 0, 0, as_they_are}, ",", ",", 0, .99},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct delta_memory *memory = delta_memory_new();
        delta_piece_list from = pieces_of(arena, rows[i].from, rows[i].between_from);
        delta_piece_list to = pieces_of(arena, rows[i].to, rows[i].between_to);
        struct delta_made base = delta_make_known(arena, NULL, memory, from, PIECE);
        struct str written =
            delta_base_write(arena, base.key, base.chunks.items, base.chunks.n, base.body.n);
        struct delta_base *read = delta_base_read(&written, 1);
        assert_int_equal(base.known, 0);
        for (int times = 0; times < 3; times++) {
            struct delta_made made = delta_make_known(arena, read, memory, times ? from : to, 5);
            double known = (double)made.known / (double)made.length;
            if (!times && (known < rows[i].least || known > rows[i].most))
                fail_msg("row %zu: %.3f is known", i, known);
        }
        assert_int_equal(delta_make_known(arena, NULL, memory, from, PIECE).known, 0);
        delta_base_free(read);
        delta_memory_free(memory);
        arena_reset(arena);
    }
}

/* ---- limits ---- */

/* One byte below, at and above the lengths that a chunk may have. */
static void lengths_around_the_limits(void **state)
{
    (void)state;
    static const size_t sizes[] = {1,           63,          CUT_MIN - 64, CUT_MIN - 1,
                                   CUT_MIN,     CUT_MIN + 1, CUT_MAX - 1,  CUT_MAX,
                                   CUT_MAX + 1, 2 * CUT_MAX, 100000};
    struct str text = list_of((struct listing){300, 400, 0, 0, as_they_are});
    struct delta_stored stored = delta_store_text(arena, text, PIECE);
    for (size_t i = 0; i < COUNT(sizes); i++)
        for (size_t piece = 1; piece < 2 * CUT_MAX; piece = piece * 5 + 1) {
            struct str part = str_sub(text, 0, sizes[i]);
            struct delta_made made = delta_make_text(arena, stored.base, part, piece);
            struct delta_made whole = delta_make_text(arena, stored.base, part, SIZE_MAX);
            assert_true(made.whole == whole.whole && str_eq(made.delta, whole.delta) &&
                        str_eq(made.body, whole.body));
            struct delta_result result = delta_read_text(arena, &stored, made.delta, piece);
            assert_true(made.whole || (result.right && str_eq(result.text, part)));
        }
    delta_base_free(stored.base);
}

static bool nothing_there(void *context, uint64_t offset, char *dst, size_t n)
{
    (void)context;
    (void)offset;
    memset(dst, 0, n);
    return true;
}

/* Few bytes that ask for much get no more than a text may have, and nothing that can be used. */
static void a_delta_that_asks_for_too_much(void **state)
{
    (void)state;
    struct str text = list_of((struct listing){20000, 400, 0, 0, as_they_are});
    struct delta_stored stored = delta_store_text(arena, text, PIECE);
    static const uint64_t lengths[] = {DELTA_TEXT_MAX, DELTA_TEXT_MAX + 1, 10, 0};
    for (size_t i = 0; i < COUNT(lengths); i++) {
        struct buf delta = buf_init(arena, 1 << 20), steps = delta;
        for (unsigned n = 0; n < 1000; n++) {
            varint_put(&steps, (uint64_t)delta_base_n(stored.base) << 1);
            varint_put(&steps, 0);
        }
        buf_putc(&delta, 1);
        buf_put(&delta, STR("0123456789abcdef"));
        varint_put(&delta, lengths[i]);
        varint_put(&delta, 0);
        varint_put(&delta, steps.n);
        buf_put(&delta, buf_str(&steps));
        struct delta_reader *reader = delta_reader_open(stored.base, buf_str(&delta),
                                                        (struct delta_text){nothing_there, NULL});
        struct source source = delta_reader_source(reader);
        uint64_t total = 0;
        char room[ROOM];
        ptrdiff_t n;
        while ((n = source.read(source.context, room, sizeof room)) > 0)
            total += (uint64_t)n;
        assert_int_equal(n, -1);
        assert_true(total <= DELTA_TEXT_MAX);
        assert_false(delta_reader_is_right(reader));
        delta_reader_free(reader);
    }
    delta_base_free(stored.base);
}

/* What is stored is bounded by what was pushed, also for texts that were made to cost much. */
static void a_result_that_is_too_long_is_refused(void **state)
{
    (void)state;
    struct delta_made made;
    struct str text = list_of((struct listing){2000, 4000, 0, 0, as_they_are});
    struct delta_options options = {.want_body = true, .max = 10000};
    struct delta_maker *maker = delta_maker_new(arena, &options);
    delta_maker_put(maker, text);
    assert_false(delta_maker_finish(maker, &made));
    assert_true(delta_maker_failed(maker));
    delta_maker_free(maker);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list_comes_back_whatever_becomes_of_it),
        cmocka_unit_test(what_is_known_is_not_cut_again),
        cmocka_unit_test(lengths_around_the_limits),
        cmocka_unit_test(a_delta_that_asks_for_too_much),
        cmocka_unit_test(a_result_that_is_too_long_is_refused),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}

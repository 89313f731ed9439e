/* Coming back with jr_rewind, and what the tap sees. */
#include "jr_dump.h"
#include "scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#define assert_str(got, want)                                                                      \
    assert_string_equal(arena_printf(arena, "%" STR_FMT, STR_ARG(got)).p, (want))

static ptrdiff_t read_three(void *context, char *dst, size_t cap)
{
    struct str *text = context, piece = str_sub(*text, 0, cap < 3 ? cap : 3);
    if (piece.n)
        memcpy(dst, piece.p, piece.n);
    *text = str_sub(*text, piece.n, text->n);
    return (ptrdiff_t)piece.n;
}

static struct jr *open_small(struct str *text, size_t mark)
{
    struct jr_limits limits = JR_WIDE;
    limits.mark = mark;
    return jr_open_sized(arena, (struct source){read_three, text}, limits, JR_WINDOW_MIN,
                         jr_kernel_best());
}

static enum jr_type find(struct jr *r, struct str key)
{
    enum jr_type type;
    while ((type = jr_next(r)) > JR_END && !str_eq(jr_key(r), key))
        ;
    return type;
}

static struct str repeated(const char *text, unsigned times)
{
    struct buf out = buf_init(arena, SIZE_MAX);
    for (unsigned i = 0; i < times; i++)
        buf_put(&out, str_of(text));
    return buf_str(&out);
}

/* What a reader of objects does whose kind comes last. */
static void kind_comes_last(void **state)
{
    (void)state;
    for (unsigned filler = 0; filler < 60; filler++) {
        struct str fill = repeated("{\"x\":[1,\"]\"]},", filler);
        struct str text = arena_printf(
            arena, "{\"items\":[{\"spec\":{\"a\":[%" STR_FMT "0]},\"kind\":\"Pod\"},7]}",
            STR_ARG(fill));
        struct jr *r = open_small(&text, 1 << 20);
        jr_next(r);
        jr_enter(r);
        jr_next(r);
        jr_enter(r);
        assert_int_equal(jr_next(r), JR_OBJECT);
        uint64_t offset = jr_offset(r);
        jr_mark(r);
        jr_enter(r);
        assert_int_equal(find(r, STR("kind")), JR_STRING);
        assert_str(jr_text(r), "Pod");
        assert_true(jr_rewind(r));
        assert_int_equal(jr_depth(r), 2);
        assert_int_equal(jr_offset(r), offset);
        assert_null(jr_key(r).p);
        jr_enter(r);
        assert_int_equal(jr_next(r), JR_OBJECT);
        assert_str(jr_key(r), "spec");
        assert_int_equal(find(r, STR("kind")), JR_STRING);
        assert_int_equal(jr_next(r), JR_END);
        assert_int_equal(jr_next(r), JR_NUMBER);
        assert_str(jr_text(r), "7");
        assert_false(jr_rewind(r)); /* only once */
        arena_reset(arena);
    }
}

/* Out of the level of the mark and into others, and back; key and path are what they were. */
static void from_other_levels(void **state)
{
    (void)state;
    for (unsigned filler = 0; filler < 40; filler += 3) {
        struct str fill = repeated("0,", filler);
        struct str text = arena_printf(
            arena, "{\"a\":{\"b\\n\":\"c\"},\"d\":[%" STR_FMT "1,{\"e\":[2]}]}", STR_ARG(fill));
        struct jr *r = open_small(&text, 1 << 20);
        jr_next(r);
        jr_enter(r);
        jr_next(r);
        jr_enter(r);
        assert_int_equal(jr_next(r), JR_STRING);
        jr_mark(r);
        assert_int_equal(jr_next(r), JR_END);
        assert_int_equal(jr_next(r), JR_ARRAY);
        jr_enter(r);
        while (jr_next(r) == JR_NUMBER)
            ;
        jr_enter(r);
        assert_int_equal(jr_next(r), JR_ARRAY);
        assert_str(jr_key(r), "e");
        jr_enter(r);
        assert_true(jr_leave(r) && jr_leave(r) && jr_leave(r) && jr_leave(r));
        assert_int_equal(jr_next(r), JR_END);
        assert_true(jr_rewind(r));
        assert_int_equal(jr_depth(r), 2);
        assert_str(jr_key(r), "b\n");
        assert_str(jr_text(r), "c");
        assert_int_equal(jr_next(r), JR_END);
        assert_int_equal(jr_next(r), JR_ARRAY);
        assert_str(jr_key(r), "d");
        assert_int_equal(jr_next(r), JR_END);
        assert_int_equal(jr_next(r), JR_END);
        arena_reset(arena);
    }
}

/* An empty key, entered after a rewind: it is a step of the path like any other. */
static void empty_key(void **state)
{
    (void)state;
    struct str text = STR("{\"\":{\"a\":[x]}}");
    struct jr *r = open_small(&text, 1 << 20);
    jr_next(r);
    jr_enter(r);
    jr_next(r);
    jr_mark(r);
    jr_enter(r);
    assert_int_equal(jr_next(r), JR_ARRAY);
    assert_true(jr_rewind(r));
    assert_non_null(jr_key(r).p);
    assert_int_equal(jr_key(r).n, 0);
    jr_enter(r);
    jr_next(r);
    jr_enter(r);
    assert_int_equal(jr_next(r), JR_ERROR);
    assert_str(jr_error(r)->path, "//a/0");
    arena_reset(arena);
}

/* Exactly limits.mark bytes may be between, however the input comes in. */
static void too_far(void **state)
{
    (void)state;
    for (size_t n = 0; n < 500; n++)
        for (size_t limit = n + 10; limit <= n + 12; limit++) {
            struct buf json = buf_init(arena, 4096);
            buf_put(&json, STR("[\"mark\",\""));
            for (size_t i = 0; i < n; i++)
                buf_putc(&json, 'x');
            buf_put(&json, STR("\",1,2,3]"));
            struct str text = buf_str(&json);
            struct jr *r = open_small(&text, limit);
            jr_next(r);
            jr_enter(r);
            jr_next(r);
            jr_mark(r);
            jr_next(r);
            assert_int_equal(jr_next(r), JR_NUMBER); /* 10 + n bytes behind the mark; read: 11 */
            assert_int_equal(jr_rewind(r), limit >= n + 11);
            if (limit < n + 11) {
                assert_int_equal(jr_next(r), JR_NUMBER); /* goes on where it was */
                assert_str(jr_text(r), "2");
            } else {
                assert_str(jr_text(r), "mark");
                assert_int_equal(jr_next(r), JR_STRING);
            }
            arena_reset(arena);
        }
}

/* A mark that is too far costs no more memory than its limit. */
static void memory(void **state)
{
    (void)state;
    struct arena *small = arena_new(512 * 1024);
    struct str text = repeated("[\"0123456789\",1,2,3,{\"a\":null}]\n", 100000);
    struct jr_limits limits = JR_WIDE;
    limits.mark = 100 * 1000;
    struct jr *r = jr_open(small, source_of(&text), limits);
    assert_int_equal(jr_next(r), JR_ARRAY);
    jr_mark(r);
    while (jr_next(r) > JR_END)
        ;
    assert_int_equal(jr_error(r)->code, JR_OK);
    assert_false(jr_rewind(r));
    arena_free(small);
    arena_reset(arena);
}

static bool put(void *context, struct str bytes)
{
    buf_put(context, bytes);
    return true;
}

static bool refuse(void *context, struct str bytes)
{
    size_t *left = context;
    if (bytes.n > *left)
        return false;
    *left -= bytes.n;
    return true;
}

/* Whole values of every type, first and last, in a document that is otherwise passed on as it is.
 */
static void replaces(void **state)
{
    (void)state;
    static const char TEXT[] =
        " { \"a\" : {\"x\":[1,2]} ,\"b\":[ 3 ],\n\"c\":\"d\\n\" , \"e\":-1.5,"
        "\"f\":null,\"g\":1}\n [2] ";
    static const char WANT[] = " { \"a\" : null ,\"b\":<b>,\n\"c\": , \"e\":<e>,"
                               "\"f\":<f>,\"g\":1}\n <> ";
    for (size_t pad = 0; pad < 100; pad++) {
        struct buf out = buf_init(arena, 4096), in = buf_init(arena, 4096);
        for (size_t i = 0; i < pad; i++)
            buf_putc(&in, ' ');
        buf_put(&in, str_of(TEXT));
        struct str text = buf_str(&in);
        struct jr *r = open_small(&text, 1 << 20);
        jr_tap(r, (struct sink){put, &out});
        jr_next(r);
        jr_enter(r);
        while (jr_next(r) > JR_END) {
            struct str key = jr_key(r);
            if (str_eq(key, STR("a"))) {
                assert_true(jr_replace(r, STR("null")));
            } else if (str_eq(key, STR("c"))) {
                assert_str(jr_text(r), "d\n"); /* seen, and yet not kept */
                assert_true(jr_replace(r, (struct str){NULL, 0}));
            } else if (!str_eq(key, STR("g"))) {
                char instead[] = {'<', key.p[0], '>'};
                assert_true(jr_replace(r, (struct str){instead, 3}));
            }
        }
        assert_int_equal(jr_next(r), JR_ARRAY);
        assert_true(jr_replace(r, STR("<>")));
        assert_false(jr_replace(r, STR("again")));
        assert_int_equal(jr_next(r), JR_END);
        assert_str(str_sub(buf_str(&out), pad, out.n), WANT);
        arena_reset(arena);
    }
}

/* After a mark and a rewind, and while a mark is there, nothing is lost or doubled. */
static void replaces_after_rewind(void **state)
{
    (void)state;
    for (unsigned filler = 0; filler < 50; filler++) {
        struct str fill = repeated("{\"y\":1},", filler);
        struct str text = arena_printf(
            arena, "[{\"data\":[%" STR_FMT "\"secret\"],\"kind\":\"Secret\"},{\"z\":[1]}]",
            STR_ARG(fill));
        struct buf out = buf_init(arena, 4096);
        struct jr *r = open_small(&text, 1 << 20);
        jr_tap(r, (struct sink){put, &out});
        jr_next(r);
        jr_enter(r);
        jr_next(r);
        jr_mark(r);
        jr_enter(r);
        find(r, STR("kind"));
        assert_true(jr_rewind(r));
        jr_enter(r);
        jr_next(r);
        assert_true(jr_replace(r, STR("{}")));
        assert_int_equal(jr_next(r), JR_STRING);
        assert_int_equal(jr_next(r), JR_END);
        assert_int_equal(jr_next(r), JR_OBJECT);
        jr_mark(r);
        assert_int_equal(jr_next(r), JR_END);
        assert_int_equal(jr_next(r), JR_END);
        assert_str(buf_str(&out), "[{\"data\":{},\"kind\":\"Secret\"},");
        jr_unmark(r);
        assert_str(buf_str(&out), "[{\"data\":{},\"kind\":\"Secret\"},{\"z\":[1]}]");
        arena_reset(arena);
    }
}

static void tap_refuses(void **state)
{
    (void)state;
    struct str json = repeated("[1,\"two\",{\"three\":[4]}] ", 30);
    for (size_t room = 0; room <= json.n; room++) {
        struct str text = json;
        size_t left = room;
        struct jr *r = open_small(&text, 1 << 20);
        jr_tap(r, (struct sink){refuse, &left});
        enum jr_type type;
        while ((type = jr_next(r)) > JR_END)
            ;
        assert_int_equal(type, room < json.n ? JR_ERROR : JR_END);
        assert_int_equal(jr_error(r)->code, room < json.n ? JR_E_SOURCE : JR_OK);
        r = NULL;
    }
    arena_reset(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kind_comes_last),
        cmocka_unit_test(from_other_levels),
        cmocka_unit_test(empty_key),
        cmocka_unit_test(too_far),
        cmocka_unit_test(memory),
        cmocka_unit_test(replaces),
        cmocka_unit_test(replaces_after_rewind),
        cmocka_unit_test(tap_refuses),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}

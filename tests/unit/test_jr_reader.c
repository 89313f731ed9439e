/* How jr is used: keys, limits, errors, coming back, replacing. */
#include "jr_dump.h"
#include "scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

static struct str rest; /* what the source has not given yet */

static ptrdiff_t read_byte(void *context, char *dst, size_t cap)
{
    struct str *text = context;
    (void)cap;
    if (text->n == 0)
        return 0;
    *dst = *text->p;
    *text = str_sub(*text, 1, text->n);
    return 1;
}

/* The smallest window, one byte at a time: whatever can move moves. */
static struct jr *open_small(struct str text, struct jr_limits limits)
{
    rest = text;
    return jr_open_sized(arena, (struct source){read_byte, &rest}, limits, JR_WINDOW_MIN,
                         jr_kernel_best());
}

static struct str filled(char c, size_t n)
{
    char *p = arena_bytes(arena, n);
    memset(p, c, n);
    return (struct str){p, n};
}

static struct str quoted(struct str s)
{
    return arena_printf(arena, "\"%" STR_FMT "\"", STR_ARG(s));
}

#define assert_str(got, want)                                                                      \
    assert_string_equal(arena_printf(arena, "%" STR_FMT, STR_ARG(got)).p, (want))

static void levels(void **state)
{
    (void)state;
    struct jr *r = open_small(STR("{\"a\":{\"b\":[1,{\"c\":2},3],\"d\":4},\"e\":5} 6"), JR_WIDE);
    assert_null(jr_key(r).p);
    assert_int_equal(jr_next(r), JR_OBJECT);
    assert_int_equal(jr_depth(r), 0);
    jr_enter(r);
    assert_int_equal(jr_next(r), JR_OBJECT);
    assert_str(jr_key(r), "a");
    assert_int_equal(jr_offset(r), 5);
    jr_enter(r);
    assert_int_equal(jr_next(r), JR_ARRAY);
    assert_str(jr_key(r), "b");
    jr_enter(r);
    assert_int_equal(jr_depth(r), 3);
    assert_int_equal(jr_next(r), JR_NUMBER);
    assert_null(jr_key(r).p);
    assert_int_equal(jr_next(r), JR_OBJECT);
    assert_int_equal(jr_next(r), JR_NUMBER); /* the object is skipped */
    assert_str(jr_text(r), "3");
    assert_int_equal(jr_next(r), JR_END);
    assert_int_equal(jr_depth(r), 2);
    assert_int_equal(jr_offset(r), 23);
    assert_true(jr_leave(r)); /* "d" is not read */
    assert_int_equal(jr_depth(r), 1);
    assert_int_equal(jr_next(r), JR_NUMBER);
    assert_str(jr_key(r), "e");
    assert_int_equal(jr_next(r), JR_END);
    assert_int_equal(jr_next(r), JR_NUMBER);
    assert_str(jr_text(r), "6");
    assert_int_equal(jr_next(r), JR_END);
    assert_int_equal(jr_next(r), JR_END);
    assert_int_equal(jr_error(r)->code, JR_OK);
}

static void leaving(void **state)
{
    (void)state;
    struct jr *r = open_small(STR("[[],[1,2],[[3],4]] 5"), JR_WIDE);
    jr_next(r);
    jr_enter(r);
    for (int i = 0; i < 3; i++) { /* nothing read; and then a value read */
        assert_int_equal(jr_next(r), JR_ARRAY);
        jr_enter(r);
        if (i == 1)
            jr_next(r);
        if (i == 2)
            assert_int_equal(jr_next(r), JR_ARRAY);
        assert_true(jr_leave(r));
        assert_int_equal(jr_depth(r), 1);
    }
    assert_true(jr_leave(r));
    assert_int_equal(jr_depth(r), 0);
    assert_true(jr_leave(r)); /* at top level: to the end of the input */
    assert_int_equal(jr_next(r), JR_END);
    r = open_small(STR("[1] ["), JR_WIDE);
    assert_false(jr_leave(r));
    assert_int_equal(jr_error(r)->code, JR_E_TRUNCATED);
}

/* A key stays what it was while the text of its value is read, however long that is. */
static void key_and_text(void **state)
{
    (void)state;
    for (size_t n = 0; n < 400; n += 3)
        for (size_t pad = 0; pad < 64; pad += 7) {
            struct str text = filled('v', n), key = filled('k', 1 + n % 90);
            struct str json =
                arena_printf(arena, "{%" STR_FMT ":%" STR_FMT ",\"z\\n\":%" STR_FMT "}",
                             STR_ARG(quoted(key)), STR_ARG(quoted(text)), STR_ARG(quoted(key)));
            struct str blanks = filled(' ', pad);
            json = arena_printf(arena, "%" STR_FMT "%" STR_FMT, STR_ARG(blanks), STR_ARG(json));
            struct jr *r = open_small(json, JR_WIDE);
            assert_int_equal(jr_next(r), JR_OBJECT);
            jr_enter(r);
            assert_int_equal(jr_next(r), JR_STRING);
            struct str got_key = jr_key(r), got_text = jr_text(r);
            assert_true(str_eq(got_key, key));
            assert_true(str_eq(got_text, text));
            assert_true(str_eq(jr_text(r), text));
            assert_int_equal(jr_next(r), JR_STRING);
            got_key = jr_key(r);
            got_text = jr_text(r);
            assert_str(got_key, "z\n");
            assert_true(str_eq(got_text, key));
            assert_int_equal(jr_next(r), JR_END);
            arena_reset(arena);
        }
}

/* One under, just so, one over: as a key, as a string that is read, as one that is not. */
static void text_limits(void **state)
{
    (void)state;
    const struct jr_limits limits = {.depth = 64, .key = 100, .string = 200, .total = 1 << 20};
    for (size_t n = 99; n <= 101; n++) {
        struct str json =
            arena_printf(arena, "[{%" STR_FMT ":1}]", STR_ARG(quoted(filled('k', n))));
        struct jr_setting s = {JR_WAY_WALK, jr_kernel_best(), JR_WINDOW_MIN, 1, limits};
        struct jr_dump small = jr_dump(arena, json, s);
        s.window = s.piece = 64 * 1024;
        struct jr_dump large = jr_dump(arena, json, s);
        assert_int_equal(small.error.code, n > 100 ? JR_E_KEY : JR_OK);
        assert_int_equal(large.error.code, n > 100 ? JR_E_KEY : JR_OK);
        assert_int_equal(small.error.offset, n > 100 ? 2 : 0);
        assert_int_equal(large.error.offset, n > 100 ? 2 : 0);
        s.way = JR_WAY_SKIP; /* nobody asks for the key */
        assert_int_equal(jr_dump(arena, json, s).error.code, JR_OK);
    }
    for (size_t n = 199; n <= 201; n++)
        for (unsigned escaped = 0; escaped < 2; escaped++) {
            struct buf json = buf_init(arena, 1 << 20);
            buf_put(&json, STR("[\""));
            for (size_t i = 0; i < n; i++)
                buf_put(&json, escaped ? STR("\\u0061") : STR("a"));
            buf_put(&json, STR("\",1]"));
            for (enum jr_way way = 0; way < JR_WAYS; way++) {
                struct jr_setting s = {way, jr_kernel_best(), JR_WINDOW_MIN, 1, limits};
                s.limits.mark = 1 << 20;
                bool over = n > 200 && way != JR_WAY_SKIP;
                struct jr_error error = jr_dump(arena, buf_str(&json), s).error;
                assert_int_equal(error.code, over ? JR_E_STRING : JR_OK);
                assert_int_equal(error.offset, over ? 1 : 0);
                s.window = s.piece = 64 * 1024;
                error = jr_dump(arena, buf_str(&json), s).error;
                assert_int_equal(error.code, over ? JR_E_STRING : JR_OK);
            }
        }
    arena_reset(arena);
}

/* The window does not grow for a string that nobody reads, nor much for one that is too long. */
static void memory(void **state)
{
    (void)state;
    const struct jr_limits limits = {.depth = 64, .key = 100, .string = 1000, .total = 1 << 30};
    struct arena *large = arena_new(64 << 20);
    struct arena *small = arena_new(256 * 1024);
    char *p = arena_bytes(large, 8 << 20);
    memset(p, 'x', 8 << 20);
    memcpy(p, "{\"a\":\"", 6);
    memcpy(p + (8 << 20) - 2, "\"}", 2);
    struct str text = {p, 8 << 20};
    struct jr *r = jr_open(small, source_of(&text), limits);
    jr_next(r);
    jr_enter(r);
    assert_int_equal(jr_next(r), JR_STRING);
    assert_int_equal(jr_next(r), JR_END);
    assert_int_equal(jr_next(r), JR_END);
    text = (struct str){p, 8 << 20};
    arena_reset(small);
    r = jr_open(small, source_of(&text), limits);
    jr_next(r);
    jr_enter(r);
    assert_int_equal(jr_next(r), JR_STRING);
    assert_null(jr_text(r).p);
    assert_int_equal(jr_error(r)->code, JR_E_STRING);
    assert_str(jr_error(r)->path, "/a");
    arena_free(small);
    arena_free(large);
}

static void total_limit(void **state)
{
    (void)state;
    struct str json = STR("[1,2,3,\"four\",{\"five\":6}]");
    for (size_t total = 0; total < json.n + 2; total++)
        for (size_t piece = 1; piece < json.n + 2; piece++) {
            struct jr_setting s = {JR_WAY_WALK, jr_kernel_best(), JR_WINDOW_MIN, piece, JR_WIDE};
            s.limits.total = total;
            struct jr_error error = jr_dump(arena, json, s).error;
            assert_int_equal(error.code, total < json.n ? JR_E_TOTAL : JR_OK);
            assert_int_equal(error.offset, total < json.n ? total : 0);
            arena_reset(arena);
        }
}

static void depth_limit(void **state)
{
    (void)state;
    struct jr_setting s = {JR_WAY_WALK, jr_kernel_best(), 64 * 1024, 99, JR_WIDE};
    for (s.way = 0; s.way < JR_WAYS; s.way++)
        for (s.limits.depth = 0; s.limits.depth < 5; s.limits.depth++) {
            struct jr_error error = jr_dump(arena, STR("[{\"a\":[0]}]"), s).error;
            assert_int_equal(error.code, s.limits.depth < 3 ? JR_E_DEPTH : JR_OK);
            uint64_t at = s.limits.depth == 2 ? 6 : s.limits.depth;
            assert_int_equal(error.offset, s.limits.depth < 3 ? at : 0);
        }
    arena_reset(arena);
}

static void error_paths(void **state)
{
    static const struct {
        const char *json, *path;
        bool skipping;
    } rows[] = {
        {"x", "", false},
        {"{x", "", false},
        {"{\"a\":x", "/a", false},
        {"{\"a\":1 x", "/a", false},
        {"{\"a\":{\"b~c\":{\"d/e\":x", "/a/b~0c/d~1e", false},
        {"{\"a\":[1,2,x", "/a/2", false},
        {"{\"a\":[1,{\"b\":[[],[[x", "/a/1/b/1/0/0", false},
        {"{\"a\":[[],[]],\"b\":x", "/b", false},
        {"{\"\\u00e9\":{\"\":x", "/\xC3\xA9/", false},
        {"{\"a\":[1,{\"b\":[[],[[x", "", true},
        {"[{\"a\":1}", "/0", false},
        {"{\"a\":\"\\q\"}", "/a", false},
        {"{\"a\":{\"b\":1},\"c\":[tru", "/c/0", false},
        {"{} {\"a\":[{}]} {\"b\":?", "/b", false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        enum jr_way way = rows[i].skipping ? JR_WAY_SKIP : JR_WAY_WALK;
        struct jr_setting s = {way, jr_kernel_best(), JR_WINDOW_MIN, 1 + i, JR_WIDE};
        struct jr_error error = jr_dump(arena, str_of(rows[i].json), s).error;
        assert_int_not_equal(error.code, JR_OK);
        assert_str(error.path, rows[i].path);
    }
    arena_reset(arena);
}

/* An error stays, whatever is called. */
static void errors_stick(void **state)
{
    (void)state;
    struct jr *r = open_small(STR("[1,{\"a\":x}]"), JR_WIDE);
    jr_next(r);
    jr_enter(r);
    jr_next(r);
    jr_mark(r);
    jr_next(r);
    jr_enter(r);
    assert_int_equal(jr_next(r), JR_ERROR);
    assert_int_equal(jr_error(r)->offset, 8);
    assert_int_equal(jr_next(r), JR_ERROR);
    jr_enter(r);
    assert_false(jr_leave(r));
    assert_false(jr_rewind(r));
    assert_false(jr_replace(r, STR("1")));
    jr_mark(r);
    jr_text(r);
    jr_unmark(r);
    assert_int_equal(jr_next(r), JR_ERROR);
    assert_int_equal(jr_error(r)->offset, 8);
    assert_str(jr_error(r)->path, "/1/a");
    arena_reset(arena);
}

static ptrdiff_t read_and_fail(void *context, char *dst, size_t cap)
{
    ptrdiff_t n = read_byte(context, dst, cap);
    return n == 0 ? -1 : n;
}

static void source_fails(void **state)
{
    static const char *const TEXTS[] = {"", " ", "[1,", "12", "\"a", "{\"a\":tru", "{}"};
    (void)state;
    for (size_t i = 0; i < COUNT(TEXTS); i++) {
        struct str text = str_of(TEXTS[i]);
        struct jr *r = jr_open(arena, (struct source){read_and_fail, &text}, JR_WIDE);
        enum jr_type type;
        while ((type = jr_next(r)) > JR_END)
            ;
        assert_int_equal(type, JR_ERROR);
        assert_int_equal(jr_error(r)->code, JR_E_SOURCE);
        assert_int_equal(jr_error(r)->offset, strlen(TEXTS[i]));
        arena_reset(arena);
    }
}

/* One reader, one document after another, whatever became of the one before. */
static void restarts(void **state)
{
    static const struct {
        const char *json;
        enum jr_code code;
    } rows[] = {
        {"{\"a\":[1,{\"b\":\"c\"}]}", JR_OK},
        {"{\"a\":[1,{\"b\":\"c", JR_E_TRUNCATED},
        {"[\"\\u00e9\",\"\\ud83d", JR_E_TRUNCATED},
        {"[\"\xC3", JR_E_TRUNCATED},
        {"", JR_OK},
        {"[[[[x", JR_E_SYNTAX},
        {"12", JR_OK},
        {"\"\xFF\"", JR_E_UTF8},
        {"\"\\", JR_E_TRUNCATED},
        {"\"end\"", JR_OK},
    };
    (void)state;
    rest = STR("");
    struct jr *r = open_small(rest, JR_WIDE);
    for (size_t i = 0; i < 2 * COUNT(rows); i++) {
        rest = str_of(rows[i % COUNT(rows)].json);
        jr_restart(r, (struct source){read_byte, &rest});
        enum jr_type type = jr_next(r);
        if (type == JR_OBJECT || type == JR_ARRAY)
            jr_enter(r);
        else
            jr_text(r);
        if (i % 3 == 0)
            jr_mark(r);
        jr_leave(r);
        assert_true(jr_leave(r) == (rows[i % COUNT(rows)].code == JR_OK));
        assert_int_equal(jr_error(r)->code, rows[i % COUNT(rows)].code);
        if (jr_error(r)->code == JR_OK)
            assert_int_equal(jr_offset(r), strlen(rows[i % COUNT(rows)].json));
    }
    arena_reset(arena);
}

/* One that fits into the window, and one that went through it. */
static void wiped(void **state)
{
    (void)state;
    const size_t lengths[] = {10, 3 * JR_WINDOW_MIN};
    for (size_t i = 0; i < COUNT(lengths); i++) {
        struct jr *r =
            open_small(quoted(filled('s', lengths[i])), (struct jr_limits){.total = 1 << 20});
        assert_int_equal(jr_next(r), JR_STRING);
        assert_int_equal(jr_next(r), JR_END);
        jr_wipe(r);
        for (size_t k = 0; k < r->cap; k++)
            assert_true(r->window[k] == 0 || k >= r->base + r->end);
        arena_reset(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels),       cmocka_unit_test(leaving),
        cmocka_unit_test(key_and_text), cmocka_unit_test(text_limits),
        cmocka_unit_test(memory),       cmocka_unit_test(total_limit),
        cmocka_unit_test(depth_limit),  cmocka_unit_test(error_paths),
        cmocka_unit_test(errors_stick), cmocka_unit_test(source_fails),
        cmocka_unit_test(restarts),     cmocka_unit_test(wiped),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}

#include "base/clock.h"
#include "codec/hundredths.h"
#include "codec/jw.h"
#include "scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void assert_text(const struct buf *buf, const char *expected)
{
    struct str got = buf_str(buf);
    assert_int_equal(got.n, strlen(expected));
    assert_memory_equal(got.p, expected, got.n);
}

static void strings(void **state)
{
    static const struct {
        struct str s;
        const char *json;
    } rows[] = {
        {{"", 0}, "\"\""},
        {{NULL, 0}, "\"\""},
        {{"plain", 5}, "\"plain\""},
        {{"a\"b\\c", 5}, "\"a\\\"b\\\\c\""},
        {{"\b\f\n\r\t", 5}, "\"\\b\\f\\n\\r\\t\""},
        {{"\0\x1F", 2}, "\"\\u0000\\u001f\""},
        {{"\x7F", 1}, "\"\x7F\""},
        {{"z\xC3\xA9", 3}, "\"z\xC3\xA9\""},
        {{"\xF0\x9F\x98\x80!", 5}, "\"\xF0\x9F\x98\x80!\""},
        {{"\xC3", 1}, "\"\xEF\xBF\xBD\""},
        {{"a\xFF"
          "b",
          3},
         "\"a\xEF\xBF\xBD"
         "b\""},
        {{"\xED\xA0\x80", 3}, "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct buf out = buf_init(arena, 100);
        struct jw w;
        jw_init(&w, &out);
        jw_str(&w, rows[i].s);
        assert_text(&out, rows[i].json);
    }
}

/* What one byte becomes among others that are plain. */
static struct str escaped(unsigned char c)
{
    static const char names[] = "\b\f\n\r\t\"\\", letters[] = "bfnrt\"\\";
    const char *name = c ? strchr(names, c) : NULL;
    if (name)
        return arena_printf(arena, "\\%c", letters[name - names]);
    if (c < 0x20)
        return arena_printf(arena, "\\u%04x", c);
    return c < 0x80 ? arena_printf(arena, "%c", c) : STR("\xEF\xBF\xBD");
}

/* Bytes are looked at eight at a time: each one counts wherever it stands, in keys as well. */
static void every_byte_in_every_place(void **state)
{
    (void)state;
    char text[] = "0123456789abcdefghijk";
    for (size_t at = 0; at < sizeof text - 1; at++)
        for (unsigned c = 0; c < 256; c++) {
            struct buf got = buf_init(arena, 1 << 10), expected = got;
            struct jw w;
            char kept = text[at];
            text[at] = (char)c;
            struct str s = {text, sizeof text - 1}, one = escaped((unsigned char)c);
            jw_init(&w, &got);
            jw_object(&w);
            for (int times = 0; times < 2; times++) {
                jw_key(&w, s);
                jw_str(&w, s);
            }
            jw_object_end(&w);
            text[at] = kept;
            struct str quoted = arena_printf(arena, "\"%.*s%" STR_FMT "%s\"", (int)at, text,
                                             STR_ARG(one), text + at + 1);
            buf_printf(&expected, "{%" STR_FMT ":%" STR_FMT ",%" STR_FMT ":%" STR_FMT "}",
                       STR_ARG(quoted), STR_ARG(quoted), STR_ARG(quoted), STR_ARG(quoted));
            assert_true(str_eq(buf_str(&got), buf_str(&expected)));
            arena_reset(arena);
        }
}

static void numbers(void **state)
{
    static const struct {
        int64_t n;
        const char *json;
    } rows[] = {
        {0, "0"},
        {-1, "-1"},
        {10, "10"},
        {1234567890, "1234567890"},
        {INT64_MAX, "9223372036854775807"},
        {INT64_MIN, "-9223372036854775808"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct buf out = buf_init(arena, 100);
        struct jw w;
        jw_init(&w, &out);
        jw_int(&w, rows[i].n);
        assert_text(&out, rows[i].json);
    }
}

static void fractions(void **state)
{
    static const struct {
        void (*write)(struct jw *w, int64_t n);
        int64_t n;
        const char *json;
    } rows[] = {
        {jw_hundredths, 0, "0"},
        {jw_hundredths, 1250, "12.5"},
        {jw_hundredths, 10000, "100"},
        {jw_hundredths, -5, "-0.05"},
        {jw_ten_thousandths, 0, "0"},
        {jw_ten_thousandths, 1, "0.0001"},
        {jw_ten_thousandths, 3391, "0.3391"},
        {jw_ten_thousandths, 20500, "2.05"},
        {jw_ten_thousandths, 10000, "1"},
        {jw_ten_thousandths, UINT32_MAX, "429496.7295"},
        {jw_ten_thousandths, INT64_MIN, "-922337203685477.5808"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct buf out = buf_init(arena, 100);
        struct jw w;
        jw_init(&w, &out);
        rows[i].write(&w, rows[i].n);
        assert_text(&out, rows[i].json);
    }
}

/* A header has both decimals, unlike a number of JSON. */
static void two_decimals(void **state)
{
    static const struct {
        int64_t n;
        const char *text;
    } rows[] = {
        {0, "0.00"},
        {700, "7.00"},
        {9706, "97.06"},
        {9710, "97.10"},
        {10000, "100.00"},
        {-5, "-0.05"},
        {INT64_MIN, "-92233720368547758.08"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[HUNDREDTHS_SIZE];
        struct str got = hundredths_format_padded(rows[i].n, text);
        assert_string_equal(got.p, rows[i].text);
        assert_int_equal(got.n, strlen(rows[i].text));
    }
}

static void nesting(void **state)
{
    struct buf out = buf_init(arena, 1000);
    struct jw w;
    (void)state;
    jw_init(&w, &out);
    jw_object(&w);
    jw_key(&w, STR("a\n"));
    jw_str(&w, STR("x"));
    jw_key(&w, STR("list"));
    jw_array(&w);
    jw_int(&w, 1);
    jw_object(&w);
    jw_object_end(&w);
    jw_null(&w);
    jw_hundredths(&w, -5);
    jw_array_end(&w);
    JW_BOOL(&w, "b", false);
    JW_TIME(&w, "t", 0);
    JW_TIME(&w, "u", TIME_NONE);
    JW_STR_OR_NULL(&w, "v", STR("y"));
    JW_STR_OR_NULL(&w, "w", STR(""));
    JW_INT_OR_NULL(&w, "x", 7);
    JW_INT_OR_NULL(&w, "y", 0);
    jw_object_end(&w);
    assert_text(
        &out,
        "{\"a\\n\":\"x\",\"list\":[1,{},null,-0.05],\"b\":false,"
        "\"t\":\"1970-01-01T00:00:00.000Z\",\"u\":null,\"v\":\"y\",\"w\":null,\"x\":7,\"y\":null}");
}

/* What does not fit leaves a prefix and says so. */
static void ceilings(void **state)
{
    static const char json[] =
        "[\"abc\",-12,{\"a\":1234567890,\"b\":\"1970-01-01T00:00:00.000Z\",\"c\":true}]";
    (void)state;
    for (size_t max = 0; max <= sizeof json; max++) {
        struct buf out = buf_init(arena, max);
        struct jw w;
        jw_init(&w, &out);
        jw_array(&w);
        jw_str(&w, STR("abc"));
        jw_int(&w, -12);
        jw_object(&w);
        JW_INT(&w, "a", 1234567890);
        JW_TIME(&w, "b", 0);
        JW_BOOL(&w, "c", true);
        jw_object_end(&w);
        jw_array_end(&w);
        assert_int_equal(out.full, max < sizeof json - 1);
        assert_true(out.n <= max);
        assert_memory_equal(buf_str(&out).p ? buf_str(&out).p : "", json, out.n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strings),      cmocka_unit_test(every_byte_in_every_place),
        cmocka_unit_test(numbers),      cmocka_unit_test(fractions),
        cmocka_unit_test(two_decimals), cmocka_unit_test(nesting),
        cmocka_unit_test(ceilings),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}

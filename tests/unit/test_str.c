#include "base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define ABSENT       ((struct str){NULL, 0})

static void compares(void **state)
{
    (void)state;
    assert_true(str_eq(ABSENT, STR("")));
    assert_true(str_eq(STR("a\0b"), STR("a\0b")));
    assert_false(str_eq(STR("a\0b"), STR("a\0c")));
    assert_false(str_eq(STR("a"), STR("ab")));
    assert_true(str_eq_nocase(STR("Content-TYPE"), STR("content-type")));
    assert_false(str_eq_nocase(STR("["), STR("{")));
    assert_false(str_eq_nocase(STR("\xC3\x84"), STR("\xC3\xA4")));
    assert_true(str_cmp(STR("a"), STR("ab")) < 0);
    assert_true(str_cmp(STR("b"), STR("ab")) > 0);
    assert_true(str_cmp(STR("\xFF"), STR("a")) > 0);
    assert_int_equal(str_cmp(ABSENT, STR("")), 0);
    assert_true(str_has_prefix(STR("abc"), STR("ab")) && str_has_prefix(STR("a"), ABSENT));
    assert_false(str_has_prefix(STR("a"), STR("ab")));
    assert_true(str_has_suffix(STR("abc"), STR("bc")) && str_has_suffix(ABSENT, STR("")));
    assert_false(str_has_suffix(STR("c"), STR("bc")));
    assert_true(str_has(STR("abc"), STR("c")) && str_has(STR("abc"), STR("abc")));
    assert_true(str_has(ABSENT, ABSENT));
    assert_false(str_has(STR("abc"), STR("abcd")) || str_has(STR("aab"), STR("ba")));
    assert_null(str_of(NULL).p);
}

static void takes_words(void **state)
{
    static const struct {
        const char *text;
        const char *words[3];
    } rows[] = {
        {NULL, {0}},
        {"", {0}},
        {"  ", {0}},
        {"a", {"a"}},
        {" a", {"a"}},
        {"a ", {"a"}},
        {"kube-system  loadline ", {"kube-system", "loadline"}},
        {"a\tb c", {"a\tb", "c"}},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct str rest = str_of(rows[i].text), word;
        for (size_t k = 0; rows[i].words[k]; k++) {
            assert_true(str_next_word(&rest, &word));
            assert_true(str_eq(word, str_of(rows[i].words[k])));
        }
        assert_false(str_next_word(&rest, &word));
        assert_false(str_next_word(&rest, &word));
    }
}

static void cuts(void **state)
{
    static const struct {
        struct str s;
        bool last, found;
        const char *head, *tail;
    } rows[] = {
        {{"a=b=c", 5}, false, true, "a", "b=c"}, {{"a=b=c", 5}, true, true, "a=b", "c"},
        {{"=", 1}, false, true, "", ""},         {{"=", 1}, true, true, "", ""},
        {{"abc", 3}, false, false, "abc", NULL}, {{"abc", 3}, true, false, "abc", NULL},
        {{"", 0}, false, false, "", NULL},       {{NULL, 0}, true, false, "", NULL},
        {{"a=", 2}, false, true, "a", ""},       {{"=a", 2}, true, true, "", "a"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct str head, tail, s = rows[i].s;
        bool (*cut)(struct str, char, struct str *, struct str *) =
            rows[i].last ? str_cut_last : str_cut;
        assert_int_equal(cut(s, '=', &head, &tail), rows[i].found);
        assert_true(str_eq(head, str_of(rows[i].head)));
        assert_true(str_eq(tail, str_of(rows[i].tail)));
        assert_int_equal(tail.p == NULL, rows[i].tail == NULL);
        assert_int_equal(cut(s, '=', &s, NULL), rows[i].found); /* into itself */
        assert_true(str_eq(s, str_of(rows[i].head)));
    }
    assert_true(str_eq(str_trim(STR(" \t\r\n\v\fa b ")), STR("a b")));
    assert_int_equal(str_trim(STR(" \n ")).n, 0);
    assert_true(str_eq(str_sub(STR("abc"), 1, 1), STR("b")));
    assert_true(str_eq(str_sub(STR("abc"), 1, SIZE_MAX), STR("bc")));
    assert_int_equal(str_sub(STR("abc"), SIZE_MAX, SIZE_MAX).n, 0);
    assert_null(str_sub(ABSENT, 1, 1).p);
    assert_int_equal(str_digits(STR("12a3")), 2);
    assert_int_equal(str_digits(STR("/:")), 0);
    assert_int_equal(str_digits(str_sub(STR("129"), 0, 2)), 2);
    assert_int_equal(str_digits(ABSENT), 0);
}

static void numbers(void **state)
{
    static const struct {
        const char *text;
        bool u64, i64;
        uint64_t u;
        int64_t i;
    } rows[] = {
        {"0", true, true, 0, 0},
        {"007", true, true, 7, 7},
        {"18446744073709551615", true, false, UINT64_MAX, 0},
        {"18446744073709551616", false, false, 0, 0},
        {"99999999999999999999", false, false, 0, 0},
        {"9223372036854775807", true, true, INT64_MAX, INT64_MAX},
        {"9223372036854775808", true, false, UINT64_C(9223372036854775808), 0},
        {"-9223372036854775808", false, true, 0, INT64_MIN},
        {"-9223372036854775809", false, false, 0, 0},
        {"-1", false, true, 0, -1},
        {"-0", false, true, 0, 0},
        {"", false, false, 0, 0},
        {"-", false, false, 0, 0},
        {"--1", false, false, 0, 0},
        {"+1", false, false, 0, 0},
        {" 1", false, false, 0, 0},
        {"1 ", false, false, 0, 0},
        {"1.0", false, false, 0, 0},
        {"0x1", false, false, 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        uint64_t u = 4242;
        int64_t n = -4242;
        assert_int_equal(str_to_u64(str_of(rows[i].text), &u), rows[i].u64);
        assert_true(u == (rows[i].u64 ? rows[i].u : 4242));
        assert_int_equal(str_to_i64(str_of(rows[i].text), &n), rows[i].i64);
        assert_true(n == (rows[i].i64 ? rows[i].i : -4242));
    }
    uint64_t u = 1;
    assert_false(str_to_u64((struct str){"1\0", 2}, &u));
}

static void saturated(void **state)
{
    static const struct {
        const char *text;
        bool good;
        int64_t i;
    } rows[] = {
        {"-7", true, -7},
        {"9223372036854775806", true, INT64_MAX - 1},
        {"9223372036854775808", true, INT64_MAX},
        {"0099999999999999999999", true, INT64_MAX},
        {"-9223372036854775807", true, -INT64_MAX},
        {"-9223372036854775808", true, -INT64_MAX},
        {"-99999999999999999999", true, -INT64_MAX},
        {"99999999999999999999x", false, 0},
        {"99999999999999999999.", false, 0},
        {"", false, 0},
        {"-", false, 0},
        {"--99999999999999999999", false, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        int64_t n = 0;
        assert_int_equal(str_to_i64_saturated(str_of(rows[i].text), &n), rows[i].good);
        assert_true(n == rows[i].i);
    }
}

static void utf8(void **state)
{
    static const struct {
        const char *text;
        bool good;
    } rows[] = {
        {"", true},
        {"a\x7F", true},
        {"\xC2\x80\xDF\xBF", true},
        {"\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBF", true},
        {"\xF0\x90\x80\x80\xF4\x8F\xBF\xBF", true},
        {"\x80", false},
        {"\xC0\xAF", false},
        {"\xC1\xBF", false},
        {"\xC2", false},
        {"\xC2\x41", false},
        {"\xE0\x9F\xBF", false},
        {"\xE2\x82", false},
        {"\xED\xA0\x80", false},
        {"\xF0\x8F\xBF\xBF", false},
        {"\xF4\x90\x80\x80", false},
        {"\xF5\x80\x80\x80", false},
        {"\xFF", false},
        {"ok\xE2\x82\xAC\xE2", false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_int_equal(str_is_utf8(str_of(rows[i].text)), rows[i].good);
    struct str euros = STR("\xE2\x82\xAC\xE2\x82\xAC");
    for (size_t n = 0; n < 9; n++)
        assert_int_equal(str_utf8_prefix(euros, n).n, n >= 6 ? 6 : n >= 3 ? 3 : 0);
    assert_int_equal(str_utf8_length(euros), 3);
    assert_int_equal(str_utf8_length(str_sub(euros, 0, 2)), 0);
    assert_int_equal(str_utf8_length(STR("")), 0);
}

static void visible_characters(void **state)
{
    static const struct {
        const char *text;
        size_t length;
    } rows[] = {
        {"a\n", 1},          {" ", 1},        {"\x1F", 0},
        {"\x7F", 0},         {"\xC2\x85", 0}, {"\xC2\x9F", 0},
        {"\u00A0", 2},       {"\u00AD", 0},   {"\u061C", 0},
        {"\u200A", 3},       {"\u200B", 0},   {"\u2010", 3},
        {"\u202E", 0},       {"\u202F", 3},   {"\u2069", 0},
        {"\uFEFF", 0},       {"\uFFFD", 3},   {"\xEF\xBF\xBE", 0},
        {"\xEF\xBF\xBF", 0}, {"\xFF", 0},     {"\U0001F6A2", 4},
        {"\U000E0041", 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_int_equal(str_visible_length(str_of(rows[i].text)), rows[i].length);
    assert_int_equal(str_visible_length(STR("")), 0);
}

static void uuids(void **state)
{
    static const struct {
        const char *text;
        bool good;
    } rows[] = {
        {"0b1c2d3e-4f50-4617-8293-a4b5c6d7e8f9", true},
        {"0B1C2D3E-4F50-4617-8293-A4B5C6D7E8F9", true},
        {"", false},
        {"0b1c2d3e-4f50-4617-8293-a4b5c6d7e8f", false},
        {"0b1c2d3e-4f50-4617-8293-a4b5c6d7e8f9a", false},
        {"0b1c2d3e-4f50-4617-8293-a4b5c6d7e8fg", false},
        {"0b1c2d3e04f50-4617-8293-a4b5c6d7e8f9", false},
        {"0b1c2d3e4f5046178293a4b5c6d7e8f9", false},
        {"{0b1c2d3e-4f50-4617-8293-a4b5c6d7e8}", false},
        {"0b1c2d3-e4f50-4617-8293-a4b5c6d7e8f9", false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_int_equal(str_is_uuid(str_of(rows[i].text)), rows[i].good);
    assert_false(str_is_uuid((struct str){"0b1c2d3e-4f50-4617-8293-a4b5c6d7e8f\0", 36}));
}

/* Risk ids depend on these for ever. */
static void hashes(void **state)
{
    (void)state;
    assert_true(str_hash(0, STR("")) == UINT64_C(0xcbf29ce484222325));
    assert_true(str_hash(0, STR("a")) == UINT64_C(0xaf63dc4c8601ec8c));
    assert_true(str_hash(0, STR("foobar")) == UINT64_C(0x85944171f73967e8));
    assert_true(str_hash(str_hash(0, STR("foo")), STR("bar")) == str_hash(0, STR("foobar")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compares),
        cmocka_unit_test(cuts),
        cmocka_unit_test(takes_words),
        cmocka_unit_test(numbers),
        cmocka_unit_test(saturated),
        cmocka_unit_test(utf8),
        cmocka_unit_test(visible_characters),
        cmocka_unit_test(uuids),
        cmocka_unit_test(hashes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* url, and the digits it is made of. */
#include "base/hex.h"
#include "base/rand.h"
#include "base/url.h"
#include "scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

static void decodes(void **state)
{
    static const struct {
        const char *text;
        bool plus;
        const char *want; /* NULL: refused */
    } rows[] = {
        {"", true, ""},
        {"abc", true, "abc"},
        {"a%20b", false, "a b"},
        {"a+b", false, "a+b"},
        {"a+b", true, "a b"},
        {"%2B%2b", true, "++"},
        {"%e2%82%AC", true, "\xE2\x82\xAC"},
        {"%", true, NULL},
        {"%4", true, NULL},
        {"a%", true, NULL},
        {"%4g", true, NULL},
        {"%g4", true, NULL},
        {"%%41", true, NULL},
        {"% 1", true, NULL},
        {"%+1", true, NULL},
        {"%00", true, NULL},
        {"a%00b", false, NULL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct str out;
        bool good = url_decode(arena, str_of(rows[i].text), rows[i].plus, &out);
        assert_int_equal(good, rows[i].want != NULL);
        if (good)
            assert_string_equal(out.p, rows[i].want);
    }
}

static void splits(void **state)
{
    static const struct {
        const char *target, *path, *query;
    } rows[] = {
        {"/a", "/a", ""},        {"/a?", "/a", ""},    {"/a?b=c", "/a", "b=c"},
        {"/a?b?c", "/a", "b?c"}, {"/a#x?y", "/a", ""}, {"/a?b#c", "/a", "b"},
        {"?a", "", "a"},         {"", "", ""},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct str path, query;
        url_split(str_of(rows[i].target), &path, &query);
        assert_true(str_eq(path, str_of(rows[i].path)));
        assert_true(str_eq(query, str_of(rows[i].query)));
    }
}

static void params(void **state)
{
    static const struct {
        const char *query, *name, *want;
    } rows[] = {
        {"a=1&b=2", "b", "2"}, {"a=1&a=2", "a", "1"},     {"a", "a", ""},
        {"a=", "a", ""},       {"=1", "", "1"},           {"a=b=c", "a", "b=c"},
        {"%61=%31", "a", "1"}, {"a+b=c+d", "a b", "c d"}, {"&&a=1&", "a", "1"},
        {"", "a", NULL},       {"ab=1", "a", NULL},       {"a=%", "a", NULL},
        {"%=1&a=2", "a", "2"}, {"A=1", "a", NULL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct str out;
        bool good = url_param(arena, str_of(rows[i].query), str_of(rows[i].name), &out);
        assert_int_equal(good, rows[i].want != NULL);
        if (good)
            assert_string_equal(out.p, rows[i].want);
    }
}

static void params_limit(void **state)
{
    (void)state;
    char query[URL_PARAMS_MAX * 4 + 16];
    struct str out;
    for (int before = URL_PARAMS_MAX - 1; before <= URL_PARAMS_MAX; before++) {
        size_t n = 0;
        for (int i = 0; i < before; i++)
            n += (size_t)snprintf(query + n, sizeof query - n, "x=1&");
        snprintf(query + n, sizeof query - n, "a=1");
        assert_int_equal(url_param(arena, str_of(query), STR("a"), &out), before < URL_PARAMS_MAX);
    }
}

static void digits(void **state)
{
    (void)state;
    unsigned char bytes[256];
    char text[513];
    for (int i = 0; i < 256; i++)
        bytes[i] = (unsigned char)i;
    hex_encode(bytes, 256, text);
    assert_int_equal(strlen(text), 512);
    assert_memory_equal(text, "000102030405060708090a0b", 24);
    for (int i = 0; i < 256; i++)
        assert_int_equal(hex_digit(text[2 * i]) << 4 | hex_digit(text[2 * i + 1]), i);
    assert_int_equal(hex_digit('F'), 15);
    for (const char *none = "gG/:@` "; *none; none++)
        assert_int_equal(hex_digit(*none), -1);
    hex_encode(bytes, 0, text);
    assert_string_equal(text, "");
}

static void base64(void **state)
{
    static const struct {
        struct str bytes;
        const char *want;
    } rows[] = {
        {{"", 0}, ""},
        {{"f", 1}, "Zg"},
        {{"fo", 2}, "Zm8"},
        {{"foo", 3}, "Zm9v"},
        {{"foob", 4}, "Zm9vYg"},
        {{"fooba", 5}, "Zm9vYmE"},
        {{"\xFF\xFE\xFD", 3}, "__79"},
        {{"\xFB\xF0", 2}, "-_A"},
    };
    (void)state;
    char text[44], key[32] = {0};
    for (size_t i = 0; i < COUNT(rows); i++) {
        base64url_encode(rows[i].bytes.p, rows[i].bytes.n, text);
        assert_string_equal(text, rows[i].want);
        assert_int_equal(strlen(text), BASE64URL_LEN(rows[i].bytes.n));
    }
    base64url_encode(key, sizeof key, text);
    assert_int_equal(strlen(text), 43);
}

static void uuids(void **state)
{
    (void)state;
    char a[UUID_TEXT_LEN + 1], b[UUID_TEXT_LEN + 1];
    unsigned char ones = 0;
    for (int i = 0; i < 100; i++) {
        rand_uuid(a);
        rand_uuid(b);
        assert_int_equal(strlen(a), UUID_TEXT_LEN);
        assert_int_equal(strspn(a, "0123456789abcdef-"), UUID_TEXT_LEN);
        assert_true(a[8] == '-' && a[13] == '-' && a[14] == '4' && a[18] == '-' && a[23] == '-');
        assert_non_null(strchr("89ab", a[19]));
        assert_string_not_equal(a, b);
        unsigned char byte;
        rand_bytes(&byte, 1);
        ones |= byte;
    }
    assert_int_equal(ones, 0xFF);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decodes),      cmocka_unit_test(splits), cmocka_unit_test(params),
        cmocka_unit_test(params_limit), cmocka_unit_test(digits), cmocka_unit_test(base64),
        cmocka_unit_test(uuids),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}

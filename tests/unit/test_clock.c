#include "base/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void assert_str(struct str got, const char *expected)
{
    assert_int_equal(got.n, strlen(expected));
    assert_memory_equal(got.p, expected, got.n);
    assert_int_equal(got.p[got.n], '\0');
}

static void formats(void **state)
{
    static const struct {
        int64_t ms;
        const char *text;
    } rows[] = {
        {0, "1970-01-01T00:00:00.000Z"},
        {-1, "1969-12-31T23:59:59.999Z"},
        {999, "1970-01-01T00:00:00.999Z"},
        {CLOCK_DAY - 1, "1970-01-01T23:59:59.999Z"},
        {INT64_C(1773749659007), "2026-03-17T12:14:19.007Z"},
        {INT64_C(951782400000), "2000-02-29T00:00:00.000Z"},
        {INT64_C(4107542399999), "2100-02-28T23:59:59.999Z"},
        {INT64_C(4107542400000), "2100-03-01T00:00:00.000Z"},
        {INT64_C(-62135596800000), "0001-01-01T00:00:00.000Z"},
        {INT64_C(-62135596800001), ""},
        {INT64_C(253402300799999), "9999-12-31T23:59:59.999Z"},
        {INT64_C(253402300800000), ""},
        {INT64_MAX, ""},
        {INT64_MIN + 1, ""},
        {TIME_NONE, ""},
    };
    char out[CLOCK_TEXT_SIZE];
    struct clock_text text = {0};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_str(clock_format(rows[i].ms, out), rows[i].text);
        assert_str(clock_format_next(rows[i].ms, &text), rows[i].text);
        if (rows[i].text[0])
            assert_int_equal(clock_parse(str_of(rows[i].text)), rows[i].ms);
    }
}

/* Whatever came before. */
static void formats_one_after_another(void **state)
{
    static const int64_t times[] = {INT64_C(1773749659007),   0,         -1,
                                    INT64_C(-62135596800000), TIME_NONE, INT64_MAX};
    static const int64_t after[] = {
        0,  1,           CLOCK_HOUR,    CLOCK_DAY - 1, CLOCK_DAY,
        -1, -CLOCK_HOUR, 1 - CLOCK_DAY, -CLOCK_DAY,    2 * CLOCK_DAY + CLOCK_MINUTE + 59999};
    char out[CLOCK_TEXT_SIZE];
    (void)state;
    for (size_t i = 0; i < COUNT(times) * COUNT(times) * COUNT(after); i++) {
        int64_t first = times[i % COUNT(times)], second = times[i / COUNT(times) % COUNT(times)];
        bool is_time = second != TIME_NONE && second != INT64_MAX;
        second += is_time ? after[i / COUNT(times) / COUNT(times)] : 0;
        struct clock_text text = {0};
        clock_format_next(first, &text);
        assert_str(clock_format_next(second, &text), clock_format(second, out).p);
        assert_str(clock_format_next(first, &text), clock_format(first, out).p);
    }
}

static void nanoseconds(void **state)
{
    static const struct {
        const char *text;
        int64_t ms;
        int nanos;
        const char *again;
    } rows[] = {
        {"1970-01-01T00:00:01.123456789Z", 1123, 456789, "1970-01-01T00:00:01.123456789Z"},
        {"1970-01-01T00:00:01.1234567899Z", 1123, 456789, "1970-01-01T00:00:01.123456789Z"},
        {"1970-01-01T00:00:01.0000001Z", 1000, 100, "1970-01-01T00:00:01.000000100Z"},
        {"1970-01-01T00:00:01.999999999Z", 1999, 999999, "1970-01-01T00:00:01.999999999Z"},
        {"1970-01-01T00:00:01.5Z", 1500, 0, "1970-01-01T00:00:01.500Z"},
        {"1970-01-01T00:00:01Z", 1000, 0, "1970-01-01T00:00:01.000Z"},
        {"1970-01-01T01:00:00.000000001+01:00", 0, 1, "1970-01-01T00:00:00.000000001Z"},
        {"1969-12-31T23:59:59.999999999Z", -1, 999999, "1969-12-31T23:59:59.999999999Z"},
    };
    char out[CLOCK_TEXT_SIZE];
    int nanos;
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_int_equal(clock_parse_nanos(str_of(rows[i].text), &nanos), rows[i].ms);
        assert_int_equal(nanos, rows[i].nanos);
        assert_int_equal(clock_parse(str_of(rows[i].text)), rows[i].ms);
        assert_str(clock_format_nanos(rows[i].ms, nanos, out), rows[i].again);
    }
    assert_int_equal(clock_parse_nanos(STR("1970-01-01T00:00:01.Z"), &nanos), TIME_NONE);
    assert_int_equal(clock_parse_nanos(STR("1970-01-01T00:00:01.5"), &nanos), TIME_NONE);
}

static void formats_for_others(void **state)
{
    char out[CLOCK_TEXT_SIZE];
    (void)state;
    assert_str(clock_format_short(1000, out), "1970-01-01T00:00:01Z");
    assert_str(clock_format_short(1001, out), "1970-01-01T00:00:01.001Z");
    assert_str(clock_format_short(TIME_NONE, out), "");
    assert_str(clock_format_age(59999, out), "59 s");
    assert_str(clock_format_age(3600000, out), "1 h");
    assert_str(clock_format_age(-5, out), "0 s");
}

static void parses(void **state)
{
    static const struct {
        const char *text;
        int64_t ms;
    } rows[] = {
        {"1970-01-01t00:00:00z", 0},
        {"1970-01-01T00:00:00.1239999Z", 123},
        {"1970-01-01T01:00:00+01:00", 0},
        {"1969-12-31T18:30:00-05:30", 0},
        {"2016-12-31T23:59:60Z", INT64_C(1483228800000)},
        {"2024-02-29T00:00:00Z", INT64_C(1709164800000)},
        {"2023-02-29T00:00:00Z", TIME_NONE},
        {"2100-02-29T00:00:00Z", TIME_NONE},
        {"2023-04-31T00:00:00Z", TIME_NONE},
        {"0000-01-01T00:00:00Z", TIME_NONE},
        {"1970-13-01T00:00:00Z", TIME_NONE},
        {"1970-01-01T24:00:00Z", TIME_NONE},
        {"1970-01-01T00:00:00", TIME_NONE},
        {"1970-01-01T00:00:00.Z", TIME_NONE},
        {"1970-01-01T00:00:00ZZ", TIME_NONE},
        {"1970-01-01 00:00:00Z", TIME_NONE},
        {"1970-1-01T00:00:00Z", TIME_NONE},
        {"0001-01-01T01:00:00+01:00", INT64_C(-62135596800000)},
        {"0001-01-01T00:59:59.999+01:00", TIME_NONE},
        {"9999-12-31T22:59:59.999-01:00", INT64_C(253402300799999)},
        {"9999-12-31T23:00:00-01:00", TIME_NONE},
        {"9999-12-31T23:59:60Z", TIME_NONE},
        {"", TIME_NONE},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_int_equal(clock_parse(str_of(rows[i].text)), rows[i].ms);
}

static void splits_and_joins(void **state)
{
    struct clock_parts t;
    (void)state;
    for (int64_t day = -700000; day < 2900000; day += 13) {
        int64_t ms = day * CLOCK_DAY + (day * 7919 % CLOCK_DAY + CLOCK_DAY) % CLOCK_DAY;
        assert_true(clock_split(ms, &t));
        assert_in_range(t.month, 1, 12);
        assert_in_range(t.day, 1, 31);
        assert_int_equal(clock_join(&t), ms);
    }
    assert_false(clock_split(TIME_NONE, &t));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats),     cmocka_unit_test(formats_one_after_another),
        cmocka_unit_test(nanoseconds), cmocka_unit_test(formats_for_others),
        cmocka_unit_test(parses),      cmocka_unit_test(splits_and_joins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

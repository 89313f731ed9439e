#include "kube/quantity.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void parses(void **state)
{
    static const struct {
        const char *text;
        int64_t thousandths;
    } rows[] = {
        {"0", 0},
        {"-0", 0},
        {"1", 1000},
        {"+1", 1000},
        {"250m", 250},
        {"0.1", 100},
        {".5", 500},
        {"5.", 5000},
        {"1.5", 1500},
        {"1Ki", 1024 * 1000},
        {"1.5Gi", 1610612736000},
        {"128Mi", 134217728000},
        {"1Ei", INT64_MAX},
        {"8191Ti", INT64_C(9006099743113216000)},
        {"8192Ti", INT64_C(9007199254740992000)},
        {"8389Ti", INT64_MAX},
        {"1e3", 1000000},
        {"1E3", 1000000},
        {"1e+3", 1000000},
        {"1e-3", 1},
        {"12e-2", 120},
        {"1E", INT64_MAX},
        {"9P", INT64_C(9000000000000000000)},
        {"1n", 1},
        {"999999n", 1},
        {"1000001n", 2},
        {"1u", 1},
        {"1500u", 2},
        {"0.0001", 1},
        {"0.00000000000000000000000000001", 1},
        {"1e-999999999999", 1},
        {"1e9999", INT64_MAX},
        {"-250m", -250},
        {"-1E", -INT64_MAX},
        {"123456789012345678901234567890n", INT64_MAX},
        {"1000000000000000000000n", INT64_C(1000000000000000)},
        {"99999999999999999999999999999999999999999999999999", INT64_MAX},
        {"0.1Ki", 102400},
        {"0.00000000000000000000001Ei", 1},
        {"000000000000000000000000000000000000000000000000001", 1000},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        int64_t got = 42;
        if (!quantity_parse(str_of(rows[i].text), &got) || got != rows[i].thousandths)
            fail_msg("%s: %lld, not %lld", rows[i].text, (long long)got,
                     (long long)rows[i].thousandths);
    }
}

static void refuses(void **state)
{
    static const char *const rows[] = {"",     "-",     ".",     "m",     "Ki",    "1 ",
                                       " 1",   "1K",    "1ki",   "1mi",   "1M1",   "1e",
                                       "1e+",  "1e1.5", "1e+-3", "1e--3", "1e++3", "1.2.3",
                                       "0x10", "--1",   "1ee3",  "1Kii",  "NaN",   "1e3Ki"};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        int64_t got = 42;
        if (quantity_parse(str_of(rows[i]), &got) || got != 42)
            fail_msg("%s was taken for %lld", rows[i], (long long)got);
    }
}

static void prints(void **state)
{
    static const struct {
        int64_t thousandths;
        const char *cpu, *memory;
    } rows[] = {
        {0, "0", "0"},
        {1, "1m", "1"},
        {250, "250m", "1"},
        {999, "999m", "1"},
        {1000, "1", "1"},
        {1500, "1.5", "2"},
        {1234, "1.234", "2"},
        {1050, "1.05", "2"},
        {-250, "-250m", "-1"},
        {1023000, "1023", "1023"},
        {1024000, "1024", "1Ki"},
        {1610612736000, "1610612736", "1.5Gi"},
        {134217728000, "134217728", "128Mi"},
        {1048575000, "1048575", "1Mi"},
        {1047552000, "1047552", "1023Ki"},
        {INT64_MAX, "9223372036854775.807", "8.2Pi"},
        {INT64_MIN, "-9223372036854775.808", "-8.2Pi"},
    };
    (void)state;
    struct arena *arena = arena_new(1 << 20);
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_string_equal(quantity_cpu_text(arena, rows[i].thousandths).p, rows[i].cpu);
        assert_string_equal(quantity_memory_text(arena, rows[i].thousandths).p, rows[i].memory);
    }
    arena_free(arena);
}

static void scales(void **state)
{
    static const struct {
        const char *text;
        int64_t total;
        bool up, good;
        int64_t n;
    } rows[] = {
        {"3", 10, true, true, 3},    {"25%", 10, true, true, 3},
        {"25%", 10, false, true, 2}, {"0%", 10, true, true, 0},
        {"100%", 7, true, true, 7},  {"150%", 2, false, true, 3},
        {"50%", 4, true, true, 2},   {"-1", 4, true, true, -1},
        {"", 4, true, false, 0},     {"%", 4, true, false, 0},
        {"25 %", 4, true, false, 0}, {"2.5%", 4, true, false, 0},
        {"x", 4, true, false, 0},    {"1%", 1, true, true, 1},
        {"1%", 1, false, true, 0},   {"9223372036854775807%", 3, true, false, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        int64_t n = 0;
        assert_int_equal(int_or_percent(str_of(rows[i].text), rows[i].total, rows[i].up, &n),
                         rows[i].good);
        assert_int_equal(n, rows[i].n);
    }
}

static void tells_shares(void **state)
{
    static const struct {
        int64_t used, whole;
        int percent;
    } rows[] = {
        {0, 1, 0},       {1, 3, 33},       {899, 1000, 89},       {9, 10, 90},
        {3, 2, 150},     {-1, 1, 0},       {INT64_MIN, 1, 0},     {INT64_MAX, INT64_MAX, 100},
        {999, 1, 99900}, {1000, 1, 99999}, {INT64_MAX, 1, 99999},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_int_equal(quantity_percent(rows[i].used, rows[i].whole), rows[i].percent);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parses), cmocka_unit_test(refuses),      cmocka_unit_test(prints),
        cmocka_unit_test(scales), cmocka_unit_test(tells_shares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

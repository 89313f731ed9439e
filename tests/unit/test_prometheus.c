#include "codec/prometheus.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#include "scratch.h"

static void samples(void **state)
{
    static const struct {
        struct prometheus_sample sample;
        const char *line;
    } rows[] = {
        {{.name = "a", .value = 5, .scale = 1}, "a 5\n"},
        {{.name = "a", .value = -5, .scale = 1}, "a -5\n"},
        {{.name = "a", .value = 8309, .scale = 100}, "a 83.09\n"},
        {{.name = "a", .value = 7, .scale = 100}, "a 0.07\n"},
        {{.name = "a", .value = -7, .scale = 1000}, "a -0.007\n"},
        {{.name = "a", .value = INT64_MAX, .scale = 1}, "a 9223372036854775807\n"},
        {{.name = "a", .suffix = "_sum", .labels = {{"l", {"v", 1}}}, .value = 1500, .scale = 1000},
         "a_sum{l=\"v\"} 1.500\n"},
        {{.name = "a", .labels = {{NULL, {"x", 1}}, {"l", {"", 0}}}, .value = 0, .scale = 1},
         "a{l=\"\"} 0\n"},
        {{.name = "a",
          .labels = {{"l", {"a\"b\\c\nd", 7}}, {"m", {"\xc3\xa4", 2}}, {"n", {"{,}", 3}}},
          .value = 1,
          .scale = 1},
         "a{l=\"a\\\"b\\\\c\\nd\",m=\"\xc3\xa4\",n=\"{,}\"} 1\n"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct buf out = buf_init(arena, 1000);
        prometheus_sample(&out, &rows[i].sample);
        if (!str_eq(buf_str(&out), str_of(rows[i].line)))
            fail_msg("%s is %" STR_FMT, rows[i].line, STR_ARG(buf_str(&out)));
    }
}

static void families(void **state)
{
    (void)state;
    struct buf out = buf_init(arena, 1000);
    prometheus_family(&out, "a_total", "counter", "What \"it\" is\\\nand more.");
    assert_true(str_eq(buf_str(&out), STR("# HELP a_total What \"it\" is\\\\\\nand more.\n"
                                          "# TYPE a_total counter\n")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(samples), cmocka_unit_test(families)};
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}

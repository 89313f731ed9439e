#include "kube/selector.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define PAIR(key, value)                                                                           \
    {                                                                                              \
        {"" key, sizeof(key) - 1},                                                                 \
        {                                                                                          \
            "" value, sizeof(value) - 1                                                            \
        }                                                                                          \
    }
#define PAIRS(array) LIST_SLICE(array, COUNT(array))
#define TEXT(literal)                                                                              \
    {                                                                                              \
        "" literal, sizeof(literal) - 1                                                            \
    }

static struct pair pod_labels[] = {PAIR("app", "web"), PAIR("tier", "front"), PAIR("empty", "")};
static struct pair web[] = {PAIR("app", "web")};
static struct pair web_back[] = {PAIR("app", "web"), PAIR("tier", "back")};
static struct pair has_empty[] = {PAIR("empty", "")};
static struct pair other_empty[] = {PAIR("other", "")};

static void maps(void **state)
{
    (void)state;
    pair_list labels = PAIRS(pod_labels), none = {0};
    assert_true(selector_map_matches((pair_list)PAIRS(web), labels));
    assert_true(selector_map_matches((pair_list)PAIRS(has_empty), labels));
    assert_false(selector_map_matches((pair_list)PAIRS(web_back), labels));
    assert_false(selector_map_matches((pair_list)PAIRS(other_empty), labels));
    assert_false(selector_map_matches(none, labels));
    assert_false(selector_map_matches(none, none));
    assert_true(pair_has(labels, STR("empty")));
    assert_false(pair_has(labels, STR("other")));
    assert_null(pair_value(labels, STR("other")).p);
    assert_true(str_eq(pair_value(labels, STR("tier")), STR("front")));
}

static void expressions(void **state)
{
    static struct str front_back[] = {TEXT("front"), TEXT("back")}, back[] = {TEXT("back")};
    static const struct {
        const char *key, *operator;
        struct str *values;
        uint32_t n;
        bool matches;
    } rows[] = {
        {"tier", "In", front_back, 2, true},
        {"tier", "In", back, 1, false},
        {"tier", "In", NULL, 0, false},
        {"gone", "In", back, 1, false},
        {"tier", "NotIn", back, 1, true},
        {"tier", "NotIn", front_back, 2, false},
        {"gone", "NotIn", back, 1, true},
        {"gone", "NotIn", NULL, 0, false},
        {"tier", "Exists", NULL, 0, true},
        {"gone", "Exists", NULL, 0, false},
        {"tier", "Exists", back, 1, false},
        {"gone", "DoesNotExist", NULL, 0, true},
        {"tier", "DoesNotExist", NULL, 0, false},
        {"tier", "in", front_back, 2, false},
        {"tier", "", NULL, 0, false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct selector_requirement one = {str_of(rows[i].key), str_of(rows[i].operator),
                                           LIST_SLICE(rows[i].values, rows[i].n)};
        struct label_selector selector = {.match_expressions = LIST_SLICE(&one, 1)};
        bool got = selector_matches(&selector, (pair_list)PAIRS(pod_labels));
        if (got != rows[i].matches)
            fail_msg("row %zu: %s %s", i, rows[i].key, rows[i].operator);
        selector.match_labels = (pair_list)PAIRS(web_back);
        assert_false(selector_matches(&selector, (pair_list)PAIRS(pod_labels)));
        assert_false(selector_is_empty(&selector));
    }
}

static void null_and_empty(void **state)
{
    (void)state;
    struct label_selector empty = {0};
    pair_list none = {0};
    assert_false(selector_matches(NULL, (pair_list)PAIRS(pod_labels)));
    assert_true(selector_matches(&empty, (pair_list)PAIRS(pod_labels)));
    assert_true(selector_matches(&empty, none));
    assert_true(selector_is_empty(&empty));
    assert_false(selector_is_empty(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps),
        cmocka_unit_test(expressions),
        cmocka_unit_test(null_and_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

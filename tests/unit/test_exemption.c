#include "score/exemption.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "codec/markup.h"
#include "codec/sniff.h"
#include "store/stored_exemption.h"
#include "scratch.h"

static void which(void **state)
{
    (void)state;
    const struct check *a = &checks[0], *b = &checks[1];
    struct exemption rows[] = {
        {.check = a, .namespace = STR("shop"), .reason = STR("one"), .expires = 10},
        {.check = a, .workload = STR("deployment/api"), .reason = STR("two"), .expires = 20},
        {.check = a,
         .namespace = STR("shop"),
         .workload = STR("api"),
         .reason = STR("three"),
         .expires = 15},
        {.check = b, .reason = STR("all"), .expires = 5},
    };
    exemption_list list = LIST_SLICE(rows, COUNT(rows));
    static const struct {
        int check;
        const char *namespace, *resource, *reason; /* reason: "" of none */
    } cases[] = {
        {0, "shop", "deployment/api", "two"},
        {0, "shop", "service/api", "three"},
        {0, "shop", "service/web", "one"},
        {0, "other", "deployment/api", "two"},
        {0, "other", "service/api", ""},
        {0, "", "deployment/apis", ""},
        {1, "", "node/n", "all"},
        {2, "shop", "deployment/api", ""},
        {0, "sho", "deployment/ap", ""},
        {0, "", "deployment/api", "two"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct exemption *found = exemption_find(
            &list, &checks[cases[i].check], str_of(cases[i].namespace), str_of(cases[i].resource));
        assert_string_equal(found ? found->reason.p : "", cases[i].reason);
    }
}

static void ends(void **state)
{
    static const struct {
        const char *text;
        int64_t end;
    } rows[] = {
        {"2027-03-31", INT64_C(1806537600000)},
        {"2027-03-31T00:00:00Z", INT64_C(1806451200000)},
        {"2027-03-31T02:00:00+02:00", INT64_C(1806451200000)},
        {"2028-02-29", INT64_C(1835481600000)},
        {"2027-02-29", TIME_NONE},
        {"2027-3-31", TIME_NONE},
        {"2027-03-31 ", TIME_NONE},
        {"2027-03-31T00:00:00", TIME_NONE},
        {"tomorrow12", TIME_NONE},
        {"", TIME_NONE},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        if (exemption_end(str_of(rows[i].text)) != rows[i].end)
            fail_msg("%s: %lld", rows[i].text, (long long)exemption_end(str_of(rows[i].text)));
}

static void resources(void **state)
{
    static const struct {
        const char *text, *resource; /* resource: "" of none */
    } rows[] = {
        {"deployment/api", "deployment/api"},
        {"Deployments.apps/api", "deployment/api"},
        {"deploy/api", "deployment/api"},
        {"sts/Db", "statefulset/Db"},
        {"services/web", "service/web"},
        {"Ingress/web", "ingress/web"},
        {"networkpolicies/a", "networkpolicy/a"},
        {"PodPreset/a", "podpreset/a"},
        {"cluster/cluster", "cluster/cluster"},
        {"clusterrole/system:node", "clusterrole/system:node"},
        {"route/a/b", "route/a/b"},
        {"api", "api"},
        {"Deployment", "Deployment"},
        {"", ""},
        {"/", ""},
        {"/api", ""},
        {"deployment/", ""},
        {"deployment/a b", ""},
        {" api", ""},
        {"api\n", ""},
        {"a\x7f", ""},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct str resource = str_or_empty(exemption_resource(arena, str_of(rows[i].text)));
        assert_string_equal(arena_str(arena, resource).p, rows[i].resource);
    }
}

static void states(void **state)
{
    enum { NOW = 1000 };
    static const struct {
        int64_t expires, ended, risks;
        bool waiting;
        const char *name;
    } rows[] = {
        {NOW + 1, TIME_NONE, 0, true, "pending"}, {NOW + 1, TIME_NONE, 1, true, "active"},
        {NOW + 1, TIME_NONE, 2, false, "active"}, {NOW + 1, TIME_NONE, 0, false, "unused"},
        {NOW, TIME_NONE, 1, false, "expired"},    {NOW, TIME_NONE, 0, true, "expired"},
        {NOW + 1, NOW, 1, true, "ended"},         {NOW - 5, NOW - 9, 0, false, "ended"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct stored_exemption exemption = {.expires = rows[i].expires,
                                             .ended = rows[i].ended,
                                             .risks = rows[i].risks,
                                             .waiting = rows[i].waiting};
        struct str name = exemption_state_name(exemption_state(&exemption, NOW));
        assert_string_equal(name.p, rows[i].name);
    }
}

static void markup(void **state)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"", ""},
        {"plain", "plain"},
        {"<a href=\"x\">&'", "&lt;a href=&quot;x&quot;&gt;&amp;&#39;"},
        {"a\x01"
         "b\x1b[1m\x7f",
         "a?b?[1m?"},
        {"a\nb\tc\r", "a\nb?c?"},
        {"\xC3\xA9\xE2\x80\xAEx", "\xC3\xA9?x"},
        {"\xFF\xC3", "??"},
        {"]]>", "]]&gt;"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct buf out = buf_init(arena, 1000);
        markup_text(&out, str_of(rows[i].text));
        assert_string_equal(arena_str(arena, buf_str(&out)).p, rows[i].want);
    }
}

static void contents(void **state)
{
    static const struct {
        struct str start;
        enum content content;
        bool yaml;
    } rows[] = {
        {STR(""), CONTENT_EMPTY, false},
        {STR(" \n\t"), CONTENT_EMPTY, false},
        {STR("\xEF\xBB\xBF{"), CONTENT_JSON, false},
        {STR("\n [1]"), CONTENT_JSON, false},
        {STR("a: b"), CONTENT_TEXT, true},
        {STR("a:\n"), CONTENT_TEXT, true},
        {STR("---\n{}"), CONTENT_TEXT, true},
        {STR("# c\n"), CONTENT_TEXT, true},
        {STR("%YAML 1.2\n"), CONTENT_TEXT, true},
        {STR("<html a: b>"), CONTENT_TEXT, false},
        {STR("No resources found: x"), CONTENT_TEXT, false},
        {STR("\xFF\xFE{\0"), CONTENT_UTF16, false},
        {STR("\xFE\xFF\0{"), CONTENT_UTF16, false},
        {STR("{\0\"\0"), CONTENT_UTF16, false},
        {STR("\0{\0\""), CONTENT_UTF16, false},
        {STR("\x1F\x8B\x08"), CONTENT_GZIP, false},
        {STR("PK\x03\x04"), CONTENT_ZIP, false},
        {STR("PK\x05\x06"), CONTENT_ZIP, false},
        {STR("\x7F"
             "ELF\0"),
         CONTENT_BINARY, false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_int_equal(sniff(rows[i].start), rows[i].content);
        if (rows[i].content == CONTENT_TEXT)
            assert_int_equal(sniff_is_yaml(rows[i].start), rows[i].yaml);
    }
    char tar[SNIFF_BYTES] = "x";
    memcpy(tar + 257, "ustar", 5);
    assert_int_equal(sniff((struct str){tar, sizeof tar}), CONTENT_TAR);
    assert_int_equal(sniff((struct str){tar, 261}), CONTENT_BINARY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(which),  cmocka_unit_test(ends),   cmocka_unit_test(resources),
        cmocka_unit_test(states), cmocka_unit_test(markup), cmocka_unit_test(contents),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}

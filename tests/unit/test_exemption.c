#include "score/exemption.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "codec/markup.h"
#include "codec/sniff.h"
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
        cmocka_unit_test(which),
        cmocka_unit_test(markup),
        cmocka_unit_test(contents),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}

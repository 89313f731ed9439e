/* Logs of containers that fail: how bad a line is, and what is pushed of a log. */
#include "agent/log_level.h"
#include "agent/log_pick.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>

#define NOW INT64_C(1774000000000) /* 2026-03-20T09:46:40Z */
#define AT  "2026-03-20T09:40:00.123456789Z "

static struct arena *arena;

static int begin(void **state)
{
    (void)state;
    arena = arena_new((size_t)64 << 20);
    return arena ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

/* ---- how bad ---- */

static void levels_are_as_programs_write_them(void **state)
{
    static const struct {
        const char *line;
        enum log_severity level;
    } rows[] = {
        {"", LOG_INFO},
        {"ERROR", LOG_ERROR},
        {"2026-03-20 09:40:00,123 ERROR [main] x", LOG_ERROR},
        {"[ERROR] x", LOG_ERROR},
        {"TERROR and ERRORS", LOG_INFO},
        {"no error here", LOG_INFO},
        {"error: no such file", LOG_ERROR},
        {"terror: no such file", LOG_INFO},
        {"java.lang.NullPointerException: x", LOG_ERROR},
        {"TypeError: x is undefined", LOG_ERROR},
        {"Traceback (most recent call last):", LOG_ERROR},
        {"panic: runtime error: index out of range", LOG_FATAL},
        {"fatal: not a repository", LOG_FATAL},
        {"2026/03/20 09:40:00 [emerg] 1#1: bind() failed", LOG_FATAL},
        {"2026/03/20 09:40:00 [error] 1#1: open() failed", LOG_ERROR},
        {"{\"level\":\"error\",\"msg\":\"x\"}", LOG_ERROR},
        {"{\"level\": \"Error\", \"msg\":\"x\"}", LOG_ERROR},
        {"{\"level\":50,\"msg\":\"x\"}", LOG_ERROR},
        {"{\"level\":60,\"msg\":\"x\"}", LOG_FATAL},
        {"{\"level\":30,\"msg\":\"ERROR\"}", LOG_INFO},
        {"{\"severity\":\"CRITICAL\"}", LOG_FATAL},
        {"{\"sublevel\":\"error\",\"level\":\"info\"}", LOG_INFO},
        {"{\"level\":{\"error\":1},\"msg\":\"ERROR\"}", LOG_ERROR},
        {"time=x level=error msg=y", LOG_ERROR},
        {"time=x level=\"error\" msg=y", LOG_ERROR},
        {"time=x lvl=eror msg=y", LOG_ERROR},
        {"level=info msg=\"ERROR is a word\"", LOG_INFO},
        {"level=warning ERROR", LOG_INFO},
        {"level=", LOG_INFO},
        {"level", LOG_INFO},
        {"E0320 09:40:00.000000       1 main.go:1] x", LOG_ERROR},
        {"F0320 09:40:00.000000       1 main.go:1] x", LOG_FATAL},
        {"I0320 09:40:00.000000       1 main.go:1] ERROR", LOG_INFO},
        {"E032", LOG_INFO},
        {"EFFECTS of it", LOG_INFO},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (log_level(str_of(rows[i].line)) != rows[i].level)
            fail_msg("%s: %d", rows[i].line, log_level(str_of(rows[i].line)));
}

static void only_the_beginning_of_a_line_is_looked_at(void **state)
{
    char line[4096 + 8];
    (void)state;
    memset(line, ' ', sizeof line);
    memcpy(line + 4096 - 5, "ERROR", 5);
    assert_int_equal(log_level((struct str){line, sizeof line}), LOG_ERROR);
    memset(line, ' ', sizeof line);
    memcpy(line + 4096 - 4, "ERROR", 5);
    assert_int_equal(log_level((struct str){line, sizeof line}), LOG_INFO);
}

/* ---- what is picked ---- */

static struct log_picked pick(const char *text, bool failed)
{
    return log_pick(arena, STR("shop"), STR("cart-1"), STR("main"), failed, str_of(text), NOW);
}

static void expect(struct log_picked picked, const char *document)
{
    if (!document && picked.document.p)
        fail_msg("%" STR_FMT ", and not nothing", STR_ARG(picked.document));
    if (document && !str_eq(picked.document, str_of(document)))
        fail_msg("%" STR_FMT ", and not %s", STR_ARG(picked.document), document);
}

#define FRONT "{\"namespace\":\"shop\",\"pod\":\"cart-1\",\"container\":\"main\",\"lines\":["
#define LINE(message, level)                                                                       \
    "{\"timestamp\":\"2026-03-20T09:40:00.123456789Z\",\"message\":\"" message "\"" level "}"
#define IS_ERROR ",\"level\":\"ERROR\""

static void errors_are_picked(void **state)
{
    (void)state;
    expect(pick("", false), NULL);
    expect(pick(AT "all is well\n", false), NULL);
    expect(pick(AT "all is well\n" AT "ERROR x\n", false), FRONT LINE("ERROR x", IS_ERROR) "]}");
    expect(pick(AT "ERROR x", false), FRONT LINE("ERROR x", IS_ERROR) "]}");
    expect(pick(AT "ERROR x\r\n", false), FRONT LINE("ERROR x", IS_ERROR) "]}");
    expect(pick(AT "all is well\n", true), FRONT LINE("all is well", "") "]}");
    assert_int_equal(pick(AT "all is well\n", false).newest, INT64_C(1773999600123));
}

static void lines_without_a_time_are_nobodys(void **state)
{
    (void)state;
    expect(pick("ERROR x\n\n \n2026-03-20T09:40:00 ERROR no zone\n", true), NULL);
    expect(pick("2026-03-20T09:51:41Z ERROR ahead\n", true), NULL);
    expect(pick(AT "\n", true), FRONT LINE("", "") "]}");
}

static void the_last_lines_of_a_failed_run_are_picked(void **state)
{
    char text[8192];
    size_t n = 0;
    (void)state;
    for (int i = 10; i < 40; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "2026-03-20T09:40:%dZ line %d\n", i, i);
    assert_int_equal(pick(text, true).lines, LOG_PICK_LAST);
    assert_true(str_has(pick(text, true).document, STR("line 39")));
    assert_true(str_has(pick(text, true).document, STR("line 30")));
    assert_false(str_has(pick(text, true).document, STR("line 29")));
    assert_int_equal(pick(text, false).lines, 0);
}

static void secrets_are_cut_out(void **state)
{
    (void)state;
    expect(pick(AT "ERROR password=hunter2-Xk29fjQ8sLw0\n", false),
           FRONT LINE("ERROR password=[redacted]", IS_ERROR) "]}");
    /* A key that goes over lines of which none would be picked alone, and one that has begun
     * before. */
    static const char *const keys[] = {
        "2026-03-20T09:40:00Z -----BEGIN RSA PRIVATE KEY-----\n"
        "2026-03-20T09:40:01Z cGxhbnRlZHBsYW50ZWRwbGFudGVk\n"
        "2026-03-20T09:40:02Z -----END RSA PRIVATE KEY-----\n",
        "2026-03-20T09:40:01Z cGxhbnRlZHBsYW50ZWRwbGFudGVk\n"
        "2026-03-20T09:40:02Z -----END RSA PRIVATE KEY-----\n",
    };
    for (size_t i = 0; i < 2; i++) {
        struct log_picked picked = pick(keys[i], true);
        assert_true(picked.lines > 0);
        assert_false(str_has(picked.document, STR("cGxhbnRlZ")));
    }
}

static void what_is_too_long_is_cut(void **state)
{
    char *text = malloc(2 * LOG_PICK_TEXT_MAX);
    (void)state;
    assert_non_null(text);
    memset(text, 'z', 2 * LOG_PICK_TEXT_MAX);
    size_t n = strlen(AT "ERROR "), half = LOG_PICK_TEXT_MAX / 2;
    memcpy(text, AT "ERROR ", n);
    text[half] = '\n';
    memcpy(text + half + 1, AT "ERROR ", n);
    struct str all = {text, 2 * LOG_PICK_TEXT_MAX};
    struct log_picked picked =
        log_pick(arena, STR("shop"), STR("cart-1"), STR("main"), false, all, NOW);
    assert_int_equal(picked.lines, 1); /* the other one has no end within the limit */
    assert_true(str_has(picked.document, STR("z [cut: it had ")));
    assert_true(picked.document.n < LOG_MESSAGE_MAX + 256);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_are_as_programs_write_them),
        cmocka_unit_test(only_the_beginning_of_a_line_is_looked_at),
        cmocka_unit_test_setup_teardown(errors_are_picked, begin, end),
        cmocka_unit_test_setup_teardown(lines_without_a_time_are_nobodys, begin, end),
        cmocka_unit_test_setup_teardown(the_last_lines_of_a_failed_run_are_picked, begin, end),
        cmocka_unit_test_setup_teardown(secrets_are_cut_out, begin, end),
        cmocka_unit_test_setup_teardown(what_is_too_long_is_cut, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

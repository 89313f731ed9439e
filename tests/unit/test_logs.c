/* Logs of containers that fail: which containers, how bad a line is, and what is pushed of a log.
 */
#include "agent/failing.h"
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

/* ---- which containers ---- */

static struct failing_table table;

static struct container_status status = {.role = CONTAINER_MAIN, .name = STR("main")};
static struct container_terminated good = {.exit_code = 0};
static struct container_terminated bad = {.exit_code = 1, .started = 1000, .finished = 2000};
static struct container_terminated worse = {.exit_code = 1, .started = 3000, .finished = 4000};
static struct pod pod;

static void note(const char *name)
{
    pod.object.meta.namespace = STR("shop");
    pod.object.meta.name = str_of(name);
    pod.containers.items = &status;
    pod.containers.n = 1;
    failing_note(&table, &pod);
}

static int begin_pod(void **state)
{
    (void)state;
    pod = (struct pod){.object.meta.deleted = TIME_NONE};
    status = (struct container_status){.role = CONTAINER_MAIN,
                                       .name = STR("main"),
                                       .ready = TRI_FALSE,
                                       .running_since = TIME_NONE};
    return 0;
}

static int end_pod(void **state)
{
    (void)state;
    failing_free(&table);
    return 0;
}

static bool is_due(int64_t wall)
{
    return table.n == 1 && failing_is_due(&table.items[0], wall, 1);
}

static void a_run_that_has_failed_is_due_once(void **state)
{
    (void)state;
    status.terminated = &good;
    note("a");
    assert_int_equal(table.n, 0);
    status.terminated = &bad;
    note("a");
    assert_true(is_due(NOW) && table.items[0].ended && !table.items[0].previous);
    table.items[0].told = true;
    note("a");
    assert_false(is_due(NOW));
    /* It is about to start again: that is still the same run. */
    status.terminated = NULL;
    status.last_terminated = &bad;
    note("a");
    assert_true(table.items[0].previous);
    assert_false(is_due(NOW));
    status.last_terminated = &worse;
    note("a");
    assert_true(is_due(NOW));
    status.ready = TRI_TRUE;
    note("a");
    assert_int_equal(table.n, 0);
}

/* The restartCount is of the run that begins, and changes before that has failed. */
static void each_run_of_a_crash_loop_is_due_once(void **state)
{
    struct container_terminated *runs[] = {&bad, &worse};
    (void)state;
    for (int i = 0; i < 2; i++) {
        status.running_since = TIME_NONE;
        status.last_terminated = runs[i];
        note("a");
        assert_true(is_due(NOW) && table.items[0].previous);
        table.items[0].told = true;
        status.restart_count++;
        status.running_since = NOW;
        note("a");
        assert_int_equal(table.n, 2);
        assert_false(failing_is_due(&table.items[0], NOW, 1));
    }
}

/* A container that is started again at once: its log is that of the next run soon. */
static void a_run_that_has_just_ended_may_be_the_previous_one(void **state)
{
    struct container_terminated recent = {.exit_code = 1, .started = NOW - 1000, .finished = NOW};
    (void)state;
    status.terminated = &recent;
    note("a");
    assert_false(is_due(NOW));
    assert_false(is_due(NOW + FAILING_SETTLE_MS - 1));
    assert_true(is_due(NOW + FAILING_SETTLE_MS));
    assert_true(is_due(NOW - 1)); /* the node's clock is another one */
    status.terminated = NULL;
    status.last_terminated = &recent;
    note("a");
    assert_true(is_due(NOW));
    recent.finished = TIME_NONE;
    note("b");
    assert_true(failing_is_due(&table.items[1], NOW, 1));
}

static void one_that_was_restarted_and_hangs_has_two_logs(void **state)
{
    (void)state;
    status.last_terminated = &bad;
    status.running_since = NOW;
    note("a");
    assert_int_equal(table.n, 2);
    struct failing *was = &table.items[0], *is = &table.items[1];
    assert_true(was->ended && was->previous && !is->ended && !is->previous);
    assert_true(failing_is_due(was, NOW, 1) && !failing_is_due(is, NOW, 1));
    was->told = is->told = true;
    is->newest = NOW;
    note("a");
    assert_false(failing_is_due(was, NOW + FAILING_READY_MS, 1));
    assert_true(failing_is_due(is, NOW + FAILING_READY_MS, 1) && is->newest == NOW);
    status.running_since = NOW + 1; /* nobody has seen it end */
    note("a");
    assert_true(was->told && !is->newest);
    assert_false(failing_is_due(is, NOW + FAILING_READY_MS, 1));
    status.ready = TRI_TRUE;
    note("a");
    assert_int_equal(table.n, 0);
}

static void one_that_is_not_ready_is_due_after_a_minute(void **state)
{
    (void)state;
    status.running_since = NOW;
    note("a");
    assert_false(is_due(NOW + FAILING_READY_MS - 1));
    assert_true(is_due(NOW + FAILING_READY_MS));
    table.items[0].told = true;
    assert_true(is_due(NOW + FAILING_READY_MS));
    table.items[0].not_before = 2;
    assert_false(is_due(NOW + FAILING_READY_MS));
    status.role = CONTAINER_INIT; /* it is never ready while it runs */
    note("a");
    assert_int_equal(table.n, 0);
}

static void a_pod_that_goes_does_not_fail(void **state)
{
    (void)state;
    status.terminated = &bad;
    note("a");
    assert_int_equal(table.n, 1);
    pod.object.meta.deleted = NOW;
    note("a");
    assert_int_equal(table.n, 0);
}

/* The i-th of many pods that fail. */
static void note_one_of_many(int i, char name[16])
{
    snprintf(name, 16, "p%d", i);
    note(name);
}

static void there_is_a_largest_number_of_them(void **state)
{
    char name[16];
    (void)state;
    status.terminated = &bad;
    for (int i = 0; i <= FAILING_MAX; i++)
        note_one_of_many(i, name);
    assert_int_equal(table.n, FAILING_MAX);
    assert_non_null(failing_find(&table, 1));
    assert_null(failing_find(&table, FAILING_MAX + 1));
    status.terminated = &good;
    note("p0");
    assert_int_equal(table.n, FAILING_MAX - 1);
    assert_null(failing_find(&table, 1));
}

/* A pod that has ended is often gone without a word that it is being deleted. */
static void pods_that_are_gone_leave_room(void **state)
{
    char name[16];
    (void)state;
    status.terminated = &bad;
    for (int i = 0; i <= FAILING_MAX; i++) {
        note_one_of_many(i, name);
        if (i > 1)
            failing_forget(&table, STR("shop"), str_of(name));
        assert_int_equal(table.n, i ? 2 : 1);
    }
    status.name = STR("other");
    note("p0");
    assert_int_equal(table.n, 3);
    failing_forget(&table, STR("other"), STR("p0"));
    assert_int_equal(table.n, 3);
    failing_forget(&table, STR("shop"), STR("p0"));
    assert_int_equal(table.n, 1);
    assert_string_equal(table.items[0].pod, "p1");
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
        cmocka_unit_test_setup_teardown(a_run_that_has_failed_is_due_once, begin_pod, end_pod),
        cmocka_unit_test_setup_teardown(each_run_of_a_crash_loop_is_due_once, begin_pod, end_pod),
        cmocka_unit_test_setup_teardown(a_run_that_has_just_ended_may_be_the_previous_one,
                                        begin_pod, end_pod),
        cmocka_unit_test_setup_teardown(one_that_was_restarted_and_hangs_has_two_logs, begin_pod,
                                        end_pod),
        cmocka_unit_test_setup_teardown(one_that_is_not_ready_is_due_after_a_minute, begin_pod,
                                        end_pod),
        cmocka_unit_test_setup_teardown(a_pod_that_goes_does_not_fail, begin_pod, end_pod),
        cmocka_unit_test_setup_teardown(there_is_a_largest_number_of_them, begin_pod, end_pod),
        cmocka_unit_test_setup_teardown(pods_that_are_gone_leave_room, begin_pod, end_pod),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Which containers fail, and when their logs are due. */
#include "agent/failing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>

#define NOW INT64_C(1774000000000) /* 2026-03-20T09:46:40Z */

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

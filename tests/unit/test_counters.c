#include "base/counters.h"
#include "remove_directory.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

enum { PROCESSES = 4, TIMES = 20000 };

static char directory[] = "/tmp/loadline-test-XXXXXX", path[64];

static void processes_count_together(void **state)
{
    (void)state;
    struct counters counters;
    for (int i = 0; i < PROCESSES; i++) {
        pid_t pid = fork();
        assert_true(pid >= 0);
        if (pid > 0)
            continue;
        if (!counters_open(&counters, path, 7, 3))
            _exit(1);
        for (int n = 0; n < TIMES; n++)
            counters_add(&counters, 1, 2);
        _exit(0);
    }
    for (int i = 0, status; i < PROCESSES; i++) {
        assert_true(wait(&status) > 0);
        assert_int_equal(status, 0);
    }
    assert_true(counters_open(&counters, path, 7, 3));
    assert_int_equal(counters_get(&counters, 0), 0);
    assert_int_equal(counters_get(&counters, 1), 2 * PROCESSES * TIMES);
    assert_int_equal(counters_get(&counters, 2), 0);
    counters_close(&counters);
}

/* Another layout is another file; more counters than there were are zero. */
static void layouts_are_apart(void **state)
{
    (void)state;
    struct counters one, other, longer;
    assert_true(counters_open(&one, path, 8, 2));
    counters_add(&one, 1, 5);
    assert_true(counters_open(&other, path, 9, 2));
    assert_int_equal(counters_get(&other, 1), 0);
    assert_true(counters_open(&longer, path, 8, 4));
    assert_int_equal(counters_get(&longer, 1), 5);
    assert_int_equal(counters_get(&longer, 3), 0);
    counters_add(&longer, 1, 1);
    assert_int_equal(counters_get(&one, 1), 6);
    counters_close(&one);
    counters_close(&other);
    counters_close(&longer);
}

static void without_a_file_a_process_counts_for_itself(void **state)
{
    (void)state;
    struct counters none = {0}, alone, apart;
    char longest[300];
    counters_add(&none, 0, 1);
    assert_int_equal(counters_get(&none, 0), 0);
    assert_false(counters_open(&alone, "/nonexistent/directory/counters", 1, 2));
    assert_int_equal(errno, ENOENT);
    counters_add(&alone, 0, 3);
    counters_add(&alone, 2, 3);
    assert_int_equal(counters_get(&alone, 0), 3);
    assert_int_equal(counters_get(&alone, 2), 0);
    assert_false(counters_open(&apart, "", 1, 2));
    assert_int_equal(counters_get(&apart, 0), 0);
    counters_close(&alone);
    counters_close(&apart);
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    assert_false(counters_open(&apart, longest, 1, 2));
    assert_int_equal(errno, ENAMETOOLONG);
    counters_close(&apart);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processes_count_together),
        cmocka_unit_test(layouts_are_apart),
        cmocka_unit_test(without_a_file_a_process_counts_for_itself),
    };
    if (!mkdtemp(directory))
        return 1;
    snprintf(path, sizeof path, "%s/counters", directory);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    remove_directory(directory);
    return failed;
}

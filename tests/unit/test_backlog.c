/* backlog: what workers know of each other, a process each. */
#include "service/backlog.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/seats.h"
#include "remove_directory.h"

enum { POOL = 7, OTHER_POOL = 8 << 20 };

static char directory[] = "/tmp/loadline-backlog-XXXXXX", path[64];

/* Another worker of the pool, which does that and waits to be killed. */
static pid_t worker(uint64_t pool, void (*act)(void))
{
    int told[2];
    char c = 'n';
    assert_int_equal(pipe(told), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        backlog_open(path, pool, seats_take(pool, SEATS_MAX), 1000);
        act();
        if (write(told[1], "y", 1) == 1)
            pause();
        _exit(0);
    }
    assert_int_equal(read(told[0], &c, 1), 1);
    close(told[0]);
    close(told[1]);
    return pid;
}

static void kill_it(pid_t pid)
{
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

static void hold_three(void)
{
    backlog_hold(3);
}

static void see_it_empty(void)
{
    backlog_is_empty(5000);
}

/* As after a restart of the host: its clock begins anew. */
static void see_the_future(void)
{
    backlog_is_empty(900000);
}

static void open_ours(void)
{
    backlog_open(path, POOL, seats_take(POOL, SEATS_MAX), 2000);
}

static void the_first_of_a_pool_finds_it_empty(void **state)
{
    (void)state;
    open_ours();
    assert_int_equal(backlog_was_empty(2000), 2000);
    assert_int_equal(backlog_was_empty(2500), 2000);
}

static void what_one_sees_all_know(void **state)
{
    (void)state;
    open_ours();
    pid_t other = worker(POOL, see_it_empty), stranger = worker(OTHER_POOL, see_the_future);
    assert_int_equal(backlog_was_empty(6000), 5000);
    assert_int_equal(backlog_was_empty(4000), 4000);
    kill_it(stranger);
    kill_it(other);
    assert_int_equal(backlog_was_empty(6000), 5000);
}

static void a_worker_that_rests_sees_it_empty(void **state)
{
    (void)state;
    open_ours();
    pid_t other = worker(POOL, backlog_rest);
    assert_int_equal(backlog_was_empty(6000), 6000);
    kill_it(other); /* what the dead see is not known */
    assert_true(backlog_was_empty(6000) < 6000);
    backlog_rest();
    assert_true(backlog_was_empty(6000) < 6000);
}

static void held_ones_are_counted_while_the_worker_lives(void **state)
{
    (void)state;
    open_ours();
    assert_int_equal(backlog_count(path, POOL), 0);
    pid_t one = worker(POOL, hold_three), two = worker(POOL, hold_three);
    pid_t idle = worker(POOL, backlog_rest);
    assert_int_equal(backlog_count(path, POOL), 6);
    assert_int_equal(backlog_count(path, OTHER_POOL), 0);
    kill_it(one);
    assert_int_equal(backlog_count(path, POOL), 3);
    kill_it(two);
    kill_it(idle);
    assert_int_equal(backlog_count(path, POOL), 0);
}

static void without_a_seat_it_knows_only_its_own(void **state)
{
    (void)state;
    backlog_open(path, POOL, -1, 2000);
    assert_int_equal(backlog_was_empty(6000), 2000);
    backlog_is_empty(3000);
    assert_int_equal(backlog_was_empty(6000), 3000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_of_a_pool_finds_it_empty),
        cmocka_unit_test(what_one_sees_all_know),
        cmocka_unit_test(a_worker_that_rests_sees_it_empty),
        cmocka_unit_test(held_ones_are_counted_while_the_worker_lives),
        cmocka_unit_test(without_a_seat_it_knows_only_its_own),
    };
    if (!mkdtemp(directory))
        return 1;
    snprintf(path, sizeof path, "%s/waiting", directory);
    int failed = seats_open(path) ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
    remove_directory(directory);
    return failed;
}

#include "base/seats.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

static char path[] = "/tmp/loadline-seats-XXXXXX";

/* A process that takes a seat of each of these, says so, and waits to be killed. */
static pid_t sitter(const uint64_t *whats, size_t n, unsigned seats)
{
    int told[2];
    char c = 'n';
    assert_int_equal(pipe(told), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        bool all = seats_open(path);
        for (size_t i = 0; i < n; i++)
            all = all && seats_take(whats[i], seats) >= 0;
        if (write(told[1], all ? "y" : "n", 1) == 1)
            pause();
        _exit(0);
    }
    assert_int_equal(read(told[0], &c, 1), 1);
    close(told[0]);
    close(told[1]);
    assert_int_equal(c, 'y');
    return pid;
}

static void kill_it(pid_t pid)
{
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

static void without_a_file_every_seat_is_free(void **state)
{
    (void)state;
    assert_false(seats_open("/nowhere/at/all"));
    assert_int_equal(seats_take(7, 1), 0);
    seats_leave(7, 0);
    assert_int_equal(seats_count(7), 0);
}

static void a_seat_is_taken_until_its_process_ends(void **state)
{
    (void)state;
    const uint64_t what[] = {UINT64_MAX, 0};
    assert_true(seats_open(path));
    pid_t one = sitter(what, 2, 2), two = sitter(what, 2, 2);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(seats_count(what[i]), 2);
        assert_int_equal(seats_take(what[i], 2), -1);
        assert_int_equal(seats_take(what[i], 3), 2);
        seats_leave(what[i], 2);
        pid_t holders[3] = {0};
        assert_int_equal(seats_holders(what[i], holders, 3), 2);
        assert_true((holders[0] == one && holders[1] == two) ||
                    (holders[0] == two && holders[1] == one));
        assert_int_equal(seats_holders(what[i], holders, 1), 1);
    }
    assert_int_equal(seats_holders(UINT64_C(3) << 40, NULL, 0), 0);
    assert_int_equal(seats_take(UINT64_C(1) << 40, 1), 0); /* something else */
    seats_leave(UINT64_C(1) << 40, 0);
    kill_it(one);
    assert_int_equal(seats_count(what[0]), 1);
    int seat = seats_take(what[0], 2);
    assert_in_range(seat, 0, 1);
    seats_leave(what[0], seat);
    kill_it(two);
    assert_int_equal(seats_count(what[0]), 0);
    assert_int_equal(seats_take(what[0], SEATS_MAX), 0);
    seats_leave(what[0], 0);
    seats_leave(what[0], -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_file_every_seat_is_free),
        cmocka_unit_test(a_seat_is_taken_until_its_process_ends),
    };
    int file = mkstemp(path);
    if (file < 0)
        return 1;
    close(file);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failed;
}

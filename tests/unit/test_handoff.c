/* handoff: a worker gives connections to another one, a process of its own. */
#include "service/handoff.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/counters.h"
#include "base/hash.h"
#include "base/seats.h"
#include "remove_directory.h"

enum { POOL = 7, NOW = 1000000, SEAT = 0, OTHER_SEAT = 1, SOCKET = 5, GONE = 'x' };

static char directory[] = "/tmp/loadline-handoff-XXXXXX", path[64];
static int other_end; /* a byte is an order, and the answer to it */
static pid_t other_pid;
static uint64_t name;

/* ---- the other worker ---- */

/* One of that name is begun. */
static void serve(bool brief, unsigned waiting)
{
    struct handoff handoff = {.fd = -1, .name = name, .brief = brief, .since = NOW};
    handoff_serve(&handoff, waiting, NOW);
}

/* The byte that a client has sent on the connection that was given; GONE when there is none. */
static char take(void)
{
    struct handoff given;
    char said = GONE;
    if (!handoff_take(&given))
        return GONE;
    if (given.name != name || !given.brief || given.since != NOW ||
        recv(given.fd, &said, 1, 0) != 1)
        said = '?';
    close(given.fd);
    return said;
}

static char obey(char order)
{
    switch (order) {
    case 's':
        serve(true, 0);
        return order;
    case 'b':
        serve(false, 0);
        return order;
    case 'w':
        serve(true, 1);
        return order;
    case 'r':
        handoff_end(0, NOW);
        return order;
    case 't':
        return take();
    case 'l':
        return handoff_leave() && !handoff_leave() ? order : '?';
    default:
        return '?';
    }
}

static void work(int end)
{
    char order;
    if (!handoff_open(path, POOL, OTHER_SEAT))
        _exit(1);
    while (read(end, &order, 1) == 1) {
        char answer = obey(order);
        if (write(end, &answer, 1) != 1)
            break;
    }
    _exit(0);
}

static char tell(char order)
{
    char answer = 0;
    assert_int_equal(write(other_end, &order, 1), 1);
    assert_int_equal(read(other_end, &answer, 1), 1);
    return answer;
}

/* It has served the cluster, and rests. */
static int start(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    name = handoff_name(SOCKET, STR("key"), STR("prod"));
    other_pid = fork();
    assert_true(other_pid >= 0);
    if (other_pid == 0) {
        close(ends[0]);
        work(ends[1]);
    }
    close(ends[1]);
    other_end = ends[0];
    handoff_end(0, NOW);
    assert_int_equal(tell('s'), 's');
    assert_int_equal(tell('r'), 'r');
    return 0;
}

static void kill_other(void)
{
    if (other_pid > 0)
        kill(other_pid, SIGKILL);
    waitpid(other_pid, NULL, 0);
    other_pid = 0;
}

static int stop(void **state)
{
    (void)state;
    kill_other();
    return close(other_end);
}

/* ---- this one ---- */

/* A client has connected and said that byte. Whether the connection was given away. */
static bool give(char said, unsigned waiting, int64_t now)
{
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    assert_int_equal(write(ends[0], &said, 1), 1);
    struct handoff handoff = {.fd = ends[1], .name = name, .since = NOW};
    bool given = handoff_give(&handoff, waiting, now);
    char still = 0;
    if (!given) {
        assert_int_equal(recv(ends[1], &still, 1, MSG_DONTWAIT), 1);
        assert_int_equal(still, said);
    }
    assert_int_equal(close(ends[1]), given ? -1 : 0); /* a giver has it no more */
    close(ends[0]);
    return given;
}

static void test_to_who_remembers_it_and_rests(void **state)
{
    (void)state;
    assert_true(give('a', 0, NOW));
    assert_int_equal(tell('t'), 'a');
    assert_int_equal(tell('t'), GONE);
}

static void test_not_to_who_never_had_it(void **state)
{
    (void)state;
    name = handoff_name(SOCKET, STR("key"), STR("other"));
    assert_false(give('a', 9, NOW));
    name = handoff_name(SOCKET, STR("another key"), STR("prod"));
    assert_false(give('a', 9, NOW));
    name = handoff_name(SOCKET + 1, STR("key"), STR("prod")); /* another stack's */
    assert_false(give('a', 9, NOW));
    name = handoff_name(SOCKET, STR("key"), STR(""));
    assert_int_equal(name, 0);
    assert_false(give('a', 9, NOW));
    assert_int_equal(tell('t'), GONE);
}

static void test_it_is_whoever_served_it_last(void **state)
{
    (void)state;
    serve(true, 0);
    assert_false(give('a', 0, NOW));
    assert_int_equal(tell('s'), 's');
    assert_true(give('b', 0, NOW));
}

static void test_to_a_busy_one_only_for_a_moment(void **state)
{
    (void)state;
    assert_int_equal(tell('s'), 's');
    assert_false(give('a', 0, NOW + 300));
    assert_true(give('b', 0, NOW + 200));
    assert_true(give('c', 0, NOW + 200));
    assert_true(give('d', 0, NOW + 200));
    assert_false(give('e', 0, NOW + 200)); /* it would be done here sooner by now */
    assert_true(give('f', 1, NOW + 200));
    assert_int_equal(tell('t'), 'b');
    assert_false(give('g', 0, NOW + 200));
    assert_int_equal(tell('t'), 'c');
    assert_true(give('h', 0, NOW + 200));
}

static void test_not_to_one_that_takes_long(void **state)
{
    (void)state;
    assert_int_equal(tell('b'), 'b');
    assert_false(give('a', 0, NOW + 10));
    assert_true(give('b', 1, NOW + 10)); /* it would wait here as well */
    assert_int_equal(tell('t'), 'b');
    assert_int_equal(tell('r'), 'r');
    assert_true(give('c', 0, NOW + 10));
}

static void test_to_who_has_no_more_to_do(void **state)
{
    (void)state;
    assert_int_equal(tell('w'), 'w');
    assert_false(give('a', 1, NOW + 1000));
    assert_true(give('b', 2, NOW + 1000));
    assert_false(give('c', 2, NOW + 1000));
    assert_true(give('d', 3, NOW + 1000));
    assert_int_equal(tell('t'), 'b');
    assert_int_equal(tell('t'), 'd');
}

static void test_not_to_a_dead_one(void **state)
{
    (void)state;
    assert_true(give('a', 0, NOW));
    kill_other();
    assert_false(give('b', 0, NOW));
    assert_int_equal(start(state), 0); /* another one in its seat has none of it */
    assert_int_equal(tell('t'), GONE);
    assert_true(give('c', 0, NOW));
    assert_int_equal(tell('t'), 'c');
}

static void test_who_leaves_still_has_what_it_was_given(void **state)
{
    (void)state;
    assert_true(give('a', 0, NOW));
    assert_int_equal(tell('l'), 'l');
    assert_false(give('b', 0, NOW));
    assert_int_equal(tell('t'), 'a');
    assert_int_equal(tell('t'), GONE);
}

static void test_more_than_the_kernel_keeps(void **state)
{
    (void)state;
    unsigned given = 0;
    while (given < 10000 && give('a', given + 1, NOW))
        given++;
    assert_in_range(given, 1, 9999);
    for (unsigned i = 0; i < given; i++)
        assert_int_equal(tell('t'), 'a');
    assert_int_equal(tell('t'), GONE);
}

/* In the file, as a giver counts before it gives: it was killed there, or failed when another
 * worker had just begun in that seat. */
static void add_to_given(uint64_t n)
{
    struct counters counters;
    assert_true(counters_open(&counters, path, hash_bytes(POOL, STR("handoff 1")), 1 + OTHER_SEAT));
    counters_add(&counters, OTHER_SEAT, n);
    counters_close(&counters);
}

static void test_counts_that_are_wrong_do_not_stay(void **state)
{
    static const uint64_t wrong[] = {1, UINT64_MAX};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        kill_other();
        assert_int_equal(start(state), 0);
        add_to_given(wrong[i]);
        assert_false(give('a', 0, NOW + 300));
        assert_int_equal(tell('t'), GONE);
        assert_true(give('b', 0, NOW + 300));
        assert_int_equal(tell('t'), 'b');
    }
}

static void test_without_a_seat(void **state)
{
    (void)state;
    pid_t pid = fork();
    int status = 1;
    assert_true(pid >= 0);
    if (pid == 0) {
        struct handoff none = {.fd = -1, .name = name};
        bool right =
            !handoff_open("/nonexistent/waiting", POOL, 2) && !handoff_open(path, POOL, -1);
        _exit(right && !handoff_give(&none, 0, NOW) ? 0 : 1);
    }
    waitpid(pid, &status, 0);
    assert_int_equal(status, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_to_who_remembers_it_and_rests, start, stop),
        cmocka_unit_test_setup_teardown(test_not_to_who_never_had_it, start, stop),
        cmocka_unit_test_setup_teardown(test_it_is_whoever_served_it_last, start, stop),
        cmocka_unit_test_setup_teardown(test_to_a_busy_one_only_for_a_moment, start, stop),
        cmocka_unit_test_setup_teardown(test_not_to_one_that_takes_long, start, stop),
        cmocka_unit_test_setup_teardown(test_to_who_has_no_more_to_do, start, stop),
        cmocka_unit_test_setup_teardown(test_not_to_a_dead_one, start, stop),
        cmocka_unit_test_setup_teardown(test_who_leaves_still_has_what_it_was_given, start, stop),
        cmocka_unit_test_setup_teardown(test_more_than_the_kernel_keeps, start, stop),
        cmocka_unit_test_setup_teardown(test_counts_that_are_wrong_do_not_stay, start, stop),
        cmocka_unit_test(test_without_a_seat),
    };
    if (!mkdtemp(directory))
        return 1;
    snprintf(path, sizeof path, "%s/waiting", directory);
    int failed = seats_open(path) && handoff_open(path, POOL, SEAT)
                     ? cmocka_run_group_tests(tests, NULL, NULL)
                     : 1;
    remove_directory(directory);
    return failed;
}

/* turns: who is served while others wait, over simulated time. */
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#include "service/turns.h"

enum { TIMEOUT = 5000, WORK = 250, REFUSAL = 2 };

static struct turns turns;
static int64_t now;

static int start(void **state)
{
    (void)state;
    turns = (struct turns){.seed = 7};
    now = 1000000;
    return 0;
}

/* One request, which takes WORK or is sent away. */
static bool ask(const char *client, bool waiting)
{
    bool may = turns_begin(&turns, str_of(client), waiting, now, TIMEOUT);
    now += may ? WORK : REFUSAL;
    turns_end(&turns, now);
    return may;
}

static void who_makes_nobody_wait_is_served(void **state)
{
    (void)state;
    for (int i = 0; i < 1000; i++)
        assert_true(ask("a", false));
}

static void alone_it_has_the_worker_for_the_timeout(void **state)
{
    (void)state;
    int64_t began = now;
    while (ask("a", true)) {
    }
    assert_in_range(now - began, TIMEOUT - WORK, TIMEOUT + 2 * WORK);
}

static void alone_it_then_gets_half_of_the_time(void **state)
{
    (void)state;
    int64_t served = 0, began = now;
    while (now - began < 100 * TIMEOUT)
        served += ask("a", true);
    assert_in_range(served * WORK, 45 * TIMEOUT, 55 * TIMEOUT);
}

/* Twenty requests of one address always wait, and somebody else comes each second. */
static void one_address_leaves_the_others_their_turn(void **state)
{
    (void)state;
    int64_t served = 0, next = now + TIMEOUT, began = now;
    char name[32];
    for (int i = 0; i < 100;) {
        if (now < next) {
            served += ask("attacker", true);
            continue;
        }
        next += 1000;
        snprintf(name, sizeof name, "victim %d", i++);
        assert_true(ask(name, true));
    }
    assert_in_range(served * WORK, (now - began) / 5, (now - began) / 3);
}

/* Everybody is new, so nobody has had anything; all the same the queue grows no longer than twice
 * the timeout. */
static void many_addresses_are_bounded_together(void **state)
{
    (void)state;
    int64_t served = 0, began = now, first = 0;
    char name[32];
    for (int i = 0; now - began < 100 * TIMEOUT; i++) {
        snprintf(name, sizeof name, "%d", i);
        if (ask(name, true))
            served++;
        else if (!first)
            first = now;
    }
    assert_in_range(first - began, 2 * TIMEOUT - WORK, 2 * TIMEOUT + 2 * WORK);
    assert_in_range(served * WORK, 45 * TIMEOUT, 60 * TIMEOUT);
}

static void a_pause_makes_good(void **state)
{
    (void)state;
    while (ask("a", true)) {
    }
    assert_true(ask("b", true));
    assert_false(ask("a", true));
    now += TIMEOUT * 4;
    assert_true(ask("a", true));
}

static void a_clock_that_is_set_back_is_no_gift(void **state)
{
    (void)state;
    while (ask("a", true)) {
    }
    assert_true(ask("b", true));
    now -= 1000;
    assert_false(ask("a", true));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(who_makes_nobody_wait_is_served, start),
        cmocka_unit_test_setup(alone_it_has_the_worker_for_the_timeout, start),
        cmocka_unit_test_setup(alone_it_then_gets_half_of_the_time, start),
        cmocka_unit_test_setup(one_address_leaves_the_others_their_turn, start),
        cmocka_unit_test_setup(many_addresses_are_bounded_together, start),
        cmocka_unit_test_setup(a_pause_makes_good, start),
        cmocka_unit_test_setup(a_clock_that_is_set_back_is_no_gift, start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

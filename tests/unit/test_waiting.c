/* waiting: whose turn it is and who is sent away, over simulated time. */
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#include "service/waiting.h"

enum { LIMIT = 2000, WORK = 50, ROOM = LIMIT / 3 / WORK /* that can be served in a third of it */ };

static struct waiting waiting;
static int64_t now;

static int start(void **state)
{
    (void)state;
    waiting_init(&waiting, 7, LIMIT);
    now = 1000000;
    return 0;
}

static int put(const char *key, const char *cluster)
{
    int place = waiting_free(&waiting);
    waiting_put(&waiting, place, str_of(key), str_of(cluster), now);
    return place;
}

/* Serves the next one, as that tenant's; its place. */
static int serve(const char *tenant, int64_t took)
{
    int place = waiting_serve(&waiting, now);
    now += took;
    if (tenant)
        waiting_know(&waiting, place, str_of(tenant));
    waiting_end(&waiting, place, now);
    return place;
}

/* The worker knows how long a request takes, and that the key is the tenant's. */
static void learn(const char *key, const char *tenant)
{
    put(key, "first");
    serve(tenant, WORK);
}

static int refuse(enum waiting_shed *why)
{
    int place = waiting_refuse(&waiting, now, why);
    if (place != WAITING_NONE)
        waiting_end(&waiting, place, now);
    return place;
}

static void assert_refused(int place, enum waiting_shed why)
{
    enum waiting_shed told;
    assert_int_equal(refuse(&told), place);
    assert_int_equal(told, why);
}

static void assert_all_stay(void)
{
    enum waiting_shed why;
    assert_int_equal(refuse(&why), WAITING_NONE);
}

static void nobody_waits(void **state)
{
    (void)state;
    assert_int_equal(waiting_serve(&waiting, now), WAITING_NONE);
    assert_all_stay();
}

static void requests_of_a_cluster_are_served_as_they_came(void **state)
{
    (void)state;
    int places[3];
    for (int i = 0; i < 3; i++)
        places[i] = put("key", "c");
    assert_all_stay();
    for (int i = 0; i < 3; i++)
        assert_int_equal(serve("t", WORK), places[i]);
    assert_int_equal(waiting.count, 0);
}

static void as_many_stay_as_can_be_served_in_a_third(void **state)
{
    (void)state;
    char name[16];
    int place = WAITING_NONE;
    learn("key", "t");
    for (int i = 0; i <= ROOM; i++) {
        assert_all_stay();
        snprintf(name, sizeof name, "%d", i);
        place = put("key", name);
    }
    assert_refused(place, WAITING_CROWDED); /* the last: none of them was served before */
    assert_all_stay();
    assert_int_equal(waiting.count, ROOM);
}

static void how_long_it_takes_is_measured(void **state)
{
    (void)state;
    char name[16];
    learn("key", "t");
    for (int i = 0; i < 40; i++) {
        put("key", "c");
        serve("t", 4 * WORK);
    }
    for (int i = 0; i < 8; i++) {
        snprintf(name, sizeof name, "%d", i);
        put("key", name);
    }
    enum waiting_shed why;
    while (refuse(&why) != WAITING_NONE) {
    }
    assert_int_equal(waiting.count, ROOM / 4);
}

/* A thousand wrong keys are answered soon; that makes no room for more pushes than before. */
static void what_is_not_admitted_says_nothing(void **state)
{
    (void)state;
    learn("key", "t");
    for (int i = 0; i < 1000; i++) {
        put("wrong", "c");
        serve(NULL, 1);
    }
    assert_int_equal(waiting.mean, WORK * 1000);
}

static void one_that_takes_longer_than_the_limit_is_served(void **state)
{
    (void)state;
    put("key", "c");
    serve("t", 3 * LIMIT);
    int place = put("key", "c");
    now += LIMIT + 1; /* it has to: others took so long */
    assert_all_stay();
    assert_int_equal(serve("t", 3 * LIMIT), place);
}

static void who_waited_too_long_is_refused(void **state)
{
    (void)state;
    learn("key", "t");
    int old = put("key", "old");
    now += LIMIT;
    assert_all_stay();
    now += 1;
    int young = put("key", "young");
    assert_refused(old, WAITING_LATE);
    assert_all_stay();
    assert_int_equal(serve("t", WORK), young);
}

static void the_newest_of_a_cluster_wins(void **state)
{
    (void)state;
    char name[16];
    learn("key", "t");
    int first = put("key", "twice"), other = put("other key", "twice"),
        second = put("key", "twice");
    int third = put("key", "twice");
    for (int i = 4; i < ROOM; i++) {
        snprintf(name, sizeof name, "%d", i);
        put("key", name);
    }
    assert_all_stay(); /* while there is room for all, all are points of the history */
    put("key", "more");
    assert_refused(first, WAITING_SUPERSEDED);
    assert_all_stay();
    put("key", "and more");
    assert_refused(second, WAITING_SUPERSEDED);
    assert_true(waiting_is_at(&waiting, third));
    assert_true(waiting_is_at(&waiting, other)); /* the same name, and maybe another tenant's */
}

/* What people ask is about no cluster: nothing newer stands for it. */
static void questions_are_not_superseded(void **state)
{
    (void)state;
    learn("key", "t");
    int last = WAITING_NONE;
    for (int i = 0; i <= ROOM; i++) {
        assert_all_stay();
        last = put("key", NULL);
    }
    assert_refused(last, WAITING_CROWDED);
    assert_all_stay();
}

/* They all stay as long as there is a place, and then who has most makes one. */
static void without_a_limit_only_the_end_of_the_list_counts(void **state)
{
    (void)state;
    waiting_init(&waiting, 7, INT32_MAX);
    learn("small", "small");
    for (int i = 0; i < 2; i++)
        learn("big", "big");
    int last = WAITING_NONE;
    for (int i = 0; i < WAITING_MAX - 1; i++) {
        last = put("big", NULL);
        now += 1000;
        assert_all_stay();
    }
    int small = put("small", NULL);
    assert_refused(last, WAITING_CROWDED);
    assert_all_stay();
    assert_int_equal(serve("small", WORK), small);
}

static void who_was_not_served_longest_goes_first(void **state)
{
    (void)state;
    int c = WAITING_NONE;
    static const char *const names[] = {"a", "b", "c", "d"};
    for (int i = 0; i < 4; i++) {
        put("key", names[i]);
        serve("t", WORK);
    }
    put("key", "d");
    c = put("key", "c");
    int b = put("key", "b"), a = put("key", "a"), stranger = put("key", "new");
    assert_int_equal(serve("t", WORK), stranger);
    assert_int_equal(serve("t", WORK), a);
    assert_int_equal(serve("t", WORK), b);
    assert_int_equal(serve("t", WORK), c);
}

static void who_was_served_last_is_sent_away_first(void **state)
{
    (void)state;
    char name[16];
    learn("key", "t");
    put("key", "just served");
    serve("t", WORK);
    int again = put("key", "just served");
    for (int i = 0; i < ROOM; i++) {
        snprintf(name, sizeof name, "%d", i);
        put("key", name);
    }
    assert_refused(again, WAITING_CROWDED);
    assert_all_stay();
}

/* Of the time, not of the requests: those of one take three times as long. */
static void tenants_have_equal_shares(void **state)
{
    (void)state;
    static const char *const keys[] = {"key a", "key b"}, *const tenants[] = {"a", "b"};
    enum waiting_shed why;
    int64_t had[2] = {0};
    char name[16];
    int of[WAITING_MAX];
    learn("key a", "a");
    learn("key b", "b");
    for (int i = 0; i < 4000; i++) {
        int who = i % 20 == 0; /* of twenty requests one is b's */
        snprintf(name, sizeof name, "%d", i % 37);
        of[put(keys[who], name)] = who;
        while (refuse(&why) != WAITING_NONE) {
        }
        if (i % 5)
            continue; /* five come while one is served */
        int place = waiting_serve(&waiting, now);
        int64_t took = of[place] ? 3 * WORK : WORK;
        now += took;
        had[of[place]] += took;
        waiting_know(&waiting, place, str_of(tenants[of[place]]));
        waiting_end(&waiting, place, now);
    }
    assert_true(had[1] > 0);
    assert_in_range(had[1] * 100 / (had[0] + had[1]), 40, 60);
}

/* However many keys somebody invents, and clusters: together they are one tenant. */
static void strangers_share_one_share(void **state)
{
    (void)state;
    enum waiting_shed why;
    char name[16];
    learn("key", "t");
    int mine = put("key", "mine");
    for (int i = 0; i < 10 * WAITING_MAX; i++) {
        snprintf(name, sizeof name, "%d", i);
        put(name, name);
        while (refuse(&why) != WAITING_NONE) {
        }
    }
    assert_true(waiting_is_at(&waiting, mine));
    for (int i = 0; i < 2; i++)
        if (waiting_is_at(&waiting, mine))
            serve(NULL, 1);
    assert_false(waiting_is_at(&waiting, mine));
}

static void the_list_has_an_end(void **state)
{
    (void)state;
    char name[16];
    for (int i = 0; i < WAITING_MAX; i++) {
        assert_all_stay();
        snprintf(name, sizeof name, "%d", i);
        put("key", name);
    }
    assert_int_equal(waiting_free(&waiting), WAITING_NONE);
    enum waiting_shed why; /* nobody knows how long it takes: one makes place */
    assert_int_not_equal(refuse(&why), WAITING_NONE);
    assert_all_stay();
    assert_int_not_equal(waiting_free(&waiting), WAITING_NONE);
}

static void who_has_left_is_out(void **state)
{
    (void)state;
    int gone = put("key", "gone"), here = put("key", "here");
    waiting_leave(&waiting, gone);
    waiting_end(&waiting, gone, now);
    assert_false(waiting_is_at(&waiting, gone));
    assert_int_equal(serve("t", WORK), here);
    assert_int_equal(waiting_serve(&waiting, now), WAITING_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(nobody_waits, start),
        cmocka_unit_test_setup(requests_of_a_cluster_are_served_as_they_came, start),
        cmocka_unit_test_setup(as_many_stay_as_can_be_served_in_a_third, start),
        cmocka_unit_test_setup(how_long_it_takes_is_measured, start),
        cmocka_unit_test_setup(what_is_not_admitted_says_nothing, start),
        cmocka_unit_test_setup(one_that_takes_longer_than_the_limit_is_served, start),
        cmocka_unit_test_setup(who_waited_too_long_is_refused, start),
        cmocka_unit_test_setup(the_newest_of_a_cluster_wins, start),
        cmocka_unit_test_setup(questions_are_not_superseded, start),
        cmocka_unit_test_setup(without_a_limit_only_the_end_of_the_list_counts, start),
        cmocka_unit_test_setup(who_was_not_served_longest_goes_first, start),
        cmocka_unit_test_setup(who_was_served_last_is_sent_away_first, start),
        cmocka_unit_test_setup(tenants_have_equal_shares, start),
        cmocka_unit_test_setup(strangers_share_one_share, start),
        cmocka_unit_test_setup(the_list_has_an_end, start),
        cmocka_unit_test_setup(who_has_left_is_out, start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

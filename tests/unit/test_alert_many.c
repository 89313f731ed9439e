/* alert: many rules about many deployments have a bounded number of alerts, shared evenly. */
#include "alert/alert.h"
#include "scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h> /* after check.h: both have a fail() */

enum { RULES = 100, APPS = 3000, PART = ALERT_FIRING_MAX / RULES };

static struct alert_setup setup_of(uint32_t rules)
{
    struct alert_setup setup = {.repeat_ms = 3600 * 1000, .clear_ms = 0};
    LIST_ADD(arena, setup.channels, STR("a"));
    LIST_ADD(arena, setup.channels, STR("b"));
    for (uint32_t i = 0; i < rules; i++) {
        struct alert_rule rule = {.id = arena_printf(arena, "rule-%03u", i),
                                  .kind = ALERT_DEGRADED_APP,
                                  .channels = i ? STR("a") : STR("b")};
        LIST_ADD(arena, setup.rules, rule);
    }
    return setup;
}

/* Deployments of which the first ones are well. */
static struct alert_facts facts_of(uint32_t apps, uint32_t well)
{
    struct alert_facts facts = {.cluster_name = STR("production"), .score = 90, .apps_known = true};
    for (uint32_t i = 0; i < apps; i++) {
        struct alert_app app = {.subject = arena_printf(arena, "shop/app-%04u", i),
                                .known = true,
                                .desired = 1,
                                .available = i < well};
        LIST_ADD(arena, facts.apps, app);
    }
    return facts;
}

static const alert_state_list none;
static const alert_owed_list owed;

static struct alert_outcome judge(uint32_t rules, uint32_t apps, uint32_t well,
                                  const alert_state_list *states, int64_t time)
{
    struct alert_setup setup = setup_of(rules);
    struct alert_facts facts = facts_of(apps, well);
    return alert_judge(arena, &setup, &facts, states, &owed, time);
}

static uint32_t count_of(const alert_state_list *states, struct str rule)
{
    const struct alert_state *state;
    uint32_t n = 0;
    LIST_EACH (state, *states)
        n += str_eq(state->rule, rule);
    return n;
}

static void each_rule_has_its_part(void **state)
{
    (void)state;
    struct alert_outcome first = judge(RULES, APPS, 0, &none, 1000);
    assert_int_equal(first.put.n, ALERT_FIRING_MAX);
    assert_int_equal(count_of(&first.put, STR("rule-000")), PART);
    assert_int_equal(count_of(&first.put, STR("rule-099")), PART);
    assert_int_equal(first.messages.n, 2); /* one a channel */

    struct alert_outcome again = judge(RULES, APPS, 0, &first.put, 2000);
    assert_int_equal(again.put.n + again.gone.n + again.messages.n, 0);

    /* ten of each are over: as many others have their turn with the next snapshot */
    struct alert_outcome ended = judge(RULES, APPS, 10, &first.put, 3000);
    assert_int_equal(ended.gone.n, 10 * RULES);
    assert_int_equal(ended.put.n, 0);
    alert_state_list left = {0};
    for (uint32_t i = 0; i < first.put.n; i++)
        if (str_cmp(first.put.items[i].subject, STR("shop/app-0010")) >= 0)
            LIST_ADD(arena, left, first.put.items[i]);
    struct alert_outcome next = judge(RULES, APPS, 10, &left, 4000);
    assert_int_equal(next.put.n, 10 * RULES);
    assert_true(str_eq(next.put.items[0].subject, STR("shop/app-0050")));
}

static void one_rule_has_all_of_them(void **state)
{
    (void)state;
    struct alert_outcome most = judge(1, ALERT_FIRING_MAX, 0, &none, 1000);
    assert_int_equal(most.put.n, ALERT_FIRING_MAX);
    struct alert_outcome more = judge(1, ALERT_FIRING_MAX + 1, 0, &none, 1000);
    assert_int_equal(more.put.n, ALERT_FIRING_MAX);
    assert_true(str_eq(more.put.items[0].subject, STR("shop/app-0000")));
}

/* Of an earlier release, or when rules were added since: they go on. */
static void what_fires_already_goes_on(void **state)
{
    (void)state;
    struct alert_outcome first = judge(1, APPS, 0, &none, 1000);
    assert_int_equal(first.put.n, APPS);
    struct alert_outcome then = judge(2, APPS, 0, &first.put, 2000);
    assert_int_equal(then.gone.n, 0);
    assert_int_equal(then.put.n, ALERT_FIRING_MAX / 2);
    assert_int_equal(count_of(&then.put, STR("rule-001")), ALERT_FIRING_MAX / 2);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_has_its_part),
        cmocka_unit_test(one_rule_has_all_of_them),
        cmocka_unit_test(what_fires_already_goes_on),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}

/* alert_memory: what is remembered is what the tenant's revision says, or nothing. */
#include "store/alert_memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define ONE "11111111-1111-4111-8111-111111111111"
#define TWO "22222222-2222-4222-8222-222222222222"

enum { REVISION = 5, TAKEN = 9000, NOW = 1000000 };

static bool finds(const char *id, int64_t revision, int64_t taken, int64_t now)
{
    struct alert_known known;
    return alert_memory_find(str_of(id), revision, taken, now, &known);
}

/* A rule with a channel, one for all, and so many channels. The text is gone afterwards. */
static void keep(const char *id, int64_t revision, size_t channels)
{
    struct arena *arena = arena_new((size_t)1 << 20);
    struct alert_known known = {0};
    known.setup.rules.n = 2;
    LIST_ROOM(arena, known.setup.rules);
    LIST_PUT(known.setup.rules, ((struct alert_rule){.id = arena_str(arena, STR("rule-1")),
                                                     .kind = ALERT_SCORE_DROP,
                                                     .threshold = 60,
                                                     .channels = arena_str(arena, STR("a b"))}));
    LIST_PUT(known.setup.rules, ((struct alert_rule){.id = arena_str(arena, STR("rule-2")),
                                                     .kind = ALERT_DEGRADED_APP}));
    known.setup.channels.n = (uint32_t)channels;
    LIST_ROOM(arena, known.setup.channels);
    known.types = ARENA_ARRAY(arena, channels, const struct channel_type *);
    for (size_t i = 0; i < channels; i++) {
        known.types[i] = channel_type_find(STR("slack"));
        LIST_PUT(known.setup.channels, arena_printf(arena, "channel-%zu", i));
    }
    alert_memory_keep(str_of(id), revision, TAKEN, NOW, &known);
    arena_free(arena);
}

static void it_is_what_was_read(void **state)
{
    (void)state;
    struct alert_known known;
    assert_false(finds(ONE, REVISION, TAKEN, NOW));
    keep(ONE, REVISION, 2);
    assert_true(alert_memory_find(STR(ONE), REVISION, TAKEN, NOW, &known));
    assert_int_equal(known.setup.rules.n, 2);
    const struct alert_rule *rule = known.setup.rules.items;
    assert_true(str_eq(rule[0].id, STR("rule-1")) && str_eq(rule[0].channels, STR("a b")));
    assert_int_equal(rule[0].kind, ALERT_SCORE_DROP);
    assert_int_equal(rule[0].threshold, 60);
    assert_true(str_eq(rule[1].id, STR("rule-2")));
    assert_null(rule[1].channels.p);
    assert_int_equal(rule[1].kind, ALERT_DEGRADED_APP);
    assert_int_equal(known.setup.channels.n, 2);
    assert_true(str_eq(known.setup.channels.items[1], STR("channel-1")));
    assert_ptr_equal(known.types[1], channel_type_find(STR("slack")));
    assert_false(known.setup.silenced);
}

static void it_is_of_one_cluster_and_one_revision(void **state)
{
    (void)state;
    keep(ONE, REVISION, 1);
    assert_false(finds(TWO, REVISION, TAKEN, NOW));
    assert_false(finds(ONE, REVISION + 1, TAKEN, NOW));
    keep(ONE, REVISION + 1, 1);
    assert_true(finds(ONE, REVISION + 1, TAKEN, NOW));
    assert_false(finds(ONE, REVISION, TAKEN, NOW));
    keep(ONE, 0, 1);
    assert_false(finds(ONE, 0, TAKEN, NOW));
    assert_false(finds(ONE, REVISION + 1, TAKEN, NOW));
}

/* A silence that is over was not, for a snapshot of before. */
static void it_is_of_a_time(void **state)
{
    (void)state;
    keep(ONE, REVISION, 1);
    assert_false(finds(ONE, REVISION, TAKEN - 1, NOW));
    assert_true(finds(ONE, REVISION, TAKEN + 1, NOW + ALERT_MEMORY_MS - 1));
    assert_false(finds(ONE, REVISION, TAKEN + 1, NOW + ALERT_MEMORY_MS));
    assert_false(finds(ONE, REVISION, TAKEN + 1, NOW - 1));
}

static void much_is_not_remembered(void **state)
{
    (void)state;
    keep(ONE, REVISION, 0);
    assert_true(finds(ONE, REVISION, TAKEN, NOW));
    keep(ONE, REVISION, ALERT_MEMORY_BYTES_EACH / 16);
    assert_false(finds(ONE, REVISION, TAKEN, NOW));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_what_was_read),
        cmocka_unit_test(it_is_of_one_cluster_and_one_revision),
        cmocka_unit_test(it_is_of_a_time),
        cmocka_unit_test(much_is_not_remembered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

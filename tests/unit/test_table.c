#include "base/hash.h"
#include "base/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* Tables against a row of things that is searched from its start. */
enum { THINGS_MAX = 400, ROUNDS = 100 };

struct thing {
    uint64_t hash;
    uint32_t key;
};

static uint64_t state_of_pick;

/* 0 to n - 1, the same in every run. */
static uint32_t pick(uint32_t n)
{
    state_of_pick = state_of_pick * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state_of_pick >> 33) % n;
}

static void slots_are_sound(const struct table *table)
{
    uint64_t used = 0;
    assert_int_equal(table->mask & (table->mask + 1), 0);
    for (uint64_t i = 0; i <= table->mask; i++)
        used += table->slots[i].item != NULL;
    assert_int_equal(used, table->used);
    assert_true(4 * used <= 3 * (table->mask + 1));
}

/* What the table has of a hash is what the row has of it, in the same order. */
static void has_all_of_hash(const struct table *table, const struct thing *things, uint32_t n,
                            uint64_t hash)
{
    const struct thing *found;
    uint32_t at = 0;
    TABLE_EACH (found, table, hash) {
        while (at < n && things[at].hash != hash)
            at++;
        assert_true(at < n);
        assert_ptr_equal(found, &things[at++]);
    }
    while (at < n)
        assert_true(things[at++].hash != hash);
}

/* Hashes of few values meet often; those at the upper end run on at the first slot. */
static void finds_what_was_added(void **state)
{
    static struct thing things[THINGS_MAX];
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        struct arena *arena = arena_new(1 << 20);
        uint32_t hashes = 1 + pick(300), n = pick(THINGS_MAX);
        uint64_t from = (uint64_t)0 - pick(20);
        struct table table = table_init(arena, pick(2) ? n : 0);
        for (uint32_t i = 0; i < n; i++) {
            things[i] = (struct thing){from + pick(hashes), i};
            table_add(&table, things[i].hash, &things[i]);
            if (i % 16 == 0)
                has_all_of_hash(&table, things, i + 1, things[pick(i + 1)].hash);
        }
        slots_are_sound(&table);
        for (uint32_t i = 0; i < hashes + 2; i++)
            has_all_of_hash(&table, things, n, from - 1 + i);
        arena_free(arena);
    }
}

static void room_that_was_asked_for_is_there(void **state)
{
    (void)state;
    for (uint32_t n = 0; n < THINGS_MAX; n++) {
        struct arena *arena = arena_new(1 << 20);
        struct table table = table_init(arena, n);
        const struct table_slot *slots = table.slots;
        for (uint64_t i = 0; i < n; i++)
            table_add(&table, i * 977, &state_of_pick);
        assert_ptr_equal(table.slots, slots);
        slots_are_sound(&table);
        arena_free(arena);
    }
}

static void replaces(void **state)
{
    struct arena *arena = arena_new(1 << 20);
    struct thing things[] = {{7, 1}, {7, 2}, {7, 3}}, other = {7, 4};
    const struct thing *found;
    uint32_t keys = 0;
    struct table table = table_init(arena, 0);
    (void)state;
    for (int i = 0; i < 3; i++)
        table_add(&table, 7, &things[i]);
    table_replace(&table, 7, &things[1], &other);
    TABLE_EACH (found, &table, 7)
        keys = keys * 10 + found->key;
    assert_int_equal(keys, 143);
    slots_are_sound(&table);
    arena_free(arena);
}

static void addresses_never_meet(void **state)
{
    static char bytes[1 << 12];
    struct arena *arena = arena_new(1 << 20);
    struct table table = table_init(arena, 0);
    const char *found;
    (void)state;
    for (size_t i = 0; i < sizeof bytes; i += 16) {
        uint64_t hash = hash_pointer(&bytes[i]);
        TABLE_EACH (found, &table, hash)
            fail_msg("two addresses have one hash");
        table_add(&table, hash, &bytes[i]);
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_was_added),
        cmocka_unit_test(room_that_was_asked_for_is_there),
        cmocka_unit_test(replaces),
        cmocka_unit_test(addresses_never_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

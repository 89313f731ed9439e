#include "base/list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* Lists against the plainest way to do the same. */
enum { ITEMS_MAX = 300, ROUNDS = 200 };

struct thing {
    uint32_t key, position;
};
typedef LIST(struct thing) thing_list;

static uint64_t state_of_pick;

/* 0 to n - 1, the same in every run. */
static uint32_t pick(uint32_t n)
{
    state_of_pick = state_of_pick * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state_of_pick >> 33) % n;
}

static int by_key(const void *a, const void *b)
{
    const struct thing *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

static int by_key_and_position(const void *a, const void *b)
{
    const struct thing *x = a, *y = b;
    int order = by_key(x, y);
    return order ? order : (x->position > y->position) - (x->position < y->position);
}

/* n things with keys below `keys`, numbered as they stand. */
static thing_list things_of(struct arena *arena, uint32_t n, uint32_t keys)
{
    thing_list things = {0};
    for (uint32_t i = 0; i < n; i++)
        LIST_ADD(arena, things, ((struct thing){pick(keys), i}));
    return things;
}

static void grows(void **state)
{
    struct arena *arena = arena_new(1 << 20);
    thing_list things = {0};
    (void)state;
    for (uint32_t i = 0; i < ITEMS_MAX; i++) {
        LIST_ADD(arena, things, ((struct thing){i * 7, i}));
        assert_int_equal(things.n, i + 1);
        assert_true(things.room >= things.n);
    }
    for (uint32_t i = 0; i < ITEMS_MAX; i++)
        assert_true(things.items[i].key == i * 7 && things.items[i].position == i);
    assert_true(arena_used(arena) < 6 * ITEMS_MAX * sizeof(struct thing) + (128 << 10));
    arena_free(arena);
}

/* Its items stay as they are: the list moves away from them. */
static void slice_is_copied_when_added_to(void **state)
{
    struct arena *arena = arena_new(1 << 20);
    struct thing some[] = {{1, 0}, {2, 0}, {3, 0}};
    thing_list things = LIST_SLICE(some, 2);
    (void)state;
    LIST_ADD(arena, things, ((struct thing){9, 0}));
    assert_int_equal(some[2].key, 3);
    assert_int_equal(things.n, 3);
    assert_int_equal(things.items[0].key, 1);
    assert_int_equal(things.items[1].key, 2);
    assert_int_equal(things.items[2].key, 9);
    arena_free(arena);
}

static void is_filled_in_two_passes(void **state)
{
    struct arena *arena = arena_new(1 << 20);
    const struct thing *thing;
    thing_list things = {.n = 3}, none = {.n = 0};
    uint32_t sum = 0;
    (void)state;
    LIST_ROOM(arena, things);
    for (uint32_t i = 0; i < 3; i++)
        LIST_PUT(things, ((struct thing){.key = i + 1}));
    LIST_EACH (thing, things)
        sum += thing->key;
    assert_int_equal(sum, 6);
    assert_int_equal(things.room, 3);
    LIST_ROOM(arena, none);
    assert_null(none.items);
    LIST_EACH (thing, none)
        fail_msg("an empty list has an item");
    arena_free(arena);
}

static void growth_without_end_exhausts(void *arg)
{
    LIST(char) huge = LIST_SLICE((char *)arg, UINT32_MAX / 2 + 1);
    huge.items = list_grow(arg, huge.items, huge.n, 1, &huge.room);
}

static void ends_at_the_count(void **state)
{
    struct arena *arena = arena_new(SIZE_MAX);
    (void)state;
    assert_false(arena_guard(arena, growth_without_end_exhausts, arena));
    arena_free(arena);
}

static void finds_the_first_not_before(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        struct arena *arena = arena_new(1 << 20);
        uint32_t keys = 1 + pick(40), n = pick(ITEMS_MAX);
        thing_list things = things_of(arena, n, keys);
        LIST_SORT(things, by_key);
        for (uint32_t key = 0; key <= keys; key++) {
            uint32_t at, expected = 0;
            while (expected < n && things.items[expected].key < key)
                expected++;
            LIST_LOWER_BOUND(things, at, things.items[at].key < key);
            assert_int_equal(at, expected);
            const struct thing wanted = {.key = key}, *found = LIST_FIND(things, &wanted, by_key);
            bool is_there = expected < n && things.items[expected].key == key;
            assert_true(is_there ? found && found->key == key : !found);
        }
        arena_free(arena);
    }
}

/* The order by key and position is what a stable sort by key makes. */
static void sorts_stably(void **state)
{
    (void)state;
    for (uint32_t n = 0; n < ITEMS_MAX; n++) {
        struct arena *arena = arena_new(1 << 20);
        thing_list things = things_of(arena, n, 1 + pick(40)), sorted;
        struct thing *scratch = ARENA_ARRAY(arena, n, struct thing);
        LIST_RESERVE(arena, sorted, n);
        for (uint32_t i = 0; i < n; i++)
            LIST_PUT(sorted, things.items[i]);
        LIST_SORT(sorted, by_key_and_position);
        list_sort_stable(things.items, scratch, n, sizeof *scratch, by_key);
        for (uint32_t i = 0; i < n; i++)
            assert_int_equal(things.items[i].position, sorted.items[i].position);
        arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grows),
        cmocka_unit_test(slice_is_copied_when_added_to),
        cmocka_unit_test(is_filled_in_two_passes),
        cmocka_unit_test(ends_at_the_count),
        cmocka_unit_test(finds_the_first_not_before),
        cmocka_unit_test(sorts_stably),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

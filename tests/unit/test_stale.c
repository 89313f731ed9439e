/* stale: when the holder of a lease that is over is taken for dead. */
#include "deliver/stale.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define A "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa"
#define B "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb"

static bool look(struct stale *stale, const char *id, const char *owner, int64_t until, int64_t now)
{
    return stale_look(stale, str_of(id), str_of(owner), until, now);
}

static void is_dead_after_some_looks(void **state)
{
    static const struct {
        const char *id, *owner;
        int64_t until, now;
        bool dead;
    } rows[] = {
        {A, A, 1, 10000, false},
        {A, A, 1, 10000 + STALE_APART_MS, false},
        {A, A, 1, 10000 + 2 * STALE_APART_MS, false},
        {A, A, 1, 10000 + 3 * STALE_APART_MS, false},
        {B, A, 1, 20000, false}, /* another message of the same holder */
        {A, A, 1, 20000, true},  /* however long ago the look before was */
        {A, A, 1, 20000, true},
        {A, A, 2, 20000, false}, /* kept since */
        {A, A, 2, 21000, false},
        {A, A, 2, 22000, false},
        {A, A, 2, 23000, false},
        {A, B, 2, 24000, false}, /* somebody else's now */
        {A, B, 2, 25000, false},
        {A, B, 2, 25000 + STALE_APART_MS - 1, false}, /* too soon to count */
        {A, B, 2, 26000, false},
        {A, B, 2, 27000, false},
        {B, A, 1, 27000, false},
        {A, B, 2, 28000, true},
        {B, A, 1, 28000, false},
        {B, A, 1, 29000, false},
        {B, A, 1, 30000, true},
    };
    struct stale stale = {0};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        print_message("# look %zu\n", i);
        assert_int_equal(look(&stale, rows[i].id, rows[i].owner, rows[i].until, rows[i].now),
                         rows[i].dead);
    }
}

/* More than there is room for: they are dead later. */
static void room_is_for_those_looked_at_last(void **state)
{
    struct stale stale = {0};
    char ids[STALE_MAX + 1][UUID_TEXT_LEN + 1];
    (void)state;
    for (size_t i = 0; i <= STALE_MAX; i++) {
        rand_uuid(ids[i]);
        assert_false(look(&stale, ids[i], A, 1, 10000 + (int64_t)i));
    }
    for (int64_t round = 1; round < STALE_LOOKS; round++)
        for (size_t i = 1; i <= STALE_MAX; i++)
            assert_int_equal(look(&stale, ids[i], A, 1, 10000 + round * 1000 + (int64_t)i),
                             round == STALE_LOOKS - 1);
    assert_false(look(&stale, ids[0], A, 1, 20000)); /* it was forgotten */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_dead_after_some_looks),
        cmocka_unit_test(room_is_for_those_looked_at_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* A delta as it is stored: long enough for pages of its own, or short, and read as it was made. */
#include "deltas.h"
#include "scratch.h"
#include "store/snapshot.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#include "base/rand.h"
#include "codec/zstd.h"

enum { PIECE = 32 * 1024, ROOM = 64 * 1024, TEXT = 200 * 1024, CHANGED = 3000 };
enum { SHORT = 1024, OFF_PAGE = 8192, HEAD = 8 };

static struct str random_text(size_t n)
{
    char *text = arena_bytes(arena, n);
    rand_bytes(text, n);
    return (struct str){text, n};
}

static struct delta_stored stored;

static struct str stored_delta(const struct delta_made *made)
{
    static char id[SNAPSHOT_BASE];
    const struct snapshot_wear wear = {0};
    struct snapshot_copy *copy =
        snapshot_copy_delta(arena, made, (struct str){id, sizeof id}, stored.base, &wear);
    assert_true(copy->bytes == (int64_t)(delta_base_stored(stored.base) + copy->delta.n));
    return copy->delta;
}

/* What is behind the delta is one skippable frame, or nothing. */
static void is_as_long_as_it_must(void **state)
{
    static const size_t lengths[] = {40,   1023, 1024, 1025, 5000, 8183,
                                     8184, 8185, 8191, 8192, 8193, 20000};
    (void)state;
    for (size_t i = 0; i < COUNT(lengths); i++) {
        size_t n = lengths[i];
        struct delta_made made = {.delta = random_text(n), .length = TEXT};
        struct str delta = stored_delta(&made), behind = str_sub(delta, n, delta.n);
        assert_true(str_eq(str_sub(delta, 0, n), made.delta));
        if (n < SHORT || n >= OFF_PAGE) {
            assert_int_equal(behind.n, 0);
            continue;
        }
        assert_int_equal(delta.n, n + HEAD < OFF_PAGE ? OFF_PAGE : n + HEAD);
        const unsigned char *head = (const unsigned char *)behind.p;
        assert_true(zstd_is_start(behind) && (head[0] & 0xf0) == 0x50);
        assert_int_equal(head[4] | head[5] << 8 | head[6] << 16 | head[7] << 24, behind.n - HEAD);
    }
}

static void is_read_as_it_was_made(void **state)
{
    (void)state;
    for (int i = 0; i < 100; i++) {
        struct str text = random_text(TEXT);
        memcpy((char *)text.p + CHANGED, stored.text.p + CHANGED, TEXT - CHANGED);
        struct delta_made made = delta_make_text(arena, stored.base, text, PIECE);
        struct str delta = stored_delta(&made);
        assert_true(delta.n >= OFF_PAGE);
        struct delta_result result = delta_read_text(arena, &stored, delta, ROOM);
        assert_true(result.right && str_eq(result.text, text));
    }
}

static int open_base(void **state)
{
    int failed = scratch_open(state);
    stored = delta_store_text(arena, random_text(TEXT), PIECE);
    return failed;
}

static int close_base(void **state)
{
    delta_base_free(stored.base);
    return scratch_close(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_as_long_as_it_must),
        cmocka_unit_test(is_read_as_it_was_made),
    };
    return cmocka_run_group_tests(tests, open_base, close_base);
}

/* arena, and buf which grows in one. */
#include "base/arena.h"
#include "base/buf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stddef.h>
#include <stdalign.h>
#include <string.h>
#include <cmocka.h>

static void allocates(void **state)
{
    (void)state;
    struct arena *arena = arena_new(4 << 20);
    for (size_t n = 0; n < 70000; n = n * 2 + 1) {
        char *p = arena_alloc(arena, n), *bytes = arena_bytes(arena, n);
        assert_int_equal((uintptr_t)p % alignof(max_align_t), 0);
        for (size_t i = 0; i < n; i++)
            assert_int_equal(p[i], 0);
        memset(p, 'p', n);
        memset(bytes, 'b', n);
        for (size_t i = 0; i < n; i++)
            assert_int_equal(p[i], 'p');
    }
    struct str copy = arena_str(arena, STR("a\0b"));
    assert_memory_equal(copy.p, "a\0b", 4);
    assert_string_equal(arena_str(arena, (struct str){NULL, 0}).p, "");
    assert_string_equal(arena_printf(arena, "%d-%s", 7, "x").p, "7-x");
    assert_int_equal(arena_printf(arena, "%5000d", 1).n, 5000);
    arena_free(arena);
    arena_free(NULL);
}

/* What is made without vsnprintf() is what it would make. */
#define SAME(...)                                                                                  \
    do {                                                                                           \
        char same_[600];                                                                           \
        struct str text_ = arena_printf(arena, __VA_ARGS__);                                       \
        assert_int_equal(snprintf(same_, sizeof same_, __VA_ARGS__), text_.n);                     \
        assert_string_equal(text_.p, same_);                                                       \
        struct buf buf_ = buf_init(arena, 4096);                                                   \
        buf_printf(&buf_, __VA_ARGS__);                                                            \
        assert_true(str_eq(buf_str(&buf_), str_of(same_)));                                        \
    } while (0)

static void prints_as_printf(void **state)
{
    (void)state;
    struct arena *arena = arena_new(4 << 20);
    char word[600];
    memset(word, 'w', sizeof word);
    SAME("%s", "");
    SAME("a %s and %.*s, %.*s", "b", 2, "cde", 9, "f");
    SAME("[%.*s][%.*s]", 0, "", 3, "a\0b");
    SAME("%d %d %d %d", 0, -1, INT32_MAX, INT32_MIN);
    SAME("%u %u %zu %zu", 0, UINT32_MAX, (size_t)0, SIZE_MAX);
    SAME("%lld %lld %lld %llu", 0LL, INT64_MAX + 0LL, INT64_MIN + 0LL, UINT64_MAX + 0ULL);
    SAME("100 %% of %s%%", "it");
    SAME("%s %5d, %-4s|%02u %.4g %x %c", "others", 7, "x", 3u, 0.25, 255u, 'c');
    for (int n = 505; n < 520; n++)
        SAME("%.*s%s", n - 1, word, "!");
    arena_free(arena);
}

static void reset_gives_back(void **state)
{
    (void)state;
    struct arena *arena = arena_new(4 << 20);
    size_t empty = arena_used(arena);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 100; i++)
            arena_alloc(arena, 30000);
        assert_true(arena_used(arena) > 3000000);
        arena_reset(arena);
        assert_int_equal(arena_used(arena), empty);
    }
    assert_true(arena_peak(arena) > 3000000);
    arena_free(arena);
}

struct work {
    struct arena *arena;
    size_t size, times;
    int done;
};

static void allocate(void *arg)
{
    struct work *work = arg;
    for (size_t i = 0; i < work->times; i++) {
        arena_alloc(work->arena, work->size);
        work->done++;
    }
}

static void overflow(void *arg)
{
    struct work *work = arg;
    arena_array(work->arena, SIZE_MAX / 2, 3);
}

static void huge(void *arg)
{
    struct work *work = arg;
    arena_alloc(work->arena, SIZE_MAX);
}

static void huge_bytes(void *arg)
{
    struct work *work = arg;
    arena_bytes(work->arena, SIZE_MAX - 8);
}

static void nested(void *arg)
{
    struct work *work = arg;
    assert_false(arena_guard(work->arena, huge, work));
    work->done = -1;
    arena_alloc(work->arena, SIZE_MAX);
    work->done = -2;
}

static void guards(void **state)
{
    (void)state;
    struct arena *arena = arena_new(1 << 20);
    struct work work = {arena, 1000, 100, 0};
    assert_true(arena_guard(arena, allocate, &work));
    assert_int_equal(work.done, 100);
    work = (struct work){arena, 1000, 100000, 0};
    assert_false(arena_guard(arena, allocate, &work));
    assert_in_range(work.done, 800, 1100);
    assert_true(arena_used(arena) <= 1 << 20);
    arena_reset(arena);
    assert_false(arena_guard(arena, overflow, &work));
    assert_false(arena_guard(arena, huge, &work));
    assert_false(arena_guard(arena, huge_bytes, &work));
    assert_false(arena_guard(arena, nested, &work));
    assert_int_equal(work.done, -1);
    arena_reset(arena);
    assert_non_null(arena_alloc(arena, 1000)); /* it lives */
    arena_free(arena);
}

/* One byte under, just so, one over; and nothing after that. */
static void buf_ceiling(void **state)
{
    (void)state;
    struct arena *arena = arena_new(4 << 20);
    for (size_t n = 299; n <= 301; n++) {
        struct buf buf = buf_init(arena, 300);
        for (size_t i = 0; i < n; i++)
            buf_putc(&buf, 'x');
        assert_int_equal(buf.full, n > 300);
        assert_int_equal(buf_str(&buf).n, n > 300 ? 300 : n);
        buf_put(&buf, STR("yz"));
        assert_true(buf.full);
        buf_putc(&buf, 'z');
        assert_int_equal(buf_str(&buf).n, n > 300 ? 300 : n);
        assert_null(buf_reserve(&buf, 0));
    }
    struct buf buf = buf_init(arena, 10);
    buf_printf(&buf, "%d", 12345);
    buf_printf(&buf, "%d", 678901);
    assert_true(buf.full && str_eq(buf_str(&buf), STR("12345")));
    buf = buf_init(arena, 0);
    assert_null(buf_reserve(&buf, 1));
    arena_free(arena);
}

static void buf_grows(void **state)
{
    (void)state;
    struct arena *arena = arena_new(16 << 20);
    struct buf buf = buf_init(arena, SIZE_MAX);
    for (int i = 0; i < 100000; i++)
        buf_put(&buf, STR("0123456789"));
    buf_printf(&buf, "%s", "end");
    buf_printf(&buf, "%2000d", 1);
    memcpy(buf_reserve(&buf, 5000), "abc", 3);
    buf_commit(&buf, 3);
    assert_int_equal(buf.n, 1000000 + 3 + 2000 + 3);
    assert_memory_equal(buf.p + 999990, "0123456789end  ", 15);
    assert_memory_equal(buf.p + buf.n - 4, "1abc", 4);
    arena_free(arena);
}

/* Blocks are of 64 KiB: around that, and a quarter of it. */
static void gives_back_what_is_large(void **state)
{
    (void)state;
    static const size_t sizes[] = {1,     16000, 16384, 16400, 20000,  65000,
                                   65519, 65536, 65552, 70001, 1 << 20};
    struct arena *arena = arena_new(64 << 20);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        arena_reset(arena);
        char *first = arena_alloc(arena, sizes[i]); /* in the first block, if it fits */
        char *small = arena_alloc(arena, 64);
        char *large = arena_alloc(arena, sizes[i]);
        char *behind = arena_alloc(arena, 64);
        size_t before = arena_used(arena), taken = arena_taken(arena);
        arena_give_back(arena, large, sizes[i]);
        arena_give_back(arena, first, sizes[i]);
        if (sizes[i] > 65536) {
            assert_true(arena_used(arena) + 2 * sizes[i] <= before);
            assert_true(arena_taken(arena) + 2 * sizes[i] <= taken);
        } else if (sizes[i] <= 16384) {
            assert_int_equal(arena_used(arena), before);
        }
        memset(small, 's', 64);
        memset(behind, 'b', 64);
        memset(arena_alloc(arena, sizes[i]), 'n', sizes[i]);
        memset(arena_bytes(arena, 100), 'n', 100);
        assert_true(small[0] == 's' && small[63] == 's' && behind[0] == 'b' && behind[63] == 'b');
    }
    arena_free(arena);
}

/* The one that is filled to its last byte is the current one still. */
static void keeps_the_current_block(void **state)
{
    (void)state;
    enum { BLOCK = 64 * 1024 };
    struct arena *arena = arena_new(64 << 20);
    arena_alloc(arena, BLOCK);
    arena_alloc(arena, 64);
    arena_alloc(arena, BLOCK - 64);
    char *full = arena_alloc(arena, 16384);
    arena_alloc(arena, BLOCK - 16384);
    arena_give_back(arena, full, 16384);
    for (size_t n = 0; n < 300; n++)
        memset(arena_bytes(arena, n), 'b', n);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocates),
        cmocka_unit_test(prints_as_printf),
        cmocka_unit_test(reset_gives_back),
        cmocka_unit_test(guards),
        cmocka_unit_test(gives_back_what_is_large),
        cmocka_unit_test(keeps_the_current_block),
        cmocka_unit_test(buf_ceiling),
        cmocka_unit_test(buf_grows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

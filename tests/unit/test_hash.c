#include "base/hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

enum { LENGTH = 70 };

/* Every length, and every byte in it, counts; where it lies in memory does not. */
static void bytes_count(void **state)
{
    char text[LENGTH + 1], moved[LENGTH + 2];
    (void)state;
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)('a' + i % 26);
    for (size_t n = 0; n < LENGTH; n++) {
        uint64_t hash = hash_bytes(0, (struct str){text, n});
        assert_true(hash != hash_bytes(0, (struct str){text, n + 1}));
        assert_true(hash != hash_bytes(1, (struct str){text, n}));
        memcpy(moved + 1, text, n);
        assert_true(hash == hash_bytes(0, (struct str){moved + 1, n}));
        for (size_t i = 0; i < n; i++) {
            moved[1 + i] ^= 1;
            assert_true(hash != hash_bytes(0, (struct str){moved + 1, n}));
            moved[1 + i] ^= 1;
        }
    }
}

static void absent_is_empty(void **state)
{
    (void)state;
    assert_true(hash_bytes(7, (struct str){NULL, 0}) == hash_bytes(7, (struct str){"", 0}));
}

static void zeros_differ_by_length(void **state)
{
    static const char zeros[LENGTH];
    (void)state;
    for (size_t n = 1; n < LENGTH; n++)
        assert_true(hash_bytes(0, (struct str){zeros, n}) !=
                    hash_bytes(0, (struct str){zeros, n - 1}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_count),
        cmocka_unit_test(absent_is_empty),
        cmocka_unit_test(zeros_differ_by_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

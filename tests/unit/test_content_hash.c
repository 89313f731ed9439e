/* Texts and contexts that differ have hashes that differ. */
#include "codec/content_hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

static void each_byte_counts(void **state)
{
    struct content_hash a, b;
    char text[300];
    (void)state;
    memset(text, 'x', sizeof text);
    for (size_t n = 0; n < sizeof text; n++) {
        assert_true(content_hash(STR("c"), (struct str){text, n}, &a));
        assert_true(content_hash(STR("c"), (struct str){text, n}, &b));
        assert_true(content_hash_eq(&a, &b));
        assert_true(content_hash(STR("c"), (struct str){text, n + 1}, &b));
        assert_false(content_hash_eq(&a, &b));
        assert_true(content_hash(STR("d"), (struct str){text, n}, &b));
        assert_false(content_hash_eq(&a, &b));
        if (n) {
            text[n - 1] = 'y';
            assert_true(content_hash(STR("c"), (struct str){text, n}, &b));
            assert_false(content_hash_eq(&a, &b));
            text[n - 1] = 'x';
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_byte_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The kernels of jr_mask against what the masks mean, byte by byte. */
#include "codec/jr_mask.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <cmocka.h>

typedef void kernel(const char *p, struct jr_mask *m);

static void portable(const char *p, struct jr_mask *m)
{
    jr_mask_portable(p, m);
}

#if defined(__SSE2__)
static void sse2(const char *p, struct jr_mask *m)
{
    jr_mask_sse2(p, m);
}
#endif

#if defined(JR_HAVE_AVX2)
static JR_AVX2 void avx2(const char *p, struct jr_mask *m)
{
    jr_mask_avx2(p, m);
}
#endif

static void meant(const char *p, struct jr_mask *m)
{
    *m = (struct jr_mask){0};
    for (int i = 0; i < 64; i++) {
        unsigned char c = (unsigned char)p[i];
        uint64_t bit = (uint64_t)1 << i;
        m->quote |= c == '"' ? bit : 0;
        m->backslash |= c == '\\' ? bit : 0;
        m->structural |= c && strchr("{}[]:,", c) ? bit : 0;
        m->space |= c && strchr(" \t\r\n", c) ? bit : 0;
        m->odd |= c < 0x20 || c > 0x7F ? bit : 0;
    }
}

static void agree(kernel *under_test, const char *p)
{
    struct jr_mask want, got;
    meant(p, &want);
    under_test(p, &got);
    assert_int_equal(got.quote, want.quote);
    assert_int_equal(got.backslash, want.backslash);
    assert_int_equal(got.structural, want.structural);
    assert_int_equal(got.space, want.space);
    assert_int_equal(got.odd, want.odd);
}

/* Every byte at every place, among others of every kind; and random ones. */
static void means(kernel *under_test)
{
    static const char FILLERS[] = "a \n\"{\\\0\xC3";
    char block[64];
    for (size_t filler = 0; filler < sizeof FILLERS - 1; filler++)
        for (int c = 0; c < 256; c++)
            for (int i = 0; i < 64; i++) {
                memset(block, FILLERS[filler], sizeof block);
                block[i] = (char)c;
                agree(under_test, block);
            }
    uint64_t random = 1;
    for (int round = 0; round < 20000; round++) {
        for (int i = 0; i < 64; i++) {
            random = random * UINT64_C(6364136223846793005) + 1;
            block[i] = (char)(random >> 56);
        }
        agree(under_test, block);
    }
}

static void portable_means(void **state)
{
    (void)state;
    means(portable);
}

static void sse2_means(void **state)
{
    (void)state;
#if defined(__SSE2__)
    means(sse2);
#endif
}

static void avx2_means(void **state)
{
    (void)state;
#if defined(JR_HAVE_AVX2)
    if (__builtin_cpu_supports("avx2"))
        means(avx2);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(portable_means),
        cmocka_unit_test(sse2_means),
        cmocka_unit_test(avx2_means),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

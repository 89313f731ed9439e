/* jr_mask: 64 bytes of JSON to bit masks, bit i for byte i. The one place with vector code.
 *
 * Every kernel gives the same masks for the same bytes; a kernel reads exactly 64 bytes.
 */
#ifndef LOADLINE_CODEC_JR_MASK_H
#define LOADLINE_CODEC_JR_MASK_H

#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif
#if defined(__x86_64__)
#include <immintrin.h>
#define JR_HAVE_AVX2
#endif

struct jr_mask {
    uint64_t quote, backslash;
    uint64_t structural; /* { } [ ] : , */
    uint64_t space;      /* blank, tab, LF, CR */
    uint64_t odd;        /* below 0x20, or 0x80 and above */
};

#define JR_INLINE static inline __attribute__((always_inline))

/* Portable: eight bytes in one word. A byte of the result has its top bit set where the bytes are
 * equal, exactly: no carry leaves a byte. */
JR_INLINE uint64_t jr_swar_equal(uint64_t word, unsigned char c)
{
    const uint64_t LOW7 = 0x7F7F7F7F7F7F7F7Fu;
    uint64_t t = word ^ (0x0101010101010101u * c);
    return ~(((t & LOW7) + LOW7) | t | LOW7);
}

/* The eight top bits of a word as eight adjacent bits. */
JR_INLINE uint64_t jr_swar_pack(uint64_t word)
{
    return ((word >> 7 & 0x0101010101010101u) * 0x0102040810204080u) >> 56;
}

JR_INLINE uint64_t jr_swar_load(const char *p)
{
    uint64_t word = 0;
    for (int i = 7; i >= 0; i--)
        word = word << 8 | (unsigned char)p[i];
    return word;
}

JR_INLINE void jr_mask_portable(const char *p, struct jr_mask *m)
{
    *m = (struct jr_mask){0};
    for (int i = 0; i < 64; i += 8) {
        uint64_t x = jr_swar_load(p + i), folded = x | 0x2020202020202020u;
        uint64_t structural = jr_swar_equal(folded, '{') | jr_swar_equal(folded, '}') |
                              jr_swar_equal(x, ':') | jr_swar_equal(x, ',');
        uint64_t space = jr_swar_equal(x, ' ') | jr_swar_equal(x, '\t') | jr_swar_equal(x, '\n') |
                         jr_swar_equal(x, '\r');
        m->quote |= jr_swar_pack(jr_swar_equal(x, '"')) << i;
        m->backslash |= jr_swar_pack(jr_swar_equal(x, '\\')) << i;
        m->structural |= jr_swar_pack(structural) << i;
        m->space |= jr_swar_pack(space) << i;
        m->odd |= jr_swar_pack(jr_swar_equal(x & 0xE0E0E0E0E0E0E0E0u, 0) | x) << i;
    }
}

#if defined(__SSE2__)

/* One bit a byte of four vectors. */
JR_INLINE uint64_t jr_sse2_bits(__m128i a, __m128i b, __m128i c, __m128i d)
{
    uint64_t low = (uint32_t)_mm_movemask_epi8(a) | (uint32_t)_mm_movemask_epi8(b) << 16;
    uint64_t high = (uint32_t)_mm_movemask_epi8(c) | (uint32_t)_mm_movemask_epi8(d) << 16;
    return low | high << 32;
}

JR_INLINE __m128i jr_sse2_equal(__m128i x, char c)
{
    return _mm_cmpeq_epi8(x, _mm_set1_epi8(c));
}

JR_INLINE __m128i jr_sse2_structural(__m128i x)
{
    __m128i folded = _mm_or_si128(x, _mm_set1_epi8(0x20));
    __m128i brackets = _mm_or_si128(jr_sse2_equal(folded, '{'), jr_sse2_equal(folded, '}'));
    return _mm_or_si128(brackets, _mm_or_si128(jr_sse2_equal(x, ':'), jr_sse2_equal(x, ',')));
}

JR_INLINE __m128i jr_sse2_odd(__m128i x)
{
    return _mm_cmplt_epi8(x, _mm_set1_epi8(0x20)); /* signed: 0x80 and above are negative */
}

JR_INLINE __m128i jr_sse2_white(__m128i x)
{
    __m128i ends = _mm_or_si128(jr_sse2_equal(x, '\n'), jr_sse2_equal(x, '\r'));
    return _mm_or_si128(ends, jr_sse2_equal(x, '\t'));
}

#define JR_SSE2_BITS(of, ...)                                                                      \
    jr_sse2_bits(of(x0, ##__VA_ARGS__), of(x1, ##__VA_ARGS__), of(x2, ##__VA_ARGS__),              \
                 of(x3, ##__VA_ARGS__))

JR_INLINE void jr_mask_sse2(const char *p, struct jr_mask *m)
{
    __m128i x0 = _mm_loadu_si128((const void *)p), x1 = _mm_loadu_si128((const void *)(p + 16));
    __m128i x2 = _mm_loadu_si128((const void *)(p + 32)),
            x3 = _mm_loadu_si128((const void *)(p + 48));
    m->quote = JR_SSE2_BITS(jr_sse2_equal, '"');
    m->backslash = JR_SSE2_BITS(jr_sse2_equal, '\\');
    m->structural = JR_SSE2_BITS(jr_sse2_structural);
    m->space = JR_SSE2_BITS(jr_sse2_equal, ' ');
    m->odd = JR_SSE2_BITS(jr_sse2_odd);
    if (m->odd)
        m->space |= JR_SSE2_BITS(jr_sse2_white);
}

#endif

#if defined(JR_HAVE_AVX2)

#define JR_AVX2        __attribute__((target("avx2,bmi,popcnt")))
#define JR_AVX2_INLINE JR_AVX2 JR_INLINE

JR_AVX2_INLINE uint64_t jr_avx2_bits(__m256i a, __m256i b)
{
    return (uint32_t)_mm256_movemask_epi8(a) | (uint64_t)(uint32_t)_mm256_movemask_epi8(b) << 32;
}

JR_AVX2_INLINE __m256i jr_avx2_equal(__m256i x, char c)
{
    return _mm256_cmpeq_epi8(x, _mm256_set1_epi8(c));
}

/* A byte is in a set when it is what the set's table has at its low four bits; NONE there equals no
 * byte, since bytes of 0x80 and above find 0. After simdjson. */
#define NONE (-1)

JR_AVX2_INLINE __m256i jr_avx2_space(__m256i x)
{
    const __m256i TABLE =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(' ', NONE, NONE, NONE, NONE, NONE, NONE, NONE,
                                                  NONE, '\t', '\n', NONE, NONE, '\r', NONE, NONE));
    return _mm256_cmpeq_epi8(_mm256_shuffle_epi8(TABLE, x), x);
}

/* Also finds two control characters, 0x0C and 0x1A. */
JR_AVX2_INLINE __m256i jr_avx2_structural(__m256i x)
{
    const __m256i TABLE =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE,
                                                  NONE, NONE, ':', '{', ',', '}', NONE, NONE));
    __m256i folded = _mm256_or_si256(x, _mm256_set1_epi8(0x20));
    return _mm256_cmpeq_epi8(_mm256_shuffle_epi8(TABLE, x), folded);
}

#undef NONE

JR_AVX2_INLINE __m256i jr_avx2_odd(__m256i x)
{
    return _mm256_cmpgt_epi8(_mm256_set1_epi8(0x20), x);
}

JR_AVX2_INLINE void jr_mask_avx2(const char *p, struct jr_mask *m)
{
    __m256i x = _mm256_loadu_si256((const void *)p), y = _mm256_loadu_si256((const void *)(p + 32));
    m->quote = jr_avx2_bits(jr_avx2_equal(x, '"'), jr_avx2_equal(y, '"'));
    m->backslash = jr_avx2_bits(jr_avx2_equal(x, '\\'), jr_avx2_equal(y, '\\'));
    m->odd = jr_avx2_bits(jr_avx2_odd(x), jr_avx2_odd(y));
    m->structural = jr_avx2_bits(jr_avx2_structural(x), jr_avx2_structural(y)) & ~m->odd;
    m->space = jr_avx2_bits(jr_avx2_space(x), jr_avx2_space(y));
}

#endif
#endif

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

struct jr_mask {
    uint64_t quote, backslash;
    uint64_t structural; /* { } [ ] : , */
    uint64_t space;      /* blank, tab, LF, CR */
    uint64_t control;    /* below 0x20 */
    uint64_t high;       /* 0x80 and above */
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
        m->control |= jr_swar_pack(jr_swar_equal(x & 0xE0E0E0E0E0E0E0E0u, 0)) << i;
        m->high |= jr_swar_pack(x) << i;
    }
}

#if defined(__SSE2__)

JR_INLINE uint64_t jr_sse2_bits(__m128i v)
{
    return (uint32_t)_mm_movemask_epi8(v);
}

JR_INLINE __m128i jr_sse2_equal(__m128i x, char c)
{
    return _mm_cmpeq_epi8(x, _mm_set1_epi8(c));
}

JR_INLINE void jr_mask_sse2(const char *p, struct jr_mask *m)
{
    *m = (struct jr_mask){0};
    for (int i = 0; i < 64; i += 16) {
        __m128i x = _mm_loadu_si128((const void *)(p + i));
        __m128i folded = _mm_or_si128(x, _mm_set1_epi8(0x20));
        __m128i brackets = _mm_or_si128(jr_sse2_equal(folded, '{'), jr_sse2_equal(folded, '}'));
        __m128i marks = _mm_or_si128(jr_sse2_equal(x, ':'), jr_sse2_equal(x, ','));
        __m128i control = _mm_cmpeq_epi8(_mm_max_epu8(x, _mm_set1_epi8(0x1F)), _mm_set1_epi8(0x1F));
        m->quote |= jr_sse2_bits(jr_sse2_equal(x, '"')) << i;
        m->backslash |= jr_sse2_bits(jr_sse2_equal(x, '\\')) << i;
        m->structural |= jr_sse2_bits(_mm_or_si128(brackets, marks)) << i;
        m->space |= jr_sse2_bits(jr_sse2_equal(x, ' ')) << i;
        m->control |= jr_sse2_bits(control) << i;
        m->high |= jr_sse2_bits(x) << i;
    }
    if (m->control == 0)
        return;
    for (int i = 0; i < 64; i += 16) {
        __m128i x = _mm_loadu_si128((const void *)(p + i));
        __m128i ends = _mm_or_si128(jr_sse2_equal(x, '\n'), jr_sse2_equal(x, '\r'));
        m->space |= jr_sse2_bits(_mm_or_si128(ends, jr_sse2_equal(x, '\t'))) << i;
    }
}

#endif
#endif

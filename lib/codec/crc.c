#include "codec/crc.h"

#include <zlib.h>

uint32_t crc_update_plain(uint32_t crc, struct str bytes)
{
    return (uint32_t)crc32_z(crc, (const unsigned char *)bytes.p, bytes.n);
}

#if defined(__x86_64__)

#include <immintrin.h>

#define FOLDING __attribute__((target("pclmul,sse4.1")))

enum { LANES = 4, LANE = 16, FOLD_MIN = LANES * LANE };

FOLDING static inline __m128i load(const char *p)
{
    return _mm_loadu_si128((const void *)p);
}

/* Moves x as far ahead as the two constants say and adds what is there. */
FOLDING static inline __m128i fold(__m128i x, __m128i constants, __m128i there)
{
    __m128i low = _mm_clmulepi64_si128(x, constants, 0x00);
    __m128i high = _mm_clmulepi64_si128(x, constants, 0x11);
    return _mm_xor_si128(_mm_xor_si128(low, high), there);
}

/* 128 bits to the 32 of the remainder: to 64 bits, then Barrett's reduction. */
FOLDING static uint32_t reduce(__m128i x)
{
    const __m128i LOW = _mm_setr_epi32(-1, 0, -1, 0);
    const __m128i BY_96 = _mm_set_epi64x(0, 0x0163cd6124), BY_64 = _mm_set_epi64x(0, 0x00ccaa009e);
    const __m128i POLYNOMIAL = _mm_set_epi64x(0x01f7011641, 0x01db710641);
    x = _mm_xor_si128(_mm_srli_si128(x, 8), _mm_clmulepi64_si128(x, BY_64, 0x00));
    __m128i high = _mm_srli_si128(x, 4);
    x = _mm_xor_si128(_mm_clmulepi64_si128(_mm_and_si128(x, LOW), BY_96, 0x00), high);
    __m128i quotient = _mm_clmulepi64_si128(_mm_and_si128(x, LOW), POLYNOMIAL, 0x10);
    quotient = _mm_clmulepi64_si128(_mm_and_si128(quotient, LOW), POLYNOMIAL, 0x00);
    return (uint32_t)_mm_extract_epi32(_mm_xor_si128(x, quotient), 1);
}

/* n: at least FOLD_MIN, a multiple of LANE. After V. Gopal et al., "Fast CRC Computation for
 * Generic Polynomials Using PCLMULQDQ" (Intel, 2009), section 4, bit-reflected. */
FOLDING static uint32_t crc_folded(uint32_t crc, const char *p, size_t n)
{
    const __m128i BY_512 = _mm_set_epi64x(0x01c6e41596, 0x0154442bd4);
    const __m128i BY_128 = _mm_set_epi64x(0x00ccaa009e, 0x01751997d0);
    __m128i x0 = _mm_xor_si128(load(p), _mm_cvtsi32_si128((int)crc));
    __m128i x1 = load(p + 16), x2 = load(p + 32), x3 = load(p + 48);
    for (p += FOLD_MIN, n -= FOLD_MIN; n >= FOLD_MIN; p += FOLD_MIN, n -= FOLD_MIN) {
        x0 = fold(x0, BY_512, load(p));
        x1 = fold(x1, BY_512, load(p + 16));
        x2 = fold(x2, BY_512, load(p + 32));
        x3 = fold(x3, BY_512, load(p + 48));
    }
    x0 = fold(fold(fold(x0, BY_128, x1), BY_128, x2), BY_128, x3);
    for (; n >= LANE; p += LANE, n -= LANE)
        x0 = fold(x0, BY_128, load(p));
    return reduce(x0);
}

uint32_t crc_update(uint32_t crc, struct str bytes)
{
    size_t n = bytes.n & ~(size_t)(LANE - 1);
    if (n < FOLD_MIN || !__builtin_cpu_supports("pclmul") || !__builtin_cpu_supports("sse4.1"))
        return crc_update_plain(crc, bytes);
    crc = ~crc_folded(~crc, bytes.p, n);
    return crc_update_plain(crc, str_sub(bytes, n, bytes.n));
}

#else

uint32_t crc_update(uint32_t crc, struct str bytes)
{
    return crc_update_plain(crc, bytes);
}

#endif

#include "base/hash.h"

__extension__ typedef unsigned __int128 u128;

static uint64_t fold(uint64_t a, uint64_t b)
{
    u128 product = (u128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint64_t word(const char *p)
{
    uint64_t bytes;
    memcpy(&bytes, p, sizeof bytes);
    return bytes;
}

static uint64_t half_word(const char *p)
{
    uint32_t bytes;
    memcpy(&bytes, p, sizeof bytes);
    return bytes;
}

/* Two words at a time, folded by one multiplication, after wyhash. */
uint64_t hash_bytes(uint64_t seed, struct str bytes)
{
    const uint64_t odd = 0xa0761d6478bd642fu, even = 0xe7037ed1a0b428dbu;
    uint64_t a = 0, b = 0, hash = seed ^ bytes.n;
    const char *p = bytes.n ? bytes.p : "", *end = p + bytes.n;
    for (; end - p > 16; p += 16)
        hash = fold(word(p) ^ odd, word(p + 8) ^ hash);
    size_t n = (size_t)(end - p);
    if (n >= 8) {
        a = word(p);
        b = word(end - 8);
    } else if (n >= 4) {
        a = half_word(p);
        b = half_word(end - 4);
    } else if (n > 0) {
        a = (uint64_t)(unsigned char)p[0] << 16 | (uint64_t)(unsigned char)p[n / 2] << 8 |
            (unsigned char)end[-1];
    }
    return fold(a ^ odd, fold(b ^ hash, even));
}

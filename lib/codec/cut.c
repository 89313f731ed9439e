#include "codec/cut.h"

/* The window: each byte moves it by one bit, so that 64 bytes later nothing of it is left. CUT: of
 * these bits of it nothing is set once in 512 bytes. */
enum { WINDOW = 64 };
static const uint64_t CUT = UINT64_C(0x1ff) << 55;

/* Splitmix: a number without a pattern for each byte. It must stay as it is: chunks of texts that
 * are stored were cut by it. */
static const uint64_t *gear(void)
{
    static uint64_t table[256];
    for (uint64_t i = 0; !table[255] && i < 256; i++) {
        uint64_t z = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
        z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
        table[i] = z ^ z >> 31;
    }
    return table;
}

/* How far n bytes of a chunk bring it to a place in it. */
static size_t until(const struct cut *cut, size_t place, size_t n)
{
    size_t left = cut->n < place ? place - cut->n : 0;
    return left < n ? left : n;
}

size_t cut_next(struct cut *cut, struct str bytes, bool *ends)
{
    const uint64_t *table = gear();
    const unsigned char *p = (const unsigned char *)bytes.p;
    size_t most = until(cut, CUT_MAX, bytes.n), at = until(cut, CUT_MIN - WINDOW, most);
    size_t least = until(cut, CUT_MIN, most);
    uint64_t window = cut->window;
    for (; at < least; at++)
        window = (window << 1) + table[p[at]];
    bool found = at > 0 && cut->n + at == CUT_MIN && !(window & CUT);
    for (; !found && at < most; at++) {
        window = (window << 1) + table[p[at]];
        found = !(window & CUT);
    }
    *ends = found || cut->n + at == CUT_MAX;
    cut->window = *ends ? 0 : window;
    cut->n = *ends ? 0 : cut->n + at;
    return at;
}

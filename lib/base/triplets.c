/* Each word is in one of eight buckets. For each of its three places a bucket has the low and the
 * high four bits of its words' bytes; six look-ups of sixteen entries, which processors do for 32
 * bytes at once, leave the places that one bucket takes for all three. What is left is looked up
 * among the words themselves. After Hyperscan's "Teddy". */
#include "base/triplets.h"

#include <stdlib.h>

#include "base/asserts.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum {
    BUCKETS = 8,
    FOLD = 0x20,
    BLOCK = 64,
    BEYOND = 2 /* bytes behind a place that belong to it */
};

static uint32_t word_at(const char *p)
{
    return (uint32_t)((unsigned char)p[0] | FOLD) | (uint32_t)((unsigned char)p[1] | FOLD) << 8 |
           (uint32_t)((unsigned char)p[2] | FOLD) << 16;
}

static uint32_t slot_of(uint32_t word)
{
    return word * 0x9e3779b1u >> 23; /* 512 of them */
}

/* ---- buckets ---- */

/* How often printable bytes are in what kubectl prints, in thousandths. */
static const uint8_t FREQUENCY[] = {
    5,  0,  134, 0, 0,  0,  0,  0,  0,  0, 0,  0,  33, 18, 7,  8, 15, 14, 12, 8,  8,  7,  6,  5,
    6,  6,  43,  0, 0,  0,  0,  0,  0,  6, 1,  3,  3,  6,  3,  2, 2,  3,  0,  1,  2,  3,  2,  5,
    6,  1,  5,   5, 10, 2,  1,  0,  0,  0, 2,  2,  2,  2,  0,  8, 0,  49, 7,  26, 18, 86, 10, 6,
    10, 31, 1,   5, 24, 25, 39, 37, 16, 1, 35, 32, 42, 23, 14, 1, 2,  8,  0,  14, 0,  14, 0,
};

static double frequency(unsigned low, unsigned high)
{
    unsigned c = high << 4 | low;
    return c < ' ' || c - ' ' >= sizeof FREQUENCY ? 0 : FREQUENCY[c - ' '] / 1000.0;
}

static void put_into_bucket(struct triplets *triplets, unsigned bucket, const char *word)
{
    for (unsigned place = 0; place < 3; place++)
        for (unsigned fold = 0; fold <= FOLD; fold += FOLD) {
            unsigned c = ((unsigned char)word[place] | FOLD) ^ fold;
            triplets->low[place][c & 15] |= (uint8_t)(1u << bucket);
            triplets->high[place][c >> 4] |= (uint8_t)(1u << bucket);
        }
}

/* How often text is taken by a bucket. */
static double cost(const struct triplets *triplets, unsigned bucket)
{
    double all = 1;
    for (unsigned place = 0; place < 3; place++) {
        double taken = 0;
        for (unsigned high = 2; high < 8; high++)
            for (unsigned low = 0; low < 16; low++)
                if (triplets->low[place][low] & triplets->high[place][high] & 1u << bucket)
                    taken += frequency(low, high);
        all *= taken;
    }
    return all;
}

static double cost_alone(const char *word)
{
    double all = 1;
    for (unsigned place = 0; place < 3; place++)
        all *= frequency(((unsigned char)word[place] | FOLD) & 15u,
                         ((unsigned char)word[place] | FOLD) >> 4u);
    return all;
}

static int commonest_first(const void *a, const void *b)
{
    const struct triplet *x = a, *y = b;
    double more = cost_alone(x->word), less = cost_alone(y->word);
    return more > less ? -1 : more < less ? 1 : 0;
}

/* Into the bucket that takes the least more by it. */
static void put_where_cheapest(struct triplets *triplets, const char *word)
{
    unsigned best = 0;
    double least = 0;
    for (unsigned bucket = 0; bucket < BUCKETS; bucket++) {
        struct triplets with = *triplets;
        put_into_bucket(&with, bucket, word);
        double more = cost(&with, bucket) - cost(triplets, bucket);
        if (bucket == 0 || more < least) {
            best = bucket;
            least = more;
        }
    }
    put_into_bucket(triplets, best, word);
}

static void put_into_slot(struct triplets *triplets, const struct triplet *word)
{
    uint32_t value = word_at(word->word), slot = slot_of(value);
    for (; triplets->slots[slot].word; slot = (slot + 1) % TRIPLETS_SLOTS)
        if (triplets->slots[slot].word == value)
            return;
    triplets->slots[slot] = (struct triplet_slot){value, word->tag};
}

void triplets_init(struct triplets *triplets, const struct triplet *words, size_t n)
{
    struct triplet sorted[TRIPLETS_MAX];
    assert(n <= TRIPLETS_MAX);
    memset(triplets, 0, sizeof *triplets);
    for (size_t i = 0; i < n; i++) {
        sorted[i] = words[i];
        put_into_slot(triplets, &words[i]);
    }
    qsort(sorted, n, sizeof *sorted, commonest_first);
    for (size_t i = 0; i < n; i++)
        put_where_cheapest(triplets, sorted[i].word);
}

/* ---- finding ---- */

static bool is_word(const struct triplets *triplets, const char *p, uint8_t *tag)
{
    uint32_t value = word_at(p), slot = slot_of(value);
    for (; triplets->slots[slot].word; slot = (slot + 1) % TRIPLETS_SLOTS)
        if (triplets->slots[slot].word == value) {
            *tag = triplets->slots[slot].tag;
            return true;
        }
    return false;
}

size_t triplets_find_plainly(const struct triplets *triplets, struct str text, size_t from,
                             uint8_t *tag)
{
    for (size_t at = from; at + BEYOND < text.n; at++) {
        const unsigned char *p = (const unsigned char *)text.p + at;
        unsigned buckets = 0xff;
        for (unsigned place = 0; place < 3; place++)
            buckets &= triplets->low[place][p[place] & 15] & triplets->high[place][p[place] >> 4];
        if (buckets && is_word(triplets, text.p + at, tag))
            return at;
    }
    return text.n;
}

#if defined(__x86_64__)

#define AVX2 __attribute__((target("avx2,bmi")))

struct tables {
    __m256i low[3], high[3];
};

AVX2 static inline __attribute__((always_inline)) __m256i buckets_at(const struct tables *tables,
                                                                     const char *p)
{
    const __m256i NIBBLE = _mm256_set1_epi8(15);
    __m256i buckets = _mm256_set1_epi8(-1);
    for (int place = 0; place < 3; place++) {
        __m256i x = _mm256_loadu_si256((const void *)(p + place));
        __m256i high = _mm256_and_si256(_mm256_srli_epi16(x, 4), NIBBLE);
        buckets = _mm256_and_si256(buckets, _mm256_shuffle_epi8(tables->low[place], x));
        buckets = _mm256_and_si256(buckets, _mm256_shuffle_epi8(tables->high[place], high));
    }
    return buckets;
}

/* The places of a block that some bucket takes. */
AVX2 static inline __attribute__((always_inline)) uint64_t places(const struct tables *tables,
                                                                  const char *p)
{
    const __m256i ZERO = _mm256_setzero_si256();
    __m256i x = buckets_at(tables, p), y = buckets_at(tables, p + BLOCK / 2);
    __m256i both = _mm256_or_si256(x, y);
    if (_mm256_testz_si256(both, both))
        return 0;
    uint32_t low = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(x, ZERO));
    uint32_t high = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(y, ZERO));
    return ~(low | (uint64_t)high << 32);
}

/* The next block, which may be a copy of what is left of the text. */
AVX2 static void next_block(const struct triplets *triplets, struct triplets_search *search)
{
    struct str text = search->text;
    struct tables tables;
    char copy[BLOCK + BEYOND];
    for (int place = 0; place < 3; place++) {
        tables.low[place] =
            _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)triplets->low[place]));
        tables.high[place] =
            _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)triplets->high[place]));
    }
    size_t at = search->block + BLOCK;
    if (at < search->from)
        at = search->from;
    for (; at + BLOCK + BEYOND <= text.n; at += BLOCK) {
        search->left = places(&tables, text.p + at);
        if (search->left) {
            search->block = at;
            return;
        }
    }
    search->block = at;
    if (at + BEYOND >= text.n)
        return;
    memset(copy, 0, sizeof copy);
    memcpy(copy, text.p + at, text.n - at);
    search->left = places(&tables, copy);
}

static size_t next_avx2(const struct triplets *triplets, struct triplets_search *search,
                        uint8_t *tag)
{
    struct str text = search->text;
    for (;;) {
        if (search->from > search->block && search->left)
            search->left &= search->from - search->block < BLOCK
                                ? UINT64_MAX << (search->from - search->block)
                                : 0;
        for (; search->left; search->left &= search->left - 1) {
            size_t place = search->block + (size_t)__builtin_ctzll(search->left);
            if (place + BEYOND < text.n && is_word(triplets, text.p + place, tag)) {
                search->from = place + 1;
                return place;
            }
        }
        if (search->block + BLOCK != 0 && search->block + BLOCK >= text.n)
            return text.n;
        next_block(triplets, search);
    }
}

#endif

struct triplets_search triplets_search(struct str text)
{
    return (struct triplets_search){.text = text, .block = (size_t)0 - BLOCK};
}

size_t triplets_next(const struct triplets *triplets, struct triplets_search *search, uint8_t *tag)
{
    if (search->from >= search->text.n)
        return search->text.n;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2"))
        return next_avx2(triplets, search, tag);
#endif
    size_t at = triplets_find_plainly(triplets, search->text, search->from, tag);
    search->from = at + 1;
    return at;
}

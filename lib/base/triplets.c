/* Each word is in one of eight buckets. For each of its three places a bucket has the low and the
 * high four bits of its words' bytes; six look-ups of sixteen entries, which processors do for 32
 * bytes at once, leave the places that one bucket takes for all three. What is left is looked up
 * among the words themselves. After Hyperscan's "Teddy". */
#include "base/triplets.h"

#include <ctype.h>
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

enum { TRIPLET = 0xffffff, FOLD_TRIPLET = 0x202020 };

/* Four bytes of three at least, the last is 0 where the text ends. */
static inline uint32_t bytes_at(const char *p, size_t left)
{
    uint32_t bytes;
    if (left < sizeof bytes) /* three */
        return (uint32_t)(unsigned char)p[0] | (uint32_t)(unsigned char)p[1] << 8 |
               (uint32_t)(unsigned char)p[2] << 16;
    memcpy(&bytes, p, sizeof bytes);
    return bytes;
}

static inline uint32_t hash_of(uint32_t bytes)
{
    return ((bytes | FOLD_TRIPLET) & TRIPLET) * 0x9e3779b1u;
}

static uint32_t slot_of(uint32_t bytes)
{
    return hash_of(bytes) >> 23; /* 512 of them */
}

/* A first look, which leaves a few. */
static inline bool may_be_word(const struct triplets *triplets, uint32_t bytes)
{
    uint32_t bit = hash_of(bytes) >> 19; /* 8,192 of them */
    return triplets->bits[bit / 64] >> bit % 64 & 1;
}

/* ---- buckets ---- */

/* How often printable bytes are in what kubectl prints, in thousandths. Rare ones are there, too.
 */
#define RARE 0.3
static const uint8_t FREQUENCY[] = {
    5,  0,  134, 0, 0,  0,  0,  0,  0,  0, 0,  0,  33, 18, 7,  8, 15, 14, 12, 8,  8,  7,  6,  5,
    6,  6,  43,  0, 0,  0,  0,  0,  0,  6, 1,  3,  3,  6,  3,  2, 2,  3,  0,  1,  2,  3,  2,  5,
    6,  1,  5,   5, 10, 2,  1,  0,  0,  0, 2,  2,  2,  2,  0,  8, 0,  49, 7,  26, 18, 86, 10, 6,
    10, 31, 1,   5, 24, 25, 39, 37, 16, 1, 35, 32, 42, 23, 14, 1, 2,  8,  0,  14, 0,  14, 0,
};

/* The bits of four that stand in a bucket for each place, and how much text they take. */
struct bucket {
    uint16_t low[3], high[3];
    double taken[3];
};

static double taken_at(unsigned lows, unsigned highs)
{
    double taken = 0;
    for (; highs; highs &= highs - 1)
        for (unsigned left = lows; left; left &= left - 1) {
            unsigned c = (unsigned)__builtin_ctz(highs) << 4 | (unsigned)__builtin_ctz(left);
            taken += c >= ' ' && c - ' ' < sizeof FREQUENCY ? FREQUENCY[c - ' '] + RARE : 0;
        }
    return taken / 1000;
}

static void add_word(struct bucket *bucket, const struct triplet *word)
{
    for (unsigned place = 0; place < 3; place++) {
        unsigned c = (unsigned char)word->word[place], other = word->exact ? c : c ^ FOLD;
        unsigned low = bucket->low[place] | 1u << (c & 15);
        unsigned high = bucket->high[place] | 1u << (c >> 4) | 1u << (other >> 4);
        if (low == bucket->low[place] && high == bucket->high[place])
            continue;
        bucket->low[place] = (uint16_t)low;
        bucket->high[place] = (uint16_t)high;
        bucket->taken[place] = taken_at(low, high);
    }
}

/* How often text is taken by a bucket. */
static double cost(const struct bucket *bucket)
{
    return bucket->taken[0] * bucket->taken[1] * bucket->taken[2];
}

/* Who is where. */
struct buckets {
    struct triplet words[TRIPLETS_MAX];
    unsigned of[TRIPLETS_MAX];
    size_t n;
    struct bucket now[BUCKETS];
};

static void take_out(struct buckets *buckets, size_t word)
{
    unsigned which = buckets->of[word];
    if (which == BUCKETS)
        return;
    buckets->of[word] = BUCKETS;
    buckets->now[which] = (struct bucket){.taken = {0}};
    for (size_t i = 0; i < buckets->n; i++)
        if (buckets->of[i] == which)
            add_word(&buckets->now[which], &buckets->words[i]);
}

/* Puts a word where it takes the least more. */
static void put_where_cheapest(struct buckets *buckets, size_t word)
{
    struct bucket best = {.taken = {0}};
    double least = 0;
    take_out(buckets, word);
    for (unsigned i = 0; i < BUCKETS; i++) {
        struct bucket with = buckets->now[i];
        add_word(&with, &buckets->words[word]);
        double more = cost(&with) - cost(&buckets->now[i]);
        if (i > 0 && more >= least)
            continue;
        best = with;
        least = more;
        buckets->of[word] = i;
    }
    buckets->now[buckets->of[word]] = best;
}

static int commonest_first(const void *a, const void *b)
{
    struct bucket x = {.taken = {0}}, y = {.taken = {0}};
    add_word(&x, a);
    add_word(&y, b);
    double more = cost(&x), less = cost(&y);
    return more > less ? -1 : more < less ? 1 : 0;
}

static void put_into_slot(struct triplets *triplets, const struct triplet *word)
{
    struct triplet_slot new = {.tag = word->tag, .mask = word->word[3] ? UINT32_MAX : TRIPLET};
    for (unsigned i = 0; i < 4 && !word->exact && word->word[i]; i++)
        if (isalpha((unsigned char)word->word[i])) /* "-" would find a carriage return, too */
            new.fold |= (uint32_t)FOLD << 8 * i;
    new.word = (bytes_at(word->word, 4) | new.fold) & new.mask;
    uint32_t slot = slot_of(new.word), bit = hash_of(new.word) >> 19;
    triplets->bits[bit / 64] |= UINT64_C(1) << bit % 64;
    for (; triplets->slots[slot].mask; slot = (slot + 1) % TRIPLETS_SLOTS)
        if (triplets->slots[slot].word == new.word && triplets->slots[slot].fold == new.fold)
            return;
    triplets->slots[slot] = new;
}

void triplets_init(struct triplets *triplets, const struct triplet *words, size_t n)
{
    enum { ROUNDS = 3 };
    struct buckets buckets = {.n = n};
    assert(n <= TRIPLETS_MAX);
    memset(triplets, 0, sizeof *triplets);
    for (size_t i = 0; i < n; i++) {
        put_into_slot(triplets, &words[i]);
        buckets.words[i] = words[i];
        buckets.of[i] = BUCKETS; /* none yet */
    }
    qsort(buckets.words, n, sizeof *buckets.words, commonest_first);
    for (size_t i = 0; i < n * ROUNDS; i++)
        put_where_cheapest(&buckets, i % n);
    for (unsigned i = 0; i < BUCKETS; i++) {
        const struct bucket *bucket = &buckets.now[i];
        for (unsigned place = 0; place < 3; place++)
            for (unsigned bits = 0; bits < 16; bits++) {
                triplets->low[place][bits] |= (uint8_t)((bucket->low[place] >> bits & 1) << i);
                triplets->high[place][bits] |= (uint8_t)((bucket->high[place] >> bits & 1) << i);
            }
    }
}

/* ---- finding ---- */

static bool is_word(const struct triplets *triplets, uint32_t bytes, uint8_t *tag)
{
    const struct triplet_slot *slot = &triplets->slots[slot_of(bytes)];
    for (; slot->mask;
         slot = slot + 1 < triplets->slots + TRIPLETS_SLOTS ? slot + 1 : triplets->slots)
        if (((bytes | slot->fold) & slot->mask) == slot->word) {
            *tag = slot->tag;
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
        if (buckets && is_word(triplets, bytes_at(text.p + at, text.n - at), tag))
            return at;
    }
    return text.n;
}

#if defined(__x86_64__)

#define AVX2 __attribute__((target("avx2,bmi")))

#define INLINE static inline __attribute__((always_inline))

/* Members and not arrays, which compilers keep in memory. */
struct tables {
    __m256i low0, low1, low2, high0, high1, high2;
};

AVX2 INLINE __m256i table_of(const uint8_t bits[16])
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)bits));
}

AVX2 INLINE struct tables tables_of(const struct triplets *of)
{
    return (struct tables){table_of(of->low[0]),  table_of(of->low[1]),  table_of(of->low[2]),
                           table_of(of->high[0]), table_of(of->high[1]), table_of(of->high[2])};
}

AVX2 INLINE __m256i buckets_of(__m256i low, __m256i high, const char *p)
{
    __m256i x = _mm256_loadu_si256((const void *)p);
    __m256i upper = _mm256_and_si256(_mm256_srli_epi16(x, 4), _mm256_set1_epi8(15));
    return _mm256_and_si256(_mm256_shuffle_epi8(low, x), _mm256_shuffle_epi8(high, upper));
}

AVX2 INLINE __m256i buckets_at(const struct tables *tables, const char *p)
{
    __m256i first = buckets_of(tables->low0, tables->high0, p);
    __m256i second = buckets_of(tables->low1, tables->high1, p + 1);
    __m256i third = buckets_of(tables->low2, tables->high2, p + 2);
    return _mm256_and_si256(_mm256_and_si256(first, second), third);
}

/* The places of a block that some bucket takes. */
AVX2 INLINE uint64_t places(const struct tables *tables, const char *p)
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

/* The block at `at`, which is less than a whole one. */
AVX2 static __attribute__((noinline)) uint64_t last_places(const struct triplets *triplets,
                                                           struct str text, size_t at)
{
    struct tables tables = tables_of(triplets);
    char copy[BLOCK + BEYOND] = {0};
    memcpy(copy, text.p + at, text.n - at);
    return places(&tables, copy);
}

/* The next block that may have a word. */
AVX2 INLINE void next_block(const struct triplets *triplets, const struct tables *tables,
                            struct triplets_search *search)
{
    struct str text = search->text;
    size_t at = search->block + BLOCK;
    if (at < search->from)
        at = search->from;
    search->left = 0;
    for (; at + BLOCK + BEYOND <= text.n && !search->left; at += BLOCK)
        search->left = places(tables, text.p + at);
    search->block = search->left ? at - BLOCK : at;
    if (!search->left && at + BEYOND < text.n)
        search->left = last_places(triplets, text, at);
}

/* Among what is left of the block. */
static inline size_t find_in_block(const struct triplets *triplets, struct triplets_search *search,
                                   uint8_t *tag)
{
    struct str text = search->text;
    uint64_t left = search->left;
    if (search->from > search->block && left)
        left &=
            search->from - search->block < BLOCK ? UINT64_MAX << (search->from - search->block) : 0;
    for (; left; left &= left - 1) {
        size_t place = search->block + (size_t)__builtin_ctzll(left);
        if (place + BEYOND >= text.n)
            break;
        uint32_t bytes = bytes_at(text.p + place, text.n - place);
        if (may_be_word(triplets, bytes) && is_word(triplets, bytes, tag)) {
            search->from = place + 1;
            search->left = left;
            return place;
        }
    }
    search->left = 0;
    return text.n;
}

/* Behind the block. */
AVX2 static size_t next_avx2(const struct triplets *triplets, struct triplets_search *search,
                             uint8_t *tag)
{
    struct str text = search->text;
    struct tables tables = tables_of(triplets);
    while (search->block + BLOCK == 0 || search->block + BLOCK < text.n) {
        next_block(triplets, &tables, search);
        size_t place = find_in_block(triplets, search, tag);
        if (place < text.n)
            return place;
    }
    return text.n;
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
    if (__builtin_cpu_supports("avx2")) {
        size_t place = search->left ? find_in_block(triplets, search, tag) : search->text.n;
        return place < search->text.n ? place : next_avx2(triplets, search, tag);
    }
#endif
    size_t at = triplets_find_plainly(triplets, search->text, search->from, tag);
    search->from = at + 1;
    return at;
}

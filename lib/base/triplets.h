/* triplets: finds the next of many words of three or four bytes in a text, at less than an
 * instruction a byte. What is found is where somebody looks closer.
 *
 * Letters are found in either case unless a word says otherwise.
 */
#ifndef LOADLINE_BASE_TRIPLETS_H
#define LOADLINE_BASE_TRIPLETS_H

#include "base/str.h"

enum { TRIPLETS_SLOTS = 512, TRIPLETS_MAX = 160 };

/* A word is the first three bytes of its text, which are ASCII, and the fourth when it has one. */
struct triplet {
    const char *word;
    uint8_t tag;
    bool exact; /* its letters are not found in the other case */
};

/* Bit b of a byte of `low` and `high` says that bucket b has a word with these four bits at that
 * place. */
struct triplets {
    uint8_t low[3][16], high[3][16];
    struct triplet_slot {
        uint32_t word, mask, fold; /* mask == 0: free */
        uint8_t tag;
    } slots[TRIPLETS_SLOTS];
    uint64_t bits[128]; /* those of the words' hashes are set */
};

/* Of words that are equal the first counts. Asserts that there are at most TRIPLETS_MAX. */
void triplets_init(struct triplets *triplets, const struct triplet *words, size_t n);

/* Where a search is. What was looked at already is not looked at again. */
struct triplets_search {
    struct str text;
    size_t from;   /* nothing before is found any more */
    size_t block;  /* the places in `left` are relative to it; `block` + 64: what comes next */
    uint64_t left; /* a bit for each place that may have a word */
};
struct triplets_search triplets_search(struct str text);
/* Where the next word begins at or behind `from`, which the caller may set forward; text.n when
 * there is none; *tag is its. `from` is behind its first byte then. */
size_t triplets_next(const struct triplets *triplets, struct triplets_search *search, uint8_t *tag);

/* The first word at or behind `from`, without vector code. */
size_t triplets_find_plainly(const struct triplets *triplets, struct str text, size_t from,
                             uint8_t *tag);

#endif

/* radix: sorts by a number, in time that grows with how many there are and with nothing else.
 *
 * No order of the input makes it slow, and it calls no function of the caller: a few thousand items
 * take a fifth of the time that qsort() takes.
 */
#ifndef LOADLINE_BASE_RADIX_H
#define LOADLINE_BASE_RADIX_H

#include "base/arena.h"

struct radix_item {
    uint64_t key;
    uint32_t at; /* the caller's: mostly where the thing itself stands */
};

/* Sorts by `key`, the lowest first. Items of the same key stay in their order. Takes as many items
 * again from the arena. items may be NULL when n is 0. */
void radix_sort(struct arena *arena, struct radix_item *items, uint32_t n);

/* How many items from the first on have its key. At least 1; n is. */
uint32_t radix_run(const struct radix_item *items, uint32_t n);

#endif

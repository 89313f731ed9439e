/* objects: the texts of a List's items, to be put together in other ways: in another order, twice,
 * beside others. Texts are JSON. */
#ifndef LOADLINE_TESTS_OBJECTS_H
#define LOADLINE_TESTS_OBJECTS_H

#include "base/arena.h"
#include "base/buf.h"

struct objects {
    struct str *items;
    uint32_t n, room;
};

void objects_add(struct arena *arena, struct objects *objects, struct str text);
/* The items of the first list called "items" in the text; they point into it. */
struct objects objects_of(struct arena *arena, struct str list);
/* A List of them, without those that are empty. */
struct str objects_list(struct arena *arena, const struct objects *objects);
/* Throws them into another order; equal seeds, equal orders. */
void objects_shuffle(struct objects *objects, uint64_t seed);
/* Each object that is in a namespace, and each Namespace, once more, in a namespace of another
 * name with everything it refers to there. */
struct objects objects_twice(struct arena *arena, const struct objects *objects);

/* A number below the bound; the seed moves on. */
uint32_t objects_throw(uint64_t *seed, uint32_t below);

#endif

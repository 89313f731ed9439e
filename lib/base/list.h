/* list: items of one type in a row, in an arena.
 *
 * A zeroed list is empty. Reading needs `items` and `n` only. A list is filled in one of two ways:
 * counted first and then put (LIST_ROOM, LIST_PUT), or added to while it grows (LIST_ADD). A copy
 * of a list shares its items, so only one of the two may be added to.
 *
 * The macros evaluate `list` several times.
 */
#ifndef LOADLINE_BASE_LIST_H
#define LOADLINE_BASE_LIST_H

#include "base/arena.h"
#include "base/asserts.h"

/* items[0 .. n). `room` is for how many there is memory; 0 when nothing was ever to be added: a
 * list that the reader made, or a slice of another one. */
#define LIST(type)                                                                                 \
    struct {                                                                                       \
        type *items;                                                                               \
        uint32_t n, room;                                                                          \
    }

/* Initializer: n items that stand somewhere, which the list does not own. */
#define LIST_SLICE(first, count)                                                                   \
    {                                                                                              \
        .items = (first), .n = (count)                                                             \
    }

/* Walks pointers to the items: const struct pod *pod; LIST_EACH (pod, pods) ... */
#define LIST_EACH(item, list)                                                                      \
    for (item = (list).items; item && item < (list).items + (list).n; item++)

/* For lists that are filled in two passes: what belongs in is counted first (n), then given room,
 * then put in (n again, from 0). */
#define LIST_ROOM(arena, list)                                                                     \
    do {                                                                                           \
        (list).items = (list).n ? arena_array((arena), (list).n, sizeof *(list).items) : NULL;     \
        (list).room = (list).n;                                                                    \
        (list).n = 0;                                                                              \
    } while (0)
/* An empty list with room for so many, which is not zeroed. */
#define LIST_RESERVE(arena, list, most)                                                            \
    do {                                                                                           \
        (list).room = (most);                                                                      \
        (list).n = 0;                                                                              \
        (list).items =                                                                             \
            (list).room ? arena_raw_array((arena), (list).room, sizeof *(list).items) : NULL;      \
    } while (0)
/* There must be room. */
#define LIST_PUT(list, item) (assert((list).n < (list).room), (list).items[(list).n++] = (item))
/* Makes room when there is none; the items may move. */
#define LIST_ADD(arena, list, item)                                                                \
    do {                                                                                           \
        if ((list).n >= (list).room)                                                               \
            (list).items =                                                                         \
                list_grow((arena), (list).items, (list).n, sizeof *(list).items, &(list).room);    \
        LIST_PUT(list, item);                                                                      \
    } while (0)

/* Sorts; `order` is as for qsort. Items that are equal by it end up in any order. */
#define LIST_SORT(list, order) list_sort((list).items, (list).n, sizeof *(list).items, (order))
/* An item of a sorted list that equals *key, a pointer to a struct like the items; NULL: none. */
#define LIST_FIND(list, key, order)                                                                \
    list_find((key), (list).items, (list).n, sizeof *(list).items, (order))
/* Sets `at` to the position of the first item of a sorted list that is not before what is looked
 * for; n when all are. `is_before` says it of the item at `at`. */
#define LIST_LOWER_BOUND(list, at, is_before)                                                      \
    do {                                                                                           \
        uint32_t low_ = 0, high_ = (list).n;                                                       \
        while (low_ < high_) {                                                                     \
            (at) = low_ + (high_ - low_) / 2;                                                      \
            if (is_before)                                                                         \
                low_ = (at) + 1;                                                                   \
            else                                                                                   \
                high_ = (at);                                                                      \
        }                                                                                          \
        (at) = low_;                                                                               \
    } while (0)

/* What the macros call. */

/* A copy of n items of `size` bytes with room for more, which is zeroed; *room says for how many.
 * The room doubles, so n items cost at most about 2n copies. */
void *list_grow(struct arena *arena, const void *items, uint32_t n, size_t size, uint32_t *room);
void list_sort(void *items, uint32_t n, size_t size, int (*order)(const void *, const void *));
void *list_find(const void *key, const void *items, uint32_t n, size_t size,
                int (*order)(const void *, const void *));

/* A stable sort that no input makes slow. `scratch` has room for as many items. */
void list_sort_stable(void *items, void *scratch, uint32_t n, size_t size,
                      int (*order)(const void *, const void *));

#endif

#include "base/list.h"

enum { FIRST_BYTES = 256, FIRST_ITEMS = 4 };

typedef int item_order(const void *, const void *);

void *list_grow(struct arena *arena, const void *items, uint32_t n, size_t size, uint32_t *room)
{
    assert(size > 0 && n >= *room && (items || n == 0));
    size_t first = FIRST_BYTES / size;
    if (n > UINT32_MAX / 2)
        arena_exhaust(arena);
    *room = n ? 2 * n : first > FIRST_ITEMS ? (uint32_t)first : FIRST_ITEMS;
    void *more = arena_array(arena, *room, size);
    return n ? memcpy(more, items, n * size) : more;
}

void list_sort(void *items, uint32_t n, size_t size, item_order *order)
{
    if (n > 1)
        qsort(items, n, size, order);
}

void *list_find(const void *key, const void *items, uint32_t n, size_t size, item_order *order)
{
    return n ? bsearch(key, items, n, size, order) : NULL;
}

/* ---- a stable sort ---- */

/* Most lists that are sorted are of pointers: no call for each of them. */
static void copy(char *to, const char *from, size_t size)
{
    if (size == sizeof(void *))
        memcpy(to, from, sizeof(void *));
    else
        memcpy(to, from, size);
}

static void take(char **to, char **from, uint32_t *n, size_t size)
{
    copy(*to, *from, size);
    *to += size;
    *from += size;
    --*n;
}

/* Two sorted runs, one behind the other, become one. Mostly they are one already. */
static void merge(char *to, char *a, uint32_t a_n, uint32_t b_n, size_t size, item_order *order)
{
    char *b = a + a_n * size;
    if (!b_n || order(b - size, b) <= 0) {
        memcpy(to, a, ((size_t)a_n + b_n) * size);
        return;
    }
    while (a_n || b_n)
        if (!a_n || (b_n && order(b, a) < 0))
            take(&to, &b, &b_n, size);
        else
            take(&to, &a, &a_n, size);
}

void list_sort_stable(void *items, void *scratch, uint32_t n, size_t size, item_order *order)
{
    char *from = items, *to = scratch;
    for (uint64_t width = 1; width < n; width *= 2) {
        for (uint64_t left = 0; left < n; left += 2 * width) {
            uint64_t rest = n - left, a_n = rest < width ? rest : width;
            uint64_t b_n = rest - a_n < width ? rest - a_n : width;
            merge(to + left * size, from + left * size, (uint32_t)a_n, (uint32_t)b_n, size, order);
        }
        char *merged = to;
        to = from;
        from = merged;
    }
    if (from != items)
        memcpy(items, from, n * size);
}

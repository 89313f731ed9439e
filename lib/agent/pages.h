/* pages: the texts of the objects of one list, packed some 64 KiB at a time, as store.h tells.
 */
#ifndef LOADLINE_AGENT_PAGES_H
#define LOADLINE_AGENT_PAGES_H

#include "agent/memory.h"

struct page;

/* Whose text is in a page. It must not move while it is there. */
struct paged {
    struct page *page;
    uint32_t place; /* in it */
};

/* Zeroed but for front and scratch, it is empty; it needs nothing freed when all are removed. */
struct pages {
    struct page *first, *open; /* open: one of them, or NULL */
    size_t gaps;               /* bytes that were removed, and are still packed or held */
    char *front;               /* what stands before the items; the caller's, as is */
    struct bytes *scratch;     /* for a page that is unpacked */
};

void pages_add(struct pages *pages, struct paged *object, struct str text);
/* Its text is no longer wanted. */
void pages_remove(struct pages *pages, struct paged *object);
/* Writes pages with gaps anew. */
void pages_close_gaps(struct pages *pages);

/* Puts the texts of those that are wanted, with commas between them. Returns how many. */
size_t pages_put_wanted(struct pages *pages,
                        bool (*wants)(void *context, const struct paged *object), void *context,
                        struct bytes *out);
/* Puts all of them as gzip members, one or more: without an object an empty list. */
void pages_pack(struct pages *pages, struct bytes *out);
size_t pages_bytes(const struct pages *pages); /* of memory, about */

#endif

/* The digests of objects and of all objects of a document. */
#include <stdlib.h>

#include "base/radix.h"
#include "kube/kinds.h"
#include "reader/document_index.h"

void document_object_digest(enum kind kind, struct str api_version, struct str text,
                            unsigned char digest[SHA256])
{
    struct str parts[] = {kind_name(kind), STR("\n"), api_version, STR("\n"), text};
    sha256(parts, sizeof parts / sizeof *parts, digest);
}

static int digest_order(const void *a, const void *b)
{
    return memcmp(a, b, SHA256);
}

static bool is_in_order(unsigned char (*digests)[SHA256], size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (digest_order(digests[i - 1], digests[i]) > 0)
            return false;
    return true;
}

void document_digest(unsigned char (*digests)[SHA256], size_t n, unsigned char digest[SHA256])
{
    if (!is_in_order(digests, n))
        qsort(digests, n, SHA256, digest_order);
    sha256(&(struct str){(const char *)digests, n * SHA256}, 1, digest);
}

/* What it begins with, as a number. */
static uint64_t beginning_of(const unsigned char digest[SHA256])
{
    uint64_t number = 0;
    for (size_t i = 0; i < sizeof number; i++)
        number = number << 8 | digest[i];
    return number;
}

/* No two digests that differ begin alike, so that sorts them. */
void document_index_digest(struct arena *arena, const struct document_index *index,
                           unsigned char digest[SHA256])
{
    uint32_t n = index->objects.n;
    const struct document_object *objects = index->objects.items;
    struct radix_item *order = arena_raw(arena, n * sizeof *order);
    unsigned char(*digests)[SHA256] = arena_raw(arena, (size_t)n * SHA256);
    for (uint32_t i = 0; i < n; i++)
        order[i] = (struct radix_item){beginning_of(objects[i].digest), i};
    radix_sort(arena, order, n);
    for (uint32_t i = 0; i < n; i++)
        memcpy(digests[i], objects[order[i].at].digest, SHA256);
    document_digest(digests, n, digest);
}

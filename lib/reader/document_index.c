#include "reader/document_index.h"

#include <stdlib.h>

#include "kube/kinds.h"
#include "reader/intern.h"

/* ---- reading ---- */

struct indexing {
    struct arena *arena;
    struct document_index *index;
    struct intern *intern;
    bool in_order;
};

static void index_object(void *context, const struct snapshot_object *object)
{
    struct indexing *indexing = context;
    document_object_list *objects = &indexing->index->objects;
    uint64_t behind = objects->n ? objects->items[objects->n - 1].to : 0;
    if (object->kind == KIND_NONE)
        return;
    indexing->in_order &= object->from >= behind && object->to > object->from;
    struct document_object item = {.kind = object->kind,
                                   .has_kind = object->has_kind,
                                   .has_api_version = object->has_api_version,
                                   .api_version =
                                       intern_string(indexing->intern, object->api_version),
                                   .namespace = intern_string(indexing->intern, object->namespace),
                                   .name = arena_str(indexing->arena, object->name),
                                   .from = object->from,
                                   .to = object->to};
    LIST_ADD(indexing->arena, *objects, item);
}

bool document_index_read(struct arena *arena, struct str text, struct document_index *index,
                         struct snapshot_error *error)
{
    struct indexing indexing = {arena, index, intern_new(arena), true};
    struct snapshot_visitor visitor = {index_object, &indexing};
    struct document_object *object;
    struct str rest = text;
    *index = (struct document_index){.text = text};
    *error = (struct snapshot_error){.code = SNAPSHOT_OK};
    if (!snapshot_scan(arena, source_of(&rest), &visitor, error) || !indexing.in_order)
        return false;
    LIST_EACH (object, index->objects)
        document_object_digest(object->kind, object->api_version,
                               str_sub(text, object->from, object->to - object->from),
                               object->digest);
    return true;
}

bool document_index_is_at(const struct document_index *index, text_part_list places)
{
    bool same = index->objects.n == places.n;
    for (uint32_t i = 0; same && i < places.n; i++) {
        const struct document_object *object = &index->objects.items[i];
        same = object->from == places.items[i].offset &&
               object->to - object->from == places.items[i].length;
    }
    return same;
}

/* ---- digests ---- */

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

void document_digest(unsigned char (*digests)[SHA256], size_t n, unsigned char digest[SHA256])
{
    if (n)
        qsort(digests, n, SHA256, digest_order);
    sha256(&(struct str){(const char *)digests, n * SHA256}, 1, digest);
}

void document_index_digest(struct arena *arena, const struct document_index *index,
                           unsigned char digest[SHA256])
{
    uint32_t n = index->objects.n;
    unsigned char(*digests)[SHA256] = arena_raw(arena, (size_t)n * SHA256);
    for (uint32_t i = 0; i < n; i++)
        memcpy(digests[i], index->objects.items[i].digest, SHA256);
    document_digest(digests, n, digest);
}

#include "reader/document_memory.h"

#include <stdlib.h>

enum { REVISION_MAX = 64 };

/* One block of memory for all of it: the objects, their names, the text. */
struct kept {
    struct document_index index;
    size_t bytes, revision_n;
    char revision[REVISION_MAX];
    struct document_object objects[];
};

struct document_memory {
    size_t max;
    struct kept *kept; /* or NULL */
};

struct document_memory *document_memory_new(size_t max)
{
    struct document_memory *memory = calloc(1, sizeof *memory);
    if (memory)
        memory->max = max;
    return memory;
}

void document_memory_free(struct document_memory *memory)
{
    if (!memory)
        return;
    free(memory->kept);
    free(memory);
}

size_t document_memory_bytes(const struct document_memory *memory)
{
    return sizeof *memory + (memory->kept ? memory->kept->bytes : 0);
}

static size_t room_of(const struct document_index *index)
{
    const struct document_object *object;
    size_t n = sizeof(struct kept) + index->objects.n * sizeof *object + index->text.n;
    LIST_EACH (object, index->objects)
        n += object->api_version.n + object->namespace.n + object->name.n;
    return n;
}

static struct str put(char **at, struct str text)
{
    struct str copy = {*at, text.n};
    if (text.n)
        memcpy(*at, text.p, text.n);
    *at += text.n;
    return copy;
}

/* Neighbours mostly have the same one. */
static struct str put_again(char **at, struct str text, struct str last)
{
    return str_eq(text, last) ? last : put(at, text);
}

static void fill(struct kept *kept, const struct document_index *index)
{
    uint32_t n = index->objects.n;
    char *at = (char *)(kept->objects + n);
    struct str api_version = STR(""), namespace = STR("");
    for (uint32_t i = 0; i < n; i++) {
        struct document_object *object = &kept->objects[i];
        *object = index->objects.items[i];
        object->api_version = api_version = put_again(&at, object->api_version, api_version);
        object->namespace = namespace = put_again(&at, object->namespace, namespace);
        object->name = put(&at, object->name);
    }
    kept->index.objects.items = kept->objects;
    kept->index.objects.n = n;
    kept->index.text = put(&at, index->text);
}

void document_memory_keep(struct document_memory *memory, struct str revision,
                          const struct document_index *index)
{
    size_t bytes = room_of(index);
    bool good = revision.n && revision.n <= REVISION_MAX && bytes <= memory->max;
    struct kept *kept = good ? malloc(bytes) : NULL;
    if (kept) {
        *kept = (struct kept){.bytes = bytes, .revision_n = revision.n};
        memcpy(kept->revision, revision.p, revision.n);
        fill(kept, index);
    }
    free(memory->kept);
    memory->kept = kept;
}

const struct document_index *document_memory_find(const struct document_memory *memory,
                                                  struct str revision)
{
    const struct kept *kept = memory->kept;
    bool same = kept && str_eq(revision, (struct str){kept->revision, kept->revision_n});
    return same ? &kept->index : NULL;
}

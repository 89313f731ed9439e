#include "reader/document_memory.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/asserts.h"

enum { REVISION_MAX = 64 };

/* An object, or the tail. What does not change stays where it is from one document to the next. */
struct document_piece {
    bool stays; /* the next document has it, too */
    size_t bytes;
    size_t lead_room;
    char *lead; /* that can change while the object does not */
    char bytes_of[];
};

struct document_memory {
    size_t max, bytes, revision_n; /* revision_n: 0, there is no document */
    char revision[REVISION_MAX];
    struct document_index index;
    char *tail;
};

struct document_memory *document_memory_new(size_t max)
{
    struct document_memory *memory = calloc(1, sizeof *memory);
    if (memory)
        memory->max = max;
    return memory;
}

static void free_piece(struct document_piece *piece)
{
    if (piece)
        free(piece->lead);
    free(piece);
}

/* All but what stays. */
static void forget(struct document_memory *memory)
{
    const struct document_object *object;
    LIST_EACH (object, memory->index.objects)
        if (!object->piece->stays)
            free_piece(object->piece);
    free(memory->index.objects.items);
    free(memory->tail);
    *memory = (struct document_memory){.max = memory->max};
}

void document_memory_free(struct document_memory *memory)
{
    if (!memory)
        return;
    forget(memory);
    free(memory);
}

size_t document_memory_bytes(const struct document_memory *memory)
{
    return sizeof *memory + memory->bytes;
}

/* ---- keeping ---- */

static struct str put(char **at, struct str text)
{
    struct str copy = {*at, text.n};
    if (text.n)
        memcpy(*at, text.p, text.n);
    *at += text.n;
    return copy;
}

/* False without memory. */
static bool keep_lead(struct document_object *object)
{
    struct document_piece *piece = object->piece;
    struct str lead = object->lead;
    if (piece->lead && piece->lead == lead.p) {
        object->lead = (struct str){piece->lead, lead.n};
        return true;
    }
    char *copy = malloc(lead.n + 1);
    if (!copy)
        return false;
    object->lead = put(&(char *){copy}, lead);
    free(piece->lead);
    piece->lead = copy;
    piece->lead_room = lead.n;
    return true;
}

/* The object is another one, or comes for the first time. */
static bool keep_text(struct document_object *object)
{
    size_t n = object->text.n + object->api_version.n + object->namespace.n + object->name.n;
    struct document_piece *piece = malloc(sizeof *piece + n);
    if (!piece)
        return false;
    *piece = (struct document_piece){.bytes = sizeof *piece + n};
    char *at = piece->bytes_of;
    object->text = put(&at, object->text);
    object->api_version = put(&at, object->api_version);
    object->namespace = put(&at, object->namespace);
    object->name = put(&at, object->name);
    object->piece = piece;
    return true;
}

/* False without memory; what was kept until then is in it. */
static bool keep_object(struct document_memory *memory, const struct document_object *object)
{
    struct document_object item = *object;
    bool known = item.piece != NULL;
    if (!known && !keep_text(&item))
        return false;
    item.piece->stays = true;
    memory->index.objects.items[memory->index.objects.n++] = item;
    if (!keep_lead(&memory->index.objects.items[memory->index.objects.n - 1]))
        return false;
    memory->bytes += item.piece->bytes + item.piece->lead_room;
    return memory->bytes <= memory->max;
}

static bool fill(struct document_memory *memory, const struct document_index *index,
                 text_part_list places)
{
    uint32_t n = index->objects.n;
    const struct document_object *object;
    memory->index.objects.items = malloc((n + 1) * sizeof *object);
    memory->tail = malloc(index->tail.n + 1);
    memory->bytes = n * sizeof *object + index->tail.n;
    if (!memory->index.objects.items || !memory->tail)
        return false;
    memory->index.tail = put(&(char *){memory->tail}, index->tail);
    LIST_EACH (object, index->objects)
        if (!keep_object(memory, object))
            return false;
    for (uint32_t i = 0; i < n; i++)
        memory->index.objects.items[i].content = i < places.n ? places.items[i].content : 0;
    return true;
}

void document_memory_keep(struct document_memory *memory, struct str revision,
                          const struct document_index *index, text_part_list places)
{
    assert(!places.n || places.n == index->objects.n);
    struct document_memory now = {.max = memory->max};
    struct document_object *object;
    bool good = revision.n && revision.n <= REVISION_MAX && fill(&now, index, places);
    if (good) {
        memcpy(now.revision, revision.p, revision.n);
        now.revision_n = revision.n;
    }
    forget(memory); /* but for what `now` has as well */
    LIST_EACH (object, now.index.objects)
        object->piece->stays = false;
    *memory = now;
    if (!good)
        forget(memory);
}

const struct document_index *document_memory_find(const struct document_memory *memory,
                                                  struct str revision)
{
    bool same =
        memory->revision_n && str_eq(revision, (struct str){memory->revision, memory->revision_n});
    return same ? &memory->index : NULL;
}

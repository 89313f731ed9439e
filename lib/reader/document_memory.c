#include "reader/document_memory.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/asserts.h"
#include "reader/document_piece.h"

enum { REVISION_MAX = 64, LOOSE_PART = 16, USED_PART = 4 /* of the text may be loose */ };

struct document_memory {
    size_t max, loose;
    size_t bytes, revision_n; /* revision_n: 0, there is no document */
    char revision[REVISION_MAX];
    struct document_index index;
    char *tail;
};

struct document_memory *document_memory_new(size_t max, size_t loose)
{
    struct document_memory *memory = calloc(1, sizeof *memory);
    if (memory)
        *memory = (struct document_memory){.max = max, .loose = loose};
    return memory;
}

/* All but what stays. */
static void forget(struct document_memory *memory)
{
    const struct document_object *object;
    LIST_EACH (object, memory->index.objects)
        if (!object->piece->stays)
            document_piece_free(object->piece);
    free(memory->index.objects.items);
    free(memory->tail);
    *memory = (struct document_memory){.max = memory->max, .loose = memory->loose};
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
    if (lead.n)
        memcpy(copy, lead.p, lead.n);
    object->lead = (struct str){copy, lead.n};
    free(piece->lead);
    piece->lead = copy;
    piece->lead_room = lead.n;
    return true;
}

/* What was looked at is kept as it is: mostly it will be again. False without memory. */
static bool keep_piece(struct document_object *object)
{
    struct document_piece *piece = object->piece;
    if (!piece) {
        struct str *names[] = {&object->api_version, &object->namespace, &object->name};
        object->piece = document_piece_new(object->text, names, sizeof names / sizeof *names);
        object->text.p = NULL;
        return object->piece != NULL;
    }
    piece->used = object->text.p != NULL;
    bool good = !piece->used || piece->loose || document_piece_loosen(piece, object->text);
    object->text.p = NULL;
    return good;
}

/* False without memory; what was kept until then is in it. */
static bool keep_object(struct document_memory *memory, const struct document_object *object)
{
    struct document_object item = *object;
    if (!keep_piece(&item))
        return false;
    item.unpacked = NULL;
    item.piece->stays = true;
    memory->index.objects.items[memory->index.objects.n++] = item;
    return keep_lead(&memory->index.objects.items[memory->index.objects.n - 1]);
}

/* ---- packing ---- */

struct loose {
    size_t all, used; /* bytes of text */
};

static struct loose count_loose(const struct document_memory *memory)
{
    struct loose loose = {0};
    const struct document_object *object;
    LIST_EACH (object, memory->index.objects) {
        loose.all += object->piece->loose ? object->text.n : 0;
        loose.used += object->piece->loose && object->piece->used ? object->text.n : 0;
    }
    return loose;
}

/* What is loose and has not been used lately, and what takes more room than it must; with `used`
 * all that is loose. */
static void pack(const struct document_memory *memory, bool used)
{
    struct document_packer *packer = document_packer_new();
    const struct document_object *object;
    LIST_EACH (object, memory->index.objects) {
        struct document_piece *piece = object->piece;
        bool wanted = piece->loose ? used || !piece->used : document_piece_is_lone(piece);
        if (packer && wanted)
            document_packer_put(packer, piece);
    }
    document_packer_end(packer);
}

/* Not more than a part of it is loose; somewhat more of what is in use. */
static void pack_some(const struct document_memory *memory)
{
    size_t length = (size_t)document_index_length(&memory->index);
    struct loose loose = count_loose(memory);
    if (loose.all <= length / LOOSE_PART + memory->loose)
        return;
    pack(memory, loose.used > length / USED_PART + memory->loose);
}

static size_t count_bytes(const struct document_memory *memory)
{
    const struct document_object *object;
    size_t bytes = memory->index.objects.n * sizeof *object + memory->index.tail.n;
    LIST_EACH (object, memory->index.objects)
        bytes += document_piece_bytes(object->piece);
    return bytes;
}

/* ---- both ---- */

/* False without memory, or when it takes too much. */
static bool fill(struct document_memory *memory, const struct document_index *index,
                 text_part_list places)
{
    uint32_t n = index->objects.n;
    const struct document_object *object;
    memory->index.objects.items = malloc((n + 1) * sizeof *object);
    memory->tail = malloc(index->tail.n + 1);
    if (!memory->index.objects.items || !memory->tail)
        return false;
    if (index->tail.n)
        memcpy(memory->tail, index->tail.p, index->tail.n);
    memory->index.tail = (struct str){memory->tail, index->tail.n};
    LIST_EACH (object, index->objects)
        if (!keep_object(memory, object))
            return false;
    for (uint32_t i = 0; i < n; i++)
        memory->index.objects.items[i].content = i < places.n ? places.items[i].content : 0;
    pack_some(memory);
    memory->bytes = count_bytes(memory);
    return memory->bytes <= memory->max;
}

void document_memory_keep(struct document_memory *memory, struct str revision,
                          const struct document_index *index, text_part_list places)
{
    assert(!places.n || places.n == index->objects.n);
    struct document_memory now = {.max = memory->max, .loose = memory->loose};
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
                                                  struct arena *arena, struct str revision)
{
    bool same =
        memory->revision_n && str_eq(revision, (struct str){memory->revision, memory->revision_n});
    if (!same)
        return NULL;
    const document_object_list *objects = &memory->index.objects;
    struct document_index *index = ARENA_NEW(arena, struct document_index);
    struct document_unpacked *unpacked = ARENA_NEW(arena, struct document_unpacked);
    struct document_object *object;
    unpacked->arena = arena;
    *index = memory->index;
    index->objects.items = arena_copy(arena, objects->items, objects->n * sizeof *objects->items);
    LIST_EACH (object, index->objects)
        object->unpacked = unpacked;
    return index;
}

#include "reader/document_memory.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/asserts.h"
#include "reader/document_piece.h"

enum { REVISION_MAX = 64, LOOSE_PART = 16, USED_PART = 4 /* of the text may be loose */ };
enum { LEADS_MAX = 8 };

/* What stands before many objects. */
struct lead {
    size_t n;
    char bytes[TEXT_LEAD_MAX];
};

struct document_memory {
    size_t max, loose;
    size_t revision_n; /* 0: there is no document */
    char revision[REVISION_MAX];
    struct document_index index;
    char *tail;
    struct document_tally tally;
    uint64_t turn;
    uint32_t leads_n;
    struct lead leads[LEADS_MAX];
};

struct document_memory *document_memory_new(size_t max, size_t loose)
{
    struct document_memory *memory = calloc(1, sizeof *memory);
    if (memory) {
        memory->max = max;
        memory->loose = loose;
    }
    return memory;
}

/* What has moved into another list stays. */
static void free_objects(struct document_memory *memory, document_object_list *objects)
{
    const struct document_object *object;
    LIST_EACH (object, *objects)
        document_piece_free(&memory->tally, object->piece);
    free(objects->items);
    *objects = (document_object_list){0};
}

static void forget(struct document_memory *memory)
{
    free_objects(memory, &memory->index.objects);
    ASSERT_SLOW(!memory->tally.bytes && !memory->tally.loose);
    free(memory->tail);
    memory->tail = NULL;
    memory->index.tail = (struct str){NULL, 0};
    memory->revision_n = 0;
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
    return sizeof *memory + memory->index.objects.n * sizeof *memory->index.objects.items +
           memory->index.tail.n + memory->tally.bytes;
}

/* ---- keeping ----
 *
 * Most objects stay as they are. Their pieces lie scattered: nothing is done that would look at
 * each. */

/* Has it become one of those that are kept once? */
static bool share_lead(struct document_memory *memory, struct str *lead)
{
    uint32_t i = 0;
    if (lead->n > TEXT_LEAD_MAX)
        return false;
    while (i < memory->leads_n &&
           !str_eq(*lead, (struct str){memory->leads[i].bytes, memory->leads[i].n}))
        i++;
    if (i == LEADS_MAX)
        return false;
    if (i == memory->leads_n) {
        struct lead *new = &memory->leads[memory->leads_n++];
        new->n = lead->n;
        if (lead->n)
            memcpy(new->bytes, lead->p, lead->n);
    }
    lead->p = memory->leads[i].bytes;
    return true;
}

/* False without memory. */
static bool keep_lead(struct document_memory *memory, struct document_object *object)
{
    const struct document_piece *piece = object->piece;
    return share_lead(memory, &object->lead) || (piece->lead && piece->lead == object->lead.p) ||
           document_piece_take_lead(&memory->tally, object->piece, &object->lead);
}

/* What was looked at is kept as it is: mostly it will be again. False without memory. */
static bool keep_piece(struct document_memory *memory, struct document_object *object)
{
    struct document_piece *piece = object->piece;
    struct str text = object->text;
    object->text.p = NULL;
    if (piece && !text.p)
        return true;
    if (!piece) {
        struct str *names[] = {&object->api_version, &object->namespace, &object->name};
        piece = document_piece_new(&memory->tally, text, names, sizeof names / sizeof *names);
        object->piece = piece;
    }
    if (!piece || (!piece->loose && !document_piece_loosen(&memory->tally, piece, text)))
        return false;
    piece->turn = memory->turn;
    return true;
}

/* Adds it to the list; a piece moves there. False without memory: it is in it all the same. */
static bool keep_object(struct document_memory *memory, const struct document_object *object,
                        document_object_list *now)
{
    struct document_object *item = &now->items[now->n];
    *item = *object;
    if (item->piece) {
        struct document_object *before = &memory->index.objects.items[item->place];
        assert(before->piece == item->piece);
        before->piece = NULL;
    }
    item->unpacked = NULL;
    item->place = now->n++;
    return keep_piece(memory, item) && keep_lead(memory, item);
}

/* ---- packing ---- */

/* What is loose and was not used in this turn, and what takes more room than it must; with `used`
 * all that is loose. */
static void pack(struct document_memory *memory, bool used)
{
    struct document_packer *packer = document_packer_new(&memory->tally);
    const struct document_object *object;
    LIST_EACH (object, memory->index.objects) {
        struct document_piece *piece = object->piece;
        bool wanted =
            piece->loose ? used || piece->turn != memory->turn : document_piece_is_lone(piece);
        if (packer && wanted)
            document_packer_put(packer, piece);
    }
    document_packer_end(packer);
}

/* Not more than a part of it is loose; somewhat more of what is in use. */
static void pack_some(struct document_memory *memory)
{
    size_t length = (size_t)document_index_length(&memory->index), used = 0;
    const struct document_object *object;
    if (memory->tally.loose <= length / LOOSE_PART + memory->loose)
        return;
    LIST_EACH (object, memory->index.objects)
        used += object->piece->turn == memory->turn ? object->text.n : 0;
    pack(memory, used > length / USED_PART + memory->loose);
}

/* ---- both ---- */

static bool keep_tail(struct document_memory *memory, struct str tail)
{
    char *copy = malloc(tail.n + 1);
    if (!copy)
        return false;
    if (tail.n)
        memcpy(copy, tail.p, tail.n);
    free(memory->tail);
    memory->tail = copy;
    memory->index.tail = (struct str){copy, tail.n};
    return true;
}

/* Puts them in the place of those before. False without memory. */
static bool keep_objects(struct document_memory *memory, const document_object_list *objects,
                         text_part_list places)
{
    document_object_list now = {.items = malloc((objects->n + 1) * sizeof *now.items)};
    bool good = now.items != NULL;
    for (uint32_t i = 0; good && i < objects->n; i++) {
        good = keep_object(memory, &objects->items[i], &now);
        now.items[i].content = i < places.n ? places.items[i].content : 0;
    }
    free_objects(memory, &memory->index.objects);
    memory->index.objects = now;
    return good;
}

void document_memory_keep(struct document_memory *memory, struct str revision,
                          const struct document_index *index, text_part_list places)
{
    assert(!places.n || places.n == index->objects.n);
    memory->turn++;
    memory->revision_n = 0;
    if (revision.n && revision.n <= REVISION_MAX && keep_tail(memory, index->tail) &&
        keep_objects(memory, &index->objects, places)) {
        pack_some(memory);
        memcpy(memory->revision, revision.p, revision.n);
        memory->revision_n = revision.n;
    }
    if (!memory->revision_n || document_memory_bytes(memory) > memory->max)
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
    unpacked->arena = arena;
    *index = memory->index;
    index->objects.items = arena_raw(arena, objects->n * sizeof *objects->items);
    for (uint32_t i = 0; i < objects->n; i++) {
        index->objects.items[i] = objects->items[i];
        index->objects.items[i].unpacked = unpacked;
    }
    return index;
}

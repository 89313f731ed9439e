#include "reader/document_index.h"

#include "base/asserts.h"
#include "base/buf.h"
#include "base/hash.h"
#include "base/rand.h"
#include "reader/document_piece.h"

uint64_t document_identity(enum kind kind, struct str namespace, struct str name)
{
    static uint64_t seed;
    if (!seed)
        rand_bytes(&seed, sizeof seed);
    return hash_bytes(hash_bytes(seed + kind, namespace), name);
}

/* ---- reading ---- */

struct indexing {
    struct arena *arena;
    struct document_index *index;
    struct str text;
    uint64_t behind; /* the object before */
    bool in_order;
};

static void index_object(void *context, const struct snapshot_object *object)
{
    struct indexing *indexing = context;
    document_object_list *objects = &indexing->index->objects;
    uint64_t behind = indexing->behind;
    if (object->kind == KIND_NONE || !indexing->in_order)
        return;
    indexing->in_order = object->from >= behind && object->to > object->from;
    indexing->behind = object->to;
    struct document_object item = {
        .kind = object->kind,
        .has_kind = object->has_kind,
        .has_api_version = object->has_api_version,
        .api_version = object->api_version,
        .namespace = object->namespace,
        .name = object->name,
        .lead = str_sub(indexing->text, behind, object->from - behind),
        .text = str_sub(indexing->text, object->from, object->to - object->from)};
    item.identity = document_identity(item.kind, item.namespace, item.name);
    LIST_ADD(indexing->arena, *objects, item);
}

/* All objects have been told of. to: where the text ends. */
static bool finish(struct indexing *indexing, uint64_t to)
{
    struct document_index *index = indexing->index;
    struct document_object *object;
    if (!indexing->in_order)
        return false;
    index->tail = str_sub(indexing->text, indexing->behind, to - indexing->behind);
    LIST_EACH (object, index->objects)
        document_object_digest(object->kind, object->api_version, object->text, object->digest);
    return true;
}

bool document_index_read(struct arena *arena, struct str text, struct document_index *index,
                         struct snapshot_error *error)
{
    struct indexing indexing = {arena, index, text, 0, true};
    struct snapshot_visitor visitor = {.object = index_object, .context = &indexing};
    struct str rest = text;
    *index = (struct document_index){.tail = text};
    *error = (struct snapshot_error){.code = SNAPSHOT_OK};
    return snapshot_scan(arena, source_of(&rest), &visitor, error) && finish(&indexing, text.n);
}

struct document_indexer {
    struct indexing indexing;
    struct snapshot_visitor visitor;
    struct snapshot_scanner *scanner;
    struct str rest;
};

struct document_indexer *document_indexer(struct arena *arena, struct str text,
                                          struct document_index *index)
{
    struct document_indexer *indexer = ARENA_NEW(arena, struct document_indexer);
    indexer->indexing = (struct indexing){arena, index, text, 0, true};
    indexer->visitor = (struct snapshot_visitor){index_object, NULL, &indexer->indexing};
    indexer->rest = text;
    indexer->scanner = snapshot_scanner(arena, source_of(&indexer->rest), &indexer->visitor);
    return indexer;
}

struct jr *document_indexer_jr(struct document_indexer *indexer)
{
    return snapshot_scanner_jr(indexer->scanner);
}

bool document_index_array(struct document_indexer *indexer)
{
    struct indexing *indexing = &indexer->indexing;
    indexing->index->objects.n = 0;
    indexing->behind = jr_offset(document_indexer_jr(indexer));
    return snapshot_scan_array(indexer->scanner) &&
           finish(indexing, jr_offset(document_indexer_jr(indexer)));
}

/* ---- its text ---- */

uint64_t document_index_length(const struct document_index *index)
{
    const struct document_object *object;
    uint64_t n = index->tail.n;
    LIST_EACH (object, index->objects)
        n += object->lead.n + object->text.n;
    return n;
}

struct str document_object_text(struct document_object *object)
{
    if (!object->text.p)
        object->text = document_piece_text(object->piece, object->unpacked);
    return object->text;
}

/* How much is left of the piece that the cursor is in, or of the next one; 0 at the end. object:
 * NULL, it is the tail. */
static size_t left_at(struct document_cursor *cursor, struct document_object **object)
{
    const document_object_list *objects = &cursor->index->objects;
    for (; cursor->piece < (size_t)objects->n * 2; cursor->piece++, cursor->at = 0) {
        *object = &objects->items[cursor->piece / 2];
        size_t n = cursor->piece % 2 ? (*object)->text.n : (*object)->lead.n;
        if (cursor->at < n)
            return n - cursor->at;
    }
    *object = NULL;
    return cursor->index->tail.n - cursor->at;
}

/* What is left of it. */
static struct str piece_at(struct document_cursor *cursor)
{
    struct document_object *object;
    size_t n = left_at(cursor, &object);
    struct str piece = !object             ? cursor->index->tail
                       : cursor->piece % 2 ? document_object_text(object)
                                           : object->lead;
    return str_sub(piece, cursor->at, n);
}

/* Is it at the beginning of an object of which the content is known? */
static bool is_at_known(struct document_cursor *cursor, struct document_object **object)
{
    return left_at(cursor, object) && *object && cursor->piece % 2 && !cursor->at &&
           (*object)->content;
}

static ptrdiff_t read_document(void *context, char *dst, size_t cap)
{
    struct document_cursor *cursor = context;
    struct document_object *object;
    size_t n = 0;
    bool known = false;
    while (n < cap && !known) {
        known = is_at_known(cursor, &object);
        struct str piece = known ? STR("{") : str_sub(piece_at(cursor), 0, cap - n);
        if (!piece.n)
            break;
        memcpy(dst + n, piece.p, piece.n);
        cursor->at += piece.n;
        n += piece.n;
    }
    return (ptrdiff_t)n;
}

struct source document_source(struct document_cursor *cursor)
{
    return (struct source){read_document, cursor};
}

/* What stands in front of the next object is often asked for, and looked at no further. */
static struct str object_bytes(void *context, size_t from, size_t n)
{
    struct document_object *object = context;
    struct str end;
    if (!object->text.p && document_piece_end(object->piece, from, n, &end))
        return end;
    return str_sub(document_object_text(object), from, n);
}

static bool find_part(void *context, uint64_t offset, struct text_view *text, uint64_t *content)
{
    struct document_cursor *cursor = context;
    const document_object_list *objects = &cursor->index->objects;
    struct document_object *object = NULL;
    for (; cursor->object < objects->n; cursor->object++) {
        object = &objects->items[cursor->object];
        if (cursor->offset + object->lead.n >= offset)
            break;
        cursor->offset += object->lead.n + object->text.n;
    }
    if (cursor->object == objects->n || cursor->offset + object->lead.n != offset)
        return false;
    *text = (struct text_view){object->text.n, true, object_bytes, object};
    *content = object->content;
    return object->content != 0;
}

static void skip_part(void *context, size_t n)
{
    struct document_cursor *cursor = context;
    struct document_object *object;
    size_t left = left_at(cursor, &object);
    assert(left == n);
    cursor->at += n;
}

static bool part_ahead(void *context, uint32_t k, struct text_part *part, struct str *lead)
{
    const struct document_cursor *cursor = context;
    const document_object_list *objects = &cursor->index->objects;
    if (k >= objects->n - cursor->object)
        return false;
    const struct document_object *object = &objects->items[cursor->object + k];
    *part = (struct text_part){.length = object->text.n, .content = object->content};
    *lead = object->lead;
    return object->content != 0;
}

/* Objects in a row, and what stands before each. */
struct run {
    struct document_cursor first, at;
    size_t offset; /* of `at` in it */
    struct buf room;
};

/* What is asked for mostly stands behind what was asked for before. */
static struct document_object *go_to(struct run *run, size_t offset)
{
    struct document_object *object;
    size_t n;
    if (offset < run->offset) {
        run->at = run->first;
        run->offset = 0;
    }
    while ((n = left_at(&run->at, &object)) != 0 && n <= offset - run->offset) {
        run->at.at += n;
        run->offset += n;
    }
    run->at.at += offset - run->offset;
    run->offset = offset;
    return object;
}

static struct str run_bytes(void *context, size_t from, size_t n)
{
    struct run *run = context;
    struct document_object *object = go_to(run, from);
    if (run->at.piece % 2 && object && n <= object->text.n - run->at.at)
        return object_bytes(object, run->at.at, n);
    run->room.n = 0;
    for (size_t to = from + n; from < to; from = run->offset) {
        go_to(run, from);
        struct str piece = str_sub(piece_at(&run->at), 0, to - from);
        buf_put(&run->room, piece);
        run->at.at += piece.n;
        run->offset += piece.n;
    }
    return buf_str(&run->room);
}

static struct text_view skip_run(void *context, uint32_t n)
{
    struct document_cursor *cursor = context;
    const struct document_object *objects = cursor->index->objects.items + cursor->object + 1;
    struct run *run = ARENA_NEW(cursor->arena, struct run);
    size_t length = 0;
    for (uint32_t i = 0; i < n; i++)
        length += objects[i].lead.n + objects[i].text.n;
    assert(cursor->piece == (size_t)cursor->object * 2 + 1 && cursor->at == objects[-1].text.n);
    cursor->piece++;
    cursor->at = 0;
    run->first = run->at = *cursor;
    run->room = buf_init(cursor->arena, SIZE_MAX);
    cursor->piece += (size_t)n * 2;
    return (struct text_view){length, true, run_bytes, run};
}

struct part_source document_parts(struct document_cursor *cursor)
{
    return (struct part_source){find_part, skip_part, part_ahead, skip_run, cursor};
}

bool document_cursor_pass(struct document_cursor *cursor, struct str bytes)
{
    while (bytes.n) {
        struct str piece = str_sub(piece_at(cursor), 0, bytes.n);
        if (!piece.n || (piece.p != bytes.p && memcmp(piece.p, bytes.p, piece.n) != 0))
            return false;
        cursor->at += piece.n;
        bytes = str_sub(bytes, piece.n, bytes.n);
    }
    return true;
}

bool document_cursor_pass_part(struct document_cursor *cursor, size_t n, uint64_t content)
{
    struct document_object *object;
    bool same = is_at_known(cursor, &object) && object->content == content && object->text.n == n;
    if (same)
        cursor->at += n;
    return same;
}

bool document_cursor_pass_run(struct document_cursor *cursor, const struct text_run *run)
{
    const struct run *told = run->text.context;
    struct document_object *object;
    if (run->text.bytes != run_bytes || told->first.index != cursor->index)
        return false;
    left_at(cursor, &object);
    bool same = cursor->piece == told->first.piece && !cursor->at;
    if (same)
        cursor->piece += (size_t)run->n * 2;
    return same;
}

bool document_cursor_is_at_end(struct document_cursor *cursor)
{
    struct document_object *object;
    return left_at(cursor, &object) == 0;
}

bool document_index_is_at(const struct document_index *index, text_part_list places)
{
    bool same = index->objects.n == places.n;
    uint64_t at = 0;
    for (uint32_t i = 0; same && i < places.n; i++) {
        const struct document_object *object = &index->objects.items[i];
        at += object->lead.n;
        same = at == places.items[i].offset && object->text.n == places.items[i].length;
        at += object->text.n;
    }
    return same;
}

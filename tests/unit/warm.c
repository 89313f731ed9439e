#include "warm.h"

#include <stdlib.h>

#include "base/table.h"
#include "codec/delta_make.h"
#include "pieces.h"
#include "reader/document_memory.h"
#include "reader/remembered.h"
#include "report/report.h"
#include "score/verdict_memory.h"

enum { CEILING = 1 << 30 };
static const int64_t TIME = INT64_C(1793232000000);
/* How much later a push comes than the one before, some times a little or much earlier. */
static const int64_t PAUSES[] = {10, 10, 0, 50, 600, -30, 10, 3600, 1, 40000, -90000, 86400, 10};

struct seen_content {
    uint64_t content;
    struct str text;
};

struct warm {
    struct object_memory *memory;
    struct delta_memory *texts;
    struct delta_base *base; /* the first copy; NULL until there is one */
    struct arena *contents_arena, *arenas[2];
    struct table contents;
    struct document_memory *document; /* the last one that nothing was cut of */
    struct verdict_memory *verdicts;
    uint64_t given;
    int64_t time;
    size_t pushes;
};

/* One reading. */
struct side {
    struct arena *arena;
    struct str document;
    const struct document_index *index; /* the same in pieces; NULL: it is read from the text */
    size_t piece;
    uint64_t given;
    struct object_memory *memory;
    struct delta_memory *texts;
    struct verdict_memory *verdicts;
    int64_t time;
    const struct delta_base *base;
    enum warm_mode mode;
    struct buf copy, report;
    struct delta_maker *maker;
    struct delta_made made;
    text_part_list places;
    struct snapshot_error error;
    struct cluster *cluster;
    struct document_cursor must; /* what the copy is when nothing is cut */
    bool altered;
    bool done;
};

struct warm *warm_new(size_t max)
{
    struct warm *warm = calloc(1, sizeof *warm);
    if (!warm)
        abort();
    warm->memory = object_memory_new(max);
    warm->texts = delta_memory_new();
    warm->document = document_memory_new(CEILING, 0);
    warm->verdicts = verdict_memory_new(max);
    warm->time = TIME;
    warm->contents_arena = arena_new(CEILING);
    warm->arenas[0] = arena_new(CEILING);
    warm->arenas[1] = arena_new(CEILING);
    warm->contents = table_init(warm->contents_arena, 64);
    return warm;
}

void warm_free(struct warm *warm)
{
    object_memory_free(warm->memory);
    delta_memory_free(warm->texts);
    document_memory_free(warm->document);
    verdict_memory_free(warm->verdicts);
    delta_base_free(warm->base);
    arena_free(warm->contents_arena);
    arena_free(warm->arenas[0]);
    arena_free(warm->arenas[1]);
    free(warm);
}

static bool put_copy(void *context, struct str bytes)
{
    struct side *side = context;
    buf_put(&side->copy, bytes);
    side->altered |= side->index && !side->altered && !document_cursor_pass(&side->must, bytes);
    return delta_maker_put(side->maker, bytes);
}

static bool put_known(void *context, const struct text_view *text, uint64_t content, uint64_t lead)
{
    struct side *side = context;
    buf_put(&side->copy, text_view_all(text));
    side->altered |= side->index && !side->altered &&
                     !document_cursor_pass_part(&side->must, text->n, content) &&
                     !document_cursor_pass(&side->must, text_view_all(text));
    return delta_maker_put_part(side->maker, text, content, lead);
}

static bool put_run(void *context, const struct text_run *run)
{
    struct side *side = context;
    buf_put(&side->copy, text_view_all(&run->text));
    side->altered |= side->index && !side->altered && !document_cursor_pass_run(&side->must, run);
    return delta_maker_put_run(side->maker, run);
}

/* Counts what a source gives. */
struct counted {
    struct source from;
    struct side *side;
};

static ptrdiff_t read_counted(void *context, char *dst, size_t cap)
{
    struct counted *counted = context;
    size_t piece = counted->side->piece;
    ptrdiff_t n =
        counted->from.read(counted->from.context, dst, piece && piece < cap ? piece : cap);
    counted->side->given += n > 0 ? (uint64_t)n : 0;
    return n;
}

static void read_and_judge(void *context)
{
    struct side *side = context;
    struct score_policy policy = score_policy_default();
    struct sink copy = {put_copy, side}, report = pieces_sink(&side->report);
    struct part_sink known = {put_known, side->mode == WARM_RUNS ? put_run : NULL, side};
    struct delta_options delta = {
        .base = side->base, .memory = side->texts, .want_body = true, .max = CEILING};
    struct snapshot_options options = {.redacted = side->mode == WARM_FIND ? NULL : &copy,
                                       .known = side->memory ? &known : NULL,
                                       .stop_at_sensitive = side->mode == WARM_FIND,
                                       .places = &side->places,
                                       .memory = side->memory};
    side->maker = delta_maker_new(side->arena, &delta);
    struct pieces pieces = {side->document, side->piece};
    struct document_cursor cursor = {.index = side->index, .arena = side->arena};
    struct part_source parts = document_parts(&cursor);
    struct counted counted = {side->index ? document_source(&cursor) : pieces_source(&pieces),
                              side};
    options.parts = side->index ? &parts : NULL;
    side->must = (struct document_cursor){.index = side->index};
    side->copy = buf_init(side->arena, SIZE_MAX);
    side->report = buf_init(side->arena, SIZE_MAX);
    policy.all_namespaces = true;
    side->cluster =
        snapshot_read(side->arena, (struct source){read_counted, &counted}, &options, &side->error);
    if (side->cluster)
        delta_maker_finish(side->maker, &side->made);
    if (side->cluster)
        report_json(side->arena,
                    score_again(side->arena, side->cluster, &policy, side->time, side->verdicts),
                    (struct report_terms){.time = TIME_NONE}, NULL, report);
    side->done = true;
}

/* Who only looks for what is sensitive may find it before what is wrong behind it, or not: it is
 * read again then, and refused for what is wrong. */
static bool is_found_early(enum snapshot_code a, enum snapshot_code b)
{
    return a == SNAPSHOT_E_SENSITIVE && b == SNAPSHOT_E_JSON;
}

static const char *errors_differ(const struct snapshot_error *a, const struct snapshot_error *b)
{
    if (is_found_early(a->code, b->code) || is_found_early(b->code, a->code))
        return NULL;
    if (a->code != b->code)
        return "one is refused, or for another reason";
    if (a->code == SNAPSHOT_E_JSON &&
        (a->json.code != b->json.code || a->json.offset != b->json.offset ||
         !str_eq(a->json.path, b->json.path) || strcmp(a->json.text, b->json.text) != 0))
        return "the error is another one, or in another place";
    return str_eq(a->status, b->status) ? NULL : "the status is another one";
}

static const char *clusters_differ(const struct cluster *a, const struct cluster *b)
{
    if (memcmp(a->counts, b->counts, sizeof a->counts) != 0 || a->objects != b->objects ||
        a->roots.n != b->roots.n || a->seen != b->seen || a->outdated.n != b->outdated.n)
        return "other objects are read";
    if (a->unknown_objects != b->unknown_objects || a->unknown_members != b->unknown_members ||
        a->unread.n != b->unread.n)
        return "other objects are not read";
    if (a->effort->spent != b->effort->spent || a->effort->allowed != b->effort->allowed)
        return "it takes more work, or less";
    return NULL;
}

static const char *places_differ(const struct side *a, const struct side *b)
{
    if (a->places.n != b->places.n)
        return "one has places for more objects";
    for (uint32_t i = 0; i < a->places.n; i++)
        if (a->places.items[i].offset != b->places.items[i].offset ||
            a->places.items[i].length != b->places.items[i].length)
            return "an object stands in another place";
    return NULL;
}

static const char *deltas_differ(const struct side *a, const struct side *b)
{
    if (a->made.whole != b->made.whole || a->made.chunks.n != b->made.chunks.n ||
        a->made.length != b->made.length || a->made.literal != b->made.literal)
        return "it is cut in other places";
    if (!str_eq(a->made.delta, b->made.delta) || !str_eq(a->made.body, b->made.body))
        return "the delta is another one";
    if (!str_eq(a->made.addition.delta, b->made.addition.delta) ||
        !str_eq(a->made.addition.body, b->made.addition.body) ||
        a->made.addition.chunks.n != b->made.addition.chunks.n)
        return "what would be added is another one";
    return NULL;
}

static const char *contents_differ(struct warm *warm, const struct side *side)
{
    struct str copy = side->mode == WARM_FIND ? side->document : buf_str(&side->copy);
    const struct text_part *place;
    LIST_EACH (place, side->places) {
        struct str text = str_sub(copy, place->offset, place->length);
        struct seen_content *seen = NULL;
        if (!place->content)
            continue;
        TABLE_EACH (seen, &warm->contents, place->content)
            if (seen->content == place->content)
                break;
        if (seen && !str_eq(seen->text, text))
            return "the same content has other bytes";
        if (seen)
            continue;
        seen = ARENA_NEW(warm->contents_arena, struct seen_content);
        *seen = (struct seen_content){place->content, arena_str(warm->contents_arena, text)};
        table_add(&warm->contents, place->content, seen);
    }
    return NULL;
}

static const char *differ(struct warm *warm, const struct side *cold, const struct side *hot)
{
    const char *what = errors_differ(&cold->error, &hot->error);
    if (!what && !cold->cluster != !hot->cluster)
        what = "one has no model";
    if (what || !cold->cluster)
        return what;
    what = clusters_differ(cold->cluster, hot->cluster);
    if (!what && !str_eq(buf_str(&cold->copy), buf_str(&hot->copy)))
        what = "the redacted copy is another one";
    if (!what && !str_eq(buf_str(&cold->report), buf_str(&hot->report)))
        what = "the report is another one";
    if (!what)
        what = places_differ(cold, hot);
    if (!what)
        what = deltas_differ(cold, hot);
    if (!what && hot->index && hot->altered == str_eq(buf_str(&hot->copy), hot->document))
        what = "what is told of the copy is not what it is";
    return what ? what : contents_differ(warm, hot);
}

/* As often as not what is new is added to the base. */
static void grow(struct warm *warm, const struct delta_made *made)
{
    const delta_chunk_list *added = &made->addition.chunks;
    if (!added->n || made->addition.body.n % 2)
        return;
    struct delta_base *grown =
        delta_base_grow(warm->base, added->items, added->n, made->addition.body.n);
    if (!grown)
        abort();
    delta_base_free(warm->base);
    warm->base = grown;
}

/* What the next push knows of this one. */
static void remember_text(struct warm *warm, const struct side *hot)
{
    const struct delta_made *made = &hot->made;
    if (hot->mode == WARM_FIND || !hot->cluster)
        return;
    delta_memory_keep(warm->texts, made->key, made->chunks, hot->places);
    struct str written =
        delta_base_write(hot->arena, made->key, made->chunks.items, made->chunks.n, made->body.n);
    if (warm->base)
        grow(warm, made);
    else
        warm->base = delta_base_read(&written, 1);
}

/* ---- in pieces ---- */

static bool is_same_object(struct document_object *a, const struct document_object *b)
{
    return a->kind == b->kind && str_eq(a->api_version, b->api_version) &&
           str_eq(a->namespace, b->namespace) && str_eq(a->name, b->name) &&
           str_eq(document_object_text(a), b->text);
}

/* Those that the document before has, too, are its pieces, each once. NULL when it has none. */
static const struct document_index *index_of(const struct warm *warm, struct arena *arena,
                                             struct str document)
{
    const struct document_index *before = document_memory_find(warm->document, arena, STR("last"));
    struct document_index *index = ARENA_NEW(arena, struct document_index);
    struct snapshot_error error;
    if (!document_index_read(arena, document, index, &error))
        return NULL;
    uint32_t n = before ? before->objects.n : 0;
    bool *used = ARENA_ARRAY(arena, n, bool);
    struct document_object *object;
    LIST_EACH (object, index->objects)
        for (uint32_t i = 0; i < n; i++) {
            struct document_object *old = &before->objects.items[i];
            if (used[i] || !is_same_object(old, object))
                continue;
            used[i] = true;
            struct str lead = object->lead;
            *object = *old;
            object->lead = lead;
            object->text.p = NULL; /* nobody has asked for it */
            break;
        }
    return index;
}

static void remember_pieces(struct warm *warm, const struct side *hot)
{
    if (hot->index && hot->cluster && str_eq(buf_str(&hot->copy), hot->document) &&
        document_index_is_at(hot->index, hot->places))
        document_memory_keep(warm->document, STR("last"), hot->index, hot->places);
}

struct indexing {
    const struct warm *warm;
    struct side *side;
};

static void find_pieces(void *context)
{
    struct indexing *indexing = context;
    struct side *side = indexing->side;
    side->index = index_of(indexing->warm, side->arena, side->document);
}

const char *warm_push(struct warm *warm, struct str document, enum warm_mode mode, size_t piece)
{
    struct side cold = {.arena = warm->arenas[0],
                        .document = document,
                        .piece = piece,
                        .time = warm->time,
                        .mode = mode,
                        .base = warm->base};
    warm->time += PAUSES[warm->pushes++ % (sizeof PAUSES / sizeof *PAUSES)] * CLOCK_SECOND;
    struct side hot = cold;
    hot.arena = warm->arenas[1];
    hot.memory = warm->memory;
    hot.texts = warm->texts;
    hot.verdicts = warm->verdicts;
    if (mode >= WARM_PARTS)
        arena_guard(hot.arena, find_pieces, &(struct indexing){warm, &hot});
    arena_guard(cold.arena, read_and_judge, &cold);
    arena_guard(hot.arena, read_and_judge, &hot);
    const char *what = cold.done != hot.done ? "one does not end" : NULL;
    if (!what && cold.done)
        what = differ(warm, &cold, &hot);
    if (!what && hot.done)
        remember_text(warm, &hot);
    if (!what && hot.done)
        remember_pieces(warm, &hot);
    warm->given = hot.given;
    delta_maker_free(cold.maker);
    delta_maker_free(hot.maker);
    arena_reset(cold.arena);
    arena_reset(hot.arena);
    return what;
}

struct object_memory_use warm_use(const struct warm *warm)
{
    return object_memory_use(warm->memory);
}

void warm_at(struct warm *warm, int64_t time)
{
    warm->time = time;
}

struct verdict_memory_use warm_verdict_use(const struct warm *warm)
{
    return verdict_memory_use(warm->verdicts);
}

uint64_t warm_given(const struct warm *warm)
{
    return warm->given;
}

struct object_memory *warm_memory(struct warm *warm)
{
    return warm->memory;
}

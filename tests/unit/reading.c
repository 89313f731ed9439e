#include "reading.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#include "kube/kinds.h"
#include "pieces.h"
#include "reader/object_locations.h"

enum { CEILING = 256 * 1024 * 1024 };

static bool is_one_object(struct arena *arena, struct str text)
{
    static const struct jr_limits limits = {
        .depth = 64, .key = 1 << 20, .string = 1 << 20, .mark = 1, .total = UINT64_MAX};
    bool begins = str_has_prefix(text, STR("{")) && str_has_suffix(text, STR("}"));
    struct jr *jr = jr_open(arena, source_of(&text), limits);
    return begins && jr_next(jr) == JR_OBJECT && jr_next(jr) == JR_END;
}

static void check_places(const struct reading *reading, struct str text)
{
    const struct text_part *place;
    struct arena *arena = arena_new(CEILING);
    uint64_t end = 0;
    assert_true(reading->cluster ? reading->places.n >= reading->cluster->objects
                                 : reading->places.n == 0);
    LIST_EACH (place, reading->places) {
        assert_true(place->offset >= end);
        end = place->offset + place->length;
        assert_true(end <= text.n);
        if (!is_one_object(arena, str_sub(text, place->offset, place->length)))
            fail_msg("no object at %llu of\n%" STR_FMT, (unsigned long long)place->offset,
                     STR_ARG(text));
        arena_reset(arena);
    }
    arena_free(arena);
}

static void read_document(struct reading *reading, enum reading_mode mode, size_t piece)
{
    struct pieces from = {reading->document, piece};
    struct buf out = buf_init(reading->arena, SIZE_MAX);
    struct sink sink = pieces_sink(&out);
    struct snapshot_options options = {.redacted = mode == READING_REDACT ? &sink : NULL,
                                       .stop_at_sensitive = mode == READING_FIND,
                                       .places = &reading->places};
    reading->cluster =
        snapshot_read(reading->arena, pieces_source(&from), &options, &reading->error);
    reading->redacted = buf_str(&out);
    check_places(reading, mode == READING_REDACT ? reading->redacted : reading->document);
}

struct reading reading_of(struct str document, enum reading_mode mode, size_t piece)
{
    struct reading reading = {.arena = arena_new(CEILING), .document = document};
    read_document(&reading, mode, piece);
    return reading;
}

struct reading reading_open(const char *document, enum reading_mode mode, size_t piece)
{
    struct reading reading = {.arena = arena_new(CEILING)};
    reading.document = arena_str(reading.arena, str_of(document));
    char *text = (char *)reading.document.p;
    for (size_t i = 0; i < reading.document.n; i++)
        if (text[i] == '\'')
            text[i] = '"';
    read_document(&reading, mode, piece);
    return reading;
}

void reading_close(struct reading *reading)
{
    arena_free(reading->arena);
}

static struct str error_text(struct reading *reading)
{
    switch (reading->error.code) {
    case SNAPSHOT_E_NO_OBJECTS:
        return STR("no objects");
    case SNAPSHOT_E_SENSITIVE:
        return STR("sensitive");
    default:
        return arena_printf(reading->arena, "JSON %d at %llu", (int)reading->error.json.code,
                            (unsigned long long)reading->error.json.offset);
    }
}

struct str reading_counts(struct reading *reading)
{
    const struct cluster *cluster = reading->cluster;
    struct buf out = buf_init(reading->arena, SIZE_MAX);
    uint32_t sum = 0;
    if (!cluster)
        return error_text(reading);
    for (enum kind kind = KIND_NONE + 1; kind < KIND_COUNT; kind++) {
        struct str name = kind_name(kind);
        sum += cluster->counts[kind];
        if (cluster->counts[kind])
            buf_printf(&out, "%s%" STR_FMT " %u", out.n ? ", " : "", STR_ARG(name),
                       cluster->counts[kind]);
    }
    if (sum != cluster->objects)
        buf_printf(&out, "; %u objects in all", cluster->objects);
    if (cluster->unknown_objects)
        buf_printf(&out, "; unknown %u", cluster->unknown_objects);
    if (cluster->unknown_members)
        buf_printf(&out, "; members %u", cluster->unknown_members);
    for (enum kind kind = KIND_NONE + 1; kind < KIND_COUNT; kind++) {
        struct str name = kind_name(kind);
        if (cluster_has(cluster, kind) && !cluster->counts[kind])
            buf_printf(&out, "; seen %" STR_FMT, STR_ARG(name));
        if (!cluster_has(cluster, kind) && cluster->counts[kind])
            buf_printf(&out, "; unseen %" STR_FMT, STR_ARG(name));
    }
    return buf_str(&out);
}

void assert_located(struct reading *reading, struct str document)
{
    struct snapshot_error error;
    struct str rest = document;
    struct object_locations *locations =
        object_locations_read(reading->arena, source_of(&rest), &error);
    assert_non_null(locations);
    for (enum kind kind = KIND_NONE + 1; kind < KIND_COUNT; kind++) {
        uint32_t n = 0;
        struct object_location *item;
        LIST_EACH (item, locations->kinds[kind])
            n += !item->repeated;
        if (n != reading->cluster->counts[kind])
            fail_msg("%" STR_FMT "\nhas %u %s, of which %u are found again", STR_ARG(document),
                     reading->cluster->counts[kind], kind_name(kind).p, n);
    }
}

struct str reading_roots(struct reading *reading)
{
    struct buf out = buf_init(reading->arena, SIZE_MAX);
    struct workload **root, **child;
    struct pod **pod;
    if (!reading->cluster)
        return error_text(reading);
    LIST_EACH (root, reading->cluster->roots) {
        const struct object *object = &(*root)->object;
        buf_printf(&out,
                   "%" STR_FMT "/%" STR_FMT "/%" STR_FMT "%s:", STR_ARG(object->meta.namespace),
                   STR_ARG(object->kind_name), STR_ARG(object->meta.name),
                   (*root)->synthesized ? "*" : "");
        LIST_EACH (pod, (*root)->pods) {
            buf_printf(&out, " %" STR_FMT, STR_ARG((*pod)->object.meta.name));
            if ((*pod)->workload != *root)
                buf_put(&out, STR("?"));
        }
        LIST_EACH (child, (*root)->children)
            buf_printf(&out, " < %" STR_FMT "/%" STR_FMT, STR_ARG((*child)->object.kind_name),
                       STR_ARG((*child)->object.meta.name));
        buf_putc(&out, '\n');
    }
    return buf_str(&out);
}

void assert_text(struct str got, const char *expected)
{
    if (!str_eq(got, str_of(expected)))
        fail_msg("     got: %" STR_FMT "\nexpected: %s", STR_ARG(got), expected);
}

#include "reader/snapshot_reader.h"

#include "reader/collect.h"
#include "reader/decode.h"
#include "reader/document.h"
#include "reader/item.h"
#include "reader/link.h"
#include "reader/remember.h"
#include "reader/scrub.h"
#include "reader/unread.h"

enum { MARK_MAX = 8 * 1024 * 1024 }; /* of an object that must be looked through for its kind */
static const uint64_t TOTAL_MAX = 1u << 30;

/* scrub: of what is read, or NULL. */
static struct jr *open_reader(struct arena *arena, struct source source,
                              const struct snapshot_options *options, struct scrub *scrub)
{
    struct jr_limits limits = {
        .depth = SNAPSHOT_DEPTH_MAX,
        .key = SNAPSHOT_KEY_MAX,
        .string = SNAPSHOT_STRING_MAX,
        .mark = MARK_MAX,
        .total = options->total_max ? options->total_max : TOTAL_MAX,
    };
    struct jr *jr = jr_open(arena, source, limits);
    if (scrub)
        jr_tap(jr, scrub_sink(scrub));
    return jr;
}

static bool failed_reading(struct decoder *decoder, struct snapshot_error *error)
{
    const struct jr_error *json = jr_error(decoder->jr);
    *error = (struct snapshot_error){.code = SNAPSHOT_OK};
    if (json->code != JR_OK)
        *error = (struct snapshot_error){.code = SNAPSHOT_E_JSON, .json = *json};
    return error->code != SNAPSHOT_OK;
}

static bool failed(struct reader *reader, struct snapshot_error *error)
{
    struct decoder *decoder = &reader->decoder;
    if (failed_reading(decoder, error))
        return true;
    if (decoder->refused) {
        error->code = SNAPSHOT_E_JSON;
        error->json = (struct jr_error){.code = decoder->refused_code,
                                        .offset = jr_offset(decoder->jr),
                                        .text = decoder->refused};
    } else if (decoder->sensitive) {
        error->code = SNAPSHOT_E_SENSITIVE;
    } else if (reader->cluster->objects + reader->cluster->outdated.n == 0) {
        error->code = SNAPSHOT_E_NO_OBJECTS;
        error->status = reader->status;
        error->empty = jr_offset(decoder->jr) == 0;
        error->unread = reader->cluster->unread;
    }
    return error->code != SNAPSHOT_OK;
}

/* The last bytes of the redacted copy, which come when all is read. */
static struct snapshot_error refused_at(uint64_t offset)
{
    return (struct snapshot_error){
        .code = SNAPSHOT_E_JSON,
        .json = {.code = JR_E_SOURCE, .offset = offset, .text = "the output was refused"}};
}

/* Their places in what the filter has put, which was known in the end only. */
static text_part_list places_put(const struct reader *reader)
{
    struct text_part *place;
    uint32_t from = 0;
    if (reader->scrub)
        LIST_EACH (place, reader->places) {
            uint64_t end = place->offset + place->length;
            place->offset = scrub_place(reader->scrub, place->offset, &from);
            place->length = scrub_place(reader->scrub, end, &from) - place->offset;
        }
    return reader->places;
}

/* All has been read but what the filter still holds. False on error. */
static bool read_to_end(struct reader *reader, struct snapshot_error *error)
{
    struct decoder *decoder = &reader->decoder;
    bool refused = reader->scrub && !scrub_end(reader->scrub);
    if (decoder->redaction == REDACT_FIND && refused) {
        *error = (struct snapshot_error){.code = SNAPSHOT_E_SENSITIVE};
        return false;
    }
    if (failed(reader, error))
        return false;
    if (refused)
        *error = refused_at(jr_offset(decoder->jr));
    return !refused;
}

static struct reader *open_snapshot(struct arena *arena, struct source source,
                                    const struct snapshot_options *options)
{
    enum redaction redaction = options->redacted            ? REDACT_REPLACE
                               : options->stop_at_sensitive ? REDACT_FIND
                                                            : REDACT_OFF;
    struct reader *reader = ARENA_NEW(arena, struct reader);
    struct scrub *scrub = NULL;
    reader->cluster = ARENA_NEW(arena, struct cluster);
    reader->cluster->effort = effort_new(arena, options->effort_limits);
    if (options->effort)
        *options->effort = reader->cluster->effort;
    reader->told = options->told;
    reader->origins = options->origins;
    if (redaction != REDACT_OFF)
        scrub =
            scrub_new(arena, options->redacted ? *options->redacted : (struct sink){NULL, NULL});
    decode_init(&reader->decoder, arena, open_reader(arena, source, options, scrub), redaction);
    if (options->told && options->told->misfit)
        reader->decoder.misfits = options->told;
    repeat_cache_spare(reader->decoder.repeats, scrub);
    reader->scrub = scrub;
    if (options->redacted && options->known)
        scrub_set_parts(scrub, *options->known);
    reader->wants_places = options->places != NULL;
    if (options->memory && scrub && !options->told && !options->origins)
        remember_begin(reader, options->memory);
    reader->parts = options->redacted ? options->parts : NULL;
    return reader;
}

struct snapshot_basis {
    struct reader reader; /* behind the document; what has been read of it is unlinked */
    uint64_t bytes;
    const struct effort_limits *effort_limits;
    struct effort **effort;
};

static object_list copy_objects(struct arena *arena, enum kind kind, const object_list *objects)
{
    struct object **object;
    object_list copies;
    LIST_RESERVE(arena, copies, objects->n);
    LIST_EACH (object, *objects)
        LIST_PUT(copies, item_copy(arena, kind, *object));
    return copies;
}

/* A copy of what collect_objects() and link_cluster() change. */
static struct snapshot_basis *basis_of(const struct reader *reader,
                                       const struct snapshot_options *options)
{
    struct arena *arena = reader->decoder.arena;
    struct snapshot_basis *basis = ARENA_NEW(arena, struct snapshot_basis);
    assert(!reader->scrub && !reader->origins);
    *basis = (struct snapshot_basis){.reader = *reader,
                                     .bytes = jr_offset(reader->decoder.jr),
                                     .effort_limits = options->effort_limits,
                                     .effort = options->effort};
    basis->reader.told = NULL;
    basis->reader.decoder.misfits = NULL;
    basis->reader.wants_places = false;
    basis->reader.cluster = arena_copy(arena, reader->cluster, sizeof *reader->cluster);
    unread_separate(&basis->reader);
    for (enum kind kind = KIND_NONE + 1; kind < KIND_COUNT; kind++)
        basis->reader.objects[kind] = copy_objects(arena, kind, &reader->objects[kind]);
    basis->reader.outdated.items = arena_copy(arena, reader->outdated.items,
                                              reader->outdated.n * sizeof *reader->outdated.items);
    basis->reader.outdated.room = reader->outdated.n;
    return basis;
}

/* What has been read becomes a model. NULL on error, with *error filled. */
static struct cluster *finish(struct reader *reader, const struct link_visitor *visitor,
                              struct snapshot_error *error)
{
    collect_objects(reader);
    unread_sort(reader->cluster);
    bool good = read_to_end(reader, error);
    if (reader->remember)
        remember_end(reader, !good);
    if (good)
        link_cluster(reader->decoder.arena, reader->cluster, visitor);
    return good ? reader->cluster : NULL;
}

struct cluster *snapshot_read(struct arena *arena, struct source source,
                              const struct snapshot_options *options, struct snapshot_error *error)
{
    struct reader *reader = open_snapshot(arena, source, options);
    if (options->places)
        *options->places = (text_part_list){0};
    if (options->basis)
        *options->basis = NULL;
    document_read_all(reader);
    effort_measure(reader->cluster->effort, jr_offset(reader->decoder.jr));
    struct snapshot_basis *basis = options->basis ? basis_of(reader, options) : NULL;
    struct cluster *cluster = finish(reader, NULL, error);
    if (cluster && options->places)
        *options->places = places_put(reader);
    if (cluster && options->basis)
        *options->basis = basis;
    return cluster;
}

struct cluster *snapshot_extend(struct snapshot_basis *basis, struct source more,
                                const struct link_visitor *visitor, struct snapshot_error *error)
{
    struct reader *reader = &basis->reader;
    struct jr *jr = reader->decoder.jr;
    reader->cluster->effort = effort_new(reader->decoder.arena, basis->effort_limits);
    if (basis->effort)
        *basis->effort = reader->cluster->effort;
    jr_restart(jr, more);
    document_read_all(reader);
    effort_measure(reader->cluster->effort, basis->bytes + jr_offset(jr));
    return finish(reader, visitor, error);
}

/* ---- telling of objects ---- */

struct snapshot_scanner {
    struct reader reader;
};

struct snapshot_scanner *snapshot_scanner(struct arena *arena, struct source source,
                                          const struct snapshot_visitor *visitor)
{
    struct snapshot_options options = {.total_max = UINT64_MAX};
    struct snapshot_scanner *scanner = ARENA_NEW(arena, struct snapshot_scanner);
    struct reader *reader = &scanner->reader;
    reader->cluster = ARENA_NEW(arena, struct cluster);
    reader->visit = visitor;
    decode_init(&reader->decoder, arena, open_reader(arena, source, &options, NULL), REDACT_OFF);
    return scanner;
}

struct jr *snapshot_scanner_jr(struct snapshot_scanner *scanner)
{
    return scanner->reader.decoder.jr;
}

bool snapshot_scan(struct arena *arena, struct source source,
                   const struct snapshot_visitor *visitor, struct snapshot_error *error)
{
    struct reader *reader = &snapshot_scanner(arena, source, visitor)->reader;
    document_read_all(reader);
    return !failed_reading(&reader->decoder, error);
}

bool snapshot_scan_array(struct snapshot_scanner *scanner)
{
    const struct decoder *decoder = &scanner->reader.decoder;
    document_read_objects(&scanner->reader);
    return !decoder->refused && jr_error(decoder->jr)->code == JR_OK;
}

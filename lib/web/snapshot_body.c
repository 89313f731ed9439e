#include "web/snapshot_body.h"

#include "reader/snapshot_reader.h"
#include "report/report.h"
#include "web/changed_body.h"
#include "web/upload.h"

#define TOO_LARGE "The snapshot is larger than can be stored."

enum { INFLATED_MAX = 1 << 30, STATUS_SHOWN = 300, UNREAD_SHOWN = 1024 };

static void release_maker(void *maker)
{
    delta_maker_free(maker);
}

/* NULL without memory. */
static struct delta_maker *new_maker(struct snapshot_body *body, bool want_body)
{
    struct request *r = body->r;
    struct delta_options options = {.base = body->base,
                                    .memory = body->known ? body->known->texts : NULL,
                                    .want_body = want_body,
                                    .max = SNAPSHOT_BODY_MAX};
    struct delta_maker *maker = delta_maker_new(r->arena, &options);
    if (maker)
        request_defer(r, release_maker, maker);
    return maker;
}

/* The redacted copy, on its way to the maker. */
struct redacted {
    struct delta_maker *maker;
    struct document_cursor must; /* what it must be, to the byte; of no index: whatever it is */
    bool altered;
};

static bool is_as_it_must(struct redacted *redacted, struct str bytes)
{
    if (redacted->must.index && !document_cursor_pass(&redacted->must, bytes))
        redacted->altered = true;
    return !redacted->altered;
}

static bool put_redacted(void *context, struct str bytes)
{
    struct redacted *redacted = context;
    return is_as_it_must(redacted, bytes) && delta_maker_put(redacted->maker, bytes);
}

static bool put_known(void *context, const struct text_view *text, uint64_t content, uint64_t lead)
{
    struct redacted *redacted = context;
    bool good = !redacted->must.index ||
                document_cursor_pass_part(&redacted->must, text->n, content) ||
                is_as_it_must(redacted, text_view_all(text));
    return good && delta_maker_put_part(redacted->maker, text, content, lead);
}

static bool put_known_run(void *context, const struct text_run *run)
{
    struct redacted *redacted = context;
    bool good = !redacted->must.index || document_cursor_pass_run(&redacted->must, run) ||
                is_as_it_must(redacted, text_view_all(&run->text));
    return good && delta_maker_put_run(redacted->maker, run);
}

/* What is read of a document is told to a maker on the way. */
struct told {
    struct source from;
    struct delta_maker *maker;
};

static ptrdiff_t read_told(void *context, char *dst, size_t cap)
{
    struct told *told = context;
    ptrdiff_t n = told->from.read(told->from.context, dst, cap);
    return n > 0 && !delta_maker_put(told->maker, (struct str){dst, (size_t)n}) ? -1 : n;
}

/* kubectl prints nothing when it fails, and a Status when the API server refuses; it is told to who
 * pushes it. */
static enum error refuse_nothing(struct request *r, const struct snapshot_error *error)
{
    struct buf kinds = buf_init(r->arena, UNREAD_SHOWN);
    if (error->empty)
        return refuse(r, ERR_NO_OBJECTS,
                      "The snapshot is empty: what was to print it has printed nothing.");
    if (error->status.n)
        return refuse(r, ERR_NO_OBJECTS,
                      "The body is a Status, not a snapshot: the cluster's API server said "
                      "\"%" STR_FMT "\".",
                      STR_ARG(str_utf8_prefix(error->status, STATUS_SHOWN)));
    report_unread_words(&kinds, error->unread);
    if (!kinds.n || kinds.full)
        return ERR_NO_OBJECTS;
    return refuse(r, ERR_NO_OBJECTS,
                  "The snapshot holds no object of a kind that is read, but %" STR_FMT ".",
                  STR_ARG(buf_str(&kinds)));
}

/* Why the reader stopped. */
static enum error refuse_snapshot(const struct upload *upload, const struct snapshot_error *error,
                                  bool too_large)
{
    bool inflated = !upload->packed || decompress_error(upload->packed) == INFLATE_OK;
    if (inflated && error->code == SNAPSHOT_E_NO_OBJECTS)
        return refuse_nothing(upload->r, error);
    if (inflated && too_large)
        return refuse(upload->r, ERR_TOO_LARGE, TOO_LARGE);
    return upload_refuse(upload, &error->json);
}

/* What is read: the body, or what stands in its place. */
static enum error open_source(struct snapshot_body *body, struct upload *upload,
                              struct snapshot_options *options)
{
    struct part_source *parts;
    if (!body->document)
        return upload_open(body->r, body->compression, INFLATED_MAX, upload);
    struct document_cursor *cursor = ARENA_NEW(body->r->arena, struct document_cursor);
    cursor->index = body->document;
    cursor->arena = body->r->arena;
    options->parts = parts = ARENA_NEW(body->r->arena, struct part_source);
    *parts = document_parts(cursor);
    *upload = (struct upload){.r = body->r,
                              .source = document_source(cursor),
                              .start = STR(""),
                              .max = INFLATED_MAX,
                              .allowed = INFLATED_MAX};
    return ERR_OK;
}

/* One pass over the body. options->redacted decides what for; without it the maker is told of the
 * body as it is. */
static enum error read_once(struct snapshot_body *body, struct snapshot_options *options,
                            struct delta_maker *maker, bool *sensitive)
{
    struct upload upload;
    struct snapshot_error error = {.code = SNAPSHOT_OK};
    options->effort_limits = &body->judging->limits;
    options->effort = &body->judging->effort;
    options->memory = body->known ? body->known->objects : NULL;
    enum error e = open_source(body, &upload, options);
    if (e)
        return e;
    *sensitive = upload.bom && !options->redacted; /* it must not be stored either */
    if (*sensitive)
        return ERR_OK;
    struct told told = {upload.source, maker};
    struct source source = options->redacted ? upload.source : (struct source){read_told, &told};
    body->cluster = snapshot_read(body->r->arena, source, options, &error);
    *sensitive = error.code == SNAPSHOT_E_SENSITIVE;
    return body->cluster || *sensitive
               ? ERR_OK
               : refuse_snapshot(&upload, &error, delta_maker_failed(maker));
}

/* whole: what is kept when the document is stored whole; absent: what the maker has made. */
static enum error finish(struct snapshot_body *body, struct delta_maker *maker,
                         text_part_list places, struct str whole)
{
    struct arena *arena = body->r->arena;
    struct delta_made made;
    if (!delta_maker_finish(maker, &made) || whole.n > SNAPSHOT_BODY_MAX)
        return refuse(body->r, ERR_TOO_LARGE, TOO_LARGE);
    body->places = places;
    if (body->known)
        delta_memory_keep(body->known->texts, made.key, made.chunks, places);
    body->copy = made.whole
                     ? snapshot_copy_whole(arena, &made, whole.p ? whole : made.body)
                     : snapshot_copy_delta(arena, &made, body->base_id, body->base, &body->wear);
    return ERR_OK;
}

static enum error read_redacting(struct snapshot_body *body)
{
    const struct document_index *document = body->document;
    struct redacted redacted = {.maker = new_maker(body, true), .must = {.index = document}};
    struct sink sink = {put_redacted, &redacted};
    struct part_sink known = {put_known, put_known_run, &redacted};
    text_part_list places;
    struct snapshot_options options = {
        .redacted = &sink, .known = &known, .places = &places, .total_max = INFLATED_MAX};
    bool sensitive;
    if (!redacted.maker)
        return ERR_OUT_OF_MEMORY;
    enum error e = read_once(body, &options, redacted.maker, &sensitive);
    bool same =
        !redacted.altered &&
        (e || !document ||
         (document_cursor_is_at_end(&redacted.must) && document_index_is_at(document, places)));
    if (!same)
        return changed_body_refuse(body->r, "there is something in it that is not kept as it is");
    return e ? e : finish(body, redacted.maker, places, (struct str){0});
}

/* A compressed body without anything sensitive is kept as it came. */
static enum error read_as_it_is(struct snapshot_body *body, bool *sensitive)
{
    struct delta_maker *maker = new_maker(body, false);
    text_part_list places;
    struct snapshot_options options = {
        .stop_at_sensitive = true, .places = &places, .total_max = INFLATED_MAX};
    if (!maker)
        return ERR_OUT_OF_MEMORY;
    enum error e = read_once(body, &options, maker, sensitive);
    return e || *sensitive ? e : finish(body, maker, places, body->r->http.body);
}

/* Of a document that is stored whole that is tried first: what must be redacted mostly shows up
 * early. */
enum error snapshot_body_read(struct snapshot_body *body)
{
    bool sensitive = true;
    enum error e = ERR_OK;
    if (body->compression != COMPRESSION_NONE && !body->base && !body->document)
        e = read_as_it_is(body, &sensitive);
    return e || !sensitive ? e : read_redacting(body);
}

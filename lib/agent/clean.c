#include "agent/clean.h"

#include "agent/memory.h"
#include "codec/jr.h"
#include "reader/snapshot_reader.h"

enum {
    OBJECT_MAX = 8 * 1024 * 1024,
    TEXT_MAX = 64 * 1024, /* of a name, a version or a token */
    READER_KEPT = 2 * 1024 * 1024,
    KEPT_ROOM = 256 * 1024,
    WORK_MAX = 48 * 1024 * 1024 /* with 10,000 pods it fits into the memory of the pod */
};

struct cleaner {
    struct arena *reader; /* of jr, over many objects */
    struct arena *work;   /* of one */
    struct jr *jr;
    struct str input; /* of jr */
    struct bytes identity, redacted;
    /* a list of one object */
    struct str parts[3];
    struct snapshot_options options;
    struct sink sink;
    bool clean;
    void (*tell_pod)(void *context, const struct pod *pod); /* NULL: nobody asks */
    void *pod_context;
};

struct cleaner *cleaner_new(void)
{
    struct cleaner *cleaner = MEMORY_NEW(struct cleaner);
    cleaner->reader = arena_new(SIZE_MAX / 2);
    cleaner->work = arena_new(WORK_MAX);
    if (!cleaner->reader || !cleaner->work) {
        cleaner_free(cleaner);
        return NULL;
    }
    cleaner->sink = (struct sink){bytes_sink, &cleaner->redacted};
    cleaner->options.redacted = &cleaner->sink;
    return cleaner;
}

void cleaner_free(struct cleaner *cleaner)
{
    if (!cleaner)
        return;
    arena_free(cleaner->reader);
    arena_free(cleaner->work);
    bytes_free(&cleaner->identity);
    bytes_free(&cleaner->redacted);
    free(cleaner);
}

void cleaner_tell_pods(struct cleaner *cleaner, void (*tell)(void *context, const struct pod *pod),
                       void *context)
{
    cleaner->tell_pod = tell;
    cleaner->pod_context = context;
}

/* ---- what an object, an event and a list say of themselves ---- */

/* A reader of the text that stands before its first value. */
static struct jr *open_text(struct cleaner *cleaner, struct str text)
{
    const struct jr_limits limits = {
        .depth = 64, .key = TEXT_MAX, .string = OBJECT_MAX, .mark = TEXT_MAX, .total = UINT64_MAX};
    if (arena_used(cleaner->reader) > READER_KEPT) {
        arena_reset(cleaner->reader);
        cleaner->jr = NULL;
    }
    cleaner->input = text;
    if (cleaner->jr)
        jr_restart(cleaner->jr, source_of(&cleaner->input));
    else
        cleaner->jr = jr_open(cleaner->reader, source_of(&cleaner->input), limits);
    return cleaner->jr;
}

static bool is_key(struct jr *jr, const char *key)
{
    return str_eq(jr_key(jr), str_of(key));
}

/* What was read is the only value, and well formed. */
static bool ends_here(struct jr *jr)
{
    return jr_next(jr) == JR_END && jr_error(jr)->code == JR_OK;
}

/* A text among those that are kept: they move as they grow in number. */
struct span {
    size_t from, n;
};

static struct str span_str(const struct cleaner *cleaner, struct span span)
{
    return str_sub(bytes_str(&cleaner->identity), span.from, span.n);
}

static struct span span_of(struct cleaner *cleaner, struct jr *jr)
{
    struct span span = {cleaner->identity.n, jr_text(jr).n};
    bytes_put(&cleaner->identity, jr_text(jr));
    return span;
}

struct metadata {
    struct span namespace, name, version, next;
    bool items; /* beside it: a list has them, be there none */
};

static void read_metadata(struct cleaner *cleaner, struct jr *jr, struct metadata *metadata)
{
    enum jr_type type;
    jr_enter(jr);
    while ((type = jr_next(jr)) > JR_END)
        if (type != JR_STRING)
            continue;
        else if (is_key(jr, "namespace"))
            metadata->namespace = span_of(cleaner, jr);
        else if (is_key(jr, "name"))
            metadata->name = span_of(cleaner, jr);
        else if (is_key(jr, "resourceVersion"))
            metadata->version = span_of(cleaner, jr);
        else if (is_key(jr, "continue"))
            metadata->next = span_of(cleaner, jr);
}

static bool find_metadata(struct cleaner *cleaner, struct str text, struct metadata *metadata)
{
    struct jr *jr = open_text(cleaner, text);
    enum jr_type type;
    *metadata = (struct metadata){0};
    bytes_clear(&cleaner->identity, KEPT_ROOM);
    if (jr_next(jr) != JR_OBJECT)
        return false;
    jr_enter(jr);
    while ((type = jr_next(jr)) > JR_END)
        if (type == JR_OBJECT && is_key(jr, "metadata"))
            read_metadata(cleaner, jr, metadata);
        else if ((type == JR_ARRAY || type == JR_NULL) && is_key(jr, "items"))
            metadata->items = true;
    return ends_here(jr);
}

bool clean_identify(struct cleaner *cleaner, struct str object, struct clean_identity *identity)
{
    struct metadata metadata;
    bool good = find_metadata(cleaner, object, &metadata);
    *identity = (struct clean_identity){span_str(cleaner, metadata.namespace),
                                        span_str(cleaner, metadata.name),
                                        span_str(cleaner, metadata.version)};
    return good && (identity->name.n > 0 || identity->version.n > 0);
}

bool clean_is_too_deep(const struct cleaner *cleaner)
{
    return cleaner->jr && jr_error(cleaner->jr)->code == JR_E_DEPTH;
}

bool clean_head(struct cleaner *cleaner, struct str text, struct clean_head *head)
{
    struct metadata metadata;
    if (!find_metadata(cleaner, text, &metadata) || !metadata.items)
        return false;
    *head =
        (struct clean_head){span_str(cleaner, metadata.version), span_str(cleaner, metadata.next)};
    return true;
}

static enum clean_event event_of(struct str word)
{
    static const struct {
        const char *word;
        enum clean_event event;
    } words[] = {
        {"ADDED", CLEAN_PUT},         {"MODIFIED", CLEAN_PUT}, {"DELETED", CLEAN_DELETED},
        {"BOOKMARK", CLEAN_BOOKMARK}, {"ERROR", CLEAN_ERROR},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_eq(word, str_of(words[i].word)))
            return words[i].event;
    return CLEAN_UNKNOWN;
}

/* Goes through the object of an event; of a Status it reads the code. */
static void read_event_object(struct jr *jr, struct clean_watch *watch)
{
    enum jr_type type;
    jr_enter(jr);
    while ((type = jr_next(jr)) > JR_END)
        if (type == JR_NUMBER && is_key(jr, "code"))
            str_to_i64(jr_text(jr), &watch->error_code);
}

bool clean_watch(struct cleaner *cleaner, struct str text, struct clean_watch *watch)
{
    struct jr *jr = open_text(cleaner, text);
    enum jr_type type;
    *watch = (struct clean_watch){.event = CLEAN_UNKNOWN};
    if (jr_next(jr) != JR_OBJECT)
        return false;
    jr_enter(jr);
    while ((type = jr_next(jr)) > JR_END)
        if (type == JR_STRING && is_key(jr, "type")) {
            watch->event = event_of(jr_text(jr));
        } else if (type == JR_OBJECT && is_key(jr, "object")) {
            size_t from = (size_t)jr_offset(jr);
            read_event_object(jr, watch);
            watch->object = str_sub(text, from, (size_t)jr_offset(jr) - from);
        }
    return ends_here(jr) && watch->object.n > 0;
}

/* ---- redaction ---- */

static ptrdiff_t read_parts(void *context, char *dst, size_t cap)
{
    struct str *parts = context;
    for (size_t i = 0; i < 3; i++)
        if (parts[i].n)
            return source_of(&parts[i]).read(&parts[i], dst, cap);
    return 0;
}

static void redact(void *context)
{
    struct cleaner *cleaner = context;
    struct snapshot_error error;
    struct cluster *cluster = snapshot_read(
        cleaner->work, (struct source){read_parts, cleaner->parts}, &cleaner->options, &error);
    cleaner->clean = cluster && cluster->objects == 1 && cluster->unknown_objects == 0;
    if (cleaner->clean && cleaner->tell_pod && cluster->pods.n)
        cleaner->tell_pod(cleaner->pod_context, cluster->pods.items[0]);
}

/* The first member of the text, KEY and a short string, with the comma behind it; 0: it begins
 * otherwise. */
static size_t first_member(struct str text, struct str key, struct str *value)
{
    struct str rest;
    if (!str_has_prefix(text, key) || !str_cut(str_sub(text, key.n, SIZE_MAX), '"', value, &rest) ||
        !str_has_prefix(rest, STR(",")))
        return 0;
    return key.n + value->n + 2;
}

/* Does the list itself say that its objects are of this kind, or API version? */
static bool says_kind(struct str front, struct str kind)
{
    struct str rest = str_sub(front, STR("{\"kind\":\"").n, SIZE_MAX);
    return str_has_prefix(rest, kind) &&
           str_has_prefix(str_sub(rest, kind.n, SIZE_MAX), STR("List\""));
}

static bool says_version(struct str front, struct str version)
{
    const struct str end = STR("\",\"items\":["), key = STR("\"apiVersion\":\"");
    struct str rest = str_sub(front, 0, front.n - end.n);
    if (!str_has_suffix(front, end) || !str_has_suffix(rest, version))
        return false;
    return str_has_suffix(str_sub(rest, 0, rest.n - version.n), key);
}

/* What the list says its objects need not. Most kinds say it of an object in a watch, and not in a
 * list: so that is one text. */
static struct str drop_type(struct str front, struct bytes *redacted, struct str text)
{
    size_t n = 1, kind, version;
    struct str value;
    do {
        struct str rest = str_sub(text, n, SIZE_MAX);
        kind = first_member(rest, STR("\"kind\":\""), &value);
        kind = kind && says_kind(front, value) ? kind : 0;
        version = first_member(rest, STR("\"apiVersion\":\""), &value);
        version = version && says_version(front, value) ? version : 0;
        n += kind + version;
    } while (kind || version);
    text = str_sub(text, n - 1, SIZE_MAX);
    redacted->p[text.p - redacted->p] = '{';
    return text;
}

struct str clean_object(struct cleaner *cleaner, struct str front, struct str object)
{
    const struct str end = STR("]}"), none = {NULL, 0};
    cleaner->parts[0] = front;
    cleaner->parts[1] = object;
    cleaner->parts[2] = end;
    cleaner->clean = false;
    bytes_clear(&cleaner->redacted, KEPT_ROOM);
    bool done = arena_guard(cleaner->work, redact, cleaner);
    arena_reset(cleaner->work);
    struct str text = bytes_str(&cleaner->redacted);
    if (!done || !cleaner->clean || !str_has_prefix(text, front) || !str_has_suffix(text, end))
        return none;
    text = str_sub(text, front.n, text.n - front.n - end.n);
    return str_has_prefix(text, STR("{")) ? drop_type(front, &cleaner->redacted, text) : text;
}

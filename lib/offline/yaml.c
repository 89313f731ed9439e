#include "offline/yaml.h"

#include <stdio.h>
#include <stdlib.h>
#include <yaml.h>

#include "codec/jw.h"
#include "offline/anchors.h"
#include "offline/lines.h"
#include "offline/scalar.h"

enum { PIECE = 64 * 1024 };

#define TOO_MUCH "what the anchors of the document stand for takes more than 16 MiB"

struct level {
    bool mapping, is_key, comma; /* is_key: the next node is a key */
    bool merge;                  /* the next node is what "<<" merges */
    bool merged;                 /* it is itself such a node: its text is spliced at its end */
    struct anchor *anchor;       /* that it ends, or NULL */
    size_t kept_from;            /* where its text begins */
};

struct yaml {
    struct source from;
    yaml_parser_t parser;
    struct arena *arena, *document; /* document: emptied at the end of each */
    struct anchors anchors;
    struct buf out; /* JSON that is to be handed on, from out_at */
    size_t out_at;
    struct buf kept;   /* the text of what is captured: an anchor's node, or one to be merged */
    unsigned captures; /* that are open */
    unsigned muted;    /* nodes to be merged that are open: they go to `kept` alone */
    struct level levels[YAML_DEPTH_MAX + 1];
    unsigned depth; /* 0: outside of all */
    uint64_t line;  /* of the output, from 0 */
    size_t expanded, unparsed;
    struct lines lines; /* of the input */
    bool ended, failed;
    struct yaml_error error;
};

/* ---- errors ---- */

static bool refuse(struct yaml *y, yaml_mark_t mark, const char *text)
{
    y->failed = true;
    snprintf(y->error.text, sizeof y->error.text, "%s", text);
    y->error.line = mark.line + 1;
    y->error.column = mark.column + 1;
    return false;
}

/* Where a byte of the input stands. */
static yaml_mark_t mark_of(const struct yaml *y, size_t offset)
{
    uint64_t start, line = lines_find(&y->lines, offset, &start);
    return (yaml_mark_t){.line = line, .column = offset - start};
}

/* What the parser has to say. */
static bool refuse_parser(struct yaml *y)
{
    const yaml_parser_t *parser = &y->parser;
    bool reader = parser->error == YAML_READER_ERROR;
    y->failed = true;
    if (parser->error == YAML_MEMORY_ERROR)
        return refuse(y, parser->mark, "no memory left");
    if (y->unparsed > YAML_SCALAR_MAX)
        return refuse(y, parser->mark, "a value of more than 8 MiB");
    if (reader && parser->problem && strcmp(parser->problem, "input error") == 0)
        return false;
    return refuse(y, reader ? mark_of(y, parser->problem_offset) : parser->problem_mark,
                  parser->problem ? parser->problem : "not YAML");
}

static int read_yaml(void *context, unsigned char *dst, size_t size, size_t *n)
{
    struct yaml *y = context;
    ptrdiff_t got = y->from.read(y->from.context, (char *)dst, size);
    *n = got > 0 ? (size_t)got : 0;
    y->unparsed += *n;
    lines_add(&y->lines, (struct str){(const char *)dst, *n});
    return got >= 0 && y->unparsed <= YAML_SCALAR_MAX;
}

/* ---- output ---- */

static void put(struct yaml *y, struct str json)
{
    if (!y->muted)
        buf_put(&y->out, json);
    if (y->captures)
        buf_put(&y->kept, json);
}

static void put_string(struct yaml *y, struct str text)
{
    struct buf *out = y->muted ? &y->kept : &y->out;
    size_t from = out->n;
    struct jw w;
    jw_init(&w, out);
    jw_str(&w, text);
    if (!y->muted && y->captures)
        buf_put(&y->kept, str_sub(buf_str(out), from, out->n));
}

/* An empty line for each that the input is ahead. */
static void keep_line(struct yaml *y, yaml_mark_t mark)
{
    static const char newlines[] = "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n";
    while (!y->muted && y->line < mark.line) {
        size_t n = mark.line - y->line;
        n = n < sizeof newlines - 1 ? n : sizeof newlines - 1;
        buf_put(&y->out, (struct str){newlines, n});
        y->line += n;
    }
}

/* ---- nodes ---- */

/* What is open has been written so far. */
static struct str kept_since(const struct yaml *y, size_t from)
{
    return str_sub(buf_str(&y->kept), from, y->kept.n);
}

static void end_capture(struct yaml *y)
{
    if (--y->captures == 0)
        y->kept.n = 0;
}

/* The merged mapping's members, as if they stood here. */
static bool splice_mapping(struct yaml *y, yaml_mark_t mark, struct str json)
{
    struct level *level = &y->levels[y->depth];
    struct str inside = str_trim(str_sub(json, 1, json.n - 2));
    if (!str_has_prefix(json, STR("{")))
        return refuse(y, mark, "\"<<\" can only merge mappings");
    if (!inside.n)
        return true;
    if (level->comma)
        put(y, STR(","));
    level->comma = true;
    put(y, inside);
    return true;
}

/* The length of the JSON value at the start of the text. */
static size_t value_length(struct str json)
{
    unsigned depth = 0;
    bool string = false;
    for (size_t i = 0; i < json.n; i++) {
        char c = json.p[i];
        if (string) {
            i += c == '\\';
            string = c != '"';
        } else if (c == '"') {
            string = true;
        } else if (c == '{' || c == '[') {
            depth++;
        } else if (c == '}' || c == ']') {
            if (depth-- == 0)
                return i;
        } else if (c == ',' && depth == 0) {
            return i;
        }
    }
    return json.n;
}

/* A list of mappings: of equal keys the first one counts, and of members the last. */
static bool splice_list(struct yaml *y, yaml_mark_t mark, struct str json)
{
    enum { MERGED_MAX = 64 };
    struct str items[MERGED_MAX], rest = str_trim(str_sub(json, 1, json.n - 2));
    size_t n = 0;
    while (rest.n) {
        size_t length = value_length(rest);
        if (n == MERGED_MAX)
            return refuse(y, mark, "\"<<\" merges more than 64 mappings");
        items[n++] = str_sub(rest, 0, length);
        rest = str_sub(rest, length + 1, rest.n);
    }
    while (n > 0)
        if (!splice_mapping(y, mark, items[--n]))
            return false;
    return true;
}

static bool splice(struct yaml *y, yaml_mark_t mark, struct str json)
{
    y->levels[y->depth].merge = false;
    y->levels[y->depth].is_key = true;
    return str_has_prefix(json, STR("[")) ? splice_list(y, mark, json)
                                          : splice_mapping(y, mark, json);
}

/* A node begins: what stands between it and the one before. */
static void before_node(struct yaml *y, yaml_mark_t mark)
{
    struct level *level = &y->levels[y->depth];
    keep_line(y, mark);
    if (level->mapping ? level->is_key && level->comma : level->comma)
        put(y, y->depth ? STR(",") : STR(" "));
    level->comma = true;
}

static void after_node(struct yaml *y)
{
    struct level *level = &y->levels[y->depth];
    if (level->mapping && level->is_key)
        put(y, STR(":"));
    level->is_key = !level->is_key;
}

static bool begin_anchor(struct yaml *y, const yaml_event_t *event, const yaml_char_t *name,
                         struct anchor **anchor)
{
    *anchor = NULL;
    if (!name)
        return true;
    if (!anchors_begin(&y->anchors, str_of((const char *)name), anchor))
        return refuse(y, event->start_mark, "too many anchors");
    y->captures++;
    return true;
}

static bool end_anchor(struct yaml *y, yaml_mark_t mark, struct anchor *anchor, size_t from)
{
    bool held = !anchor || anchors_end(&y->anchors, anchor, kept_since(y, from));
    if (anchor)
        end_capture(y);
    return held || refuse(y, mark, TOO_MUCH);
}

static bool begin_collection(struct yaml *y, const yaml_event_t *event, bool mapping)
{
    const struct level *outer = &y->levels[y->depth];
    const yaml_char_t *name =
        mapping ? event->data.mapping_start.anchor : event->data.sequence_start.anchor;
    struct anchor *anchor;
    bool merged = outer->merge;
    if (outer->mapping && outer->is_key)
        return refuse(y, event->start_mark, "a key that is a list or a mapping");
    if (y->depth == YAML_DEPTH_MAX)
        return refuse(y, event->start_mark, "nested deeper than 64 levels");
    if (!merged)
        before_node(y, event->start_mark);
    if (!begin_anchor(y, event, name, &anchor))
        return false;
    y->captures += merged;
    y->muted += merged;
    y->levels[++y->depth] = (struct level){.mapping = mapping,
                                           .is_key = mapping,
                                           .merged = merged,
                                           .anchor = anchor,
                                           .kept_from = y->kept.n};
    put(y, mapping ? STR("{") : STR("["));
    return true;
}

/* The text of a node to be merged gives way to what it stands for. */
static bool end_merged(struct yaml *y, yaml_mark_t mark, size_t from)
{
    struct str json = kept_since(y, from);
    if (!anchors_afford(&y->anchors, json.n))
        return refuse(y, mark, TOO_MUCH);
    json = arena_str(y->document, json);
    y->kept.n = from;
    y->muted--;
    end_capture(y);
    return splice(y, mark, json);
}

static bool end_collection(struct yaml *y, const yaml_event_t *event)
{
    struct level level = y->levels[y->depth];
    put(y, level.mapping ? STR("}") : STR("]"));
    y->depth--;
    if (!end_anchor(y, event->end_mark, level.anchor, level.kept_from))
        return false;
    if (level.merged)
        return end_merged(y, event->end_mark, level.kept_from);
    after_node(y);
    return true;
}

static void put_scalar(struct yaml *y, const yaml_event_t *event, bool is_key)
{
    static const char *const resolved[] = {YAML_INT_TAG,  YAML_FLOAT_TAG,     YAML_BOOL_TAG,
                                           YAML_NULL_TAG, YAML_TIMESTAMP_TAG, NULL};
    const char *tag = (const char *)event->data.scalar.tag;
    struct str text = {(const char *)event->data.scalar.value, event->data.scalar.length};
    char json[SCALAR_JSON_MAX];
    bool plain = tag ? str_in(str_of(tag), resolved) : event->data.scalar.plain_implicit;
    size_t n = plain ? scalar_json(text, json) : 0;
    if (n && !(is_key && str_eq((struct str){json, n}, STR("null"))))
        text = (struct str){json, n};
    if (n && !is_key)
        put(y, text);
    else
        put_string(y, text);
}

static bool is_merge_key(const struct yaml *y, const yaml_event_t *event)
{
    const struct level *level = &y->levels[y->depth];
    return level->mapping && level->is_key && !event->data.scalar.tag &&
           event->data.scalar.plain_implicit && event->data.scalar.length == 2 &&
           memcmp(event->data.scalar.value, "<<", 2) == 0;
}

static bool scalar(struct yaml *y, const yaml_event_t *event)
{
    struct level *level = &y->levels[y->depth];
    struct anchor *anchor;
    if (level->merge)
        return refuse(y, event->start_mark, "\"<<\" can only merge mappings");
    if (is_merge_key(y, event)) {
        level->merge = true;
        level->is_key = false;
        return true;
    }
    before_node(y, event->start_mark);
    size_t from = y->kept.n;
    if (!begin_anchor(y, event, event->data.scalar.anchor, &anchor))
        return false;
    put_scalar(y, event, level->mapping && level->is_key);
    if (!end_anchor(y, event->end_mark, anchor, from))
        return false;
    after_node(y);
    return true;
}

static bool alias(struct yaml *y, const yaml_event_t *event)
{
    struct level *level = &y->levels[y->depth];
    struct str json = anchors_find(&y->anchors, str_of((const char *)event->data.alias.anchor));
    if (!json.p)
        return refuse(y, event->start_mark, "an alias whose anchor is not at its end before it");
    y->expanded += json.n;
    if (y->expanded > ALIASES_BYTES_MAX)
        return refuse(y, event->start_mark, "the aliases make more than 64 MiB of it");
    if (level->merge)
        return splice(y, event->start_mark, json);
    if (level->mapping && level->is_key && *json.p != '"')
        return refuse(y, event->start_mark, "a key that is an alias of no string");
    before_node(y, event->start_mark);
    put(y, json);
    after_node(y);
    return true;
}

/* ---- the stream ---- */

static void end_document(struct yaml *y)
{
    arena_reset(y->document);
    y->kept = buf_init(y->document, ANCHORS_BYTES_MAX);
    anchors_init(&y->anchors, y->document);
}

static bool take(struct yaml *y, const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_STREAM_END_EVENT:
        y->ended = true;
        return true;
    case YAML_DOCUMENT_END_EVENT:
        end_document(y);
        return true;
    case YAML_ALIAS_EVENT:
        return alias(y, event);
    case YAML_SCALAR_EVENT:
        return scalar(y, event);
    case YAML_SEQUENCE_START_EVENT:
    case YAML_MAPPING_START_EVENT:
        return begin_collection(y, event, event->type == YAML_MAPPING_START_EVENT);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return end_collection(y, event);
    default: /* the start of the stream or of a document */
        return true;
    }
}

static bool step(struct yaml *y)
{
    yaml_event_t event;
    y->unparsed = 0;
    if (!yaml_parser_parse(&y->parser, &event))
        return refuse_parser(y);
    bool taken = take(y, &event);
    if (taken && y->kept.full)
        taken = refuse(y, event.start_mark, TOO_MUCH);
    yaml_event_delete(&event);
    return taken;
}

static ptrdiff_t read_json(void *context, char *dst, size_t cap)
{
    struct yaml *y = context;
    if (y->out_at == y->out.n)
        y->out_at = y->out.n = 0;
    while (!y->failed && !y->ended && y->out.n < PIECE)
        step(y);
    if (y->failed)
        return -1;
    size_t n = y->out.n - y->out_at;
    n = n < cap ? n : cap;
    if (n)
        memcpy(dst, y->out.p + y->out_at, n);
    y->out_at += n;
    return (ptrdiff_t)n;
}

struct yaml *yaml_open(struct source from)
{
    struct yaml *y = calloc(1, sizeof *y);
    if (!y)
        return NULL;
    y->from = from;
    y->arena = arena_new(SIZE_MAX / 2);
    y->document = arena_new(SIZE_MAX / 2);
    if (!y->arena || !y->document || !yaml_parser_initialize(&y->parser)) {
        arena_free(y->arena);
        arena_free(y->document);
        free(y);
        return NULL;
    }
    yaml_parser_set_input(&y->parser, read_yaml, y);
    lines_init(&y->lines, y->arena);
    y->out = buf_init(y->arena, SIZE_MAX / 4);
    end_document(y);
    return y;
}

void yaml_close(struct yaml *y)
{
    if (!y)
        return;
    yaml_parser_delete(&y->parser);
    arena_free(y->arena);
    arena_free(y->document);
    free(y);
}

struct source yaml_source(struct yaml *y)
{
    return (struct source){read_json, y};
}

const struct yaml_error *yaml_error(const struct yaml *y)
{
    return &y->error;
}

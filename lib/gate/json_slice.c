#include "gate/json_slice.h"

#include "reader/json_text.h"

enum { DECODING = 8 /* room that decoding wants beside the text */ };

/* Where the value ends that begins at `at`. */
static size_t value_end(struct str json, size_t at)
{
    unsigned depth = 0;
    for (; at < json.n; at++) {
        char c = json.p[at];
        if (c == '"')
            at = json_text_close(json, at);
        else if (c == '{' || c == '[')
            depth++;
        else if (depth == 0 && (c == ',' || c == '}' || c == ']' || c == ' ' || c == '\n' ||
                                c == '\t' || c == '\r'))
            return at;
        else if (c == '}' || c == ']')
            depth--;
        if (depth == 0 && (c == '"' || c == '}' || c == ']'))
            return at < json.n ? at + 1 : json.n;
    }
    return json.n;
}

/* The string that begins at *at, which goes behind it. */
static struct str text_at(struct arena *arena, struct str json, size_t *at)
{
    size_t close = json_text_close(json, *at);
    struct str raw = str_sub(json, *at + 1, close - *at - 1);
    struct buf decoded = buf_init(arena, raw.n + DECODING);
    *at = close < json.n ? close + 1 : json.n;
    return json_text_decode(raw, &decoded);
}

json_slices json_slices_of(struct arena *arena, struct str json)
{
    json_slices slices = {0};
    size_t at = json_text_skip(json, 0);
    bool object = at < json.n && json.p[at] == '{';
    if (!object && !(at < json.n && json.p[at] == '['))
        return slices;
    for (at = json_text_skip(json, at + 1); at < json.n && json.p[at] != '}' && json.p[at] != ']';
         at = json_text_skip(json, at)) {
        struct json_slice slice = {.key = {0}};
        if (json.p[at] == ',') {
            at++;
            continue;
        }
        if (object) {
            slice.key = text_at(arena, json, &at);
            at = json_text_skip(json, json_text_skip(json, at) + 1); /* the colon */
        }
        size_t end = value_end(json, at);
        slice.value = str_sub(json, at, end - at);
        at = end;
        LIST_ADD(arena, slices, slice);
    }
    return slices;
}

struct str json_slice_of(const json_slices *members, struct str key)
{
    for (uint32_t i = members->n; i-- > 0;)
        if (str_eq(members->items[i].key, key)) {
            struct str value = members->items[i].value;
            return str_eq(value, STR("null")) ? (struct str){0} : value;
        }
    return (struct str){0};
}

struct str json_slice_object(const json_slices *members, struct str key)
{
    struct str value = json_slice_of(members, key);
    return value.n && value.p[0] == '{' ? value : (struct str){0};
}

struct str json_slice_text(struct arena *arena, const json_slices *members, struct str key)
{
    struct str value = json_slice_of(members, key);
    size_t at = 0;
    return value.n && value.p[0] == '"' ? text_at(arena, value, &at) : (struct str){0};
}

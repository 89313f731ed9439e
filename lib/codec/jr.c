#include "codec/jr.h"

#include <string.h>

#include "codec/jr_reader.h"

enum { WINDOW = 64 * 1024 };

struct jr *jr_open(struct arena *arena, struct source source, struct jr_limits limits)
{
    return jr_open_sized(arena, source, limits, WINDOW, jr_kernel_best());
}

/* Reads the closing quote of the string that is current. */
static bool finish_string(struct jr *r)
{
    if (JR_RARE(r->next == r->last) && !jr_more(r))
        return jr_fail_token(r, NULL);
    r->after = r->base + *r->next++ + 1;
    r->pending = JR_PENDING_NONE;
    return true;
}

bool jr_finish(struct jr *r)
{
    if (r->pending == JR_PENDING_STRING)
        return finish_string(r);
    if (r->pending == JR_PENDING_CONTAINER)
        return jr_skip_to(r, r->at.depth);
    return true;
}

/* Makes a slice of the string whose opening quote is at r->hold; its closing quote stays the next
 * token. The window grows to hold it, up to what `limit` decoded bytes can take. */
static bool slice_string(struct jr *r, size_t limit, struct buf *copy, struct str *out)
{
    size_t raw_max = limit * 6;
    bool escapes = r->index.escapes;
    while (JR_RARE(r->next == r->last)) {
        if (r->indexed - r->hold > raw_max + 2)
            return false;
        if (!jr_step(r))
            return jr_fail_token(r, NULL);
        escapes = true;
    }
    struct str raw = {r->window + r->hold + 1, *r->next - r->hold - 1};
    if (escapes && raw.n <= raw_max && memchr(raw.p, '\\', raw.n)) {
        copy->n = 0;
        char *to = buf_reserve(copy, raw.n);
        raw = (struct str){to, jr_unescape(to, raw)};
    }
    *out = raw;
    return raw.n <= limit;
}

static bool read_key(struct jr *r)
{
    r->key = (struct str){NULL, 0};
    r->hold = *r->next++;
    uint64_t offset = r->base + r->hold;
    struct str key;
    if (!slice_string(r, r->limits.key, &r->key_copy, &key))
        return jr_fail(r, JR_E_KEY, offset, "a key over the limit");
    r->hold = SIZE_MAX;
    r->key = key;
    r->next++;
    if (jr_peek(r) != ':')
        return jr_fail_token(r, "a colon is missing");
    r->next++;
    return true;
}

enum jr_type jr_value(struct jr *r)
{
    char c = jr_peek(r);
    if (JR_RARE(r->next == r->last))
        return jr_fail_token(r, NULL), JR_ERROR;
    r->at.value = r->base + *r->next;
    r->text = (struct str){NULL, 0};
    switch (c) {
    case '"':
        r->next++;
        r->pending = JR_PENDING_STRING;
        if (JR_RARE(r->next == r->last))
            jr_keep_key(r); /* jr_text will have to read */
        return r->type = JR_STRING;
    case '{':
    case '[':
        if (r->at.depth == r->limits.depth)
            return jr_fail_depth(r), JR_ERROR;
        r->next++;
        r->pending = JR_PENDING_CONTAINER;
        return r->type = c == '{' ? JR_OBJECT : JR_ARRAY;
    default:
        return r->type = jr_scalar(r);
    }
}

static enum jr_type next_top(struct jr *r)
{
    if (jr_peek(r) != 0 || r->next != r->last)
        return jr_value(r);
    if (r->final_code != JR_OK)
        return jr_fail_token(r, NULL), JR_ERROR;
    r->after = r->base + r->end;
    r->at_end = true;
    if (!jr_flush(r, r->marked ? r->mark.value : r->after))
        return JR_ERROR;
    return r->type = JR_END;
}

static void leave_level(struct jr *r)
{
    r->at.depth--;
    r->at.objects >>= 1;
    r->at.fresh = false;
    r->key = (struct str){NULL, 0};
    r->type = JR_END;
}

enum jr_type jr_next(struct jr *r)
{
    if (JR_RARE(r->error.code != JR_OK) || !jr_finish(r))
        return JR_ERROR;
    if (r->at.depth == 0)
        return next_top(r);
    bool object = r->at.objects & 1;
    char c = jr_peek(r);
    if (c == (object ? '}' : ']')) {
        r->after = r->base + *r->next++ + 1;
        leave_level(r);
        return JR_END;
    }
    if (!r->at.fresh) {
        if (JR_RARE(c != ','))
            return jr_fail_token(r, "a comma or an end is missing"), JR_ERROR;
        r->next++;
        c = jr_peek(r);
    }
    r->at.fresh = false;
    if (object) {
        if (JR_RARE(c != '"'))
            return jr_fail_token(r, "a key is missing"), JR_ERROR;
        if (JR_RARE(!read_key(r)))
            return JR_ERROR;
    } else {
        r->at.levels[r->at.depth].count++;
    }
    return jr_value(r);
}

void jr_enter(struct jr *r)
{
    struct jr_place *at = &r->at;
    if (r->pending != JR_PENDING_CONTAINER)
        return;
    size_t from = at->levels[at->depth].path_to, room = JR_PATH_MAX - from;
    struct str key = str_utf8_prefix(r->key, room);
    if (key.n)
        memcpy(at->path + from, key.p, key.n);
    at->depth++;
    at->levels[at->depth] =
        (struct jr_level){.path_from = (uint32_t)from, .path_to = (uint32_t)(from + key.n)};
    at->objects = at->objects << 1 | (r->type == JR_OBJECT);
    at->fresh = true;
    r->pending = JR_PENDING_NONE;
    r->type = JR_END;
    r->key = (struct str){NULL, 0};
}

bool jr_leave(struct jr *r)
{
    if (r->error.code != JR_OK || !jr_finish(r))
        return false;
    if (r->at.depth == 0) {
        enum jr_type type;
        while ((type = jr_next(r)) > JR_END)
            ;
        return type == JR_END;
    }
    if (!jr_skip_to(r, r->at.depth - 1))
        return false;
    leave_level(r);
    return true;
}

unsigned jr_depth(const struct jr *r)
{
    return r->at.depth;
}

struct str jr_key(const struct jr *r)
{
    return r->key;
}

struct str jr_text(struct jr *r)
{
    if (r->pending != JR_PENDING_STRING || r->text.p || r->error.code != JR_OK)
        return r->text;
    r->hold = (size_t)(r->at.value - r->base);
    struct str text;
    if (!slice_string(r, r->limits.string, &r->text_copy, &text)) {
        jr_fail(r, JR_E_STRING, r->at.value, "a string over the limit");
        return r->text;
    }
    r->hold = SIZE_MAX;
    return r->text = text;
}

uint64_t jr_offset(const struct jr *r)
{
    return r->type > JR_END ? r->at.value : r->after;
}

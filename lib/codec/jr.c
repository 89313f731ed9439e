#include "codec/jr.h"

#include <string.h>

#include "codec/jr_reader.h"

enum { WINDOW = 64 * 1024 };

struct jr *jr_open(struct arena *arena, struct source source, struct jr_limits limits)
{
    return jr_open_sized(arena, source, limits, WINDOW, jr_kernel_best());
}

/* Reads the closing quote of the string that is current. */
static inline bool finish_string(struct jr *r)
{
    if (JR_RARE(jr_peek(r) == 0))
        return jr_fail_token(r, NULL);
    r->after = r->base + *r->next++ + 1;
    r->pending = JR_PENDING_NONE;
    return true;
}

/* Reads the current value to its end, wherever the reader is with it. */
static inline bool finish(struct jr *r)
{
    if (r->pending == JR_PENDING_STRING)
        return finish_string(r);
    if (r->pending == JR_PENDING_CONTAINER)
        return jr_skip_to(r, r->at.depth);
    return true;
}

bool jr_finish(struct jr *r)
{
    return finish(r);
}

/* Decodes a string with escapes. */
static struct str decode(struct buf *copy, struct str raw, size_t limit)
{
    copy->n = 0;
    char *to = raw.n / 6 <= limit ? buf_reserve(copy, raw.n) : NULL;
    return to ? (struct str){to, jr_unescape(to, raw)} : (struct str){NULL, SIZE_MAX};
}

/* Reads on until the string whose opening quote is at r->hold is whole in the window, which grows
 * for it up to what `limit` decoded bytes can take. */
static bool gather(struct jr *r, size_t limit)
{
    while (r->next == r->last) {
        if ((r->indexed - r->hold) / 6 > limit)
            break;
        if (!jr_step(r))
            return jr_fail_token(r, NULL);
    }
    return r->next != r->last;
}

/* The decoded string whose opening quote is at r->window[open]; its closing quote is the next token
 * and stays it. Longer than `limit` when it is too long. */
static inline struct str slice(struct jr *r, size_t open, size_t limit, struct buf *copy)
{
    if (JR_RARE(r->next == r->last)) {
        r->hold = open;
        if (!gather(r, limit))
            return (struct str){NULL, SIZE_MAX};
        open = r->hold;
        r->hold = SIZE_MAX;
    }
    struct str raw = {r->window + open + 1, *r->next - open - 1};
    bool escapes = r->index.escapes || open < r->batch_from;
    return JR_RARE(escapes) && memchr(raw.p, '\\', raw.n) ? decode(copy, raw, limit) : raw;
}

static bool read_key_slowly(struct jr *r)
{
    size_t open = *r->next++;
    uint64_t offset = r->base + open;
    struct str key = slice(r, open, r->limits.key, &r->key_copy);
    if (key.n > r->limits.key)
        return jr_fail(r, JR_E_KEY, offset, "a key over the limit");
    r->key = key;
    r->next++;
    if (jr_peek(r) != ':')
        return jr_fail_token(r, "a colon is missing");
    r->next++;
    return true;
}

/* Takes the key that is next, and its colon. */
static inline bool read_key(struct jr *r)
{
    const uint32_t *next = r->next;
    size_t n = (size_t)next[1] - next[0] - 1;
    r->key.p = NULL;
    if (JR_RARE(r->window[next[2]] != ':' || r->index.escapes || n > r->limits.key))
        return read_key_slowly(r);
    r->key.p = r->window + next[0] + 1;
    r->key.n = n;
    r->next = next + 3;
    return true;
}

/* The value that the next token begins. */
static inline enum jr_type value(struct jr *r)
{
    char c = jr_peek(r);
    r->at.value = r->base + *r->next;
    r->text.p = NULL;
    r->text.n = 0;
    if (c == '"') {
        r->next++;
        r->pending = JR_PENDING_STRING;
        if (JR_RARE(r->next == r->last))
            jr_keep_key(r); /* jr_text will have to read */
        return r->type = JR_STRING;
    }
    if (c == '{' || c == '[') {
        if (JR_RARE(r->at.depth == r->limits.depth))
            return jr_fail_depth(r), JR_ERROR;
        r->next++;
        r->pending = JR_PENDING_CONTAINER;
        return r->type = c == '{' ? JR_OBJECT : JR_ARRAY;
    }
    r->pending = JR_PENDING_NONE;
    if (JR_RARE(r->next == r->last))
        return jr_fail_token(r, NULL), JR_ERROR;
    return r->type = jr_scalar(r);
}

enum jr_type jr_value(struct jr *r)
{
    return value(r);
}

static enum jr_type next_top(struct jr *r)
{
    if (jr_peek(r) != 0 || r->next != r->last)
        return value(r);
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
    if (JR_RARE(r->error.code != JR_OK) || !finish(r))
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
    return value(r);
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
    if (r->error.code != JR_OK || !finish(r))
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
    struct str text = slice(r, (size_t)(r->at.value - r->base), r->limits.string, &r->text_copy);
    if (JR_RARE(text.n > r->limits.string)) {
        jr_fail(r, JR_E_STRING, r->at.value, "a string over the limit");
        return (struct str){NULL, 0};
    }
    r->text.p = text.p;
    r->text.n = text.n;
    return text;
}

uint64_t jr_offset(const struct jr *r)
{
    return r->type > JR_END ? r->at.value : r->after;
}

#include "codec/jr_reader.h"

#include <string.h>

enum { WINDOW = 128 * 1024 };

struct jr *jr_open(struct arena *arena, struct source source, struct jr_limits limits)
{
    return jr_open_sized(arena, source, limits, WINDOW, jr_kernel_best());
}

/* Has all of the string that was begun last been looked at? */
static inline bool string_ended(const struct jr *r)
{
    return r->next != r->last || !r->index.carry.in_string;
}

/* The place of its closing quote: only white space is between that and the next token. */
static inline size_t closing_quote(const struct jr *r)
{
    const char *p = r->window + (r->next != r->last ? *r->next : r->indexed) - 1;
    while (*p != '"')
        p--;
    return (size_t)(p - r->window);
}

uint64_t jr_string_end(const struct jr *r)
{
    return r->base + closing_quote(r) + 1;
}

bool jr_finish(struct jr *r)
{
    if (r->pending == JR_PENDING_CONTAINER)
        return jr_skip_to(r, r->at.depth);
    if (r->pending == JR_PENDING_NONE)
        return true;
    while (!string_ended(r))
        if (!jr_step(r))
            return jr_fail_token(r, NULL);
    r->after = jr_string_end(r);
    r->pending = JR_PENDING_NONE;
    return true;
}

/* Reads past the current value. Of a string everything was taken with its opening quote. */
static inline bool finish(struct jr *r)
{
    return r->pending != JR_PENDING_CONTAINER || jr_skip_to(r, r->at.depth);
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
    while (!string_ended(r)) {
        if ((r->indexed - r->hold) / 6 > limit)
            return false;
        if (!jr_step(r))
            return jr_fail_token(r, NULL);
    }
    return true;
}

/* The decoded string whose opening quote is at r->window[open] and was taken. Longer than `limit`
 * when it is too long. */
static inline struct str slice(struct jr *r, size_t open, size_t limit, struct buf *copy)
{
    if (JR_RARE(!string_ended(r))) {
        r->hold = open;
        if (!gather(r, limit))
            return (struct str){NULL, SIZE_MAX};
        open = r->hold;
        r->hold = SIZE_MAX;
    }
    struct str raw = {r->window + open + 1, closing_quote(r) - open - 1};
    bool escapes = r->escapes || open < r->batch_from;
    return JR_RARE(escapes) && memchr(raw.p, '\\', raw.n) ? decode(copy, raw, limit) : raw;
}

/* Takes the key that is next, and its colon. */
static bool read_key(struct jr *r)
{
    size_t open = *r->next++;
    uint64_t offset = r->base + open;
    struct str key = slice(r, open, r->limits.key, &r->key_copy);
    if (key.n > r->limits.key)
        return jr_fail(r, JR_E_KEY, offset, "a key over the limit");
    r->key = key;
    if (jr_peek(r) != ':')
        return jr_fail_token(r, "a colon is missing");
    r->next++;
    return true;
}

enum jr_type jr_value(struct jr *r)
{
    char c = jr_peek(r);
    if (r->next == r->last)
        return jr_fail_token(r, NULL), JR_ERROR;
    r->at.value = r->base + *r->next;
    r->text.p = NULL;
    r->pending = JR_PENDING_NONE;
    if (c == '"') {
        r->next++;
        r->pending = JR_PENDING_STRING;
        if (!string_ended(r))
            jr_keep_key(r); /* jr_text will have to read */
        return r->type = JR_STRING;
    }
    if (c != '{' && c != '[')
        return r->type = jr_scalar(r);
    if (r->at.depth == r->limits.depth)
        return jr_fail_depth(r), JR_ERROR;
    r->next++;
    r->pending = JR_PENDING_CONTAINER;
    return r->type = c == '{' ? JR_OBJECT : JR_ARRAY;
}

static enum jr_type next_top(struct jr *r)
{
    if (jr_peek(r) != 0 || r->next != r->last)
        return jr_value(r);
    if (r->final_code != JR_OK || r->index.carry.in_string)
        return jr_fail_token(r, NULL), JR_ERROR;
    r->after = r->base + r->end;
    r->at_end = true;
    if (!jr_flush(r, r->marked ? r->mark.value : r->after))
        return JR_ERROR;
    return r->type = JR_END;
}

static inline void leave_level(struct jr *r)
{
    r->at.depth--;
    r->at.objects >>= 1;
    r->at.fresh = false;
    r->key.p = NULL;
    r->key.n = 0;
    r->type = JR_END;
}

/* jr_next in general: reads on where it must, reports what is wrong. */
static __attribute__((noinline)) enum jr_type next_slowly(struct jr *r)
{
    if (r->error.code != JR_OK || !finish(r))
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
        if (c != ',')
            return jr_fail_token(r, "a comma or an end is missing"), JR_ERROR;
        r->next++;
        c = jr_peek(r);
    }
    r->at.fresh = false;
    if (object) {
        if (c != '"')
            return jr_fail_token(r, "a key is missing"), JR_ERROR;
        if (!read_key(r))
            return JR_ERROR;
    } else {
        r->at.levels[r->at.depth].count++;
    }
    return jr_value(r);
}

static __attribute__((noinline)) enum jr_type skip_then_next(struct jr *r)
{
    return jr_skip_to(r, r->at.depth) ? jr_next(r) : JR_ERROR;
}

/* The key and colon at next, when they are ordinary; else it is left to read_key. */
static inline bool take_key(struct jr *r, const uint32_t *next)
{
    const char *open = r->window + next[0], *colon = r->window + next[1];
    size_t n = (size_t)(colon - open) - 2;
    if (JR_RARE(*open != '"' || *colon != ':' || colon[-1] != '"' || r->escapes ||
                n > r->limits.key))
        return false;
    r->key.p = open + 1;
    r->key.n = n;
    return true;
}

/* The value at next, when it is an ordinary string or container; else it is left to jr_value. */
static inline enum jr_type take_value(struct jr *r, const uint32_t *next)
{
    char c = r->window[*next];
    bool string = c == '"';
    r->next = next;
    if (string ? next + 1 == r->last : (c != '{' && c != '[') || r->at.depth == r->limits.depth)
        return jr_value(r);
    r->next = next + 1;
    r->at.value = r->base + *next;
    r->text.p = NULL;
    r->pending = string ? JR_PENDING_STRING : JR_PENDING_CONTAINER;
    return r->type = string ? JR_STRING : c == '{' ? JR_OBJECT : JR_ARRAY;
}

/* The ordinary case: no call, and nothing is changed before it is sure to be one. */
enum jr_type jr_next(struct jr *r)
{
    const uint32_t *next = r->next;
    bool object = r->at.objects & 1;
    if (r->pending == JR_PENDING_CONTAINER)
        return skip_then_next(r);
    if (JR_RARE(r->pending == JR_PENDING_ERROR || r->at.depth == 0))
        return next_slowly(r);
    char c = r->window[*next];
    if (c == (object ? '}' : ']')) {
        r->after = r->base + *next + 1;
        r->next = next + 1;
        leave_level(r);
        return JR_END;
    }
    if (!r->at.fresh) {
        if (JR_RARE(c != ','))
            return next_slowly(r);
        next++;
    }
    if (object) {
        if (JR_RARE(!take_key(r, next)))
            return next_slowly(r);
        next += 2;
    } else {
        if (JR_RARE(r->window[*next] == 0))
            return next_slowly(r);
        r->at.levels[r->at.depth].count++;
    }
    r->at.fresh = false;
    return take_value(r, next);
}

static __attribute__((noinline)) uint32_t push_long_key(struct jr *r, uint32_t from)
{
    struct str key = str_utf8_prefix(r->key, JR_PATH_MAX - from);
    memcpy(r->at.path + from, key.p, key.n);
    return from + (uint32_t)key.n;
}

/* Adds the key of the current value to the path. A short one is copied with what is behind it:
 * there is more of the window, or of the buffer that the key was copied to. */
static inline uint32_t push_key(struct jr *r, uint32_t from)
{
    if (!r->key.p)
        return from;
    if (r->key.n > JR_KEY_SHORT || from + JR_KEY_SHORT > JR_PATH_MAX)
        return push_long_key(r, from);
    memcpy(r->at.path + from, r->key.p, JR_KEY_SHORT);
    return from + (uint32_t)r->key.n;
}

void jr_enter(struct jr *r)
{
    struct jr_place *at = &r->at;
    if (r->pending != JR_PENDING_CONTAINER)
        return;
    uint32_t from = at->levels[at->depth].path_to;
    struct jr_level *level = &at->levels[++at->depth];
    level->count = 0;
    level->path_from = from;
    level->path_to = push_key(r, from);
    at->objects = at->objects << 1 | (r->type == JR_OBJECT);
    at->fresh = true;
    r->pending = JR_PENDING_NONE;
    r->type = JR_END;
    r->key.p = NULL;
    r->key.n = 0;
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

/* The text of a string of which not all is at hand, or that is out of the ordinary. */
static __attribute__((noinline)) struct str text_slowly(struct jr *r)
{
    if (r->error.code != JR_OK)
        return (struct str){NULL, 0};
    struct str text = slice(r, (size_t)(r->at.value - r->base), r->limits.string, &r->text_copy);
    if (text.n > r->limits.string) {
        jr_fail(r, JR_E_STRING, r->at.value, "a string over the limit");
        return (struct str){NULL, 0};
    }
    return r->text = text;
}

struct str jr_text(struct jr *r)
{
    if (r->text.p)
        return r->text;
    if (r->pending != JR_PENDING_STRING)
        return (struct str){NULL, 0};
    size_t open = (size_t)(r->at.value - r->base), end = *r->next;
    size_t n = end - open - 2;
    if (JR_RARE(r->next == r->last || r->window[end - 1] != '"' || r->escapes ||
                open < r->batch_from || n > r->limits.string))
        return text_slowly(r);
    r->text.p = r->window + open + 1;
    r->text.n = n;
    return r->text;
}

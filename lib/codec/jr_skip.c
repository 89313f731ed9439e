#include "base/asserts.h"
#include "codec/jr_reader.h"

/* What must come next. */
enum state {
    OBJECT,       /* the first key, or the end */
    KEY,          /* a key */
    COLON,        /* : */
    ARRAY,        /* the first element, or the end */
    VALUE,        /* a value */
    COMMA_OR_END, /* after a value */
};

static const char *const WANTED[] = {
    [OBJECT] = "a key or } is missing", [KEY] = "a key is missing",
    [COLON] = "a colon is missing",     [ARRAY] = "a value or ] is missing",
    [VALUE] = "a value is missing",     [COMMA_OR_END] = "a comma or an end is missing"};

/* Where skipping is: the stack of jr_place, for itself. */
struct skip {
    enum state state;
    unsigned depth;
    uint64_t objects;
};

static char end_of(uint64_t objects)
{
    return objects & 1 ? '}' : ']';
}

/* Where a skip begins: at the first byte inside of the current container, or behind the last value
 * of the current level. */
static struct skip begin(struct jr *r)
{
    struct skip s = {COMMA_OR_END, r->at.depth, r->at.objects};
    bool fresh = r->at.fresh;
    if (r->pending == JR_PENDING_CONTAINER) {
        s.depth++;
        s.objects = s.objects << 1 | (r->type == JR_OBJECT);
        fresh = true;
    }
    if (fresh)
        s.state = s.objects & 1 ? OBJECT : ARRAY;
    return s;
}

/* Takes tokens while they are in the list and right. True when the level `until` is reached; false
 * on an error, or when the next token is not what s->state wants, or when the list is empty. */
static bool run(struct jr *r, struct skip *s, unsigned until)
{
    const uint32_t *next = r->next;
    const char *window = r->window;
    enum state state = s->state;
    for (;;) {
        char c = window[*next];
        switch (state) {
        case OBJECT:
            if (c == '}')
                goto end;
            /* fall through */
        case KEY:
            if (c != '"')
                goto stop;
            state = COLON;
            break;
        case COLON:
            if (c != ':')
                goto stop;
            state = VALUE;
            break;
        case ARRAY:
            if (c == ']')
                goto end;
            /* fall through */
        case VALUE:
            if (c == '"') {
                state = COMMA_OR_END;
                break;
            }
            if (c == '{' || c == '[') {
                if (s->depth == r->limits.depth)
                    goto stop;
                s->depth++;
                s->objects = s->objects << 1 | (c == '{');
                state = c == '{' ? OBJECT : ARRAY;
                break;
            }
            if (next == r->last)
                goto stop;
            r->next = next;
            if (jr_scalar(r) == JR_ERROR)
                return false;
            next = r->next;
            window = r->window;
            state = COMMA_OR_END;
            continue;
        case COMMA_OR_END:
            if (c == end_of(s->objects))
                goto end;
            if (c != ',')
                goto stop;
            state = s->objects & 1 ? KEY : VALUE;
            break;
        end:
            s->objects >>= 1;
            state = COMMA_OR_END;
            if (--s->depth == until) {
                r->after = r->base + *next + 1;
                r->next = next + 1;
                return true;
            }
            break;
        }
        next++;
    }
stop:
    r->next = next;
    s->state = state;
    return false;
}

bool jr_skip_to(struct jr *r, unsigned until)
{
    struct skip s = begin(r);
    r->pending = JR_PENDING_NONE;
    while (!run(r, &s, until)) {
        if (r->error.code != JR_OK)
            return false;
        if (r->next == r->last && jr_more(r))
            continue;
        char c = jr_peek(r);
        bool deep = (s.state == VALUE || s.state == ARRAY) && (c == '{' || c == '[');
        return deep ? jr_fail_depth(r) : jr_fail_token(r, WANTED[s.state]);
    }
    return true;
}

/* ---- skipping what is known ---- */

uint64_t jr_offset(const struct jr *r)
{
    return r->type > JR_END ? r->at.value : r->after;
}

struct str jr_behind(const struct jr *r, uint64_t from)
{
    uint64_t to = jr_offset(r);
    if (from < r->base || from > to)
        return (struct str){NULL, 0};
    return (struct str){r->window + (from - r->base), (size_t)(to - from)};
}

void jr_keep(struct jr *r, size_t max)
{
    r->kept = r->at.value;
    r->kept_max = max;
}

static void take_tokens_before(struct jr *r, size_t to)
{
    if (to >= r->indexed) {
        jr_reindex(r, to);
        return;
    }
    const uint32_t *low = r->next, *high = r->last;
    while (low < high) {
        const uint32_t *middle = low + (high - low) / 2;
        if (*middle < to)
            low = middle + 1;
        else
            high = middle;
    }
    r->next = low;
}

void jr_jump(struct jr *r, size_t n, const struct str *instead)
{
    if (instead && !jr_flush(r, r->at.value))
        return;
    r->pending = JR_PENDING_NONE;
    r->type = JR_END;
    r->key = (struct str){NULL, 0}; /* as behind a container that was entered */
    r->after = r->at.value + n;
    take_tokens_before(r, (size_t)(r->after - r->base));
    if (!instead)
        return;
    r->muted = true;
    jr_flush(r, r->after);
    r->muted = false;
    if (r->tap.put && instead->n && !r->tap.put(r->tap.context, *instead))
        jr_fail(r, JR_E_SOURCE, r->after, "the output was refused");
}

/* The window begins anew behind the current value. */
static void empty_window(struct jr *r)
{
    r->base = r->tapped = r->after;
    r->end = 0;
    r->kept_max = 0;
    r->hold = SIZE_MAX;
    jr_reindex(r, 0);
    jr_blank_end(r);
}

size_t jr_jump_unread(struct jr *r, size_t n)
{
    size_t held = (size_t)(r->base + r->end - r->at.value);
    assert(!r->marked && r->pending == JR_PENDING_CONTAINER);
    if (held >= n) {
        jr_jump(r, n, &STR(""));
        return 0;
    }
    if (r->final) { /* the output was refused, or it is too much */
        jr_fail(r, r->final_code == JR_OK ? JR_E_TRUNCATED : r->final_code, r->base + r->end,
                r->final_code == JR_OK ? "the input ends inside a value" : r->final_text);
        return 0;
    }
    if (!jr_flush(r, r->at.value))
        return 0;
    r->pending = JR_PENDING_NONE;
    r->type = JR_END;
    r->key = (struct str){NULL, 0};
    r->after = r->at.value + n;
    empty_window(r);
    return n - held;
}

bool jr_leave_out(struct jr *r, size_t n, uint32_t count)
{
    bool empty = !r->end && r->next == r->last && r->base == r->after && r->tapped == r->base;
    bool in_array = r->at.depth > 0 && !(r->at.objects & 1) && !r->at.fresh;
    if (!empty || !in_array || r->pending != JR_PENDING_NONE || r->type == JR_ERROR || r->final ||
        r->marked || r->error.code != JR_OK || r->limits.total <= r->base ||
        r->limits.total - r->base < n)
        return false;
    r->at.levels[r->at.depth].count += count;
    r->base += n;
    r->after = r->tapped = r->base;
    return true;
}

static size_t blanks_at(const char *p, const char *end)
{
    const char *from = p;
    while (p < end && (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t'))
        p++;
    return (size_t)(p - from);
}

/* The place of the opening brace, when nothing but a comma is before it, and it is at hand;
 * SIZE_MAX otherwise. */
static size_t brace_behind_comma(const struct jr *r)
{
    const char *p = r->window + r->indexed, *end = r->window + r->end;
    p += blanks_at(p, end);
    if (p == end || *p != ',')
        return SIZE_MAX;
    p++;
    p += blanks_at(p, end);
    return p < end && *p == '{' ? (size_t)(p - r->window) : SIZE_MAX;
}

enum jr_type jr_next_known(struct jr *r)
{
    bool jumped = r->pending == JR_PENDING_NONE && r->next == r->last && r->type != JR_ERROR &&
                  r->base + r->indexed == r->after && r->error.code == JR_OK;
    if (!jumped || r->at.depth == 0 || r->at.depth == r->limits.depth || r->at.fresh ||
        (r->at.objects & 1))
        return jr_next(r);
    if (r->indexed == r->end && !r->final)
        jr_step(r);
    size_t brace = brace_behind_comma(r);
    if (brace == SIZE_MAX)
        return jr_next(r);
    r->at.levels[r->at.depth].count++;
    r->at.value = r->base + brace;
    r->text.p = NULL;
    r->pending = JR_PENDING_CONTAINER;
    jr_reindex(r, brace + 1);
    return r->type = JR_OBJECT;
}

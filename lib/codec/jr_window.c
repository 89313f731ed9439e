#include "base/asserts.h"
#include "codec/jr_reader.h"

#include <string.h>

/* Behind the window's end: blanks for whoever reads ahead, then the NUL that the list's last entry
 * points to, which is no token. */
enum { PAD = JR_BLOCK + JR_AHEAD, TEXT_MAX = 1 << 28 };

void jr_blank_end(struct jr *r)
{
    memset(r->window + r->end, ' ', PAD);
}

static void set_list(struct jr *r, size_t count)
{
    for (size_t i = 0; i < JR_SENTINELS; i++)
        r->index.at[count + i] = (uint32_t)(r->cap + PAD);
    r->next = r->index.at;
    r->last = r->next + count;
    r->batch++;
}

static void set_window(struct jr *r, size_t cap)
{
    assert(cap >= JR_WINDOW_MIN && r->end <= cap);
    char *window = arena_bytes(r->arena, cap + PAD + 1);
    if (r->end)
        memcpy(window, r->window, r->end);
    r->window = window;
    r->cap = cap;
    window[cap + PAD] = '\0';
    jr_blank_end(r);
    set_list(r, 0);
}

struct jr *jr_open_sized(struct arena *arena, struct source source, struct jr_limits limits,
                         size_t window, enum jr_kernel kernel)
{
    struct jr *r = ARENA_NEW(arena, struct jr);
    r->arena = arena;
    r->source = source;
    r->limits = limits;
    r->limits.key = limits.key < TEXT_MAX ? limits.key : TEXT_MAX;
    r->limits.string = limits.string < TEXT_MAX ? limits.string : TEXT_MAX;
    r->kernel = kernel;
    r->hold = SIZE_MAX;
    r->key_copy = buf_init(arena, SIZE_MAX);
    r->text_copy = buf_init(arena, SIZE_MAX);
    r->mark_key = buf_init(arena, SIZE_MAX);
    buf_reserve(&r->key_copy, JR_KEY_SHORT);
    buf_reserve(&r->mark_key, JR_KEY_SHORT);
    if (r->limits.depth > JR_DEPTH_MAX)
        r->limits.depth = JR_DEPTH_MAX;
    jr_index_reset(&r->index);
    set_window(r, window < JR_WINDOW_MIN ? JR_WINDOW_MIN : window);
    return r;
}

void jr_wipe(struct jr *r)
{
    uint64_t read = r->base + r->end;
    explicit_bzero(r->window, read < r->cap ? (size_t)read : r->cap);
}

void jr_restart(struct jr *r, struct source source)
{
    r->source = source;
    r->end = r->indexed = 0;
    r->base = r->after = r->tapped = 0;
    r->final = r->marked = r->muted = r->at_end = false;
    r->final_code = JR_OK;
    r->hold = SIZE_MAX;
    r->kept_max = 0;
    r->at.depth = 0;
    r->at.objects = r->at.value = 0;
    r->at.fresh = false;
    r->at.levels[0] = (struct jr_level){0};
    r->type = JR_END;
    r->pending = JR_PENDING_NONE;
    r->key = r->text = (struct str){NULL, 0};
    r->tap = (struct sink){0};
    r->error = (struct jr_error){0};
    jr_index_reset(&r->index);
    jr_blank_end(r);
    set_list(r, 0);
}

bool jr_flush(struct jr *r, uint64_t offset)
{
    if (offset <= r->tapped)
        return true;
    assert(r->tapped >= r->base && offset <= r->base + r->end);
    struct str piece = {r->window + (r->tapped - r->base), (size_t)(offset - r->tapped)};
    r->tapped = offset;
    if (!r->tap.put || r->muted || r->tap.put(r->tap.context, piece))
        return true;
    return jr_fail(r, JR_E_SOURCE, offset, "the output was refused");
}

static void finalize(struct jr *r, size_t end, enum jr_code code, const char *text)
{
    r->final = true;
    r->final_code = code;
    r->final_text = text;
    r->end = end;
    jr_blank_end(r);
}

/* The first byte of the window that must stay. */
static size_t keep_from(struct jr *r)
{
    size_t keep = r->hold < r->indexed ? r->hold : r->indexed;
    if (r->base + r->indexed - r->kept <= r->kept_max && r->kept - r->base < keep)
        keep = (size_t)(r->kept - r->base);
    else
        r->kept_max = 0;
    if (!r->marked || r->mark_lost)
        return keep;
    r->mark_lost = r->base + r->indexed - r->mark.value > r->limits.mark;
    size_t mark = (size_t)(r->mark.value - r->base);
    return !r->mark_lost && mark < keep ? mark : keep;
}

static void drop_before(struct jr *r, size_t keep)
{
    jr_keep_key(r);
    memmove(r->window, r->window + keep, r->end - keep);
    set_list(r, 0); /* places in the old one are no longer right */
    r->base += keep;
    r->end -= keep;
    r->indexed -= keep;
    if (r->hold != SIZE_MAX)
        r->hold -= keep;
}

static void fill(struct jr *r)
{
    size_t keep = keep_from(r);
    if (!jr_flush(r, r->base + keep)) {
        finalize(r, r->indexed, JR_E_SOURCE, "the output was refused");
        return;
    }
    if (keep)
        drop_before(r, keep);
    if (r->cap - r->end < r->cap / 4 && r->indexed > 0)
        set_window(r, r->cap * 2);
    uint64_t read = r->base + r->end;
    uint64_t allowed = r->limits.total > read ? r->limits.total - read : 0; /* jr_jump_unread() */
    size_t room = r->cap - r->end;
    ptrdiff_t n = r->source.read(r->source.context, r->window + r->end,
                                 allowed < room ? (size_t)allowed + 1 : room);
    assert(n <= (ptrdiff_t)room);
    if (n < 0)
        finalize(r, r->end, JR_E_SOURCE, "the input could not be read");
    else if (n == 0)
        finalize(r, r->end, JR_OK, NULL);
    else if ((uint64_t)n > allowed)
        finalize(r, r->end + (size_t)allowed, JR_E_TOTAL, "more input than allowed");
    else
        r->end += (size_t)n;
    jr_blank_end(r);
}

static void run_index(struct jr *r)
{
    struct jr_index *x = &r->index;
    r->batch_from = r->indexed;
    r->indexed = jr_index_run(x, r->kernel, r->window, r->indexed, r->end, r->final);
    if (x->code != JR_OK)
        finalize(r, r->indexed, x->code, x->text);
    r->escapes = x->escapes;
    set_list(r, x->count);
}

void jr_reindex(struct jr *r, size_t from)
{
    jr_index_reset(&r->index);
    r->indexed = from;
    set_list(r, 0);
}

struct str jr_ahead(struct jr *r, size_t n)
{
    size_t from = (size_t)(r->at.value - r->base);
    if (r->end - from < n && !r->final && r->pending == JR_PENDING_CONTAINER) {
        r->hold = from;
        while (r->end - r->hold < n && !r->final)
            fill(r);
        from = r->hold;
        r->hold = SIZE_MAX;
        jr_reindex(r, from + 1);
    }
    return (struct str){r->window + from, r->end - from};
}

bool jr_step(struct jr *r)
{
    size_t left = r->end - r->indexed;
    if (r->final ? left > 0 : left >= JR_BLOCK + JR_AHEAD)
        run_index(r);
    else if (!r->final)
        fill(r);
    else
        return false;
    return true;
}

bool jr_more(struct jr *r)
{
    while (r->next == r->last)
        if (!jr_step(r))
            return false;
    return true;
}

void jr_keep_key(struct jr *r)
{
    if (!r->key.p || r->key.p < r->window || r->key.p >= r->window + r->cap)
        return;
    r->key_copy.n = 0;
    buf_put(&r->key_copy, r->key);
    r->key = buf_str(&r->key_copy);
}

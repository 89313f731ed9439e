/* Coming back, and seeing what was consumed. */
#include <string.h>

#include "base/asserts.h"
#include "codec/jr_reader.h"

/* Only what is in use of the levels and the path. */
static void copy_place(struct jr_place *to, const struct jr_place *from)
{
    assert(from->depth <= JR_DEPTH_MAX && from->levels[from->depth].path_to <= JR_PATH_MAX);
    memcpy(to, from, offsetof(struct jr_place, levels));
    memcpy(to->levels, from->levels, (from->depth + 1) * sizeof from->levels[0]);
    memcpy(to->path, from->path, from->levels[from->depth].path_to);
}

void jr_mark(struct jr *r)
{
    jr_unmark(r);
    if (r->error.code != JR_OK || r->type <= JR_END)
        return;
    r->marked = true;
    r->mark_lost = false;
    copy_place(&r->mark, &r->at);
    r->mark_key.n = 0;
    buf_put(&r->mark_key, r->key);
    bool in_list = r->next > r->index.at && r->base + r->next[-1] == r->at.value;
    r->mark_next = in_list ? r->next - 1 : NULL;
    r->mark_batch = r->batch;
}

void jr_unmark(struct jr *r)
{
    r->marked = false;
    if (r->at_end && r->error.code == JR_OK)
        jr_flush(r, r->after);
}

bool jr_is_marked(const struct jr *r)
{
    return r->marked;
}

/* Offset up to which the caller has seen, or skipped, everything. */
static uint64_t consumed(const struct jr *r)
{
    if (r->pending == JR_PENDING_STRING && r->text.p)
        return jr_string_end(r);
    return r->after > r->at.value ? r->after : r->at.value;
}

bool jr_rewind(struct jr *r)
{
    if (!r->marked || r->error.code != JR_OK)
        return false;
    if (r->mark_lost || consumed(r) - r->mark.value > r->limits.mark) {
        jr_unmark(r);
        return false;
    }
    copy_place(&r->at, &r->mark);
    r->marked = r->at_end = false;
    r->key = (struct str){NULL, 0};
    if (r->at.depth > 0 && (r->at.objects & 1))
        r->key = buf_str(&r->mark_key);
    if (r->mark_next && r->mark_batch == r->batch)
        r->next = r->mark_next;
    else
        jr_reindex(r, (size_t)(r->mark.value - r->base));
    return jr_value(r) > JR_END;
}

void jr_tap(struct jr *r, struct sink tap)
{
    r->tap = tap;
}

size_t jr_untapped(const struct jr *r)
{
    uint64_t offset = jr_offset(r);
    return offset > r->tapped ? (size_t)(offset - r->tapped) : 0;
}

bool jr_replace(struct jr *r, struct str instead)
{
    if (r->error.code != JR_OK || r->type <= JR_END)
        return false;
    jr_unmark(r);
    if (!jr_flush(r, r->at.value))
        return false;
    r->muted = true;
    bool done = jr_finish(r) && jr_flush(r, r->after);
    r->muted = false;
    r->type = JR_END;
    if (done && r->tap.put && instead.n && !r->tap.put(r->tap.context, instead))
        return jr_fail(r, JR_E_SOURCE, r->after, "the output was refused");
    return done;
}

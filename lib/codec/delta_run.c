#include "codec/delta_make.h"
#include "codec/delta_maker.h"

/* A part of a run's text. */
struct slice {
    struct text_view text;
    size_t from;
};

static struct str slice_bytes(void *context, size_t from, size_t n)
{
    const struct slice *slice = context;
    return text_view_bytes(&slice->text, slice->from + from, n);
}

/* Offsets are those of the run's parts. */
static struct text_view slice_of(struct delta_maker *maker, const struct text_run *run,
                                 uint64_t from, uint64_t to)
{
    struct slice *slice = ARENA_NEW(maker->arena, struct slice);
    *slice = (struct slice){run->text, (size_t)(from - run->from)};
    return (struct text_view){(size_t)(to - from), run->text.lasts, slice_bytes, slice};
}

/* How many of the parts stand behind the one that was found last, as in the text before. at: where
 * what stands before the first one begins. */
static uint32_t count_next(const struct known *known, const struct text_part *parts, uint32_t n,
                           uint64_t at)
{
    uint32_t same = 0, all = delta_recall_parts(&known->recall);
    if (!known->follows || known->lead_n || !known->part)
        return 0;
    for (; same < n && known->part + same < all; same++) {
        const struct text_part *now = &parts[same];
        const struct text_part *part = delta_recall_at(&known->recall, known->part + same);
        if (part->content != now->content || part->lead != now->lead ||
            part->length != now->length ||
            part->offset - (part[-1].offset + part[-1].length) != now->offset - at)
            break;
        at = now->offset + now->length;
    }
    return same;
}

static void put_one(struct delta_maker *maker, const struct text_run *run,
                    const struct text_part *part, uint64_t at)
{
    struct text_view lead = slice_of(maker, run, at, part->offset);
    struct text_view text = slice_of(maker, run, part->offset, part->offset + part->length);
    if (delta_maker_put(maker, text_view_all(&lead)))
        delta_maker_put_part(maker, &text, part->content, part->lead);
}

bool delta_maker_put_run(struct delta_maker *maker, const struct text_run *run)
{
    uint64_t at = run->from;
    for (uint32_t i = 0, n; i < run->n && !maker->failed; i += n) {
        const struct text_part *first = &run->parts[i];
        uint32_t next = count_next(&maker->known, first, run->n - i, at);
        n = next ? next : 1;
        uint64_t end = first[n - 1].offset + first[n - 1].length;
        struct text_view text = slice_of(maker, run, at, end);
        if (!next)
            put_one(maker, run, first, at);
        else if (delta_maker_is_within(maker, text.n))
            delta_maker_follow(maker, &text);
        maker->known.part += next;
        at = end;
    }
    return !maker->failed;
}

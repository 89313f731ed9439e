#include "codec/delta_steps.h"

#include "codec/varint.h"

enum { AHEAD = 16 };

struct delta_steps delta_steps(struct arena *arena, const struct delta_base *base, size_t max)
{
    struct buf empty = buf_init(arena, max);
    return (struct delta_steps){.arena = arena,
                                .base = base,
                                .plain = empty,
                                .added = empty,
                                .run.lengths = empty,
                                .next_added = base ? delta_base_own(base) : 0};
}

static void end_run(struct delta_steps *steps)
{
    uint32_t n = steps->run.n, base_n = steps->base ? delta_base_n(steps->base) : 0;
    bool copied = steps->run.copied;
    if (!n)
        return;
    varint_put(&steps->plain, (uint64_t)n << 1 | !copied);
    if (copied)
        varint_put(&steps->plain, steps->run.from);
    else
        buf_put(&steps->plain, buf_str(&steps->run.lengths));
    varint_put(&steps->added, (uint64_t)n << 1);
    varint_put(&steps->added, copied ? steps->run.from : base_n + steps->fresh.n - n);
    steps->run.lengths.n = 0;
    steps->run.n = 0;
}

static uint32_t find_ahead(const struct delta_base *base, const struct delta_chunk *chunk,
                           uint32_t from, uint32_t end)
{
    for (uint32_t at = from; at < end && at < from + AHEAD; at++)
        if (memcmp(delta_base_chunk(base, at)->hash, chunk->hash, KEYED_HASH) == 0)
            return at;
    return UINT32_MAX;
}

/* The chunk of the base that it is; UINT32_MAX: none. Of equal ones that is preferred which stands
 * just behind the last: a run goes on, and the base is read forward. */
static uint32_t find(const struct delta_steps *steps, const struct delta_chunk *chunk)
{
    const struct delta_base *base = steps->base;
    if (!base || !delta_base_n(base))
        return UINT32_MAX;
    uint32_t found = find_ahead(base, chunk, steps->next, delta_base_own(base));
    if (found == UINT32_MAX)
        found = find_ahead(base, chunk, steps->next_added, delta_base_n(base));
    return found == UINT32_MAX ? delta_base_find(base, chunk->hash) : found;
}

/* The one behind it is expected next, in the base's own text or in its additions. */
static void note_found(struct delta_steps *steps, uint32_t found)
{
    steps->copies = true;
    if (found < delta_base_own(steps->base))
        steps->next = found + 1;
    else
        steps->next_added = found + 1;
}

/* found: as find() tells of the first of n. */
static void go_on(struct delta_steps *steps, uint32_t found, uint32_t n)
{
    bool copied = found != UINT32_MAX;
    if (steps->run.copied != copied || (copied && found != steps->run.from + steps->run.n))
        end_run(steps);
    if (!steps->run.n) {
        steps->run.copied = copied;
        steps->run.from = copied ? found : 0;
    }
    steps->run.n += n;
}

/* That is what find() would tell of each. */
uint32_t delta_steps_follow(struct delta_steps *steps, const struct delta_chunk *chunks, uint32_t n)
{
    uint32_t from = steps->next, left = steps->base ? delta_base_own(steps->base) - from : 0;
    uint32_t same = 0;
    if (!left)
        return 0;
    const struct delta_chunk *next = delta_base_chunk(steps->base, from);
    while (same < n && same < left && memcmp(&next[same], &chunks[same], sizeof *chunks) == 0)
        same++;
    if (same) {
        go_on(steps, from, same);
        note_found(steps, from + same - 1);
    }
    return same;
}

bool delta_steps_add(struct delta_steps *steps, const struct delta_chunk *chunk)
{
    uint32_t found = find(steps, chunk);
    go_on(steps, found, 1);
    if (found != UINT32_MAX) {
        note_found(steps, found);
        return false;
    }
    varint_put(&steps->run.lengths, chunk->length);
    if (steps->base)
        LIST_ADD(steps->arena, steps->fresh, *chunk);
    return true;
}

bool delta_steps_end(struct delta_steps *steps)
{
    end_run(steps);
    return !steps->plain.full && !steps->added.full && !steps->run.lengths.full;
}

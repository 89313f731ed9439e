#include "score/impacts.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/hash.h"
#include "codec/varint.h"

/* First byte, then varints (codec/varint.h): the losses, how many items, the items. An item is 8
 * bytes of id, most significant first, and a varint: its points when the list is whole, else 0 for
 * a risk of the base that is gone, or 1 more than its points. */
enum { WHOLE = 1, AGAINST_BASE = 2, ID_BYTES = 8, BODY_MAX = 16 * 1024 * 1024 };

/* ---- of a ledger ---- */

static int by_id(const void *a, const void *b)
{
    const struct impact *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

static void join_equal_ids(struct impacts *impacts)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < impacts->items.n; i++) {
        struct impact item = impacts->items.items[i];
        if (n && impacts->items.items[n - 1].id == item.id)
            impacts->items.items[n - 1].points += item.points;
        else
            impacts->items.items[n++] = item;
    }
    impacts->items.n = n;
}

struct impacts impacts_of(struct arena *arena, const struct ledger *ledger)
{
    struct impacts impacts = {0};
    const struct risk *risk;
    LIST_RESERVE(arena, impacts.items, ledger->risks.n);
    for (int c = 0; c < CATEGORY_COUNT; c++)
        impacts.lost[c] = ledger->categories[c].lost;
    LIST_EACH (risk, ledger->risks) {
        struct impact item = {.points = risk->impact};
        risk_id_parse(str_of(risk->id), &item.id);
        LIST_PUT(impacts.items, item);
    }
    LIST_SORT(impacts.items, by_id);
    join_equal_ids(&impacts);
    return impacts;
}

int64_t impacts_hash(const struct ledger *ledger)
{
    const struct risk *risk;
    uint64_t hash = ledger->risks.n;
    LIST_EACH (risk, ledger->risks)
        hash = hash_bytes(hash ^ risk->impact, (struct str){risk->id, RISK_ID_LEN});
    for (int c = 0; c < CATEGORY_COUNT; c++)
        hash = hash_bytes(
            hash, (struct str){(const char *)&ledger->categories[c].lost, sizeof(uint32_t)});
    return (int64_t)hash;
}

static uint64_t sum_lost(const struct impacts *impacts)
{
    uint64_t sum = 0;
    for (int c = 0; c < CATEGORY_COUNT; c++)
        sum += impacts->lost[c];
    return sum;
}

uint32_t impacts_score(const struct impacts *impacts)
{
    uint64_t lost = sum_lost(impacts);
    assert(lost <= SCORE_EXACT_MAX);
    return SCORE_EXACT_MAX - (uint32_t)lost;
}

/* ---- two lists ---- */

static const struct impact *end_of(const struct impacts *impacts)
{
    return impacts->items.n ? impacts->items.items + impacts->items.n : impacts->items.items;
}

struct impacts_walk impacts_walk(const struct impacts *a, const struct impacts *b)
{
    return (struct impacts_walk){a->items.items, end_of(a), b->items.items, end_of(b)};
}

bool impacts_walk_next(struct impacts_walk *walk, const struct impact **a, const struct impact **b)
{
    *a = walk->a < walk->a_end ? walk->a : NULL;
    *b = walk->b < walk->b_end ? walk->b : NULL;
    if (*a && *b && (*a)->id < (*b)->id)
        *b = NULL;
    else if (*a && *b && (*b)->id < (*a)->id)
        *a = NULL;
    if (*a)
        walk->a++;
    if (*b)
        walk->b++;
    return *a || *b;
}

/* ---- writing ---- */

static void put_item(struct buf *out, uint64_t id, uint32_t n)
{
    for (int shift = 56; shift >= 0; shift -= 8)
        buf_putc(out, (char)(id >> shift));
    varint_put(out, n);
}

/* Returns how many items differ; writes them when there is an `out`. */
static uint32_t put_differences(struct buf *out, const struct impacts *base,
                                const struct impacts *impacts)
{
    struct impacts_walk walk = impacts_walk(base, impacts);
    const struct impact *before, *after;
    uint32_t n = 0;
    while (impacts_walk_next(&walk, &before, &after)) {
        if (before && after && before->points == after->points)
            continue;
        n++;
        if (out)
            put_item(out, after ? after->id : before->id, after ? after->points + 1 : 0);
    }
    return n;
}

struct str impacts_encode(struct arena *arena, const struct impacts *impacts,
                          const struct impacts *base)
{
    struct buf out = buf_init(arena, BODY_MAX);
    const struct impact *item;
    buf_putc(&out, base ? AGAINST_BASE : WHOLE);
    for (int c = 0; c < CATEGORY_COUNT; c++)
        varint_put(&out, impacts->lost[c]);
    varint_put(&out, base ? put_differences(NULL, base, impacts) : impacts->items.n);
    if (base)
        put_differences(&out, base, impacts);
    else
        LIST_EACH (item, impacts->items)
            put_item(&out, item->id, item->points);
    return buf_str(&out);
}

/* ---- reading ---- */

static bool take_number(struct str *bytes, uint32_t *n)
{
    uint64_t number;
    if (!varint_take(bytes, UINT32_MAX, &number))
        return false;
    *n = (uint32_t)number;
    return true;
}

static bool take_item(struct str *bytes, struct impact *item)
{
    if (bytes->n <= ID_BYTES)
        return false;
    item->id = 0;
    for (size_t i = 0; i < ID_BYTES; i++)
        item->id = item->id << 8 | (unsigned char)bytes->p[i];
    *bytes = str_sub(*bytes, ID_BYTES, bytes->n);
    return take_number(bytes, &item->points);
}

/* The rest of the bytes: items in the order of their ids, and nothing after them. */
static bool take_items(struct arena *arena, struct str bytes, struct impacts *impacts)
{
    uint32_t n;
    if (!take_number(&bytes, &n) || n > bytes.n / (ID_BYTES + 1))
        return false;
    LIST_RESERVE(arena, impacts->items, n);
    for (uint32_t i = 0; i < n; i++) {
        struct impact item;
        if (!take_item(&bytes, &item) || (i && item.id <= impacts->items.items[i - 1].id))
            return false;
        LIST_PUT(impacts->items, item);
    }
    return bytes.n == 0;
}

/* What differs is put over the base. */
static void put_over(struct arena *arena, const struct impacts *base, struct impacts *impacts)
{
    struct impacts whole = *impacts;
    struct impacts_walk walk = impacts_walk(base, impacts);
    const struct impact *before, *change;
    LIST_RESERVE(arena, whole.items, base->items.n + impacts->items.n);
    while (impacts_walk_next(&walk, &before, &change)) {
        if (!change)
            LIST_PUT(whole.items, *before);
        else if (change->points)
            LIST_PUT(whole.items, ((struct impact){change->id, change->points - 1}));
    }
    *impacts = whole;
}

bool impacts_decode(struct arena *arena, struct str bytes, const struct impacts *base,
                    struct impacts *impacts)
{
    const struct impact *item;
    uint64_t sum = 0;
    *impacts = (struct impacts){0};
    if (bytes.n == 0 || bytes.p[0] != (base ? AGAINST_BASE : WHOLE))
        return false;
    bytes = str_sub(bytes, 1, bytes.n);
    for (int c = 0; c < CATEGORY_COUNT; c++)
        if (!take_number(&bytes, &impacts->lost[c]))
            return false;
    if (!take_items(arena, bytes, impacts))
        return false;
    if (base)
        put_over(arena, base, impacts);
    LIST_EACH (item, impacts->items)
        sum += item->points;
    return sum <= SCORE_EXACT_MAX && sum == sum_lost(impacts);
}

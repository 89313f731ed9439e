#include "score/difference.h"

#include <stdlib.h>

int64_t difference_points(const struct difference_entry *entry)
{
    return (int64_t)entry->before - entry->after;
}

static int by_points(const void *a, const void *b)
{
    const struct difference_entry *x = a, *y = b;
    int64_t x_points = llabs(difference_points(x)), y_points = llabs(difference_points(y));
    if (x_points != y_points)
        return x_points > y_points ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

static struct difference_entry entry_of(const struct impact *before, const struct impact *after)
{
    struct difference_entry entry = {.id = after ? after->id : before->id,
                                     .before = before ? before->points : 0,
                                     .after = after ? after->points : 0};
    entry.kind = !before                       ? DIFFERENCE_OPENED
                 : !after                      ? DIFFERENCE_RESOLVED
                 : entry.before != entry.after ? DIFFERENCE_CHANGED
                                               : DIFFERENCE_UNCHANGED;
    return entry;
}

struct difference difference_of(struct arena *arena, const struct impacts *from,
                                const struct impacts *to)
{
    struct impacts_walk walk = impacts_walk(from, to);
    const struct impact *before, *after;
    struct difference d = {.change = (int64_t)impacts_score(to) - impacts_score(from)};
    while (impacts_walk_next(&walk, &before, &after)) {
        struct difference_entry entry = entry_of(before, after);
        d.sums[entry.kind].count++;
        d.sums[entry.kind].points += difference_points(&entry);
        if (entry.kind != DIFFERENCE_UNCHANGED)
            LIST_ADD(arena, d.entries, entry);
    }
    LIST_SORT(d.entries, by_points);
    return d;
}

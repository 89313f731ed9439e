#include "trials.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

enum { ROWS_MAX = 256, CUTS_MAX = 4000 };

/* The same objects before and after; those that only one of them has are empty in the other. */
struct pair {
    struct specimen before, after;
    enum direction direction;
    uint32_t score_before, score_after;
    uint32_t least; /* it goes wrong by that much at least; cutting down keeps half of it */
};

static uint32_t tried[MUTATION_TABLES][ROWS_MAX];

/* By how much, in hundredths; 0: it does not. */
static uint32_t wrong_by(const struct pair *pair)
{
    uint32_t before = pair->score_before, after = pair->score_after;
    static const uint32_t below[] = {
        [FORCES_BLOCK] = 5000, [FORCES_BOTTOM] = 2000, [FORBIDS_SAFE] = 7000};
    switch (pair->direction) {
    case NEVER_RAISES:
        return after > before ? after - before : 0;
    case NEVER_LOWERS:
        return after < before ? before - after : 0;
    case CHANGES_NOTHING:
        return after > before ? after - before : before - after;
    default:
        return after >= below[pair->direction] ? after - below[pair->direction] + 1 : 0;
    }
}

static bool judge_pair(struct pair *pair)
{
    if (!is_readable(&pair->before) || !is_readable(&pair->after))
        return false;
    pair->score_before = score_of_specimen(&pair->before);
    pair->score_after = score_of_specimen(&pair->after);
    return wrong_by(pair) >= pair->least;
}

static struct objects copy_of(struct arena *arena, const struct objects *objects, uint32_t n)
{
    struct objects copy = {ARENA_ARRAY(arena, n, struct str), n, n};
    memcpy(copy.items, objects->items, objects->n * sizeof *objects->items);
    return copy;
}

/* ---- cutting down ---- */

static uint32_t count(const struct pair *pair)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < pair->after.objects.n; i++)
        n += pair->before.objects.items[i].n || pair->after.objects.items[i].n;
    return n;
}

/* Takes n objects away from both, from one on; puts them back unless it still goes wrong. */
static bool cut(struct arena *arena, struct pair *pair, uint32_t from, uint32_t n)
{
    struct str *before = pair->before.objects.items + from;
    struct str *after = pair->after.objects.items + from;
    struct str *kept_before = arena_copy(arena, before, n * sizeof *before);
    struct str *kept_after = arena_copy(arena, after, n * sizeof *after);
    struct pair as_it_was = *pair;
    memset(before, 0, n * sizeof *before);
    memset(after, 0, n * sizeof *after);
    if (judge_pair(pair))
        return true;
    memcpy(before, kept_before, n * sizeof *before);
    memcpy(after, kept_after, n * sizeof *after);
    *pair = as_it_was;
    return false;
}

static void cut_down(struct arena *arena, struct pair *pair)
{
    uint32_t all = pair->after.objects.n, cuts = 0;
    bool smaller = true;
    for (uint32_t n = all / 2; n > 0 && cuts < CUTS_MAX; n = smaller ? n : n / 2) {
        smaller = false;
        for (uint32_t from = 0; from < all && cuts < CUTS_MAX; from += n, cuts++)
            smaller |= cut(arena, pair, from, n < all - from ? n : all - from) && n == 1 &&
                       count(pair) > 2 && cuts < CUTS_MAX / 2;
    }
}

/* ---- telling ---- */

static void keep(struct arena *arena, const char *directory, const char *which, unsigned number,
                 const struct objects *objects)
{
    const char *path = arena_printf(arena, "%s/%u-%s.json", directory, number, which).p;
    FILE *file = fopen(path, "w");
    struct str text = objects_list(arena, objects);
    if (!file || fwrite(text.p, 1, text.n, file) != text.n || fclose(file) != 0)
        fail_msg("cannot write %s", path);
}

static void tell(struct arena *arena, struct pair *pair, const struct mutation *mutation,
                 const struct change *change, uint64_t seed)
{
    static unsigned number;
    const char *directory = getenv("PROPERTY_KEEP");
    uint32_t before = pair->score_before, after = pair->score_after;
    number++;
    pair->least = (wrong_by(pair) + 1) / 2;
    fprintf(stderr, "# %u. %s, seed %llu: %s (%" STR_FMT "): %u.%02u, was %u.%02u\n", number,
            pair->before.name, (unsigned long long)seed, mutation->name, STR_ARG(change->object),
            after / 100, after % 100, before / 100, before % 100);
    if (!directory)
        return;
    cut_down(arena, pair);
    fprintf(stderr, "#    with %u objects, %s/%u-*.json: %u.%02u, was %u.%02u\n", count(pair),
            directory, number, pair->score_after / 100, pair->score_after % 100,
            pair->score_before / 100, pair->score_before % 100);
    keep(arena, directory, "before", number, &pair->before.objects);
    keep(arena, directory, "after", number, &pair->after.objects);
}

/* ---- trying ---- */

struct trial {
    const struct specimen *specimen;
    struct inventory *inventory;
    uint32_t score;
};

/* One when it goes the wrong way. */
static unsigned try_one(const struct trial *trial, const struct mutation *mutation, uint64_t seed,
                        uint32_t *changed)
{
    struct arena *arena = arena_new(SIZE_MAX / 2);
    const struct specimen *specimen = trial->specimen;
    struct change change =
        change_begin(arena, trial->inventory, &specimen->objects, specimen->time, seed);
    unsigned wrong = 0;
    struct pair pair = {*specimen, *specimen, mutation->direction, trial->score, 0, 0};
    change.what = mutation->what;
    bool happened = mutation->apply(&change);
    pair.after.objects = change.objects;
    if (happened) {
        pair.score_after = score_of_specimen(&pair.after);
        wrong = wrong_by(&pair) > 0;
        ++*changed;
        if (wrong) {
            pair.before.objects = copy_of(arena, &specimen->objects, change.objects.n);
            tell(arena, &pair, mutation, &change, seed);
        }
    }
    arena_free(arena);
    return wrong;
}

static uint32_t table_number(const struct mutation_table *table)
{
    uint32_t number = 0;
    while (mutation_tables[number] != table)
        number++;
    return number;
}

unsigned trials_of(const struct specimen *specimen, const struct mutation_table *table,
                   uint64_t seed, unsigned times, unsigned stride)
{
    struct arena *arena = arena_new(SIZE_MAX / 2);
    struct trial trial = {specimen, inventory_of(arena, &specimen->objects), 0};
    uint32_t *changed = tried[table_number(table)];
    unsigned wrong = 0;
    trial.score = note_findings(specimen, trial.inventory);
    for (size_t row = seed % stride; row < table->n; row += stride)
        for (unsigned i = 0; i < times; i++)
            wrong += try_one(&trial, &table->rows[row], seed * 1000 + i, &changed[row]);
    arena_free(arena);
    return wrong;
}

struct str trials_idle(struct arena *arena)
{
    struct buf out = buf_init(arena, SIZE_MAX);
    for (int table = 0; table < MUTATION_TABLES; table++)
        for (size_t row = 0; row < mutation_tables[table]->n; row++)
            if (!tried[table][row])
                buf_printf(&out, "\n%s", mutation_tables[table]->rows[row].name);
    return buf_str(&out);
}

static uint64_t number_of(const char *variable, uint64_t otherwise)
{
    uint64_t number;
    const char *text = getenv(variable);
    return text && str_to_u64(str_of(text), &number) ? number : otherwise;
}

unsigned trials_rounds(unsigned otherwise)
{
    return (unsigned)number_of("PROPERTY_ROUNDS", otherwise);
}

uint64_t trials_seed(void)
{
    return number_of("PROPERTY_SEED", 1);
}

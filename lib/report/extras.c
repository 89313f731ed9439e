#include "report/extras.h"

#include "base/table.h"

enum { EXPECTED = 64 };

bool report_shows(const struct report_extras *extras, uint32_t risk)
{
    return !extras || !extras->notes || !extras->notes[risk].hidden;
}

uint32_t report_hidden(const struct ledger *ledger, const struct report_extras *extras)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < ledger->risks.n; i++)
        n += !report_shows(extras, i);
    return n;
}

bool report_is_new(const struct report_extras *extras, uint32_t risk)
{
    return extras && extras->has_baseline && extras->notes[risk].is_new;
}

static int by_cost(const void *a, const void *b)
{
    const struct report_sum *x = a, *y = b;
    if (x->lost != y->lost)
        return x->lost > y->lost ? -1 : 1;
    if (x->risks != y->risks)
        return x->risks > y->risks ? -1 : 1;
    return str_cmp(x->name, y->name);
}

static struct report_sum *sum_of(struct arena *arena, struct table *table, struct str name)
{
    struct report_sum *sum;
    uint64_t hash = str_hash(0, name);
    TABLE_EACH (sum, table, hash)
        if (str_eq(sum->name, name))
            return sum;
    sum = ARENA_NEW(arena, struct report_sum);
    *sum = (struct report_sum){.name = name, .worst = SEVERITY_LOW};
    table_add(table, hash, sum);
    return sum;
}

static void add(struct report_sum *sum, const struct risk *risk, bool is_new)
{
    sum->risks++;
    sum->new_risks += is_new;
    sum->lost += risk->impact;
    if (risk->severity < sum->worst)
        sum->worst = risk->severity;
}

report_sum_list report_sums(struct arena *arena, const struct ledger *ledger,
                            const struct report_extras *extras, enum report_by by)
{
    struct table table = table_init(arena, EXPECTED);
    LIST(struct report_sum *) seen = {0};
    report_sum_list sums = {0};
    for (uint32_t i = 0; i < ledger->risks.n; i++) {
        const struct risk *risk = &ledger->risks.items[i];
        struct str name = by == REPORT_BY_OWNER ? extras->notes[i].owner : risk->namespace;
        if (!report_shows(extras, i))
            continue;
        struct report_sum *sum = sum_of(arena, &table, str_or_empty(name));
        if (!sum->risks)
            LIST_ADD(arena, seen, sum);
        add(sum, risk, report_is_new(extras, i));
    }
    for (uint32_t i = 0; i < seen.n; i++)
        LIST_ADD(arena, sums, *seen.items[i]);
    LIST_SORT(sums, by_cost);
    return sums;
}

#include "score/verdict_memory.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/table.h"
#include "score/policy.h"
#include "score/priced.h"
#include "score/verdict_basis.h"

enum {
    GARBAGE_LEAST = 64 * 1024, /* of what is kept: less is not worth a thought */
    TEXTS_AT_FIRST = 48
};

/* A workload of the last judgement. All it points to is in the memory's arena. */
struct remembered_workload {
    const uint64_t *basis;
    uint32_t basis_n;
    struct local_verdicts verdicts;
    size_t bytes; /* that it takes there */
};

struct verdict_memory {
    size_t max;
    struct arena *arena; /* NULL: there is none yet */
    struct table texts;  /* of findings, in the arena: most are those of many workloads */
    uint64_t seed;       /* of their hashes: that of a cluster, which nobody can know */
    struct remembered_workload *items;
    uint32_t n;
    size_t live; /* bytes of the arena that they take */
    /* What all of them were asked under. */
    struct setting setting;
    uint64_t terms;        /* a hash of what the operator decides */
    struct priced *priced; /* or NULL: follows from what is in it, whatever else is forgotten */
    bool judging;          /* a judgement has begun and not ended */
    struct verdict_memory_use use;
};

/* A workload of this judgement. */
struct present_workload {
    basis_list basis;                        /* n == 0: nobody knows */
    const struct remembered_workload *known; /* or NULL: it was asked */
    struct local_verdicts verdicts;          /* if it was asked, but for the findings: */
    const struct finding *const *said;
};

struct verdict_recall {
    struct verdict_memory *memory;
    struct arena *arena;
    const struct cluster *cluster;
    const struct around *arounds;
    int64_t time;
    struct basis_nodes nodes;
    struct table by_content; /* of the memory's items, by the content of the workload; made on first
                                use */
    struct present_workload *now; /* parallel to cluster->roots */
};

/* ---- the memory ---- */

struct verdict_memory *verdict_memory_new(size_t max)
{
    struct verdict_memory *memory = calloc(1, sizeof *memory);
    if (memory)
        memory->max = max;
    return memory;
}

void verdict_memory_free(struct verdict_memory *memory)
{
    if (!memory)
        return;
    arena_free(memory->arena);
    free(memory->items);
    free(memory->priced);
    free(memory);
}

size_t verdict_memory_bytes(const struct verdict_memory *memory)
{
    return sizeof *memory + memory->n * sizeof *memory->items + priced_bytes(memory->priced) +
           (memory->arena ? arena_used(memory->arena) : 0);
}

struct verdict_memory_use verdict_memory_use(const struct verdict_memory *memory)
{
    return memory->use;
}

static bool is_half_garbage(const struct verdict_memory *memory)
{
    return memory->arena && arena_taken(memory->arena) / 2 > memory->live + GARBAGE_LEAST;
}

/* What a judgement that did not end has left is not looked at. seed: of a new table. */
static void renew(struct verdict_memory *memory, const struct setting *setting, uint64_t terms,
                  uint64_t seed)
{
    if (memory->judging || memory->terms != terms || !setting_is_same(&memory->setting, setting) ||
        is_half_garbage(memory)) {
        arena_free(memory->arena);
        memory->arena = NULL;
        memory->n = 0;
        memory->live = 0;
    }
    if (!memory->arena && (memory->arena = arena_new(memory->max)) != NULL) {
        memory->texts = table_init(memory->arena, TEXTS_AT_FIRST);
        memory->seed = seed;
    }
    memory->setting = *setting;
    memory->terms = terms;
}

/* ---- recalling ---- */

static bool is_of(const struct remembered_workload *item, const basis_list *basis)
{
    return item->basis_n == basis->n &&
           memcmp(item->basis, basis->items, basis->n * sizeof *basis->items) == 0;
}

static uint64_t hash_terms(const uint64_t asked[CHECK_WORDS], str_list trusted)
{
    struct str bits = {(const char *)asked, CHECK_WORDS * sizeof *asked};
    uint64_t hash = hash_bytes(trusted.n, bits);
    const struct str *word;
    LIST_EACH (word, trusted)
        hash = hash_bytes(hash, *word);
    return hash;
}

struct verdict_recall *verdict_recall_begin(struct verdict_memory *memory,
                                            const struct check_context *context,
                                            const uint64_t asked[CHECK_WORDS])
{
    const struct cluster *cluster = context->cluster;
    struct verdict_recall *recall = ARENA_NEW(context->arena, struct verdict_recall);
    *recall = (struct verdict_recall){.memory = memory,
                                      .arena = context->arena,
                                      .cluster = cluster,
                                      .arounds = context->arounds,
                                      .time = context->time};
    if (!memory)
        return recall;
    renew(memory, &context->setting, hash_terms(asked, context->policy->trusted_registries),
          cluster->seed);
    memory->judging = true;
    memory->use = (struct verdict_memory_use){0};
    recall->now = ARENA_ARRAY(context->arena, cluster->roots.n, struct present_workload);
    return recall;
}

static struct table index_items(const struct verdict_recall *recall)
{
    const struct verdict_memory *memory = recall->memory;
    struct table table = table_init(recall->arena, memory->n);
    for (uint32_t i = 0; i < memory->n; i++)
        if (memory->items[i].basis_n)
            table_add(&table, memory->items[i].basis[0], &memory->items[i]);
    return table;
}

/* It mostly has the same ordinal as the last time. */
static const struct remembered_workload *find(struct verdict_recall *recall, uint32_t ordinal,
                                              const basis_list *basis)
{
    const struct verdict_memory *memory = recall->memory;
    const struct remembered_workload *item;
    if (ordinal < memory->n && is_of(&memory->items[ordinal], basis))
        return &memory->items[ordinal];
    if (!recall->by_content.slots)
        recall->by_content = index_items(recall);
    TABLE_EACH (item, &recall->by_content, basis->items[0])
        if (is_of(item, basis))
            return item;
    return NULL;
}

const struct local_verdicts *verdict_recall_find(struct verdict_recall *recall, uint32_t ordinal,
                                                 bool left_out)
{
    if (!recall->memory)
        return NULL;
    struct present_workload *now = &recall->now[ordinal];
    const struct workload *workload = recall->cluster->roots.items[ordinal];
    const struct remembered_workload *known = NULL;
    if (basis_put(recall->arena, &recall->nodes, &now->basis, workload, &recall->arounds[ordinal],
                  left_out))
        known = find(recall, ordinal, &now->basis);
    else
        now->basis.n = 0;
    if (known && recall->time >= known->verdicts.valid.from &&
        recall->time <= known->verdicts.valid.until)
        now->known = known;
    recall->memory->use.known += now->known != NULL;
    recall->memory->use.asked += now->known == NULL;
    return now->known ? &now->known->verdicts : NULL;
}

void verdict_recall_note(struct verdict_recall *recall, uint32_t ordinal,
                         const struct local_verdicts *verdicts, const struct finding *const *said,
                         uint32_t n)
{
    if (!recall->memory)
        return;
    struct present_workload *now = &recall->now[ordinal];
    now->verdicts = *verdicts;
    now->verdicts.n = n;
    now->said = arena_copy(recall->arena, said, n * sizeof *said);
}

/* ---- keeping ---- */

struct keeping {
    struct verdict_recall *recall;
    struct remembered_workload *items; /* parallel to the cluster's workloads */
    uint32_t n;                        /* of them that are kept */
};

/* The copy of these bytes in the memory's arena. */
static struct str text_of(struct verdict_memory *memory, struct str text)
{
    uint64_t hash = hash_bytes(memory->seed, text);
    const struct str *kept;
    TABLE_EACH (kept, &memory->texts, hash)
        if (str_eq(*kept, text))
            return *kept;
    struct str copy = arena_str(memory->arena, text);
    table_add(&memory->texts, hash, arena_copy(memory->arena, &copy, sizeof copy));
    return copy;
}

/* A workload that was asked is copied into the memory's arena. */
static struct remembered_workload copy_of(struct verdict_memory *memory,
                                          const struct present_workload *now)
{
    struct arena *arena = memory->arena;
    size_t before = arena_taken(arena), size = now->basis.n * sizeof *now->basis.items;
    struct local_verdicts verdicts = now->verdicts;
    struct local_finding *findings = ARENA_ARRAY(arena, verdicts.n, struct local_finding);
    for (uint32_t i = 0; i < verdicts.n; i++) {
        const struct finding *said = now->said[i];
        findings[i] = (struct local_finding){.check = said->check,
                                             .container = text_of(memory, said->container),
                                             .message = text_of(memory, said->message),
                                             .id = said->id,
                                             .severity = said->severity,
                                             .count = said->count};
    }
    verdicts.findings = findings;
    const uint64_t *basis = arena_copy(arena, now->basis.items, size);
    return (struct remembered_workload){basis, now->basis.n, verdicts, arena_taken(arena) - before};
}

static void keep(void *context)
{
    struct keeping *keeping = context;
    const struct verdict_recall *recall = keeping->recall;
    for (; keeping->n < recall->cluster->roots.n; keeping->n++) {
        const struct present_workload *now = &recall->now[keeping->n];
        struct remembered_workload *item = &keeping->items[keeping->n];
        if (now->known)
            *item = *now->known;
        else if (now->basis.n)
            *item = copy_of(recall->memory, now);
    }
}

const struct priced *verdict_recall_priced(const struct verdict_recall *recall)
{
    return recall && recall->memory ? recall->memory->priced : NULL;
}

static void keep_priced(struct verdict_memory *memory, const struct priced *priced)
{
    memory->use.priced = memory->priced && memory->priced == priced;
    if (memory->use.priced)
        return;
    struct priced *last = memory->priced; /* the new one may share its portions */
    memory->priced = NULL;
    size_t taken = verdict_memory_bytes(memory);
    memory->priced = taken < memory->max ? priced_copy(priced, memory->max - taken) : NULL;
    free(last);
}

void verdict_recall_end(struct verdict_recall *recall, const struct findings *findings)
{
    struct verdict_memory *memory = recall->memory;
    uint32_t roots = recall->cluster->roots.n;
    if (!memory || !memory->arena)
        return;
    struct keeping keeping = {recall, NULL, 0};
    keeping.items = calloc(roots ? roots : 1, sizeof *keeping.items);
    if (!keeping.items)
        return;
    arena_guard(memory->arena, keep, &keeping); /* what is beyond the limit is asked each time */
    free(memory->items);
    memory->items = keeping.items;
    memory->n = keeping.n;
    memory->live = 0;
    for (uint32_t i = 0; i < memory->n; i++)
        memory->live += memory->items[i].bytes;
    keep_priced(memory, findings->priced);
    memory->judging = false;
}

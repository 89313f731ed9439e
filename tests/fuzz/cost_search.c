/* Looks for the snapshot that costs most CPU for its bytes: cost_search SECONDS SEED DIRECTORY
 *
 * A snapshot is made of genes: each is a shape of cost_shapes.def, its share of the bytes, how many
 * inner parts an object of it has, and how its objects are named, labelled and owned. Those that
 * cost most live on, changed a little and mixed. The same seed tries the same snapshots as long as
 * times are alike. The costliest is left in DIRECTORY, and more than LIMIT_MS a megabyte fails. */
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/clock.h"
#include "cost_run.h"

enum {
    GENES = 4,
    POPULATION = 24,
    BYTES = 2100000,
    RUNS_LAST = 7,
    LIMIT_MS = 50,
    SLACK = 64 * 1024
};

static const char *const shapes[] = {
#define SHAPE(text) text,
#include "cost_shapes.def"
#undef SHAPE
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

struct gene {
    unsigned shape, share, parts; /* share: 0: the gene is not there */
    unsigned name, namespace, labels, owner;
};

struct genome {
    struct gene genes[GENES];
    double ms; /* a megabyte */
};

static uint64_t seed;

static unsigned pick(unsigned below)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(seed >> 33) % below;
}

/* ---- a snapshot of a genome ---- */

static const unsigned PARTS[] = {0, 1, 2, 5, 20, 100, 500, 2000, 20000};
enum { PARTS_N = sizeof PARTS / sizeof *PARTS };

static void put_labels(struct buf *out, const struct gene *gene)
{
    buf_put(out, STR("'labels':{"));
    if (gene->labels == 1)
        buf_put(out, STR("'a':'b'"));
    else if (gene->labels == 2)
        buf_put(out, STR("'a':'b','x':'#'"));
    for (unsigned i = 0; gene->labels > 2 && i < 20 * gene->labels; i++)
        buf_printf(out, "%s'l%u':'v'", i ? "," : "", i);
    buf_putc(out, '}');
}

static void put_owner(struct buf *out, const struct gene *gene, unsigned number)
{
    static const char *const kinds[] = {"", "ReplicaSet", "ReplicaSet", "Pod", "Job"};
    bool chain = gene->owner == 2 || gene->owner == 3;
    if (gene->owner)
        buf_printf(out,
                   ",'ownerReferences':[{'apiVersion':'x/v1','kind':'%s','name':'o%u','controller':"
                   "true}]",
                   kinds[gene->owner], chain ? number + 1 : 0);
}

static void put_metadata(struct buf *out, const struct gene *gene, unsigned number)
{
    static const char *const names[] = {"'name':'o#',", "'name':'o0',", ""};
    static const char *const namespaces[] = {"'namespace':'d',", "'namespace':'n#',", ""};
    buf_printf(out, "'metadata':{%s%s", names[gene->name], namespaces[gene->namespace]);
    put_labels(out, gene);
    put_owner(out, gene, number);
    buf_putc(out, '}');
}

/* The labels and the metadata are part of the text before the rest is. */
static void put_object(struct buf *out, struct buf *text, const struct gene *gene, unsigned number)
{
    text->n = 0;
    for (const char *p = shapes[gene->shape]; *p; p++)
        if (*p == '%')
            put_metadata(text, gene, number);
        else if (*p == '~')
            put_labels(text, gene);
        else
            buf_putc(text, *p);
    buf_putc(text, '\0');
    cost_put(out, text->p, number, PARTS[gene->parts]);
}

static struct str snapshot_of(struct arena *arena, const struct genome *genome)
{
    struct buf out = buf_init(arena, SIZE_MAX), text = buf_init(arena, SIZE_MAX);
    size_t shares = 0, until = 0;
    for (int i = 0; i < GENES; i++)
        shares += genome->genes[i].share;
    buf_put(&out, STR("[{\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\"}}"));
    for (int i = 0; i < GENES; i++) {
        const struct gene *gene = &genome->genes[i];
        until += shares ? BYTES * gene->share / shares : 0;
        for (unsigned number = 0; out.n < until; number++) {
            buf_putc(&out, ',');
            put_object(&out, &text, gene, number);
        }
    }
    buf_putc(&out, ']');
    return buf_str(&out);
}

/* ---- the search ---- */

static void change(struct gene *gene)
{
    unsigned *const knobs[] = {&gene->shape,  &gene->share,     &gene->parts, &gene->name,
                               &gene->labels, &gene->namespace, &gene->owner};
    static const unsigned values[] = {SHAPES, 10, PARTS_N, 3, 6, 3, 5};
    unsigned knob = pick(sizeof values / sizeof *values);
    *knobs[knob] = pick(values[knob]);
}

static struct genome random_genome(void)
{
    struct genome genome = {.ms = 0};
    for (int i = 0; i < GENES; i++)
        genome.genes[i] = (struct gene){.shape = pick(SHAPES),
                                        .share = i == 0 ? 9 : pick(2) * pick(10),
                                        .parts = pick(PARTS_N),
                                        .name = pick(3),
                                        .namespace = pick(3),
                                        .labels = pick(6),
                                        .owner = pick(5)};
    return genome;
}

static struct genome child_of(const struct genome *a, const struct genome *b)
{
    struct genome child = *a;
    for (int i = 0; i < GENES; i++)
        if (pick(3) == 0)
            child.genes[i] = b->genes[pick(GENES)];
    for (unsigned n = pick(4); n > 0; n--)
        change(&child.genes[pick(GENES)]);
    return child;
}

static struct cost measure(const struct genome *genome, int runs)
{
    struct arena *arena = arena_new(SIZE_MAX / 2);
    struct cost cost = cost_run(snapshot_of(arena, genome), runs);
    arena_free(arena);
    return cost;
}

static int by_cost(const void *a, const void *b)
{
    const struct genome *x = a, *y = b;
    return (x->ms < y->ms) - (x->ms > y->ms);
}

static unsigned long search(struct genome *all, int64_t until)
{
    unsigned long tried = 0;
    for (int i = 0; i < POPULATION; i++, tried++) {
        all[i] = random_genome();
        struct cost cost = measure(&all[i], 1);
        all[i].ms = cost_per_mb(&cost);
    }
    for (; clock_monotonic() < until; tried++) {
        qsort(all, POPULATION, sizeof *all, by_cost);
        bool stranger = pick(4) == 0;
        struct genome child =
            stranger ? random_genome()
                     : child_of(&all[pick(POPULATION / 2)], &all[pick(POPULATION / 2)]);
        struct cost cost = measure(&child, 1);
        child.ms = cost_per_mb(&cost);
        if (child.ms >
            all[POPULATION - 1].ms) /* a busy machine makes times longer, never shorter */
            cost = measure(&child, 2), child.ms = cost_per_mb(&cost);
        if (child.ms > all[POPULATION - 1].ms)
            all[POPULATION - 1] = child;
    }
    return tried;
}

static bool keep(const struct genome *genome, const char *directory)
{
    struct arena *arena = arena_new(SIZE_MAX / 2);
    struct str text = snapshot_of(arena, genome);
    struct str path = arena_printf(arena, "%s/costliest.json", directory);
    FILE *file = fopen(path.p, "w");
    bool kept = file && fwrite(text.p, 1, text.n, file) == text.n;
    kept = file && fclose(file) == 0 && kept;
    printf("it is in %s\n", path.p);
    arena_free(arena);
    return kept;
}

int main(int argc, char **argv)
{
    static struct genome all[POPULATION];
    uint64_t seconds;
    if (argc != 4 || !str_to_u64(str_of(argv[1]), &seconds) ||
        !str_to_u64(str_of(argv[2]), &seed)) {
        fprintf(stderr, "usage: cost_search SECONDS SEED DIRECTORY\n");
        return 2;
    }
    unsigned long tried = search(all, clock_monotonic() + (int64_t)seconds * CLOCK_SECOND);
    qsort(all, POPULATION, sizeof *all, by_cost);
    struct genome worst = all[0];
    double most = 0;
    for (int i = 0; i < 5; i++) {
        struct cost cost = measure(&all[i], RUNS_LAST);
        double ms = cost_per_mb(&cost);
        printf("%5.1f ms a MB: %s, %llu of %llu steps for %llu bytes (%s; shape %u)\n", ms,
               cost.scored ? "scored" : "refused", (unsigned long long)cost.steps,
               (unsigned long long)cost.allowed, (unsigned long long)cost.bytes, cost.most,
               all[i].genes[0].shape);
        worst = ms > most ? all[i] : worst;
        most = ms > most ? ms : most;
    }
    printf("%lu snapshots tried; the costliest takes %.1f ms a MB, and may take %d\n", tried, most,
           LIMIT_MS);
    return keep(&worst, argv[3]) && most <= LIMIT_MS ? 0 : 1;
}

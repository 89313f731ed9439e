/* What reading a snapshot costs: ratios to zlib's inflate alone, of the same bytes in one
 * run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "codec/inflate.h"
#include "codec/jr.h"
#include "generate.h"
#include "others.h"

static const struct jr_limits LIMITS = {
    .depth = 64, .key = 1024, .string = 1 << 20, .mark = 1 << 20, .total = 1 << 30};

struct subject {
    struct str gzip;
    struct arena *arena;
};

static void must(bool good)
{
    if (!good)
        abort();
}

static void run_zlib(void *context)
{
    others_inflate(((const struct subject *)context)->gzip);
}

static void run_inflate(void *context)
{
    struct subject *subject = context;
    struct str gzip = subject->gzip;
    struct inflate *in = inflate_open(source_of(&gzip), LIMITS.total);
    struct source source = inflate_source(in);
    static char window[64 * 1024];
    while (source.read(source.context, window, sizeof window) > 0)
        ;
    must(inflate_error(in) == INFLATE_OK);
    inflate_free(in);
}

static void with_reader(struct subject *subject, void (*read)(struct jr *r))
{
    struct str gzip = subject->gzip;
    struct inflate *in = inflate_open(source_of(&gzip), LIMITS.total);
    struct jr *r = jr_open(subject->arena, inflate_source(in), LIMITS);
    read(r);
    must(jr_error(r)->code == JR_OK);
    inflate_free(in);
    arena_reset(subject->arena);
}

static void skip(struct jr *r)
{
    while (jr_next(r) > JR_END)
        ;
}

static void run_skip(void *context)
{
    with_reader(context, skip);
}

/* Every key and every string. */
static void walk(struct jr *r)
{
    for (;;) {
        bool top = jr_depth(r) == 0;
        enum jr_type type = jr_next(r);
        if (type == JR_ERROR || (type == JR_END && top))
            return;
        if (type == JR_OBJECT || type == JR_ARRAY)
            jr_enter(r);
        else if (type == JR_STRING)
            jr_text(r);
    }
}

static void run_walk(void *context)
{
    with_reader(context, walk);
}

static void run_json_c(void *context)
{
    others_json_c(((const struct subject *)context)->gzip);
}

static void print(const char *figure, const char *name, double value, const char *than,
                  double target)
{
    char line[80];
    snprintf(line, sizeof line, "%s, %s", figure, name);
    bench_print(line, value, than, target);
}

static void bench(const char *name, struct generate what, unsigned rounds)
{
    struct arena *arena = arena_new((size_t)1 << 30);
    must(arena != NULL);
    struct subject subject = {generate_gzip(arena, what), arena_new(64 << 20)};
    struct bench_work works[] = {{.run = run_zlib, .context = &subject},
                                 {.run = run_inflate, .context = &subject},
                                 {.run = run_skip, .context = &subject},
                                 {.run = run_walk, .context = &subject}};
    struct bench_work json_c = {.run = run_json_c, .context = &subject, .after = others_forget};
    bench_measure(works, 4, rounds);
    double zlib = works[0].ms;
    print("zlib inflate in ms", name, zlib, "", 0);
    print("inflate / zlib", name, works[1].ms / zlib, "", 0);
    print("inflate + skip / zlib", name, works[2].ms / zlib, "<=", 1.35);
    print("inflate + walk / zlib", name, works[3].ms / zlib, "", 0);
    if (what.pods <= 1000) {
        bench_measure(&json_c, 1, 3);
        print("inflate + json-c / zlib", name, json_c.ms / zlib, "", 0);
    }
    arena_free(subject.arena);
    arena_free(arena);
}

/* --short: that it works, not how fast. */
static int run(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--short") == 0) {
        bench("1,000 pods compact", (struct generate){.pods = 1000}, 3);
        return 0;
    }
    bench("1,000 pods compact", (struct generate){.pods = 1000}, 25);
    bench("1,000 pods pretty", (struct generate){.pods = 1000, .pretty = true}, 25);
    bench("10,000 pods compact", (struct generate){.pods = 10000}, 7);
    return 0;
}

int main(int argc, char **argv)
{
    return run(argc, argv);
}

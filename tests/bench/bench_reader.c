/* What reading a snapshot costs: ratios to zlib's inflate alone, of the same bytes in one
 * run. */
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

#include "bench.h"
#include "codec/inflate.h"
#include "codec/jr.h"
#include "generate.h"

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

/* zlib as everybody calls it, its checksum included. */
static void run_zlib(void *context)
{
    struct subject *subject = context;
    static unsigned char window[64 * 1024];
    z_stream z = {.next_in = (unsigned char *)(uintptr_t)subject->gzip.p,
                  .avail_in = (uInt)subject->gzip.n};
    must(inflateInit2(&z, 15 + 16) == Z_OK);
    int status = Z_OK;
    while (status == Z_OK) {
        z.next_out = window;
        z.avail_out = sizeof window;
        status = inflate(&z, Z_NO_FLUSH);
    }
    must(status == Z_STREAM_END);
    inflateEnd(&z);
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
    struct subject *subject = context;
    struct str gzip = subject->gzip;
    struct inflate *in = inflate_open(source_of(&gzip), LIMITS.total);
    struct source source = inflate_source(in);
    struct json_tokener *tokener = json_tokener_new_ex(64);
    struct json_object *object = NULL;
    static char window[64 * 1024];
    for (ptrdiff_t n; (n = source.read(source.context, window, sizeof window)) > 0;)
        if (!object)
            object = json_tokener_parse_ex(tokener, window, (int)n);
    must(json_object_is_type(object, json_type_object));
    json_object_put(object);
    json_tokener_free(tokener);
    inflate_free(in);
}

static void print(const char *figure, const char *name, double value, double target)
{
    char line[80];
    snprintf(line, sizeof line, "%s, %s", figure, name);
    bench_print(line, value, target);
}

static void bench(struct arena *arena, const char *name, struct generate what, double target)
{
    struct subject subject = {generate_gzip(arena, what), arena_new(64 << 20)};
    struct bench_work works[] = {{run_zlib, &subject, 0},
                                 {run_inflate, &subject, 0},
                                 {run_skip, &subject, 0},
                                 {run_walk, &subject, 0}};
    struct bench_work json_c = {run_json_c, &subject, 0};
    bench_measure(works, 4, what.pods > 1000 ? 7 : 25);
    double zlib = works[0].ms;
    print("zlib inflate in ms", name, zlib, 0);
    print("inflate / zlib", name, works[1].ms / zlib, 0);
    print("inflate + skip / zlib", name, works[2].ms / zlib, target);
    print("inflate + walk / zlib", name, works[3].ms / zlib, 0);
    if (what.pods <= 1000) {
        bench_measure(&json_c, 1, 3);
        print("inflate + json-c / zlib", name, json_c.ms / zlib, 0);
    }
    arena_free(subject.arena);
    arena_reset(arena);
}

int main(void)
{
    struct arena *arena = arena_new((size_t)1 << 30);
    must(arena != NULL);
    bench(arena, "1,000 pods compact", (struct generate){1000, false}, 1.35);
    bench(arena, "1,000 pods pretty", (struct generate){1000, true}, 1.35);
    bench(arena, "10,000 pods compact", (struct generate){10000, false}, 1.35);
    arena_free(arena);
    return 0;
}

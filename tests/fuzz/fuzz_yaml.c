/* Any bytes as YAML: what comes out is JSON, the same in whatever pieces the bytes come. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "codec/jr.h"
#include "offline/yaml.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CEILING = 256 << 20, OUTPUT_MAX = 8 << 20 };

struct pieces {
    struct str rest;
    size_t piece;
};

static void must(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "fuzz_yaml: %s\n", what);
    abort();
}

static ptrdiff_t read_piece(void *context, char *dst, size_t cap)
{
    struct pieces *pieces = context;
    struct str part = str_sub(pieces->rest, 0, pieces->piece < cap ? pieces->piece : cap);
    if (part.n)
        memcpy(dst, part.p, part.n);
    pieces->rest = str_sub(pieces->rest, part.n, pieces->rest.n);
    return (ptrdiff_t)part.n;
}

/* Of a long output the beginning. False when the bytes were refused. */
static bool convert(struct str bytes, size_t piece, struct buf *out)
{
    struct pieces pieces = {bytes, piece};
    struct yaml *yaml = yaml_open((struct source){read_piece, &pieces});
    struct source source = yaml_source(yaml);
    char window[4096];
    ptrdiff_t n;
    while ((n = source.read(source.context, window, sizeof window)) > 0 && !out->full)
        buf_put(out, (struct str){window, (size_t)n});
    must(n >= 0 || *yaml_error(yaml)->text, "refused without a word");
    yaml_close(yaml);
    return n == 0;
}

static void check_json(struct arena *arena, struct str json)
{
    struct jr_limits limits = {.depth = 64, .key = 1 << 20, .string = 1 << 20, .total = UINT64_MAX};
    struct jr *jr = jr_open(arena, source_of(&json), limits);
    while (jr_next(jr) > JR_END)
        ;
    enum jr_code code = jr_error(jr)->code;
    must(code == JR_OK || code == JR_E_DEPTH, "what comes out is no JSON");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str bytes = {(const char *)data, size};
    struct arena *arena = arena_new(CEILING);
    struct buf whole = buf_init(arena, OUTPUT_MAX), pieces = buf_init(arena, OUTPUT_MAX);
    bool good = convert(bytes, size + 1, &whole);
    must(convert(bytes, 7, &pieces) == good, "pieces are refused, and the whole is not");
    must(!good || str_eq(buf_str(&whole), buf_str(&pieces)), "pieces become something else");
    if (good)
        check_json(arena, buf_str(&whole));
    arena_free(arena);
    return 0;
}

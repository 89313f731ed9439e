/* Secrets cut out of text and of JSON: cutting twice changes nothing, the result grows by a bound,
 * and JSON stays JSON of the same structure, whatever pieces it came in. */
#include <assert.h>
#include <json-c/json.h>

#include "base/buf.h"
#include "codec/jr.h"
#include "kube/credential_cut.h"
#include "reader/scrub.h"

enum { CEILING = 64 << 20, GROWN_MAX = 9 * (CREDENTIAL_CUTS_MAX + 1) };

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static bool put(void *context, struct str bytes)
{
    buf_put(context, bytes);
    return true;
}

static struct str scrub(struct arena *arena, struct str in, size_t piece)
{
    struct buf *out = ARENA_NEW(arena, struct buf);
    *out = buf_init(arena, SIZE_MAX);
    struct scrub *scrub = scrub_new(arena, (struct sink){put, out});
    scrub_set_piece_min(scrub, piece < in.n ? 0 : SCRUB_PIECE_MIN);
    struct sink sink = scrub_sink(scrub);
    for (size_t at = 0; at < in.n; at += piece)
        sink.put(sink.context, str_sub(in, at, piece));
    scrub_end(scrub);
    return buf_str(out);
}

static void check_text(struct arena *arena, struct str text)
{
    struct str once = credential_cut(arena, text), twice = credential_cut(arena, once);
    assert(once.n <= text.n + GROWN_MAX);
    assert(str_eq(once, twice));
}

static bool is_json(struct arena *arena, struct str text)
{
    struct jr_limits limits = {.depth = 64, .key = SIZE_MAX, .string = SIZE_MAX, .total = 1 << 30};
    struct jr *jr = jr_open(arena, source_of(&text), limits);
    while (jr_next(jr) > JR_END)
        ;
    return jr_error(jr)->code == JR_OK;
}

/* As a string of an array, and beside a name. */
static void check_json(struct arena *arena, struct str text)
{
    struct json_object *string = json_object_new_string_len(text.p, (int)text.n);
    const char *json = json_object_to_json_string_ext(string, JSON_C_TO_STRING_PLAIN);
    struct str in = arena_printf(arena, "[{\"password\":%s},{\"name\":%s,\"value\":%s},%s,\"x\"]",
                                 json, json, json, json);
    json_object_put(string);
    if (!is_json(arena, in))
        return; /* not UTF-8 */
    struct str whole = scrub(arena, in, in.n);
    assert(is_json(arena, whole));
    assert(whole.n <= in.n + 4 * GROWN_MAX);
    assert(str_eq(whole, scrub(arena, in, 1 + text.n % 7)));
    assert(str_eq(whole, scrub(arena, whole, 5)));
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    struct arena *arena = arena_new(CEILING);
    struct str text = {(const char *)data, size};
    if (size <= 64 * 1024) {
        check_text(arena, text);
        check_json(arena, text);
    }
    arena_free(arena);
    return 0;
}

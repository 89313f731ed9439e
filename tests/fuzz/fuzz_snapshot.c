/* Any bytes as a snapshot: read as they are, looked through for what is sensitive, and redacted.
 *
 * Extended by itself, it is what it is when it stands there twice.
 * The redacted copy must be JSON, hold nothing sensitive any more, and give the same objects; and
 * they are found in it. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "reader/object_locations.h"
#include "score/score.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CEILING = 64 << 20 };
static const int64_t TIME = INT64_C(1793232000000);

struct
try {
    struct arena *arena;
    struct str bytes;
    struct snapshot_options options;
    struct snapshot_error error;
    struct cluster *cluster;
    struct ledger *ledger;
    struct object_locations *locations;
};

static void must(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "fuzz_snapshot: %s\n", what);
    abort();
}

static void read_bytes(void *context)
{
    struct try *try = context;
    struct str bytes = try->bytes;
    try->cluster = snapshot_read(try->arena, source_of(&bytes), &try->options, &try->error);
}

/* False when the arena was too small: nothing is known then. */
static bool attempt(struct try *try)
{
    if (!arena_guard(try->arena, read_bytes, try))
        return false;
    must((try->cluster != NULL) == (try->error.code == SNAPSHOT_OK), "no error and no cluster");
    return true;
}

static bool put(void *context, struct str bytes)
{
    buf_put(context, bytes);
    return true;
}

static bool same_objects(const struct cluster *a, const struct cluster *b)
{
    return memcmp(a->counts, b->counts, sizeof a->counts) == 0 && a->roots.n == b->roots.n;
}

static void judge(void *context)
{
    struct try *try = context;
    struct score_policy policy = score_policy_default();
    policy.all_namespaces = true;
    try->ledger = score(try->arena, try->cluster, &policy, TIME);
}

/* A plain reader jumps over what it read before, a redacting one does not. */
static bool same_judgement(struct try *a, struct try *b)
{
    if (!arena_guard(a->arena, judge, a) || !arena_guard(b->arena, judge, b))
        return true;
    const struct ledger *x = a->ledger, *y = b->ledger;
    if (x->score_exact != y->score_exact || x->risks.n != y->risks.n)
        return false;
    for (uint32_t i = 0; i < x->risks.n; i++)
        if (strcmp(x->risks.items[i].id, y->risks.items[i].id) != 0 ||
            !str_eq(x->risks.items[i].message, y->risks.items[i].message))
            return false;
    return true;
}

static void locate(void *context)
{
    struct try *try = context;
    struct str bytes = try->bytes;
    try->locations = object_locations_read(try->arena, source_of(&bytes), &try->error);
    must(try->locations != NULL, "what can be read cannot be located");
}

static bool finds_all(struct try *try)
{
    if (!arena_guard(try->arena, locate, try))
        return true;
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        uint32_t n = 0;
        for (uint32_t i = 0; i < try->locations->kinds[kind].n; i++) {
            const struct object_location *item = &try->locations->kinds[kind].items[i];
            struct str text =
                str_sub(try->bytes, item->object.from, item->object.to - item->object.from);
            must(str_has_prefix(text, STR("{")) && str_has_suffix(text, STR("}")),
                 "an object stands somewhere else");
            n += !item->repeated;
        }
        if (n != try->cluster->counts[kind])
            return false;
    }
    return true;
}

static void extend(void *context)
{
    struct try *try = context;
    struct str bytes = try->bytes;
    try->cluster = snapshot_extend(*try->options.basis, source_of(&bytes), NULL, &try->error);
}

static void check_extended(struct arena *once, struct arena *twice, struct str bytes)
{
    struct snapshot_basis *basis = NULL;
    struct try extended = {.arena = once, .bytes = bytes, .options.basis = &basis};
    struct buf joined = buf_init(twice, SIZE_MAX);
    arena_reset(once);
    arena_reset(twice);
    buf_printf(&joined, "%" STR_FMT "\n%" STR_FMT, STR_ARG(bytes), STR_ARG(bytes));
    struct try both = {.arena = twice, .bytes = buf_str(&joined)};
    if (!attempt(&extended) || !attempt(&both))
        return;
    must((extended.cluster != NULL) == (basis != NULL), "read, and nothing to extend");
    if (!basis || !arena_guard(once, extend, &extended))
        return;
    must(extended.cluster && both.cluster, "it cannot be read twice");
    must(same_objects(extended.cluster, both.cluster), "extended, it has other objects");
    must(same_judgement(&extended, &both), "extended, it is judged otherwise");
}

static void check(struct arena *arenas[4], struct str bytes)
{
    struct buf copy = buf_init(arenas[3], SIZE_MAX);
    struct sink sink = {put, &copy};
    struct try plain = {.arena = arenas[0], .bytes = bytes};
    struct try find = {.arena = arenas[1], .bytes = bytes, .options.stop_at_sensitive = true};
    struct try redact = {.arena = arenas[2], .bytes = bytes, .options.redacted = &sink};
    if (!attempt(&plain) || !attempt(&find) || !attempt(&redact))
        return;
    if (find.cluster)
        must(redact.cluster && str_eq(buf_str(&copy), bytes), "nothing to redact was redacted");
    if (!plain.cluster)
        must(!redact.cluster, "redaction forgives an error");
    if (!redact.cluster)
        return;
    must(same_objects(plain.cluster, redact.cluster), "redaction changes what is read");
    must(same_judgement(&plain, &redact), "redaction changes the judgement");
    arena_reset(arenas[1]);
    struct try again = {
        .arena = arenas[1], .bytes = buf_str(&copy), .options.stop_at_sensitive = true};
    if (!attempt(&again))
        return;
    must(again.error.code != SNAPSHOT_E_SENSITIVE, "something sensitive is left");
    must(again.cluster != NULL, "the redacted copy cannot be read");
    must(same_objects(again.cluster, redact.cluster), "the redacted copy says something else");
    must(finds_all(&again), "located, there are more or fewer objects");
    check_extended(arenas[0], arenas[2], bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *arenas[4];
    for (int i = 0; i < 4; i++)
        arenas[i] = arena_new(CEILING);
    check(arenas, (struct str){(const char *)data, size});
    for (int i = 0; i < 4; i++)
        arena_free(arenas[i]);
    return 0;
}

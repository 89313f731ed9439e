#include "reader/intern.h"

#include "base/hash.h"
#include "base/rand.h"
#include "base/table.h"
#include "kube/credential_cut.h"

enum { KEPT_AT_FIRST = 768 };

struct intern {
    struct arena *arena;
    struct table strings, blocks;
    uint64_t seed;             /* nobody can know which strings collide */
    const struct intern *kept; /* or NULL; has the same seed */
    bool refuses, refused;
};

struct intern *intern_new(struct arena *arena)
{
    struct intern *intern = ARENA_NEW(arena, struct intern);
    *intern = (struct intern){
        .arena = arena,
        .strings = table_init(arena, KEPT_AT_FIRST),
        .blocks = table_init(arena, KEPT_AT_FIRST),
    };
    rand_bytes(&intern->seed, sizeof intern->seed);
    return intern;
}

struct intern *intern_new_over(struct arena *arena, const struct intern *kept)
{
    struct intern *intern = intern_new(arena);
    intern->kept = kept;
    intern->seed = kept->seed;
    return intern;
}

void intern_refuse_secrets(struct intern *intern)
{
    intern->refuses = true;
}

bool intern_refused(struct intern *intern)
{
    bool refused = intern->refused;
    intern->refused = false;
    return refused;
}

/* The length takes the upper half, so that what has the same hash is equally long. */
static uint64_t hash_of(uint64_t seed, struct str bytes)
{
    return (uint64_t)bytes.n << 32 | (uint32_t)hash_bytes(seed, bytes);
}

static const void *find(const struct table *table, uint64_t hash, struct str bytes)
{
    const void *kept;
    TABLE_EACH (kept, table, hash)
        if (memcmp(kept, bytes.p, bytes.n) == 0)
            return kept;
    return NULL;
}

struct str intern_string(struct intern *intern, struct str text)
{
    if (text.n == 0)
        return (struct str){NULL, 0};
    if (text.n > UINT32_MAX)
        return arena_str(intern->arena, text);
    uint64_t hash = hash_of(intern->seed, text);
    const char *kept = find(&intern->strings, hash, text);
    if (!kept && intern->kept)
        kept = find(&intern->kept->strings, hash, text);
    if (!kept && intern->refuses && credential_holds(text)) {
        intern->refused = true;
        return (struct str){NULL, 0};
    }
    if (!kept) {
        kept = memcpy(arena_bytes(intern->arena, text.n), text.p, text.n);
        table_add(&intern->strings, hash, kept);
    }
    return (struct str){kept, text.n};
}

/* The type takes part in the hash only: bytes that are equal are the same content, whatever was
 * written there first. */
const void *intern_block(struct intern *intern, const void *type, const void *bytes, size_t n)
{
    struct str block = {bytes, n};
    if (n > UINT32_MAX)
        return arena_copy(intern->arena, bytes, n);
    uint64_t hash = hash_of(intern->seed ^ (uintptr_t)type, block);
    const void *kept = find(&intern->blocks, hash, block);
    if (!kept && intern->kept)
        kept = find(&intern->kept->blocks, hash, block);
    if (!kept) {
        kept = arena_copy(intern->arena, bytes, n);
        table_add(&intern->blocks, hash, kept);
    }
    return kept;
}

/* Manifests that somebody is about to apply: what is taken becomes JSON objects, whatever the
 * cluster has of them already. The input is a manifest, a byte 0x1e and an object of a cluster. */
#include <assert.h>

#include "codec/jr.h"
#include "gate/proposal.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

enum { ARENA = 256 << 20, SEPARATOR = 0x1e };

/* Is it one object, by the letter? */
static bool is_object(struct arena *arena, struct str json)
{
    const struct jr_limits limits = {.depth = 64, .total = UINT64_MAX};
    struct jr *jr = jr_open(arena, source_of(&json), limits);
    return jr_next(jr) == JR_OBJECT && jr_next(jr) == JR_END && jr_error(jr)->code == JR_OK;
}

static void check(struct arena *arena, const struct proposal *proposal, struct str old)
{
    struct proposed *object;
    assert(proposal->objects.n > 0 && proposal->objects.n <= PROPOSAL_OBJECTS_MAX);
    LIST_EACH (object, proposal->objects) {
        assert(object->kind_name.n && object->api_version.n && object->name.n);
        assert(is_object(arena, proposal_applied(arena, object, 0)));
        object->old = old;
        assert(!old.p || is_object(arena, proposal_applied(arena, object, 0)));
    }
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    struct str text = {(const char *)data, size}, manifest, old;
    struct arena *arena = arena_new(ARENA);
    str_cut(text, SEPARATOR, &manifest, &old);
    if (!is_object(arena, old))
        old = (struct str){0};
    struct proposal proposal = proposal_read(arena, manifest, STR("default"));
    if (proposal.problem == PROPOSAL_FINE)
        check(arena, &proposal, old);
    else
        assert(proposal.why.n > 0);
    arena_free(arena);
    return 0;
}

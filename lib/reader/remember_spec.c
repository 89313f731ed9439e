/* The specs of pods that change. One that was met twice while its pod changed is kept, with all of
 * the pod: from then on it is taken over while the pod goes on changing. */
#include "reader/remembering.h"

struct noting {
    struct remember *remember;
    struct str text;
    struct kept_spec *spec;
};

/* Of the object that was read last, of which that is the text and the offset. Absent: it has none,
 * or two, or it was taken over. */
static struct str spec_text(const struct remember *remember, struct str text, uint64_t from)
{
    const struct spec_look *spec = &remember->spec;
    if (spec->met != 1 || spec->taken || spec->from < from)
        return (struct str){NULL, 0};
    return str_sub(text, spec->from - from, spec->n);
}

/* Only its hash. */
static void note(void *context)
{
    struct noting *noting = context;
    struct remember *remember = noting->remember;
    struct arena *arena = remember->memory->arena;
    size_t before = arena_taken(arena);
    struct kept_spec *spec = ARENA_NEW(arena, struct kept_spec);
    spec->n = (uint32_t)noting->text.n;
    spec->depth = remember->spec.depth;
    if (!read_setting_hash(&remember->setting, noting->text, &spec->hash))
        return;
    spec->bytes = arena_taken(arena) - before;
    noting->spec = spec;
}

struct kept_spec *remember_spec(struct remember *remember, const struct remembered *before,
                                struct str text, uint64_t from)
{
    struct kept_spec *taken = remember->spec.taken;
    if (!before || remember->spec.met != 1)
        return NULL;
    if (taken)
        return taken == before->spec ? taken : NULL;
    struct noting noting = {remember, spec_text(remember, text, from), NULL};
    if (!noting.text.n)
        return NULL;
    if (before->spec && kept_spec_is(before->spec, &remember->setting, noting.text))
        return before->spec;
    if (!remember->full && !arena_guard(remember->memory->arena, note, &noting))
        remember->full = true;
    return noting.spec;
}

/* Those of the pod's edits that are in the spec. */
static void keep_edits(struct arena *arena, struct kept_spec *spec, const struct remembered *item,
                       uint64_t from)
{
    struct kept_edit *edits = ARENA_ARRAY(arena, item->edits_n, struct kept_edit);
    spec->edits_n = kept_edits_within(item->edits, item->edits_n, from, spec->n, edits);
    spec->edits = edits;
}

bool remember_keep_spec(struct remember *remember, struct str text, uint64_t from,
                        struct remembered *item)
{
    struct noting noting = {remember, spec_text(remember, text, from), NULL};
    const struct pod *pod = (const struct pod *)item->object;
    if (remember->kept.taken || !noting.text.n || item->kind != KIND_POD)
        return false;
    if (!pod->spec) /* a second one took its place, and is none */
        return false;
    note(&noting);
    if (!noting.spec)
        return false;
    keep_edits(remember->memory->arena, noting.spec, item, remember->spec.from - from);
    noting.spec->pod = pod;
    item->spec = noting.spec;
    return true;
}

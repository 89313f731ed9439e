#include "kube/effort.h"

#include "kube/meta.h"

/* Steps between two looks at the deadline: about a millisecond. */
enum { LOOK_EVERY = 1 << 18 };

static const uint64_t BYTES_MAX = 1u << 30;

struct effort *effort_new(struct arena *arena, const struct effort_limits *limits)
{
    struct effort *effort = ARENA_NEW(arena, struct effort);
    if (limits)
        effort->limits = *limits;
    if (!effort->limits.steps_least)
        effort->limits.steps_least = EFFORT_STEPS_LEAST;
    if (!effort->limits.steps_per_kib)
        effort->limits.steps_per_kib = EFFORT_STEPS_PER_KIB;
    effort->arena = arena;
    effort_measure(effort, BYTES_MAX);
    return effort;
}

void effort_measure(struct effort *effort, uint64_t bytes)
{
    const struct effort_limits *limits = &effort->limits;
    effort->bytes = bytes < BYTES_MAX ? bytes : BYTES_MAX;
    uint64_t of_bytes = effort->bytes * limits->steps_per_kib / 1024;
    effort->allowed = of_bytes > limits->steps_least ? of_bytes : limits->steps_least;
    effort->look_at = 0; /* at the next step */
}

void effort_look(struct effort *effort)
{
    const struct effort_limits *limits = &effort->limits;
    if (effort->spent > effort->allowed)
        effort->end = EFFORT_TOO_MUCH;
    else if (limits->is_late && limits->is_late(limits->context))
        effort->end = EFFORT_LATE;
    if (effort->end != EFFORT_FINE)
        arena_exhaust(effort->arena);
    uint64_t left = effort->allowed - effort->spent;
    effort->look_at = effort->spent + (left < LOOK_EVERY ? left + 1 : LOOK_EVERY);
}

const char *effort_most(const struct effort *effort)
{
    static const char *const texts[] = {
#define EFFORT(id, text) text,
#include "kube/effort.def"
#undef EFFORT
    };
    int most = 0;
    for (int i = 1; i < EFFORT_COUNT; i++)
        if (effort->by_kind[i] > effort->by_kind[most])
            most = i;
    return texts[most];
}

static struct str place_of(struct arena *arena, const struct object *object)
{
    enum { NAME_SHOWN = 100 };
    if (!object)
        return STR("");
    struct str name = str_utf8_prefix(object->meta.name, NAME_SHOWN);
    struct str namespace = str_utf8_prefix(object->meta.namespace, NAME_SHOWN);
    return arena_printf(arena, "; it ended at %" STR_FMT " \"%" STR_FMT "\"%s%" STR_FMT "%s",
                        STR_ARG(object->kind_name), STR_ARG(name),
                        namespace.n ? " of namespace \"" : "", STR_ARG(namespace),
                        namespace.n ? "\"" : "");
}

struct str effort_text(struct arena *arena, const struct effort *effort)
{
    struct str place = place_of(arena, effort->object);
    if (effort->end == EFFORT_LATE)
        return arena_printf(arena, "%s takes longer than a snapshot may%" STR_FMT,
                            effort_most(effort), STR_ARG(place));
    return arena_printf(arena,
                        "%s takes too much: a snapshot of %llu bytes may take %llu steps%" STR_FMT,
                        effort_most(effort), (unsigned long long)effort->bytes,
                        (unsigned long long)effort->allowed, STR_ARG(place));
}

#include "agent/answer.h"

#include "agent/memory.h"
#include "base/arena.h"
#include "codec/jr.h"

enum { ROOM = 1024 * 1024 };

bool answer_has(struct str answer, struct str member)
{
    const struct jr_limits limits = {
        .depth = 64, .key = 1024, .string = 64 * 1024, .mark = 1024, .total = UINT64_MAX};
    struct arena *arena = arena_new(ROOM);
    bool has = false;
    if (!arena)
        memory_exhausted();
    struct jr *jr = jr_open(arena, source_of(&answer), limits);
    if (jr_next(jr) == JR_OBJECT) {
        jr_enter(jr);
        while (!has && jr_next(jr) > JR_END)
            has = str_eq(jr_key(jr), member);
    }
    arena_free(arena);
    return has;
}

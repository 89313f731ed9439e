#include "scratch.h"

struct arena *arena;

int scratch_open(void **state)
{
    (void)state;
    arena = arena_new((size_t)256 << 20);
    return arena == NULL;
}

int scratch_close(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

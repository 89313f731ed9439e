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

struct str json_of(const char *text)
{
    struct str json = arena_str(arena, str_of(text));
    for (size_t i = 0; i < json.n; i++)
        if (json.p[i] == '\'')
            ((char *)json.p)[i] = '"';
    return json;
}

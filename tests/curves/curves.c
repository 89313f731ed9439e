/* curves [--svg]: how the score answers to more and more that is down; numbers, or a drawing. */
#include "../unit/curves.h"

#include <stdio.h>

static int print(bool svg)
{
    struct arena *arena = arena_new(SIZE_MAX / 2);
    struct curve_panels *panels = curves_measure(arena);
    struct str text = svg ? curves_svg(arena, panels) : curves_table(arena, panels);
    bool printed = fwrite(text.p, 1, text.n, stdout) == text.n && fflush(stdout) == 0;
    arena_free(arena);
    return printed ? 0 : 1;
}

int main(int argc, char **argv)
{
    return print(argc > 1 && strcmp(argv[1], "--svg") == 0);
}

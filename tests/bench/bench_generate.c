/* bench_generate PODS compact|pretty|plain [VARIANT [CHANGING same|drifting ROUND]]: a generated
 * snapshot, gzip, to standard output. plain: compact, and nothing in it has to be redacted.
 * VARIANT: a cluster that differs in one crash-looping pod. CHANGING: so many of 1,000 pods have
 * changed with each ROUND.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generate.h"

static int generate(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    struct arena *arena = arena_new((size_t)1 << 30);
    struct generate what = {.pods = (unsigned)strtoul(argv[1], NULL, 10),
                            .pretty = strcmp(argv[2], "pretty") == 0,
                            .plain = strcmp(argv[2], "plain") == 0,
                            .variant = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 0};
    if (argc > 6) {
        what.changing = (unsigned)strtoul(argv[4], NULL, 10);
        what.drifting = strcmp(argv[5], "drifting") == 0;
        what.round = (unsigned)strtoul(argv[6], NULL, 10);
    }
    struct str gzip = generate_gzip(arena, what);
    bool written = fwrite(gzip.p, 1, gzip.n, stdout) == gzip.n && fflush(stdout) == 0;
    arena_free(arena);
    return written ? 0 : 1;
}

int main(int argc, char **argv)
{
    return generate(argc, argv);
}

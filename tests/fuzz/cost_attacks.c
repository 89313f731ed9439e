/* What known costly snapshots cost: a line each, and 1 when one takes more than it may. */
#include <stdio.h>

#include "base/buf.h"
#include "cost_run.h"

enum { RUNS = 3, LIMIT_MS = 50, DOCUMENT_MAX = 128 << 20 };

static const struct attack {
    const char *name;
    unsigned parts;
    unsigned n;
    const char *text;
    unsigned m;
    const char *more;
} attacks[] = {
#define ATTACK(name, parts, n, text, m, more) {name, parts, n, text, m, more},
#include "cost_attacks.def"
#undef ATTACK
};

static void put_objects(struct buf *out, const char *text, unsigned n, unsigned parts)
{
    for (unsigned i = 0; i < n; i++) {
        if (out->p[out->n - 1] != '[')
            buf_putc(out, ',');
        cost_put(out, text, i, parts);
    }
}

static bool attack(const struct attack *a)
{
    struct arena *arena = arena_new(SIZE_MAX / 2);
    struct buf out = buf_init(arena, DOCUMENT_MAX);
    buf_put(&out, STR("{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":["));
    put_objects(&out, a->text, a->n, a->parts);
    put_objects(&out, a->more, a->m, a->parts);
    buf_put(&out, STR("]}"));
    struct cost cost = cost_run(buf_str(&out), RUNS);
    double ms = cost_per_mb(&cost);
    bool good = !out.full && ms <= LIMIT_MS;
    printf("%s %5.1f ms a MB, %5.1f MB, %6.1f ms  %-42s %s\n", good ? "ok    " : "not ok", ms,
           (double)cost.bytes / 1e6, cost.ms, a->name,
           cost.scored        ? "scored"
           : cost.too_complex ? "too complex"
                              : "refused");
    fflush(stdout);
    arena_free(arena);
    return good;
}

int main(void)
{
    bool good = true;
    for (size_t i = 0; i < sizeof attacks / sizeof *attacks; i++)
        good &= attack(&attacks[i]);
    return good ? 0 : 1;
}

#include "cost_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "codec/zstd.h"
#include "reader/snapshot_reader.h"
#include "score/score.h"

enum { CEILING = 512 << 20, LEVEL = 1 };
static const int64_t TIME = INT64_C(1793232000000);

struct push {
    struct arena *arena;
    struct str document;
    struct zstd_writer *out;
    struct effort *effort;
    struct ledger *ledger;
};

static bool put_away(void *context, struct str bytes)
{
    uint64_t *n = context;
    *n += bytes.n;
    return true;
}

static bool put_redacted(void *context, struct str bytes)
{
    return zstd_writer_put(context, bytes);
}

static struct cluster *read_once(struct push *push, const struct sink *redacted, bool *sensitive)
{
    struct str bytes = push->document;
    struct snapshot_error error = {.code = SNAPSHOT_OK};
    struct snapshot_options options = {
        .redacted = redacted, .stop_at_sensitive = !redacted, .effort = &push->effort};
    struct cluster *cluster = snapshot_read(push->arena, source_of(&bytes), &options, &error);
    *sensitive = error.code == SNAPSHOT_E_SENSITIVE;
    return cluster;
}

static void work(void *context)
{
    struct push *push = context;
    struct sink redacted = {put_redacted, push->out};
    bool sensitive;
    struct cluster *cluster = read_once(push, NULL, &sensitive);
    if (sensitive)
        cluster = read_once(push, &redacted, &sensitive);
    zstd_writer_finish(push->out);
    struct score_policy policy = score_policy_default();
    if (cluster)
        push->ledger = score(push->arena, cluster, &policy, TIME);
}

static double cpu_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static struct cost run_once(struct str document)
{
    uint64_t stored = 0;
    struct push push = {.arena = arena_new(CEILING), .document = document};
    push.out = zstd_writer_open((struct sink){put_away, &stored}, LEVEL);
    if (!push.arena || !push.out)
        abort();
    double from = cpu_ms();
    arena_guard(push.arena, work, &push);
    struct cost cost = {.bytes = document.n, .ms = cpu_ms() - from, .most = ""};
    if (push.effort) {
        cost.steps = push.effort->spent;
        cost.allowed = push.effort->allowed;
        cost.too_complex = push.effort->end != EFFORT_FINE;
        cost.most = effort_most(push.effort);
    }
    cost.scored = push.ledger != NULL;
    cost.risks = push.ledger ? push.ledger->risks.n : 0;
    zstd_writer_free(push.out);
    arena_free(push.arena);
    return cost;
}

struct cost cost_run(struct str document, int runs)
{
    struct cost least = run_once(document);
    while (--runs > 0) {
        struct cost cost = run_once(document);
        if (cost.ms < least.ms)
            least = cost;
    }
    return least;
}

double cost_per_mb(const struct cost *cost)
{
    return cost->ms * 1e6 /
           (double)(cost->bytes < COST_BYTES_LEAST ? COST_BYTES_LEAST : cost->bytes);
}

static void put_char(struct buf *out, char c, unsigned number, unsigned part)
{
    if (c == '#' || c == '$')
        buf_printf(out, "%u", c == '#' ? number : part);
    else
        buf_putc(out, c == '\'' ? '"' : c);
}

/* Returns the @ that ends the part. */
static const char *put_parts(struct buf *out, const char *part, unsigned number, unsigned parts)
{
    const char *end = strchr(part, '@');
    bool is_value = *part == '{' || *part == '[' || *part == '\'';
    if (!end)
        abort(); /* a mistake in a table */
    for (unsigned i = 0; i < parts; i++) {
        if (i && is_value)
            buf_putc(out, ',');
        for (const char *p = part; p < end; p++)
            put_char(out, *p, number, i);
    }
    return end;
}

void cost_put(struct buf *out, const char *text, unsigned number, unsigned parts)
{
    for (; *text; text++)
        if (*text == '@')
            text = put_parts(out, text + 1, number, parts);
        else
            put_char(out, *text, number, 0);
}

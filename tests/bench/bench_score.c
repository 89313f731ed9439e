/* What reading and scoring a snapshot costs, beside zlib's inflate alone and the json-c route, of
 * the same bytes in one run.
 *
 *   bench_score                the figures of generated clusters (--short: few rounds)
 *   bench_score FILE           "plain_ms=.. redacted_ms=.. bytes=..": CPU for one snapshot, the
 *                              latter with a redacted copy made and compressed
 *   bench_score --json-c FILE  reads it by json-c, for its memory
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "codec/inflate.h"
#include "codec/zstd.h"
#include "generate.h"
#include "reader/snapshot_reader.h"
#include "others.h"
#include "score/score.h"

enum { ZSTD_LEVEL = 1 };

#define TIME INT64_C(1793232000000)

struct pushed {
    struct str gzip;
    struct arena *arena; /* emptied after each piece of work */
    size_t stored;       /* bytes of the redacted copy */
};

static void must(bool good, const char *what)
{
    if (!good) {
        fprintf(stderr, "bench_score: %s\n", what);
        exit(1);
    }
}

static void run_inflate(void *context)
{
    others_inflate(((const struct pushed *)context)->gzip);
}

static void judge(struct pushed *pushed, const struct snapshot_options *options)
{
    struct str gzip = pushed->gzip;
    struct inflate *in = inflate_open(source_of(&gzip), UINT64_MAX);
    struct snapshot_error error;
    struct score_policy policy = score_policy_default();
    struct cluster *cluster = snapshot_read(pushed->arena, inflate_source(in), options, &error);
    must(cluster != NULL, "not a snapshot");
    score(pushed->arena, cluster, &policy, TIME);
    inflate_free(in);
}

static void run_score(void *context)
{
    struct pushed *pushed = context;
    judge(pushed, &(struct snapshot_options){0});
    arena_reset(pushed->arena);
}

static bool put_redacted(void *context, struct str bytes)
{
    return zstd_writer_put(context, bytes);
}

static bool count_bytes(void *context, struct str bytes)
{
    ((struct pushed *)context)->stored += bytes.n;
    return true;
}

static void run_redact(void *context)
{
    struct pushed *pushed = context;
    pushed->stored = 0;
    struct zstd_writer *out = zstd_writer_open((struct sink){count_bytes, pushed}, ZSTD_LEVEL);
    struct sink redacted = {put_redacted, out};
    judge(pushed, &(struct snapshot_options){.redacted = &redacted});
    must(zstd_writer_finish(out), "compressing failed");
    zstd_writer_free(out);
    arena_reset(pushed->arena);
}

static void run_json_c(void *context)
{
    others_json_c_walk(((const struct pushed *)context)->gzip);
}

struct form {
    const char *name;
    struct generate what;
    double limit; /* of reading and scoring, in times of inflate */
};

static void print(const char *what, const char *form, double value, const char *than, double limit)
{
    char line[80];
    snprintf(line, sizeof line, "%s, %s", what, form);
    bench_print(line, value, than, limit);
}

static void bench_1000(const struct form *form, unsigned rounds)
{
    struct arena *arena = arena_new((size_t)1 << 30);
    struct pushed pushed = {generate_gzip(arena, form->what), arena_new((size_t)1 << 30), 0};
    struct bench_work works[] = {{.run = run_inflate, .context = &pushed},
                                 {.run = run_score, .context = &pushed},
                                 {.run = run_redact, .context = &pushed}};
    /* By themselves: after json-c's hundred megabytes the next one would have to get its memory
     * anew. */
    struct bench_work routes[] = {{.run = run_score, .context = &pushed},
                                  {.run = run_json_c, .context = &pushed, .after = others_forget}};
    bench_measure(works, 3, rounds);
    bench_measure(routes, 2, rounds / 3);
    double inflate_ms = works[0].ms, score_ms = works[1].ms;
    print("read and score, ms", form->name, score_ms, "", 0);
    print("read and score / inflate", form->name, score_ms / inflate_ms, "<=", form->limit);
    print("json-c / read and score", form->name, routes[1].ms / routes[0].ms, ">=", 8);
    print("with redaction / inflate", form->name, works[2].ms / inflate_ms, "<=", 6);
    arena_free(pushed.arena);
    arena_free(arena);
}

/* 1,000 and 10,000 pods in turns, so that the machine's mood hits both alike. */
static void bench_10000(unsigned rounds)
{
    struct arena *arena = arena_new((size_t)1 << 30), *work = arena_new((size_t)1 << 30);
    struct pushed small = {generate_gzip(arena, (struct generate){.pods = 1000}), work, 0};
    struct pushed large = {generate_gzip(arena, (struct generate){.pods = 10000}), work, 0};
    struct bench_work works[] = {{.run = run_score, .context = &small},
                                 {.run = run_score, .context = &large},
                                 {.run = run_inflate, .context = &large}};
    bench_measure(works, 3, rounds);
    print("read and score, ms", "10,000 pods compact", works[1].ms, "", 0);
    print("read and score / inflate", "10,000 pods compact", works[1].ms / works[2].ms, "", 0);
    print("cost per pod", "10,000 / 1,000 pods", works[1].ms / works[0].ms / 10, "<=", 1.15);
    arena_free(work);
    arena_free(arena);
}

static struct pushed read_file(struct arena *arena, const char *name)
{
    FILE *file = fopen(name, "rb");
    must(file && fseek(file, 0, SEEK_END) == 0, "cannot read the file");
    size_t n = (size_t)ftell(file);
    char *p = arena_bytes(arena, n);
    rewind(file);
    must(fread(p, 1, n, file) == n, "cannot read the file");
    fclose(file);
    return (struct pushed){{p, n}, arena_new((size_t)1 << 30), 0};
}

static void bench_file(const char *name, bool by_json_c)
{
    struct arena *arena = arena_new((size_t)1 << 30);
    struct pushed pushed = read_file(arena, name);
    struct bench_work works[] = {{.run = run_score, .context = &pushed},
                                 {.run = run_redact, .context = &pushed}};
    if (by_json_c) {
        run_json_c(&pushed);
    } else {
        bench_measure(works, 2, 15);
        printf("plain_ms=%.3f redacted_ms=%.3f bytes=%zu\n", works[0].ms, works[1].ms,
               pushed.gzip.n);
    }
    arena_free(pushed.arena);
    arena_free(arena);
}

static int bench(int argc, char **argv)
{
    static const struct form compact = {"1,000 pods compact", {.pods = 1000}, 1.6};
    static const struct form pretty = {"1,000 pods pretty", {.pods = 1000, .pretty = true}, 2.0};
    bool is_short = argc == 2 && strcmp(argv[1], "--short") == 0;
    if (argc > 1 && !is_short) {
        bench_file(argv[argc - 1], argc == 3 && strcmp(argv[1], "--json-c") == 0);
        return 0;
    }
    bench_1000(&compact, is_short ? 3 : 21);
    if (is_short)
        return 0;
    bench_1000(&pretty, 21);
    bench_10000(15);
    return 0;
}

int main(int argc, char **argv)
{
    return bench(argc, argv);
}

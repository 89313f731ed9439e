/* What a push costs: reading a snapshot into the model and judging it, with and without redaction,
 * as ratios to zlib's inflate alone of the same bytes in one run; and the memory of
 * loadline-score. */
#include <json-c/json.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include "bench.h"
#include "codec/deflate.h"
#include "codec/inflate.h"
#include "generate.h"
#include "kube/snapshot.h"
#include "score/score.h"

static const uint64_t TOTAL_MAX = 1u << 30;
static const int64_t TIME = INT64_C(1773748800000); /* 2026-03-17T12:00:00Z */

struct pushed {
    struct str gzip;
    struct arena *arena;
};

static void must(bool good)
{
    if (!good)
        abort();
}

static void run_zlib(void *context)
{
    struct pushed *pushed = context;
    static unsigned char window[64 * 1024];
    z_stream z = {.next_in = (unsigned char *)(uintptr_t)pushed->gzip.p,
                  .avail_in = (uInt)pushed->gzip.n};
    must(inflateInit2(&z, 15 + 16) == Z_OK);
    int status = Z_OK;
    while (status == Z_OK) {
        z.next_out = window;
        z.avail_out = sizeof window;
        status = inflate(&z, Z_NO_FLUSH);
    }
    must(status == Z_STREAM_END);
    inflateEnd(&z);
}

static struct cluster *read_snapshot(struct pushed *pushed,
                                     const struct snapshot_options *options)
{
    struct str gzip = pushed->gzip;
    struct snapshot_error error;
    struct inflate *in = inflate_open(source_of(&gzip), TOTAL_MAX);
    struct cluster *cluster = snapshot_read(pushed->arena, inflate_source(in), options, &error);
    must(cluster && inflate_error(in) == INFLATE_OK);
    inflate_free(in);
    return cluster;
}

static void run_read(void *context)
{
    struct pushed *pushed = context;
    read_snapshot(pushed, &(struct snapshot_options){0});
    arena_reset(pushed->arena);
}

static void run_score(void *context)
{
    struct pushed *pushed = context;
    struct score_policy policy = score_policy_default();
    struct cluster *cluster = read_snapshot(pushed, &(struct snapshot_options){0});
    must(score(pushed->arena, cluster, &policy, TIME)->pods > 0);
    arena_reset(pushed->arena);
}

static bool count(void *context, struct str bytes)
{
    *(size_t *)context += bytes.n;
    return true;
}

static bool deflate_bytes(void *context, struct str bytes)
{
    return deflate_put(context, bytes);
}

static void run_redact(void *context)
{
    struct pushed *pushed = context;
    struct score_policy policy = score_policy_default();
    size_t n = 0;
    struct deflate *out = deflate_open((struct sink){count, &n}, 1);
    struct sink redacted = {deflate_bytes, out};
    struct cluster *cluster =
        read_snapshot(pushed, &(struct snapshot_options){.redacted = &redacted});
    must(deflate_finish(out) && n > 0);
    deflate_free(out);
    must(score(pushed->arena, cluster, &policy, TIME)->pods > 0);
    arena_reset(pushed->arena);
}

static void run_json_c(void *context)
{
    struct pushed *pushed = context;
    struct str gzip = pushed->gzip;
    struct inflate *in = inflate_open(source_of(&gzip), TOTAL_MAX);
    struct source source = inflate_source(in);
    struct json_tokener *tokener = json_tokener_new_ex(64);
    struct json_object *object = NULL;
    static char window[64 * 1024];
    for (ptrdiff_t n; (n = source.read(source.context, window, sizeof window)) > 0;)
        if (!object)
            object = json_tokener_parse_ex(tokener, window, (int)n);
    must(json_object_is_type(object, json_type_object));
    json_object_put(object);
    json_tokener_free(tokener);
    inflate_free(in);
}

static void print(const char *figure, const char *name, double value, double target)
{
    char line[80];
    snprintf(line, sizeof line, "%s, %s", figure, name);
    bench_print(line, value, target);
}

/* Peak resident memory of loadline-score, in MiB. */
static double peak_of_scorer(const char *build, struct str gzip)
{
    char file[] = "/tmp/loadline-bench-XXXXXX", program[512];
    struct rusage usage;
    int fd = mkstemp(file), status;
    must(fd >= 0 && write(fd, gzip.p, gzip.n) == (ssize_t)gzip.n);
    close(fd);
    snprintf(program, sizeof program, "%s/bin/loadline-score", build);
    pid_t pid = vfork();
    must(pid >= 0);
    if (pid == 0) {
        int null = open("/dev/null", O_WRONLY);
        dup2(null, STDOUT_FILENO);
        execl(program, program, file, (char *)NULL);
        _exit(127);
    }
    must(wait4(pid, &status, 0, &usage) == pid);
    unlink(file);
    must(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return (double)usage.ru_maxrss / 1024;
}

static double bench(struct arena *arena, const char *name, const char *build, struct generate what,
                    double target, double memory)
{
    struct pushed pushed = {generate_gzip(arena, what), arena_new((size_t)256 << 20)};
    struct bench_work works[] = {{run_zlib, &pushed, 0},
                                 {run_read, &pushed, 0},
                                 {run_score, &pushed, 0},
                                 {run_redact, &pushed, 0}};
    struct bench_work json_c = {run_json_c, &pushed, 0};
    bench_measure(works, 4, what.pods > 1000 ? 7 : 25);
    double zlib = works[0].ms, scored = works[2].ms;
    print("read / zlib", name, works[1].ms / zlib, 0);
    print("read + score / zlib", name, scored / zlib, target);
    print("read + redact + score / zlib", name, works[3].ms / zlib, 6);
    if (what.pods <= 1000) {
        bench_measure(&json_c, 1, 3);
        print("read + score / json-c", name, scored / json_c.ms, 0.125);
    }
    if (memory > 0)
        print("peak of loadline-score in MiB", name, peak_of_scorer(build, pushed.gzip), memory);
    arena_free(pushed.arena);
    arena_reset(arena);
    return scored / what.pods;
}

int main(int argc, char **argv)
{
    struct arena *arena = arena_new((size_t)1 << 30);
    const char *build = argc > 1 ? argv[1] : "build/release";
    must(arena != NULL);
    bench(arena, "1,000 pods pretty", build, (struct generate){1000, true}, 2.0, 0);
    double small =
        bench(arena, "1,000 pods compact", build, (struct generate){1000, false}, 1.6, 24);
    double large =
        bench(arena, "10,000 pods compact", build, (struct generate){10000, false}, 0, 64);
    bench_print("cost per pod, 10,000 pods / 1,000 pods", large / small, 1.15);
    arena_free(arena);
    return 0;
}

#include "bench.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS_MAX = 99, KEPT_BLOCK = 8 << 20, KEPT_BYTES = 64 << 20 };

double bench_cpu_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_quantile(double *values, size_t n, double part)
{
    qsort(values, n, sizeof *values, by_value);
    size_t at = (size_t)((double)n * part);
    return values[at < n ? at : n - 1];
}

void bench_measure(struct bench_work *works, size_t count, unsigned rounds)
{
    if (rounds > ROUNDS_MAX)
        rounds = ROUNDS_MAX;
    mallopt(M_MMAP_THRESHOLD, KEPT_BLOCK); /* what is freed stays, as in a worker (web/app.c) */
    mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
    double(*times)[ROUNDS_MAX] = calloc(count, sizeof *times);
    if (!times)
        abort();
    for (unsigned round = 0; round < rounds; round++) {
        for (size_t i = 0; i < count; i++) {
            double before = bench_cpu_ms();
            works[i].run(works[i].context);
            times[i][round] = bench_cpu_ms() - before;
            if (works[i].after)
                works[i].after();
        }
    }
    for (size_t i = 0; i < count; i++)
        works[i].ms = bench_quantile(times[i], rounds, 0.5);
    free(times);
}

void bench_print(const char *name, double value, const char *than, double target)
{
    int within = than[0] == '<' ? value <= target : value >= target;
    if (than[0])
        printf("%-44s %12.2f %2s %10.2f %s target\n", name, value, than, target,
               within ? "within" : "over");
    else
        printf("%-44s %12.2f %13s\n", name, value, "-");
    fflush(stdout);
}

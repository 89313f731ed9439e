#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS_MAX = 99 };

static double cpu_ms(void)
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

void bench_measure(struct bench_work *works, size_t count, unsigned rounds)
{
    if (rounds > ROUNDS_MAX)
        rounds = ROUNDS_MAX;
    double(*times)[ROUNDS_MAX] = calloc(count, sizeof *times);
    if (!times)
        abort();
    for (unsigned round = 0; round < rounds; round++) {
        for (size_t i = 0; i < count; i++) {
            double before = cpu_ms();
            works[i].run(works[i].context);
            times[i][round] = cpu_ms() - before;
        }
    }
    for (size_t i = 0; i < count; i++) {
        qsort(times[i], rounds, sizeof times[i][0], by_value);
        works[i].ms = times[i][rounds / 2];
    }
    free(times);
}

void bench_print(const char *name, double value, double target)
{
    if (target > 0)
        printf("%-44s %10.2f %10.2f %s\n", name, value, target,
               value <= target ? "within target" : "over target");
    else
        printf("%-44s %10.2f %10s\n", name, value, "-");
    fflush(stdout);
}

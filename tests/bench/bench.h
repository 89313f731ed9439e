/* bench: medians, and one line a figure: name, value, target, within target or over target. */
#ifndef LOADLINE_TESTS_BENCH_BENCH_H
#define LOADLINE_TESTS_BENCH_BENCH_H

#include <stddef.h>

/* What is measured against each other runs in turns, so that what else the machine does meanwhile
 * hits all alike. */
struct bench_work {
    void (*run)(void *context);
    void *context;
    double ms; /* out: median of the CPU time of this process */
};

void bench_measure(struct bench_work *works, size_t count, unsigned rounds);

/* target: what the value may be at most; 0: a figure without one. */
void bench_print(const char *name, double value, double target);

#endif

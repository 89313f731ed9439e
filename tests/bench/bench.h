/* bench: medians, and one line a figure: name, value, target, within target or over target. */
#ifndef LOADLINE_TESTS_BENCH_BENCH_H
#define LOADLINE_TESTS_BENCH_BENCH_H

#include <stddef.h>

/* What is measured against each other runs in turns, so that what else the machine does meanwhile
 * hits all alike. */
struct bench_work {
    void (*run)(void *context);
    void *context;
    void (*after)(void); /* unmeasured, after each run; NULL: nothing */
    double ms;           /* out: median of the CPU time of this process */
};

void bench_measure(struct bench_work *works, size_t count, unsigned rounds);

/* CPU time of this process until now. */
double bench_cpu_ms(void);
/* Of n values, n at least 1; sorts them. part: 0.5 is the median, 1 the largest. */
double bench_quantile(double *values, size_t n, double part);

/* than: "<=" or ">=" the target; "": a figure without one. */
void bench_print(const char *name, double value, const char *than, double target);

#endif

/* cost_run: what a push of some bytes costs, in process: it is looked through, read, redacted,
 * compressed and judged, as ingest does it. */
#ifndef LOADLINE_TESTS_FUZZ_COST_RUN_H
#define LOADLINE_TESTS_FUZZ_COST_RUN_H

#include "base/buf.h"

struct cost {
    uint64_t bytes, steps, allowed;
    double ms;        /* of CPU, the least of some runs */
    bool scored;      /* else: refused */
    bool too_complex; /* by the effort */
    uint32_t risks;
    const char *most; /* what took the most steps; "" when nothing was read */
};

/* runs: at least 1. */
struct cost cost_run(struct str document, int runs);
/* Puts an object out, with " for each ': # is its number; what stands between two @ comes `parts`
 * times, with commas where it begins like a value, and $ is the number of the part. */
void cost_put(struct buf *out, const char *text, unsigned number, unsigned parts);

/* Milliseconds a megabyte. Less than two megabytes count as two: every push may take that. */
enum { COST_BYTES_LEAST = 2000000 };
double cost_per_mb(const struct cost *cost);

#endif

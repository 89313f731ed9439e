/* counters: numbers that all processes of a host count up together, or tell each other, an array of
 * them in a file that each process maps. Counting is one atomic addition; a process that dies takes
 * nothing with it.
 */
#ifndef LOADLINE_BASE_COUNTERS_H
#define LOADLINE_BASE_COUNTERS_H

#include <stdatomic.h>

#include "base/str.h"

struct counters {
    _Atomic uint64_t *at; /* NULL: nothing is counted */
    size_t n;
};

/* The n counters of the file PATH.LAYOUT, made with zeros when it is not there. layout: a hash of
 * what each counter means, so that two versions of a program do not count into each other's. False
 * when there is no such file (errno tells why) or path is "": this process then counts for itself.
 */
bool counters_open(struct counters *counters, const char *path, uint64_t layout, size_t n);
void counters_close(struct counters *counters);

static inline void counters_add(const struct counters *counters, size_t i, uint64_t n)
{
    if (i < counters->n)
        atomic_fetch_add_explicit(&counters->at[i], n, memory_order_relaxed);
}

static inline void counters_set(const struct counters *counters, size_t i, uint64_t value)
{
    if (i < counters->n)
        atomic_store_explicit(&counters->at[i], value, memory_order_relaxed);
}

static inline uint64_t counters_get(const struct counters *counters, size_t i)
{
    return i < counters->n ? atomic_load_explicit(&counters->at[i], memory_order_relaxed) : 0;
}

#endif

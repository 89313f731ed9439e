/* metrics: what happens on this host, counted by all programs together. One row each in
 * metrics.def. The numbers live in a file that every process maps (base/counters.h): counting must
 * cost a push nothing, and a table of the database would cost it a statement.
 */
#ifndef LOADLINE_SERVICE_METRICS_H
#define LOADLINE_SERVICE_METRICS_H

#include "base/buf.h"

enum metric {
#define METRIC(name, family, label, value, help) METRIC_##name,
#include "service/metrics.def"
#undef METRIC
    METRIC_COUNT
};

/* path: configuration key metrics_file. Before this nothing is counted; without such a file, by
 * each process for itself. */
void metrics_open(const char *path);
/* Of a gauge n may be negative, as an unsigned number is: each process takes back what it has
 * added. */
void metrics_add(enum metric metric, uint64_t n);
/* All of them as Prometheus reads them. */
void metrics_expose(struct buf *out);

#endif

/* quantity: resource.Quantity ("250m", "1.5Gi", "1e3", "2E") in thousandths. */
#ifndef LOADLINE_KUBE_QUANTITY_H
#define LOADLINE_KUBE_QUANTITY_H

#include "base/arena.h"

/* Thousandths, rounded up as Kubernetes does below a thousandth, saturated at INT64_MAX /
 * -INT64_MAX. False when it is no quantity. */
bool quantity_parse(struct str text, int64_t *out);
/* For people: CPU as "250m" or "1.5", memory as "256Mi" or "1.5Gi". */
struct str quantity_cpu_text(struct arena *arena, int64_t thousandths);
struct str quantity_memory_text(struct arena *arena, int64_t thousandths);
/* How many percent of `whole`, which is more than 0, are used: 0 to 99999, rounded down. */
int quantity_percent(int64_t used, int64_t whole);
/* An IntOrString of a replica count: "3", or "25%" of total, rounded up or down. False when it is
 * neither. */
bool int_or_percent(struct str text, int64_t total, bool round_up, int64_t *out);

#endif

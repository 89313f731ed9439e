/* request_metrics: how many requests each route has answered, with what, and how long that took:
 * counted by all processes of this host in a file that they map (base/counters.h).
 */
#ifndef LOADLINE_WEB_REQUEST_METRICS_H
#define LOADLINE_WEB_REQUEST_METRICS_H

#include "web/route.h"

/* path: configuration key metrics_file. The table must be the same in all programs and outlive
 * this. */
void request_metrics_open(const char *path, struct route_table routes);
/* A request was answered. route: NULL when none was found. e: ERR_OK or what it was refused with.
 */
void request_metrics_count(const struct route *route, enum error e, int64_t ms);
/* All of it as Prometheus reads it. */
void request_metrics_write(struct buf *out);

#endif

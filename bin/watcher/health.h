/* health: a small HTTP server for probes and metrics: GET /healthz, GET /metrics. A connection is
 * one request. */
#ifndef LOADLINE_BIN_WATCHER_HEALTH_H
#define LOADLINE_BIN_WATCHER_HEALTH_H

#include <poll.h>

#include "base/buf.h"

enum { HEALTH_CLIENTS_MAX = 8, HEALTH_FILES_MAX = HEALTH_CLIENTS_MAX + 1 };

struct health;

/* What it tells. */
struct health_voice {
    bool (*is_well)(void *context);
    void (*put_metrics)(void *context, struct buf *out);
    void *context;
};

/* address: "ADDRESS:PORT", an IPv6 address in brackets. NULL after a complaint on stderr. */
struct health *health_open(const char *address, struct health_voice voice);
void health_close(struct health *health);

/* The files that it waits for, at most HEALTH_FILES_MAX; NULL has none. */
unsigned health_files(const struct health *health, struct pollfd *files);
/* Sees to them when the wait is over. now: clock_monotonic(). */
void health_tick(struct health *health, const struct pollfd *files, unsigned n, int64_t now);

#endif

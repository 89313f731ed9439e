/* logs: takes errors in the logs of containers that fail to Loadline (--logs): a few a round,
 * one after the other.
 */
#ifndef LOADLINE_BIN_WATCHER_LOGS_H
#define LOADLINE_BIN_WATCHER_LOGS_H

#include "options.h"
#include "source.h"

struct logs;

/* Both outlive the logs. Pods that the source's cleaner sees from now on are looked at. */
struct logs *logs_new(const struct options *options, struct api_source *source);
void logs_free(struct logs *logs);
/* Does what is due. now: clock_monotonic(). */
void logs_tick(struct logs *logs, int64_t now);

struct logs_counts {
    uint64_t asked, lines; /* of the API server; that Loadline took */
    uint64_t errors;       /* requests that failed, but for those that are forbidden */
};
const struct logs_counts *logs_counts(const struct logs *logs);

#endif

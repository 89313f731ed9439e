/* discover: which of the kinds the API server serves, in which version, asked at the start and
 * again and again: a CustomResourceDefinition may come and go.
 */
#ifndef LOADLINE_BIN_WATCHER_DISCOVER_H
#define LOADLINE_BIN_WATCHER_DISCOVER_H

#include "watch.h"

struct discover;

/* Tells the watches what is served, every again_ms; they outlive it. */
struct discover *discover_new(struct api_source *source, struct watch *const *watches, size_t n,
                              int64_t again_ms);
void discover_free(struct discover *discover);
void discover_tick(struct discover *discover, int64_t now);
/* Has it gone through once? */
bool discover_is_done(const struct discover *discover);
/* How often in a row it has failed. */
unsigned discover_failures(const struct discover *discover);
/* The last time was not for lack of luck: nobody takes the certificate or the token. */
bool discover_is_refused(const struct discover *discover);

#endif

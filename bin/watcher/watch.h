/* watch: one kind of objects, listed and then watched, so that its list in the store is what the
 * cluster has. */
#ifndef LOADLINE_BIN_WATCHER_WATCH_H
#define LOADLINE_BIN_WATCHER_WATCH_H

#include "source.h"
#include "watched.h"

struct watch;

/* Does nothing until it is served. */
struct watch *watch_new(struct api_source *source, const struct watched *kind);
void watch_free(struct watch *watch);

/* It is served by this version ("apps/v1"), from which it is listed and watched; where nobody may
 * watch, it is listed every minute. */
void watch_serve(struct watch *watch, struct str api_version, bool can_watch, int64_t now);
/* It is served no more. */
void watch_end(struct watch *watch);

/* Does what is due. now: clock_monotonic(), here and below. */
void watch_tick(struct watch *watch, int64_t now);

const struct watched *watch_kind(const struct watch *watch);
struct store_list *watch_list(const struct watch *watch);

enum watch_state {
    WATCH_NOT_SERVED,
    WATCH_FORBIDDEN, /* the role does not let the agent list it */
    WATCH_BEGINNING, /* it has not been listed to its end yet */
    WATCH_FRESH,
    WATCH_STALE /* for a minute nobody could say whether the list is still right */
};
enum watch_state watch_state(const struct watch *watch, int64_t now);
/* It is beginning, and has failed to do so. */
bool watch_struggles(const struct watch *watch);
/* Puts a list without items that says that it may not be seen. */
void watch_pack_forbidden(const struct watch *watch, struct bytes *out);

#endif

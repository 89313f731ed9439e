/* watch_url: the addresses at which the API server lists and watches a kind. All append to url. */
#ifndef LOADLINE_BIN_WATCHER_WATCH_URL_H
#define LOADLINE_BIN_WATCHER_WATCH_URL_H

#include "agent/memory.h"
#include "watched.h"

/* api_version: "v1", "apps/v1". */
void watch_url_put_path(struct bytes *url, const char *server, const char *api_version,
                        const struct watched *kind);
/* What has changed since a resourceVersion, with bookmarks, for so many seconds. */
void watch_url_put_watch(struct bytes *url, struct str version, int64_t seconds);
/* A page of so many objects; next: the continue token of the page before, empty for the first. */
void watch_url_put_page(struct bytes *url, struct str next, int limit);

#endif

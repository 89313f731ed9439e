/* log_url: the address at which the API server tells a container's log. */
#ifndef LOADLINE_BIN_WATCHER_LOG_URL_H
#define LOADLINE_BIN_WATCHER_LOG_URL_H

#include "agent/failing.h"

/* Appends it, with a NUL: of its last lines, so many. False when a name is none that Kubernetes
 * gives. */
bool log_url_put(struct bytes *url, const char *server, const struct failing *one, int lines);

#endif

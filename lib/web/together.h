/* together: requests that are stored together. A commit costs as much for eight as for one. So a
 * handler that has only to store something small may leave that (request.left) and return: while
 * others wait to be served they are, and then one transaction stores what all of them have left.
 * Answers go out when it is committed. With nobody waiting a request is stored at once. When the
 * transaction fails, each is stored by itself, so that nobody fails because of another.
 *
 * While short requests of pipelines wait, several are taken before the first of them is served, and
 * their keys and clusters are read at once: see web/ahead.h.
 */
#ifndef LOADLINE_WEB_TOGETHER_H
#define LOADLINE_WEB_TOGETHER_H

#include "web/app_state.h"

/* Requests at most, and for how many milliseconds the first of them waits for others. */
enum { TOGETHER_MAX = 8, TOGETHER_MS = 20 };

/* patience_ms: TOGETHER_MS but in a test, which must not depend on how fast its machine is. NULL
 * without memory. */
struct together *together_new(const struct app *app, int64_t patience_ms);
void together_free(struct together *together);

/* Serves the request that the transport has accepted, and others that wait. */
void together_serve(struct together *together, struct http_transport *transport);

/* For a handler that will take long, or may wait for a lock: whoever waits is stored and answered
 * first. The request has no transaction open. */
void together_settle(struct request *r);

#endif

/* serving: a request on its way from the transport to the end of its answer. */
#ifndef LOADLINE_WEB_SERVING_H
#define LOADLINE_WEB_SERVING_H

#include "web/app_state.h"

struct serving {
    const struct app *app;
    struct http_transport *transport;
    struct request r;
    enum error error;
    struct http_sending sending;
    bool sent; /* to its end, or as far as the client took it */
    int64_t started;
};

/* Reads the head of the transport's current request, and notes what may be read ahead of it.
 * together: those that wait to be stored, see there; NULL: nobody can wait. */
void serving_begin(struct serving *s, const struct app *app, struct arena *arena,
                   struct http_transport *transport, struct together *together);
/* Decides whether it may be served, and calls its handler; it is the transport's current one. */
void serving_work(struct serving *s);
/* Makes the answer, or that of s->error, sends it and ends the request, which is the transport's
 * current one. */
void serving_end(struct serving *s);

#endif

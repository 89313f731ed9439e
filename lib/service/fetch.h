/* fetch: a request to a server that the configuration names, and its answer: over https alone, the
 * certificate verified, no redirect followed, no proxy. It waits: for few and short ones.
 */
#ifndef LOADLINE_SERVICE_FETCH_H
#define LOADLINE_SERVICE_FETCH_H

#include "base/arena.h"

enum { FETCH_MAX = 256 * 1024 /* bytes of an answer */, FETCH_MS = 5000, FETCH_ERROR_SIZE = 256 };

struct fetch {
    const char *url;
    const char *ca_file;         /* "": the system's certificates */
    const char *form;            /* POST, as application/x-www-form-urlencoded; NULL: GET */
    const char *user, *password; /* of Basic authentication, with a form; NULL: none */
};
/* False when there is no answer of at most FETCH_MAX bytes; error is then a sentence. Otherwise
 * *status and *body, in the arena. */
bool fetch_run(struct arena *arena, const struct fetch *fetch, long *status, struct str *body,
               char error[FETCH_ERROR_SIZE]);

#endif

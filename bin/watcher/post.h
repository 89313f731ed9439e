/* post: a request to Loadline, with the API key of now. */
#ifndef LOADLINE_BIN_WATCHER_POST_H
#define LOADLINE_BIN_WATCHER_POST_H

#include "options.h"
#include "transfer.h"

enum { POST_HEADERS_MAX = 5 };

/* What is wrong with a 200 that agent/answer.h says is none of Loadline's. */
#define POST_NOT_LOADLINE "this is not how Loadline answers: is the URL right?"

/* All of it but the body and what context leads to is copied. */
struct post {
    const char *path; /* "/ingest" */
    const char *headers[POST_HEADERS_MAX];
    const struct str *body;
    long limit_ms;
    bool (*take)(void *context, int status, struct str bytes);
    void (*done)(void *context, const struct transfer_result *result);
    void *context;
};

/* NULL when the key cannot be read: done is not called then, and *failed tells why. */
struct transfer *post_start(struct transfers *transfers, const struct options *options,
                            const struct post *post, struct transfer_result *failed);

#endif

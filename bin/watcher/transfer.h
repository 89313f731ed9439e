/* transfer: HTTP requests under way, many at the same time, in one thread (libcurl's multi
 * interface).
 *
 * Certificates are checked, redirects are not followed, and the proxy is that of the environment
 * (https_proxy, http_proxy, no_proxy). Each request has a connection of its own while it lasts: a
 * watch that hangs is in nobody's way.
 */
#ifndef LOADLINE_BIN_WATCHER_TRANSFER_H
#define LOADLINE_BIN_WATCHER_TRANSFER_H

#include <poll.h>

#include "access.h"

enum { TRANSFER_ERROR_MAX = 300, TRANSFER_HEADERS_MAX = 8 };

struct transfer_result {
    int status;                     /* 0: there was no answer */
    int64_t retry_after_ms;         /* Retry-After, ten minutes at the most; 0: none */
    bool whole;                     /* the answer came to its end */
    bool untrusted;                 /* the other end's certificate is not good */
    char error[TRANSFER_ERROR_MAX]; /* why not; else "" */
};

/* All of it but the body and what context leads to is copied. */
struct transfer_request {
    /* Of the API server; NULL: none is needed, and the system's certificates count. */
    const struct access *access;
    const char *url;
    const char *ca_file; /* without access: instead of the system's certificates, or NULL */
    const char *headers[TRANSFER_HEADERS_MAX]; /* "Name: value"; NULL ends them early */
    const struct str *body;                    /* it is a POST of this, or NULL */
    long limit_ms;                             /* from the beginning to the end; 0: none */
    long silence_s; /* ends when less than a byte a second comes for so long; 0: it may be silent */
    /* Takes a piece of the body of an answer, first an empty one when the header is there; false
     * ends the transfer. */
    bool (*take)(void *context, int status, struct str bytes);
    /* It has ended, and is gone. May start others. */
    void (*done)(void *context, const struct transfer_result *result);
    void *context;
};

struct transfer;
struct transfers;

/* NULL without memory. */
struct transfers *transfers_new(void);
void transfers_free(struct transfers *transfers);
/* NULL when it cannot be started: done is not called then. */
struct transfer *transfer_start(struct transfers *transfers,
                                const struct transfer_request *request);
/* Ends it without a result. Not from within take. */
void transfer_stop(struct transfers *transfers, struct transfer *transfer);
/* Waits at most wait_ms for something to happen, at the n files as well, and sees to it. */
void transfers_run(struct transfers *transfers, int wait_ms, struct pollfd *files, unsigned n);

/* A URL for the log, in quotes: without the user and the password that may stand in it. One of the
 * next few of these takes its place. */
const char *transfer_shown(struct str url);

#endif

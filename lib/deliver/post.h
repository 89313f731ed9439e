/* post: HTTP POSTs, many at the same time, each with an outcome of its own (libcurl's multi
 * interface).
 *
 * What it will not do: follow a redirect, go through a proxy of the environment, speak anything but
 * http(s), or connect to an address that its policy refuses. The address is that of the socket at
 * the moment it is made, so neither a name that resolves to something else by then nor an
 * IPv4-mapped address gets past it.
 *
 * A post is one request at the most.
 *
 * No post waits for another one: each has a connection of its own (HTTP/1.1), and a name that
 * nobody answers for holds up its own post only, until its time is over.
 */
#ifndef LOADLINE_DELIVER_POST_H
#define LOADLINE_DELIVER_POST_H

#include "base/str.h"

enum { POST_ERROR_MAX = 300, POST_HEADERS_MAX = 8 };

/* Everything in it outlives the poster. */
struct post_policy {
    struct str allow;    /* ranges (base/ip.h) that are allowed although they are not public */
    bool allow_http;     /* else https only */
    const char *ca_file; /* certificates to trust instead of the system's; "": the system's */
    long timeout_ms; /* from looking up the name to the status of the answer; see poster_run() */
};

/* Everything in it outlives the post. */
struct post {
    const char *url;
    struct str body;
    const char *headers[POST_HEADERS_MAX]; /* "Name: value"; NULL ends them early */
    int64_t begin_by; /* as clock_monotonic(): the request does not begin after it; 0: whenever */
    void *context;    /* handed to done */
};

enum post_outcome {
    POST_ANSWERED, /* status is what the receiver said, be it good or bad */
    POST_FAILED,   /* no answer: name, connection, TLS or time */
    POST_REFUSED,  /* by the policy: no connection was made */
    POST_LATE,     /* after begin_by: nothing was sent */
};

struct post_result {
    enum post_outcome outcome;
    int status;             /* of POST_ANSWERED, else 0 */
    int64_t retry_after_ms; /* Retry-After (RFC 9110 section 10.2.3); 0: none */
    /* A sentence for a person, "" for a status of 2xx. It is the same for a name that is not known
     * and for one whose address the policy refuses: whoever may choose a URL would otherwise learn
     * which names there are inside the network. */
    char error[POST_ERROR_MAX];
    char cause[POST_ERROR_MAX]; /* for the log of the host: what error does not tell; else "" */
};
typedef void post_done(void *context, const struct post_result *result);

struct poster;

/* NULL without memory. */
struct poster *poster_new(const struct post_policy *policy);
/* Drops posts under way without a result. */
void poster_free(struct poster *poster);
/* Starts a post. False without memory. */
bool poster_add(struct poster *poster, const struct post *post);
/* How many posts are under way. */
size_t poster_busy(const struct poster *poster);
/* Waits at most wait_ms for something to happen, and calls done once for every post that has ended.
 * done may add posts. What it takes, and what passes between two calls of this, is not taken from
 * the others' time, up to as much as they have: what has arrived meanwhile counts. */
void poster_run(struct poster *poster, int wait_ms, post_done *done);

#endif

/* upload: a pushed document, JSON as it is or as gzip, as a stream of bytes; and what is said of
 * one that cannot be read.
 */
#ifndef LOADLINE_WEB_UPLOAD_H
#define LOADLINE_WEB_UPLOAD_H

#include "codec/jr.h"
#include "store/push.h"
#include "web/request.h"

struct upload {
    struct request *r;
    struct source source;
    struct inflate *inflate; /* NULL: not gzip */
    struct str start;        /* the first bytes of the document */
    bool bom;                /* a byte order mark stood before it, which `source` leaves out */
    uint64_t max;            /* bytes of JSON */
};

/* Whose it is: X-Cluster-Id. MISSING_FIELD, INVALID_FIELD. */
enum error upload_cluster(struct request *r, struct str *name);

/* Its Idempotency-Key, without the quotes that it may stand in; absent when there is none.
 * INVALID_FIELD. */
enum error upload_key(struct request *r, struct str *key);
/* Looks a push up (store/push.h). When it was answered before, the answer is that one again and
 * *answered is true. before: see push_look_up(). IDEMPOTENCY_CONFLICT. */
enum error upload_replay(struct request *r, struct str cluster, const struct push_id *id,
                         struct push_before **before, bool *answered);

/* Is the body gzip? By Content-Encoding; without it the first bytes tell, as no JSON begins as gzip
 * does. UNSUPPORTED_ENCODING. */
enum error upload_is_gzip(struct request *r, bool *gzip);

/* The body from its beginning; gzip must not inflate to more than max bytes, a whole number of MiB.
 * May be opened several times. Lives until the request is over. OUT_OF_MEMORY. */
enum error upload_open(struct request *r, bool gzip, uint64_t max, struct upload *upload);

/* Refuses what a reader of it stopped at: BAD_GZIP, TOO_LARGE, BAD_JSON, CUT_JSON, BAD_UTF8,
 * TOO_DEEP. The inflater knows better than the reader when it was to blame. */
enum error upload_refuse(const struct upload *upload, const struct jr_error *error);

#endif

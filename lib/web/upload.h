/* upload: a pushed document, JSON as it is, as gzip or as zstd, as a stream of bytes; and what is
 * said of one that cannot be read.
 */
#ifndef LOADLINE_WEB_UPLOAD_H
#define LOADLINE_WEB_UPLOAD_H

#include "codec/decompress.h"
#include "codec/jr.h"
#include "store/push.h"
#include "web/request.h"

struct meter;

struct upload {
    struct request *r;
    struct source source;
    struct decompress *packed; /* NULL: JSON as it is */
    struct meter *meter;       /* of what it takes to unpack it; NULL likewise */
    struct str start;          /* the first bytes of the document */
    bool bom;                  /* a byte order mark stood before it, which `source` leaves out */
    uint64_t max;              /* bytes of JSON */
    uint64_t allowed;          /* of this body: see upload_open() */
};

/* Whose it is: X-Cluster-Id. MISSING_FIELD, INVALID_FIELD. */
enum error upload_cluster(struct request *r, struct str *name);

/* Looks a push up (store/push.h). When it was answered before, the answer is that one again and
 * *answered is true. taken, before: see push_look_up(). IDEMPOTENCY_CONFLICT. */
enum error upload_replay(struct request *r, struct str cluster, const struct push_id *id,
                         int64_t taken, struct push_before **before, bool *answered);

/* What the body is compressed with. By Content-Encoding; without it the first bytes tell.
 * UNSUPPORTED_ENCODING: the answer's Accept-Encoding then says what may be sent. */
enum error upload_compression(struct request *r, enum compression *compression);

/* The body from its beginning. It must not inflate to more than max bytes, a whole number of MiB;
 * zstd, not to more than gzip of its size could, or a MiB. Unpacking it is metered (web/meter.h).
 * May be opened several times. Lives until the request is over. OUT_OF_MEMORY. */
enum error upload_open(struct request *r, enum compression compression, uint64_t max,
                       struct upload *upload);

/* Refuses what a reader of it stopped at: BAD_GZIP, BAD_ZSTD, TOO_LARGE, BAD_JSON, CUT_JSON,
 * BAD_UTF8, TOO_DEEP, TOO_COMPLEX. The inflater knows better than the reader when it was to blame.
 */
enum error upload_refuse(const struct upload *upload, const struct jr_error *error);

#endif

/* unpack: bytes whose start tells what they are; what is gzip or zstd is inflated on
 * the way. */
#ifndef LOADLINE_OFFLINE_UNPACK_H
#define LOADLINE_OFFLINE_UNPACK_H

#include "codec/decompress.h"
#include "codec/peek.h"

struct unpack {
    struct peek packed, plain;
    struct decompress *compressed; /* NULL: it is not */
    struct source source;          /* the bytes; `unpack` must not move while it is in use */
    enum content content;          /* of them: gzip when it is gzip twice */
};

/* At most max bytes may come out of what is compressed. False when the source failed or there is no
 * memory. */
bool unpack_open(struct unpack *unpack, struct source from, uint64_t max);
/* Of one that was never opened, too. */
void unpack_close(struct unpack *unpack);
/* What is wrong with the compression, as a sentence; NULL: nothing is. */
const char *unpack_error(const struct unpack *unpack);

#endif

/* inflate: gzip to bytes, as a stream. RFC 1952, members one after another included.
 * The inflating itself is raw.h's.
 */
#ifndef LOADLINE_CODEC_INFLATE_H
#define LOADLINE_CODEC_INFLATE_H

#include "codec/source.h"

enum inflate_code {
    INFLATE_OK,
    INFLATE_E_SOURCE,    /* the source of compressed bytes failed */
    INFLATE_E_CORRUPT,   /* not gzip, wrong checksum or length, or bytes after the last member */
    INFLATE_E_TRUNCATED, /* the input ended inside a member */
    INFLATE_E_TOTAL,     /* inflates to more than allowed */
    INFLATE_E_WINDOW,    /* of zstd alone: wants a larger window than allowed */
    INFLATE_E_MEMORY     /* there is no memory for its window */
};

struct inflate;

/* from: where the compressed bytes come from. max: inflated bytes allowed. NULL without memory. */
struct inflate *inflate_open(struct source from, uint64_t max);
void inflate_free(struct inflate *in);
/* A source of the inflated bytes; lives as long as `in`. */
struct source inflate_source(struct inflate *in);
enum inflate_code inflate_error(const struct inflate *in);
/* Inflated bytes so far. */
uint64_t inflate_total(const struct inflate *in);

/* Is this the start of a gzip stream? (Two magic bytes.) */
bool inflate_is_gzip(struct str start);

#endif

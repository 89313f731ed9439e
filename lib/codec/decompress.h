/* decompress: a stream of what was compressed by gzip or zstd, whichever it is. */
#ifndef LOADLINE_CODEC_DECOMPRESS_H
#define LOADLINE_CODEC_DECOMPRESS_H

#include "codec/inflate.h"

enum compression { COMPRESSION_NONE, COMPRESSION_GZIP, COMPRESSION_ZSTD };

enum { COMPRESSION_MAGIC = 4 }; /* bytes of a document that tell */

/* By its first bytes. No JSON begins as either does. */
enum compression compression_of(struct str start);
/* "gzip", "zstd", and "identity" for none. */
struct str compression_name(enum compression compression);

struct decompress;

/* compression: not COMPRESSION_NONE. max: bytes that may come out. NULL without memory. */
struct decompress *decompress_open(enum compression compression, struct source from, uint64_t max);
void decompress_free(struct decompress *in);
enum compression decompress_compression(const struct decompress *in);
/* A source of the bytes; lives as long as `in`. */
struct source decompress_source(struct decompress *in);
enum inflate_code decompress_error(const struct decompress *in);

#endif

/* raw: deflate streams without a frame (RFC 1951), both ways. The seam for another library: in a
 * build there is raw_zlib.c or, with make ISAL=1, raw_isal.c.
 */
#ifndef LOADLINE_CODEC_RAW_H
#define LOADLINE_CODEC_RAW_H

#include "codec/source.h"

enum { RAW_BEHIND = 8 };

enum raw_status {
    RAW_MORE,  /* there is more to come: of input, or out of it */
    RAW_END,   /* the stream has ended; the input begins behind it now */
    RAW_WRONG, /* this is no deflate stream */
    RAW_MEMORY /* there is no memory for what it refers back to */
};

struct raw_inflate;

/* NULL without memory. */
struct raw_inflate *raw_inflate_open(void);
void raw_inflate_free(struct raw_inflate *raw);
/* Ready for another stream. */
bool raw_inflate_reset(struct raw_inflate *raw);
/* Takes from the input what it can and puts at most *n bytes at `out`; *n says how many. At the end
 * the input may begin up to RAW_BEHIND bytes before where it began: in memory the bytes given last
 * time stand in front of it. */
enum raw_status raw_inflate_run(struct raw_inflate *raw, struct str *input, char *out, size_t *n);

/* Goes on with a gzip checksum, which begins at 0. */
uint32_t raw_crc(uint32_t crc, struct str bytes);

struct raw_deflate;

/* level 1 (fast) to 9. NULL without memory. */
struct raw_deflate *raw_deflate_open(int level);
void raw_deflate_free(struct raw_deflate *raw);
/* Takes all of the bytes; `last`: there are no more. What comes out depends on all bytes together
 * and the level only. False when the sink refused. */
bool raw_deflate_put(struct raw_deflate *raw, struct str bytes, bool last, struct sink sink);

#endif

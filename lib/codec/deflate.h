/* deflate: bytes to gzip, as a stream into a sink. */
#ifndef LOADLINE_CODEC_DEFLATE_H
#define LOADLINE_CODEC_DEFLATE_H

#include "codec/source.h"

struct deflate;

/* level 1 (fast) to 9. The result depends on the input and level only (no name, no time in the
 * header). NULL without memory. */
struct deflate *deflate_open(struct sink sink, int level);
/* False when the sink refused or memory ran out; later calls are false too. */
bool deflate_put(struct deflate *out, struct str bytes);
bool deflate_finish(struct deflate *out);
void deflate_free(struct deflate *out);

#endif

/* delta_format: what those who make and read deltas share.
 *
 * A delta: DELTA_VERSION; the digest of the text; varints: its length, the bytes of its chunks that
 * are not in the base, the bytes of the steps; the steps; these chunks one after another, as zstd
 * unless there are none. A step is varints:
 *
 *   n of the chunks of the base from a number on    2 n, the number (delta_base.h)
 *   n chunks that are not in it                     2 n + 1, n lengths
 */
#ifndef LOADLINE_CODEC_DELTA_FORMAT_H
#define LOADLINE_CODEC_DELTA_FORMAT_H

enum { DELTA_VERSION = 1 };

#endif

/* zstd: bytes to zstd and back, as streams (RFC 8878). The only file that knows libzstd.
 *
 * Frames may follow one another, and skippable frames among them are left out. A frame may ask for
 * a window of 8 MiB at most, which is what RFC 9659 lets senders use over HTTP. Dictionaries and
 * the formats of before 2016 are refused.
 */
#ifndef LOADLINE_CODEC_ZSTD_H
#define LOADLINE_CODEC_ZSTD_H

#include "codec/inflate.h"

enum { ZSTD_WINDOW_MAX = 8 << 20 };

struct zstd_reader;

/* from: where the compressed bytes come from. max: bytes that may come out. NULL without memory. */
struct zstd_reader *zstd_reader_open(struct source from, uint64_t max);
void zstd_reader_free(struct zstd_reader *reader);
/* As if it had just been opened, however far it had read. */
void zstd_reader_reset(struct zstd_reader *reader, struct source from, uint64_t max);
/* A source of the bytes; lives as long as the reader. */
struct source zstd_reader_source(struct zstd_reader *reader);
enum inflate_code zstd_reader_error(const struct zstd_reader *reader);

struct zstd_writer;

/* level 1 (fast) to 19. One frame with a checksum. NULL without memory. */
struct zstd_writer *zstd_writer_open(struct sink sink, int level);
/* False when the sink refused or memory ran out; later calls are false too. */
bool zstd_writer_put(struct zstd_writer *writer, struct str bytes);
bool zstd_writer_finish(struct zstd_writer *writer);
void zstd_writer_free(struct zstd_writer *writer);
/* As if it had just been opened, with the same level, wherever it was in a frame. */
void zstd_writer_reset(struct zstd_writer *writer, struct sink sink);

/* A text at once, for this process alone: level 1, without a checksum. */
/* How many bytes n bytes take at most. */
size_t zstd_pack_bound(size_t n);
/* Returns how many bytes it has written; 0 without memory. */
size_t zstd_pack(struct str bytes, char *to, size_t cap);
/* Of what zstd_pack() has made of n bytes. False without memory, or when it is not of so many. */
bool zstd_unpack(struct str packed, char *to, size_t n);

/* Is this the start of a frame, also of a skippable one? (Four magic bytes.) */
bool zstd_is_start(struct str start);

#endif

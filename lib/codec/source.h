/* source and sink: how bytes come into a codec and leave it, piece by piece. */
#ifndef LOADLINE_CODEC_SOURCE_H
#define LOADLINE_CODEC_SOURCE_H

#include "base/str.h"

/* read() puts 1 to cap (at least 1) bytes at dst and returns how many; 0 at the end; -1 when the
 * source failed (who made the source can tell why). */
struct source {
    ptrdiff_t (*read)(void *context, char *dst, size_t cap);
    void *context;
};

/* put() takes all of the bytes or returns false: the caller then stops. */
struct sink {
    bool (*put)(void *context, struct str bytes);
    void *context;
};

/* A source over bytes in memory; *bytes is consumed as it is read and must outlive the source. */
struct source source_of(struct str *bytes);

#endif

/* lines: on which line a byte of a stream stands. Takes a byte or two a line. */
#ifndef LOADLINE_OFFLINE_LINES_H
#define LOADLINE_OFFLINE_LINES_H

#include "base/buf.h"

struct lines {
    struct buf lengths; /* of each line, its end included: codec/varint.h */
    struct buf marks;   /* struct line_mark, for every 256th line */
    uint64_t offset;    /* bytes of the stream so far */
    uint64_t start;     /* of the line that is not at its end yet */
    uint64_t count;     /* lines that are */
};

void lines_init(struct lines *lines, struct arena *arena);
/* The next bytes of the stream. */
void lines_add(struct lines *lines, struct str bytes);
/* The line that the byte is on, from 0; *start, when not NULL, becomes the offset of its first
 * byte. */
uint64_t lines_find(const struct lines *lines, uint64_t offset, uint64_t *start);

#endif

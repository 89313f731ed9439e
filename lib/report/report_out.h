/* report_out: what the writers of reports share. */
#ifndef LOADLINE_REPORT_REPORT_OUT_H
#define LOADLINE_REPORT_REPORT_OUT_H

#include "codec/jw.h"
#include "codec/source.h"

/* A piece is handed on when it is this long; the buffer holds one risk more. */
enum { REPORT_PIECE = 64 * 1024, REPORT_BUFFER = REPORT_PIECE + 1024 * 1024 };

/* Hands on what has been written when it is at least that much. False when the sink refused, or a
 * single risk did not fit the buffer. */
bool report_spill(struct buf *out, struct sink sink, size_t at_least);

/* What makes a word of so many things a plural. */
static inline const char *report_plural(uint32_t n)
{
    return n == 1 ? "" : "s";
}

/* "frameworks": [...] of a row's words. */
void report_frameworks(struct jw *w, const char *frameworks);

#endif

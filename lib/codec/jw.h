/* jw: a JSON writer into a buf. Commas and escapes are its business; the caller keeps the nesting.
 *
 * Strings that are not UTF-8 have each wrong byte replaced by U+FFFD, so output is always valid.
 */
#ifndef LOADLINE_CODEC_JW_H
#define LOADLINE_CODEC_JW_H

#include "base/buf.h"
#include "base/clock.h"

struct jw {
    struct buf *out;
    bool comma;             /* the next value in this level needs one */
    struct clock_text time; /* the last one */
};

void jw_init(struct jw *w, struct buf *out);
void jw_object(struct jw *w);
void jw_object_end(struct jw *w);
void jw_array(struct jw *w);
void jw_array_end(struct jw *w);
void jw_key(struct jw *w, struct str key);
void jw_str(struct jw *w, struct str s);
void jw_int(struct jw *w, int64_t n);
void jw_bool(struct jw *w, bool b);
void jw_null(struct jw *w);
/* null when it is absent or empty, or 0. */
void jw_str_or_null(struct jw *w, struct str s);
void jw_int_or_null(struct jw *w, int64_t n);
/* Hundredths as a number with at most two decimals: 1250 -> 12.5, 700 -> 7, -5 -> -0.05. */
void jw_hundredths(struct jw *w, int64_t n);
/* Ten-thousandths as a number with at most four decimals: 3391 -> 0.3391. */
void jw_ten_thousandths(struct jw *w, int64_t n);
/* Milliseconds since 1970 as RFC 3339 text; TIME_NONE as null. */
void jw_time(struct jw *w, int64_t ms);
/* Bytes that are JSON already. */
void jw_raw(struct jw *w, struct str json);

/* A key as it is written, with its quotes and the colon. */
static inline void jw_name(struct jw *w, struct str name)
{
    char *p = buf_reserve(w->out, name.n + w->comma);
    if (!p)
        return;
    if (w->comma)
        *p++ = ',';
    memcpy(p, name.p, name.n);
    buf_commit(w->out, name.n + w->comma);
    w->comma = false;
}

/* key and value at once. key is a literal, without anything to escape. */
#define JW_NAME(w, key)           jw_name((w), STR("\"" key "\":"))
#define JW_STR(w, key, s)         (JW_NAME((w), key), jw_str((w), (s)))
#define JW_STR_OR_NULL(w, key, s) (JW_NAME((w), key), jw_str_or_null((w), (s)))
#define JW_INT(w, key, n)         (JW_NAME((w), key), jw_int((w), (n)))
#define JW_INT_OR_NULL(w, key, n) (JW_NAME((w), key), jw_int_or_null((w), (n)))
#define JW_BOOL(w, key, b)        (JW_NAME((w), key), jw_bool((w), (b)))
#define JW_TIME(w, key, ms)       (JW_NAME((w), key), jw_time((w), (ms)))

#endif

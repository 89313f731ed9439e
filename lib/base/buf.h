/* buf: bytes that grow, inside an arena, up to a ceiling.
 *
 * A call that would go over the ceiling writes nothing and sets `full`; so do all calls after it,
 * and what is there is a prefix of what was meant. Check once at the end. Memory exhaustion unwinds
 * as the arena says.
 */
#ifndef LOADLINE_BASE_BUF_H
#define LOADLINE_BASE_BUF_H

#include "base/arena.h"
#include "base/asserts.h"

#include <string.h>

struct buf {
    struct arena *arena;
    char *p;
    size_t n, cap;
    size_t max; /* ceiling for n */
    bool full;  /* something did not fit */
};

struct buf buf_init(struct arena *arena, size_t max);
static inline void buf_put(struct buf *buf, struct str s);
static inline void buf_putc(struct buf *buf, char c);
void buf_put_int(struct buf *buf, int64_t n);
void buf_printf(struct buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* What is in it now; valid until the next put. */
struct str buf_str(const struct buf *buf);
/* Room for n more bytes to be written at the returned place, NULL when they do not fit; follow
 * with buf_commit(n written). */
static inline char *buf_reserve(struct buf *buf, size_t n);
static inline void buf_commit(struct buf *buf, size_t n);

/* ---- the ordinary case, where the caller is: an answer is made of a hundred thousand parts ----
 */

/* buf_reserve() where there is no room yet. */
char *buf_grow(struct buf *buf, size_t n);

static inline char *buf_reserve(struct buf *buf, size_t n)
{
    return buf->full || n > buf->cap - buf->n ? buf_grow(buf, n) : buf->p + buf->n;
}

static inline void buf_commit(struct buf *buf, size_t n)
{
    assert(n <= buf->cap - buf->n);
    buf->n += n;
}

static inline void buf_put(struct buf *buf, struct str s)
{
    char *p = s.n ? buf_reserve(buf, s.n) : NULL;
    if (!p)
        return;
    memcpy(p, s.p, s.n);
    buf->n += s.n;
}

static inline void buf_putc(struct buf *buf, char c)
{
    char *p = buf_reserve(buf, 1);
    if (!p)
        return;
    *p = c;
    buf->n++;
}

#endif

#include "base/buf.h"

#include "base/asserts.h"
#include "base/format.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct buf buf_init(struct arena *arena, size_t max)
{
    return (struct buf){.arena = arena, .max = max};
}

/* Makes cap at least n + more; what was there moves. */
static bool grow(struct buf *buf, size_t more)
{
    buf->full = buf->full || more > buf->max - buf->n;
    if (buf->full)
        return false;
    size_t cap = buf->cap > buf->max / 2 ? buf->max : buf->cap * 2;
    if (cap < 256)
        cap = buf->max < 256 ? buf->max : 256;
    if (cap < buf->n + more)
        cap = buf->n + more;
    char *p = arena_bytes(buf->arena, cap);
    if (buf->n)
        memcpy(p, buf->p, buf->n);
    buf->p = p;
    buf->cap = cap;
    return true;
}

char *buf_reserve(struct buf *buf, size_t n)
{
    if ((buf->full || n > buf->cap - buf->n) && !grow(buf, n))
        return NULL;
    return buf->p + buf->n;
}

void buf_commit(struct buf *buf, size_t n)
{
    assert(n <= buf->cap - buf->n);
    buf->n += n;
}

void buf_put(struct buf *buf, struct str s)
{
    char *p = s.n ? buf_reserve(buf, s.n) : NULL;
    if (!p)
        return;
    memcpy(p, s.p, s.n);
    buf->n += s.n;
}

void buf_putc(struct buf *buf, char c)
{
    char *p = buf_reserve(buf, 1);
    if (!p)
        return;
    *p = c;
    buf->n++;
}

void buf_put_int(struct buf *buf, int64_t n)
{
    char text[24];
    size_t at = sizeof text;
    uint64_t size = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;
    do
        text[--at] = (char)('0' + size % 10);
    while (size /= 10);
    if (n < 0)
        text[--at] = '-';
    buf_put(buf, (struct str){text + at, sizeof text - at});
}

void buf_printf(struct buf *buf, const char *format, ...)
{
    char text[512];
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    size_t length;
    if (!format_plain(text, sizeof text - 1, &length, format, args)) {
        int n = vsnprintf(text, sizeof text, format, args);
        length = n < 0 ? 0 : (size_t)n;
    }
    va_end(args);
    char *p = text;
    if (length >= sizeof text) {
        p = arena_bytes(buf->arena, length + 1);
        vsnprintf(p, length + 1, format, again);
    }
    buf_put(buf, (struct str){p, length});
    va_end(again);
}

struct str buf_str(const struct buf *buf)
{
    return (struct str){buf->p, buf->n};
}

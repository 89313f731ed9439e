#include "base/buf.h"

#include "base/format.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct buf buf_init(struct arena *arena, size_t max)
{
    return (struct buf){.arena = arena, .max = max};
}

/* Makes cap at least n + more; what was there moves. */
char *buf_grow(struct buf *buf, size_t more)
{
    buf->full = buf->full || more > buf->max - buf->n;
    if (buf->full)
        return NULL;
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
    return p + buf->n;
}

void buf_put_int(struct buf *buf, int64_t n)
{
    uint64_t size = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;
    size_t length = 1 + (n < 0);
    for (uint64_t rest = size; rest >= 10; rest /= 10)
        length++;
    char *p = buf_reserve(buf, length);
    if (!p)
        return;
    buf->n += length;
    *p = '-';
    p += length;
    do
        *--p = (char)('0' + size % 10);
    while (size /= 10);
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

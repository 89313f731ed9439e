#include "offline/lines.h"

#include "codec/varint.h"

enum { STRIDE = 256 };

/* Where a line begins: in the stream, and in the lengths. */
struct line_mark {
    uint64_t start, at;
};

void lines_init(struct lines *lines, struct arena *arena)
{
    *lines = (struct lines){.lengths = buf_init(arena, SIZE_MAX / 4),
                            .marks = buf_init(arena, SIZE_MAX / 4)};
}

static uint64_t take_length(const struct buf *lengths, uint64_t *at)
{
    struct str rest = str_sub(buf_str(lengths), *at, lengths->n);
    uint64_t length = 0;
    varint_take(&rest, UINT64_MAX, &length);
    *at = lengths->n - rest.n;
    return length;
}

static void end_line(struct lines *lines, uint64_t end)
{
    if (lines->count % STRIDE == 0) {
        struct line_mark mark = {lines->start, lines->lengths.n};
        buf_put(&lines->marks, (struct str){(const char *)&mark, sizeof mark});
    }
    varint_put(&lines->lengths, end - lines->start);
    lines->start = end;
    lines->count++;
}

void lines_add(struct lines *lines, struct str bytes)
{
    const char *p = bytes.p, *end = bytes.p + bytes.n, *newline;
    while (p < end && (newline = memchr(p, '\n', (size_t)(end - p))) != NULL) {
        p = newline + 1;
        end_line(lines, lines->offset + (uint64_t)(p - bytes.p));
    }
    lines->offset += bytes.n;
}

static struct line_mark mark_at(const struct lines *lines, uint64_t i)
{
    struct line_mark mark;
    memcpy(&mark, lines->marks.p + i * sizeof mark, sizeof mark);
    return mark;
}

uint64_t lines_find(const struct lines *lines, uint64_t offset, uint64_t *start)
{
    uint64_t low = 0, high = lines->marks.n / sizeof(struct line_mark), line = lines->count;
    uint64_t from = lines->start;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        *(mark_at(lines, middle).start <= offset ? &low : &high) = middle;
    }
    if (offset < lines->start) {
        struct line_mark mark = mark_at(lines, low);
        line = low * STRIDE;
        from = mark.start;
        for (uint64_t n; from + (n = take_length(&lines->lengths, &mark.at)) <= offset; line++)
            from += n;
    }
    if (start)
        *start = from;
    return line;
}

/* Pushed logs: what is read of a document keeps its limits and does not depend on the pieces that
 * the document comes in. */
#include <assert.h>

#include "reader/log_push.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

enum { ARENA = 64 << 20, NOW = 1 << 30 };

struct pieces {
    struct str left;
    size_t piece;
};

static ptrdiff_t read_piece(void *context, char *dst, size_t cap)
{
    struct pieces *pieces = context;
    size_t n = pieces->left.n < pieces->piece ? pieces->left.n : pieces->piece;
    n = n < cap ? n : cap;
    if (n)
        memcpy(dst, pieces->left.p, n);
    pieces->left = str_sub(pieces->left, n, pieces->left.n);
    return (ptrdiff_t)n;
}

static struct log_push *read(struct arena *arena, struct str text, size_t piece,
                             struct log_push_error *error)
{
    struct pieces pieces = {text, piece};
    return log_push_read(arena, (struct source){read_piece, &pieces}, NOW, 0, error);
}

static void check(const struct log_push *push)
{
    const struct log_line *line, *last = NULL;
    assert(push->lines.n + push->skipped <= LOG_LINES_MAX);
    assert(push->namespace.n && push->pod.n && push->container.n);
    assert(push->pod.n <= LOG_NAME_MAX && push->family.base.n <= push->pod.n);
    LIST_EACH (line, push->lines) {
        assert(line->message.p && line->message.n <= LOG_MESSAGE_MAX + 64);
        assert(str_is_utf8(line->message) && str_is_utf8(line->level));
        assert(line->level.n <= LOG_LEVEL_MAX && line->severity < LOG_SEVERITY_COUNT);
        assert(line->time >= 0 && line->time <= NOW + LOG_AHEAD_MS);
        assert(line->nanos >= 0 && line->nanos < 1000000);
        assert(!last || last->time <= line->time);
        last = line;
    }
}

static void compare(const struct log_push *a, const struct log_push *b)
{
    assert(a->stream == b->stream && a->lines.n == b->lines.n && a->skipped == b->skipped);
    for (uint32_t i = 0; i < a->lines.n; i++) {
        assert(a->lines.items[i].id == b->lines.items[i].id);
        assert(str_eq(a->lines.items[i].message, b->lines.items[i].message));
    }
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    struct str text = {(const char *)data, size};
    static struct arena *arena;
    if (!arena)
        arena = arena_new(ARENA);
    struct log_push_error error, error_in_pieces;
    struct log_push *whole = read(arena, text, SIZE_MAX, &error);
    struct log_push *in_pieces = read(arena, text, 7, &error_in_pieces);
    assert(error.code == error_in_pieces.code && !whole == !in_pieces);
    assert(!whole == (error.code != LOG_PUSH_OK));
    if (whole) {
        check(whole);
        compare(whole, in_pieces);
    }
    arena_reset(arena);
    return 0;
}

#include "base/arena.h"

#include "base/asserts.h"
#include "base/format.h"

#include <setjmp.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_SIZE = 64 * 1024 };

struct block {
    struct block *next;
    size_t size; /* of the data that follows */
    alignas(max_align_t) char data[];
};

struct arena {
    struct block *blocks; /* newest first */
    char *top;            /* aligned allocations grow up from here ... */
    char *end;            /* ... unaligned ones grow down from here */
    size_t ceiling, used, peak;
    jmp_buf *guard;
};

static struct block *block_new(size_t size)
{
    struct block *block = malloc(sizeof *block + size);
    if (block)
        *block = (struct block){.size = size};
    return block;
}

static void use_block(struct arena *arena, struct block *block)
{
    arena->top = block->data;
    arena->end = block->data + block->size;
}

struct arena *arena_new(size_t ceiling)
{
    struct arena *arena = calloc(1, sizeof *arena);
    struct block *first = block_new(BLOCK_SIZE);
    if (!arena || !first) {
        free(arena);
        free(first);
        return NULL;
    }
    arena->ceiling = ceiling;
    arena->blocks = first;
    arena->used = arena->peak = sizeof *first + first->size;
    use_block(arena, first);
    return arena;
}

void arena_free(struct arena *arena)
{
    if (!arena)
        return;
    arena_reset(arena);
    free(arena->blocks);
    free(arena);
}

void arena_reset(struct arena *arena)
{
    while (arena->blocks->next) {
        struct block *newest = arena->blocks;
        arena->blocks = newest->next;
        arena->used -= sizeof *newest + newest->size;
        free(newest);
    }
    use_block(arena, arena->blocks);
}

_Noreturn void arena_exhaust(struct arena *arena)
{
    if (!arena->guard)
        abort();
    longjmp(*arena->guard, 1);
}

/* A new block with room for n bytes becomes the current one. Large requests get a block of their
 * own behind the current one, which stays in use. */
static char *grow(struct arena *arena, size_t n)
{
    bool own = n > BLOCK_SIZE / 4;
    size_t size = own ? n : BLOCK_SIZE;
    if (size > SIZE_MAX - sizeof(struct block) || arena->used > arena->ceiling ||
        sizeof(struct block) + size > arena->ceiling - arena->used)
        arena_exhaust(arena);
    struct block *block = block_new(size);
    if (!block)
        arena_exhaust(arena);
    block->next = arena->blocks;
    arena->blocks = block;
    arena->used += sizeof *block + size;
    if (arena->used > arena->peak)
        arena->peak = arena->used;
    if (!own)
        use_block(arena, block);
    return own ? block->data : NULL;
}

enum { ALIGN = alignof(max_align_t) };

static size_t aligned(size_t n)
{
    return (n + ALIGN - 1) & ~(size_t)(ALIGN - 1);
}

void *arena_raw(struct arena *arena, size_t n)
{
    if (n > SIZE_MAX - ALIGN)
        arena_exhaust(arena);
    n = aligned(n);
    if (n > (size_t)(arena->end - arena->top)) {
        char *own = grow(arena, n);
        if (own)
            return own;
    }
    char *p = arena->top;
    ASSERT_SLOW((uintptr_t)p % ALIGN == 0);
    arena->top += n;
    return p;
}

void *arena_copy(struct arena *arena, const void *bytes, size_t n)
{
    assert(bytes || n == 0);
    void *copy = arena_raw(arena, n);
    return n ? memcpy(copy, bytes, n) : copy;
}

void *arena_alloc(struct arena *arena, size_t n)
{
    return memset(arena_raw(arena, n), 0, n);
}

void *arena_array(struct arena *arena, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        arena_exhaust(arena);
    return arena_alloc(arena, count * size);
}

void *arena_raw_array(struct arena *arena, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        arena_exhaust(arena);
    return arena_raw(arena, count * size);
}

char *arena_bytes(struct arena *arena, size_t n)
{
    if (n > (size_t)(arena->end - arena->top)) {
        char *own = grow(arena, n);
        if (own)
            return own;
    }
    arena->end -= n;
    return arena->end;
}

static bool is_current(const struct arena *arena, const struct block *block)
{
    return arena->top >= block->data && arena->top <= block->data + block->size;
}

/* A block that is as large as what it begins with has nothing else. The first one stays: see
 * arena_reset(). */
void arena_give_back(struct arena *arena, const void *p, size_t n)
{
    struct block **at = &arena->blocks;
    if (n <= BLOCK_SIZE / 4)
        return;
    while ((*at)->next && (*at)->data != p)
        at = &(*at)->next;
    struct block *block = *at;
    if (!block->next || block->size != aligned(n) || is_current(arena, block))
        return;
    *at = block->next;
    arena->used -= sizeof *block + block->size;
    free(block);
}

struct str arena_str(struct arena *arena, struct str s)
{
    if (s.n == SIZE_MAX)
        arena_exhaust(arena);
    char *p = arena_bytes(arena, s.n + 1);
    if (s.n)
        memcpy(p, s.p, s.n);
    p[s.n] = '\0';
    return (struct str){p, s.n};
}

/* Formatted once when it is short, as nearly all is. */
struct str arena_vprintf(struct arena *arena, const char *format, va_list args)
{
    char text[512];
    size_t length;
    va_list again;
    va_copy(again, args);
    if (!format_plain(text, sizeof text - 1, &length, format, args)) {
        int n = vsnprintf(text, sizeof text, format, args);
        length = n < 0 ? 0 : (size_t)n;
    }
    char *p = arena_bytes(arena, length + 1);
    if (length < sizeof text)
        memcpy(p, text, length);
    else
        vsnprintf(p, length + 1, format, again);
    p[length] = '\0';
    va_end(again);
    return (struct str){p, length};
}

struct str arena_printf(struct arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    struct str text = arena_vprintf(arena, format, args);
    va_end(args);
    return text;
}

size_t arena_used(const struct arena *arena)
{
    return arena->used;
}

size_t arena_peak(const struct arena *arena)
{
    return arena->peak;
}

size_t arena_taken(const struct arena *arena)
{
    return arena->used - (size_t)(arena->end - arena->top);
}

bool arena_holds(const struct arena *arena, struct str text)
{
    bool holds = false;
    for (const struct block *block = arena->blocks; block; block = block->next)
        holds |= memmem(block->data, block->size, text.p, text.n) != NULL;
    return holds;
}

bool arena_guard(struct arena *arena, void (*work)(void *arg), void *arg)
{
    assert(arena && work);
    jmp_buf here, *outer = arena->guard;
    volatile bool done = false;
    arena->guard = &here;
    if (setjmp(here) == 0) {
        work(arg);
        done = true;
    }
    arena->guard = outer;
    return done;
}

#include "reader/stack.h"

#include <stdalign.h>

#include "base/asserts.h"

enum { CHUNK_SIZE = 64 * 1024, ALIGN = alignof(max_align_t) };

struct stack_chunk {
    struct stack_chunk *next; /* used when this one is full */
    char *end;
    alignas(max_align_t) char data[];
};

struct stack {
    struct arena *arena;
    struct stack_chunk *chunk; /* in use; those before it are full */
    char *top;
};

static size_t room(const struct stack *stack, const char *from)
{
    return (size_t)(stack->chunk->end - from);
}

/* Goes on in the next chunk, which is one that was used before or a new one. */
static void next_chunk(struct stack *stack, size_t n)
{
    struct stack_chunk *next = stack->chunk ? stack->chunk->next : NULL;
    if (!next || (size_t)(next->end - next->data) < n) {
        size_t size = n > CHUNK_SIZE ? n : CHUNK_SIZE;
        struct stack_chunk *created = arena_raw(stack->arena, sizeof *created + size);
        *created = (struct stack_chunk){.next = next, .end = created->data + size};
        if (stack->chunk)
            stack->chunk->next = created;
        next = created;
    }
    stack->chunk = next;
    stack->top = next->data;
}

struct stack *stack_new(struct arena *arena)
{
    struct stack *stack = ARENA_NEW(arena, struct stack);
    stack->arena = arena;
    next_chunk(stack, 0);
    return stack;
}

void *stack_take(struct stack *stack, size_t n)
{
    size_t gap = (size_t)(-(uintptr_t)stack->top) % ALIGN;
    if (room(stack, stack->top) < gap + n) {
        next_chunk(stack, n);
        gap = 0;
    }
    char *taken = stack->top + gap;
    stack->top = taken + n;
    return taken;
}

void *stack_resize(struct stack *stack, void *newest, size_t from, size_t to)
{
    char *moved = newest;
    assert(moved >= stack->chunk->data && moved + from == stack->top);
    if (to > room(stack, newest)) {
        next_chunk(stack, 2 * to);
        moved = memcpy(stack->top, newest, from);
    }
    stack->top = moved + to;
    return moved;
}

struct stack_mark stack_mark(const struct stack *stack)
{
    return (struct stack_mark){stack->chunk, stack->top};
}

void stack_release(struct stack *stack, struct stack_mark mark)
{
    ASSERT_SLOW(mark.top >= mark.chunk->data && mark.top <= mark.chunk->end);
    stack->chunk = mark.chunk;
    stack->top = mark.top;
}

/* stack: memory for what is being put together, given back in reverse order. */
#ifndef LOADLINE_READER_STACK_H
#define LOADLINE_READER_STACK_H

#include "base/arena.h"

struct stack;

struct stack_mark {
    struct stack_chunk *chunk;
    char *top;
};

struct stack *stack_new(struct arena *arena);
/* n bytes, not zeroed, aligned for any type. n may be 0. */
void *stack_take(struct stack *stack, size_t n);
/* Makes the newest take, of `from` bytes, `to` bytes long. It may move. */
void *stack_resize(struct stack *stack, void *newest, size_t from, size_t to);

struct stack_mark stack_mark(const struct stack *stack);
/* Gives back everything taken since the mark. */
void stack_release(struct stack *stack, struct stack_mark mark);

#endif

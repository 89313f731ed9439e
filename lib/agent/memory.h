/* memory: what the agent keeps while it runs. It cannot go on without: when the system has none, it
 * says so and ends with 1, and whoever runs it starts it again. */
#ifndef LOADLINE_AGENT_MEMORY_H
#define LOADLINE_AGENT_MEMORY_H

#include "base/str.h"

_Noreturn void memory_exhausted(void);
/* n zeroed bytes; free() them. */
void *memory_new(size_t n);
#define MEMORY_NEW(type) ((type *)memory_new(sizeof(type)))
/* As realloc(), of at least one byte. */
void *memory_resize(void *p, size_t n);
/* A copy that ends with a NUL. */
char *memory_text(struct str s);

/* Bytes that grow. A zeroed one is empty. */
struct bytes {
    char *p;
    size_t n, room;
};

void bytes_put(struct bytes *bytes, struct str s);
static inline void bytes_putc(struct bytes *bytes, char c)
{
    bytes_put(bytes, (struct str){&c, 1});
}
static inline struct str bytes_str(const struct bytes *bytes)
{
    return (struct str){bytes->p ? bytes->p : "", bytes->n};
}
/* Empties it; of more than `most` bytes of room the memory is given back. */
void bytes_clear(struct bytes *bytes, size_t most);
void bytes_free(struct bytes *bytes);
/* put() of a sink whose context is a struct bytes. */
bool bytes_sink(void *context, struct str s);

#endif

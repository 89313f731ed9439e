#include "agent/memory.h"

#include <stdlib.h>

#include "base/log.h"

_Noreturn void memory_exhausted(void)
{
    log_error("there is no memory left");
    exit(1);
}

static void *sure(void *p)
{
    if (!p)
        memory_exhausted();
    return p;
}

void *memory_new(size_t n)
{
    return sure(calloc(1, n ? n : 1));
}

void *memory_resize(void *p, size_t n)
{
    return sure(realloc(p, n ? n : 1));
}

char *memory_text(struct str s)
{
    char *text = memory_new(s.n + 1);
    if (s.n)
        memcpy(text, s.p, s.n);
    return text;
}

void bytes_put(struct bytes *bytes, struct str s)
{
    if (s.n == 0)
        return;
    if (s.n > bytes->room - bytes->n) {
        size_t room = bytes->room + bytes->room / 2;
        if (room < bytes->n + s.n)
            room = bytes->n + s.n;
        bytes->p = memory_resize(bytes->p, room);
        bytes->room = room;
    }
    memcpy(bytes->p + bytes->n, s.p, s.n);
    bytes->n += s.n;
}

void bytes_clear(struct bytes *bytes, size_t most)
{
    bytes->n = 0;
    if (bytes->room > most)
        bytes_free(bytes);
}

void bytes_free(struct bytes *bytes)
{
    free(bytes->p);
    *bytes = (struct bytes){0};
}

bool bytes_sink(void *context, struct str s)
{
    bytes_put(context, s);
    return true;
}

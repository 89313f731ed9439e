#include "service/fcgi_wipe.h"

#include <string.h>

/* What is behind `data` begins so, in all releases of libfcgi. */
struct read_buffer {
    unsigned char *bytes;
    int n;
};

void fcgi_wipe(const void *data, const unsigned char *at, char **variables)
{
    const struct read_buffer *buffer = data;
    if (at >= buffer->bytes && at - buffer->bytes <= buffer->n)
        explicit_bzero(buffer->bytes, (size_t)buffer->n);
    for (; *variables; variables++)
        explicit_bzero(*variables, strlen(*variables));
}

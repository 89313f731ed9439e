#include "service/fcgi_wipe.h"

#include <string.h>

/* What is behind `data` of libfcgi's streams begins so, in all its releases. */
struct read_buffer {
    unsigned char *bytes;
    int n;
};

void fcgi_wipe(const FCGX_Request *request)
{
    const struct read_buffer *buffer = request->in->data;
    const unsigned char *at = request->in->rdNext; /* in the buffer */
    if (at >= buffer->bytes && at - buffer->bytes <= buffer->n)
        explicit_bzero(buffer->bytes, (size_t)buffer->n);
    for (char **variable = request->envp; *variable; variable++)
        explicit_bzero(*variable, strlen(*variable));
}

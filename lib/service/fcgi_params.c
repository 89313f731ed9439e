#include "service/fcgi_params.h"

#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

/* Of the FastCGI specification, 8. */
enum { VERSION = 1, BEGIN_REQUEST = 1, PARAMS = 4, HEAD_SIZE = 8, LONG_LENGTH = 0x80 };

/* A web server may write a head in two pieces. */
enum { PEEKS = 20, PEEK_MS = 100, PAUSE_NS = 200 * 1000 };

bool fcgi_params_read(struct str records, struct fcgi_params *params)
{
    params->n = 0;
    while (records.n >= HEAD_SIZE) {
        const unsigned char *head = (const unsigned char *)records.p;
        size_t n = (size_t)head[4] << 8 | head[5], whole = HEAD_SIZE + n + head[6];
        if (head[0] != VERSION || (head[1] != BEGIN_REQUEST && head[1] != PARAMS))
            return false;
        if (head[1] == PARAMS && n == 0) /* the end of them */
            return true;
        if (records.n < whole || (head[1] == PARAMS && n > sizeof params->bytes - params->n))
            return false;
        if (head[1] == PARAMS) {
            memcpy(params->bytes + params->n, records.p + HEAD_SIZE, n);
            params->n += n;
        }
        records = (struct str){records.p + whole, records.n - whole};
    }
    return false;
}

bool fcgi_params_peek(int fd, struct fcgi_params *params)
{
    static char bytes[FCGI_PARAMS_MAX];
    static const struct timespec pause = {.tv_nsec = PAUSE_NS};
    struct pollfd peer = {.fd = fd, .events = POLLIN};
    if (poll(&peer, 1, PEEK_MS) <= 0)
        return false;
    for (int i = 0; i < PEEKS; i++) {
        ssize_t n = recv(fd, bytes, sizeof bytes, MSG_PEEK | MSG_DONTWAIT);
        if (n <= 0 || fcgi_params_read((struct str){bytes, (size_t)n}, params))
            return n > 0;
        if ((size_t)n == sizeof bytes)
            return false;
        nanosleep(&pause, NULL);
    }
    return false;
}

/* A length takes one byte, or four when the first has its highest bit set. */
static bool read_length(struct str *rest, size_t *length)
{
    const unsigned char *p = (const unsigned char *)rest->p;
    size_t size = rest->n && p[0] & LONG_LENGTH ? 4 : 1;
    if (rest->n < size)
        return false;
    *length = size == 1 ? p[0]
                        : (size_t)(p[0] & ~LONG_LENGTH) << 24 | (size_t)p[1] << 16 |
                              (size_t)p[2] << 8 | p[3];
    *rest = (struct str){rest->p + size, rest->n - size};
    return true;
}

struct str fcgi_params_find(const struct fcgi_params *params, struct str name)
{
    struct str rest = {params->bytes, params->n};
    size_t name_n, value_n;
    while (rest.n && read_length(&rest, &name_n) && read_length(&rest, &value_n) &&
           name_n <= rest.n && value_n <= rest.n - name_n) {
        struct str value = {rest.p + name_n, value_n};
        if (str_eq((struct str){rest.p, name_n}, name))
            return value;
        rest = (struct str){value.p + value_n, rest.n - name_n - value_n};
    }
    return (struct str){0};
}

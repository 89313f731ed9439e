/* fcgi_params: what the head of a FastCGI request says, before anybody reads the request. The bytes
 * stay on the connection, so another process can still be given it.
 */
#ifndef LOADLINE_SERVICE_FCGI_PARAMS_H
#define LOADLINE_SERVICE_FCGI_PARAMS_H

#include "base/str.h"

enum { FCGI_PARAMS_MAX = 24 * 1024 };

struct fcgi_params {
    char bytes[FCGI_PARAMS_MAX]; /* names and values, as FastCGI 1.0, 3.4 writes them */
    size_t n;
};

/* The head of the request that begins with these records. False when it is not whole, is longer
 * than FCGI_PARAMS_MAX, or is no FastCGI. */
bool fcgi_params_read(struct str records, struct fcgi_params *params);
/* The same of what has come on a connection. Waits for the rest of a head, a few milliseconds at
 * most. */
bool fcgi_params_peek(int fd, struct fcgi_params *params);
/* A value, in params. Absent when there is none of that name. */
struct str fcgi_params_find(const struct fcgi_params *params, struct str name);

#endif

/* The plain CGI transport: one process a request, variables in the environment. */
#include "service/http.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

enum { POLL_MS = 20 };

static bool served;

static bool cgi_accept(void *context)
{
    (void)context;
    bool first = !served;
    served = true;
    return first;
}

static const char *cgi_variable(void *context, const char *name)
{
    (void)context;
    return http_find_variable(environ, name);
}

static enum error cgi_check(void *context)
{
    (void)context;
    return http_check_variables(environ);
}

static ptrdiff_t cgi_read(void *context, char *dst, size_t cap)
{
    (void)context;
    ssize_t n;
    do
        n = read(STDIN_FILENO, dst, cap);
    while (n < 0 && errno == EINTR);
    return n;
}

static bool cgi_write(void *context, struct str bytes)
{
    (void)context;
    while (bytes.n) {
        ssize_t n = write(STDOUT_FILENO, bytes.p, bytes.n);
        if (n < 0 && errno != EINTR)
            return false;
        if (n > 0)
            bytes = str_sub(bytes, (size_t)n, bytes.n);
    }
    return true;
}

/* The web server starts as many processes as it has clients, so they take turns, in no order: the
 * lock is on the program's file and ends with the process. */
static bool cgi_has_room(void *context, struct str client, int64_t timeout)
{
    (void)context;
    (void)client;
    int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    for (int64_t waited = 0; waited < timeout; waited += POLL_MS) {
        if (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
            return true;
        usleep(POLL_MS * 1000);
    }
    return false;
}

static void cgi_finish(void *context)
{
    (void)context;
}

struct http_transport http_cgi(void)
{
    served = false;
    return (struct http_transport){.accept = cgi_accept,
                                   .variable = cgi_variable,
                                   .check = cgi_check,
                                   .read = cgi_read,
                                   .write = cgi_write,
                                   .has_room = cgi_has_room,
                                   .finish = cgi_finish};
}

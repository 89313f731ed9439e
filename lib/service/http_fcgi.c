/* The FastCGI transport; the only file that knows libfcgi. */
#include "service/http.h"

#include <errno.h>
#include <fastcgi.h>
#include <fcgiapp.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "base/clock.h"
#include "base/rand.h"
#include "service/turns.h"

enum { WRITE_SECONDS = 60 };

static FCGX_Request fcgi;  /* one process serves one request at a time */
static struct turns turns; /* of what takes long */
static volatile sig_atomic_t stopping;

static void on_stop(int signal_number)
{
    (void)signal_number;
    stopping = 1;
}

/* These are let through only while there is no request: see wait_for_client(). SIGQUIT is what
 * multiwatch sends when it is to send SIGTERM. */
static void hold_signals(void)
{
    static const int stops[] = {SIGTERM, SIGINT, SIGQUIT};
    struct sigaction action = {.sa_handler = on_stop};
    sigset_t held;
    sigemptyset(&held);
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++)
        sigaddset(&held, stops[i]);
    sigprocmask(SIG_BLOCK, &held, NULL);
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++)
        sigaction(stops[i], &action, NULL);
}

static bool wait_for_client(void)
{
    struct pollfd listener = {.fd = FCGI_LISTENSOCK_FILENO, .events = POLLIN};
    sigset_t none;
    sigemptyset(&none);
    int ready = stopping ? -1 : ppoll(&listener, 1, NULL, &none);
    return ready > 0 && !stopping;
}

/* A web server that takes nothing of an answer for so long is given up, and the request with it. */
static void limit_writes(void)
{
    struct timeval limit = {.tv_sec = WRITE_SECONDS};
    setsockopt(fcgi.ipcFd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
}

/* How many wait cannot be asked of a unix socket, but whether one does. */
static bool others_wait(void)
{
    struct pollfd listener = {.fd = FCGI_LISTENSOCK_FILENO, .events = POLLIN};
    return poll(&listener, 1, 0) > 0;
}

/* The listening socket is shared by all workers of a program, so whoever wakes up second must not
 * sleep in accept(): it does not block, and the wait is ours. */
static bool fcgi_accept(void *context)
{
    (void)context;
    while (!stopping) {
        if (!wait_for_client())
            continue;
        int code = FCGX_Accept_r(&fcgi);
        if (code == 0) {
            limit_writes();
            return true;
        }
        if (code != -EAGAIN && code != -EINTR && code != -ECONNABORTED)
            return false;
    }
    return false;
}

static const char *fcgi_variable(void *context, const char *name)
{
    (void)context;
    return http_find_variable(fcgi.envp, name);
}

static enum error fcgi_check(void *context)
{
    (void)context;
    return http_check_variables(fcgi.envp);
}

static ptrdiff_t fcgi_read(void *context, char *dst, size_t cap)
{
    (void)context;
    int n = FCGX_GetStr(dst, cap > INT32_MAX ? INT32_MAX : (int)cap, fcgi.in);
    return n > 0 ? n : FCGX_GetError(fcgi.in) ? -1 : 0;
}

static bool fcgi_write(void *context, struct str bytes)
{
    (void)context;
    while (bytes.n) {
        int piece = bytes.n > INT32_MAX ? INT32_MAX : (int)bytes.n;
        if (FCGX_PutStr(bytes.p, piece, fcgi.out) != piece)
            return false;
        bytes = str_sub(bytes, (size_t)piece, bytes.n);
    }
    return true;
}

/* What does not take long is answered meanwhile, and the queue grows shorter by those who are sent
 * away. */
static bool fcgi_has_room(void *context, struct str client, int64_t timeout)
{
    (void)context;
    return turns_begin(&turns, client, others_wait(), clock_monotonic(), timeout);
}

/* The connection is closed even when the web server would keep it: a worker that waits on one
 * connection is lost to all others. */
static void fcgi_finish(void *context)
{
    (void)context;
    FCGX_Finish_r(&fcgi);
    FCGX_Free(&fcgi, 1);
    turns_end(&turns, clock_monotonic());
}

/* Closed without FCGI_END_REQUEST. */
static void fcgi_abort(void *context)
{
    (void)context;
    FCGX_Free(&fcgi, 1);
    turns_end(&turns, clock_monotonic());
}

bool http_is_cgi(void)
{
    return FCGX_IsCGI();
}

struct http_transport http_fcgi(void)
{
    rand_bytes(&turns.seed, sizeof turns.seed);
    FCGX_Init();
    FCGX_InitRequest(&fcgi, FCGI_LISTENSOCK_FILENO, FCGI_FAIL_ACCEPT_ON_INTR);
    int flags = fcntl(FCGI_LISTENSOCK_FILENO, F_GETFL);
    fcntl(FCGI_LISTENSOCK_FILENO, F_SETFL, flags | O_NONBLOCK);
    hold_signals();
    return (struct http_transport){.accept = fcgi_accept,
                                   .variable = fcgi_variable,
                                   .check = fcgi_check,
                                   .read = fcgi_read,
                                   .write = fcgi_write,
                                   .has_room = fcgi_has_room,
                                   .finish = fcgi_finish,
                                   .abort = fcgi_abort};
}

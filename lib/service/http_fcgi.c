/* The FastCGI transport; the only file that knows libfcgi. */
#include "service/http.h"

#include <errno.h>
#include <fastcgi.h>
#include <fcgiapp.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/rand.h"
#include "service/backlog.h"
#include "service/fcgi_connection.h"
#include "service/fcgi_params.h"
#include "service/fcgi_records.h"
#include "service/fcgi_wipe.h"
#include "service/handoff.h"
#include "service/turns.h"

enum { WRITE_LARGE = 128 * 1024, NO_LIMIT = INT32_MAX, NO_SOCKET = -1 };

/* One process serves one request at a time. While requests come faster than that, others wait here:
 * their head is read, their body is not. */
static FCGX_Request slots[WAITING_MAX];
static FCGX_Request *fcgi = slots; /* the current one */
static struct waiting waiting;
static enum waiting_shed sheds[WAITING_MAX]; /* why they are refused */
static struct http_list list;
static struct turns turns;           /* of what takes long */
static uint64_t unread[WAITING_MAX]; /* of the bodies */
static struct handoff came[WAITING_MAX];
static uint64_t listener;          /* which socket of this host it is that we accept from */
static struct fcgi_records answer; /* to the current one */
static volatile sig_atomic_t stopping;

static void on_stop(int signal_number)
{
    (void)signal_number;
    stopping = 1;
}

/* These are let through only while no request is being served: see look(). SIGQUIT is what
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

enum seen { NOBODY, SOMEBODY, INTERRUPTED };

/* Whether somebody waits in the socket. With timeout NULL it waits until somebody does, or until
 * another worker gives something. Signals are let in here and nowhere else: INTERRUPTED tells
 * nothing about the socket. */
static enum seen look(const struct timespec *timeout)
{
    struct pollfd sources[] = {{.fd = FCGI_LISTENSOCK_FILENO, .events = POLLIN},
                               {.fd = timeout ? -1 : handoff_fd(), .events = POLLIN}};
    sigset_t none;
    sigemptyset(&none);
    int ready = stopping ? -1 : ppoll(sources, 2, timeout, &none);
    return stopping || ready < 0 ? INTERRUPTED : ready > 0 ? SOMEBODY : NOBODY;
}

/* How many wait cannot be asked of a unix socket, but whether one does. */
static bool others_wait(void)
{
    struct pollfd sources[] = {{.fd = FCGI_LISTENSOCK_FILENO, .events = POLLIN},
                               {.fd = handoff_fd(), .events = POLLIN}};
    return poll(sources, 2, 0) > 0;
}

static struct str header(FCGX_Request *request, const char *name)
{
    return str_of(http_find_variable(request->envp, name));
}

static bool is_fleeting(int error)
{
    return error == EAGAIN || error == EINTR || error == ECONNABORTED;
}

/* Of "Bearer TOKEN" the token: however it is written, it is one credential. */
static struct str credential(FCGX_Request *request)
{
    struct str text = header(request, list.credential), scheme, token;
    if (!text.n && list.otherwise)
        text = header(request, list.otherwise);
    return str_cut(text, ' ', &scheme, &token) ? str_trim(token) : text;
}

static struct str cluster(FCGX_Request *request)
{
    return list.cluster ? header(request, list.cluster) : (struct str){0};
}

/* Reads the head of a request of that connection, which is closed when none comes. libfcgi goes on
 * with a connection that it believes to have kept, and has no socket to accept another one. */
static void admit(const struct handoff *handoff)
{
    int place = waiting_free(&waiting);
    FCGX_Request *request = &slots[place];
    request->ipcFd = handoff->fd;
    request->keepConnection = true;
    fcgi_limit_head(request->ipcFd);
    FCGX_Detach(request); /* it does not wait for the other end when it closes for want of a head */
    if (FCGX_Accept_r(request) != 0)
        return;
    FCGX_Attach(request);
    fcgi_allow_body(request->ipcFd);
    fcgi_limit_writes(request->ipcFd);
    unread[place] = 0;
    str_to_u64(header(request, "CONTENT_LENGTH"), &unread[place]);
    came[place] = *handoff;
    waiting_put(&waiting, place, credential(request), cluster(request), handoff->since);
}

/* What a connection is about, and whether it is better off with who remembers that. */
static bool is_to_be_given(struct handoff *next)
{
    static struct fcgi_params params;
    if (!fcgi_params_peek(next->fd, &params))
        return false;
    next->name = handoff_name(listener, fcgi_params_find(&params, str_of(list.credential)),
                              fcgi_params_find(&params, str_of(list.cluster)));
    struct str type = fcgi_params_find(&params, STR("CONTENT_TYPE"));
    str_cut(type, ';', &type, NULL);
    next->brief = list.handed && str_eq_nocase(str_trim(type), str_of(list.handed));
    return next->brief;
}

/* The listening socket is shared by all workers of a program, so whoever wakes up second must not
 * sleep in accept(): it does not block, and the wait is ours. */
static void take_one(int64_t since)
{
    struct handoff next = {.since = since};
    next.fd = accept4(FCGI_LISTENSOCK_FILENO, NULL, NULL, SOCK_CLOEXEC);
    if (next.fd < 0)
        stopping = stopping || !is_fleeting(errno);
    else if (handoff_fd() < 0 || !is_to_be_given(&next) ||
             !handoff_give(&next, waiting.count, clock_monotonic()))
        admit(&next);
}

static void take_given(void)
{
    struct handoff given;
    while (waiting_free(&waiting) != WAITING_NONE && handoff_take(&given))
        admit(&given);
}

/* While the socket is empty now and then, requests stay there for the worker that is free first:
 * one is taken at a time. When it was not for a while, all are taken, so that it is known since
 * when they wait, and somebody can be told to come again. */
static void take(void)
{
    static const struct timespec at_once;
    take_given();
    int64_t now = clock_monotonic(), since = list.calm ? backlog_was_empty(now) : now;
    bool all = list.calm && now - since >= list.calm;
    enum seen seen = look(&at_once);
    while (seen == SOMEBODY && (all || waiting.count == 0) &&
           waiting_free(&waiting) != WAITING_NONE) {
        take_one(since);
        seen = look(&at_once);
    }
    if (list.calm && seen == NOBODY)
        backlog_is_empty(now);
    if (list.calm)
        backlog_hold(waiting.count);
}

static void rest(void)
{
    if (list.calm)
        backlog_rest();
    handoff_end(0, 0);
    if (look(NULL) == SOMEBODY && list.calm)
        backlog_is_empty(clock_monotonic());
}

static int find_left(void)
{
    struct pollfd peers[WAITING_MAX];
    for (int i = 0; i < WAITING_MAX; i++)
        peers[i] = (struct pollfd){.fd = waiting_is_at(&waiting, i) ? slots[i].ipcFd : -1,
                                   .events = POLLRDHUP};
    int left = list.calm && waiting.count ? poll(peers, WAITING_MAX, 0) : 0;
    for (int i = 0; left > 0 && i < WAITING_MAX; i++)
        if (peers[i].revents)
            return i;
    return WAITING_NONE;
}

/* Who is refused goes first: that takes no time. */
static int choose(int64_t now, enum waiting_shed *why)
{
    int place = find_left();
    *why = WAITING_LEFT;
    if (place != WAITING_NONE)
        waiting_leave(&waiting, place);
    else
        place = waiting_refuse(&waiting, now, why);
    if (place == WAITING_NONE)
        *why = WAITING_STAYS;
    return *why ? place : waiting_serve(&waiting, now);
}

/* Makes the next one that waits by now the current one. */
static bool take_next(void)
{
    enum waiting_shed why;
    take();
    int place = choose(clock_monotonic(), &why);
    if (place == WAITING_NONE)
        return false;
    fcgi = &slots[place];
    sheds[place] = why;
    if (!why)
        handoff_serve(&came[place], waiting.count, clock_monotonic());
    return true;
}

/* A worker that is asked to stop serves those that it has taken. */
static bool fcgi_accept(void *context)
{
    (void)context;
    for (;;) {
        if (take_next())
            return true;
        if (!stopping)
            rest();
        else if (!handoff_leave())
            return false;
    }
}

static bool fcgi_another(void *context)
{
    (void)context;
    return take_next();
}

static void *fcgi_current(void *context)
{
    (void)context;
    return fcgi;
}

static void fcgi_take_up(void *context, void *request)
{
    (void)context;
    fcgi = request;
}

static enum waiting_shed fcgi_shed(void *context)
{
    (void)context;
    return sheds[fcgi - slots];
}

/* lighttpd closes its side of the connection when the client has closed its own. */
static bool fcgi_has_left(void *context)
{
    struct pollfd peer = {.fd = fcgi->ipcFd, .events = POLLRDHUP};
    (void)context;
    return list.calm && poll(&peer, 1, 0) > 0;
}

static void fcgi_know(void *context, struct str tenant)
{
    (void)context;
    waiting_know(&waiting, (int)(fcgi - slots), tenant);
}

static const char *fcgi_variable(void *context, const char *name)
{
    (void)context;
    return http_find_variable(fcgi->envp, name);
}

static enum error fcgi_check(void *context)
{
    (void)context;
    return http_check_variables(fcgi->envp);
}

static ptrdiff_t fcgi_read(void *context, char *dst, size_t cap)
{
    (void)context;
    int n = FCGX_GetStr(dst, cap > INT32_MAX ? INT32_MAX : (int)cap, fcgi->in);
    uint64_t *left = &unread[fcgi - slots], taken = n > 0 ? (uint64_t)n : 0;
    *left -= taken < *left ? taken : *left;
    return n > 0 ? n : FCGX_GetError(fcgi->in) ? -1 : 0;
}

static bool fcgi_write(void *context, struct str bytes)
{
    (void)context;
    if (bytes.n >= WRITE_LARGE)
        fcgi_limit_room(fcgi->ipcFd);
    return fcgi_records_put(&answer, fcgi->ipcFd, fcgi->requestId, bytes);
}

/* What does not take long is answered meanwhile, and the queue grows shorter by those who are sent
 * away. */
static bool fcgi_has_room(void *context, struct str client, int64_t timeout)
{
    (void)context;
    return turns_begin(&turns, client, others_wait(), clock_monotonic(), timeout);
}

/* Has the web server said all that it has to say, to the record that ends the body? Then nothing
 * gets lost when the connection is closed at once: bytes that arrive later would reset it, and the
 * answer with it. Otherwise libfcgi waits until the other end is closed, which keeps the worker. */
static bool has_read_all(void)
{
    char next;
    if (unread[fcgi - slots] > 0 || header(fcgi, "HTTP_TRANSFER_ENCODING").n)
        return false;
    fcgi_limit_end(fcgi->ipcFd);
    return FCGX_GetStr(&next, 1, fcgi->in) == 0 && FCGX_GetError(fcgi->in) == 0;
}

/* The connection is closed even when the web server would keep it: a worker that waits on one
 * connection is lost to all others. */
static void release(bool at_once)
{
    int64_t now = clock_monotonic();
    fcgi_wipe(fcgi->in->data, fcgi->in->rdNext, fcgi->envp);
    if (at_once)
        FCGX_Detach(fcgi);
    FCGX_Free(fcgi, 1);
    answer.n = 0;
    answer.gone = false;
    turns_end(&turns, now);
    waiting_end(&waiting, (int)(fcgi - slots), now);
}

static void fcgi_finish(void *context)
{
    handoff_end(waiting.count, clock_monotonic()); /* before the client can come again */
    fcgi_records_flush(&answer, fcgi->ipcFd, fcgi->requestId, true);
    bool shed = fcgi_shed(context);
    if (shed)
        fcgi_take_off(fcgi->ipcFd);
    release(shed || has_read_all());
}

/* Closed without FCGI_END_REQUEST. */
static void fcgi_abort(void *context)
{
    (void)context;
    fcgi_records_flush(&answer, fcgi->ipcFd, fcgi->requestId, false);
    release(false);
}

bool http_is_cgi(void)
{
    return FCGX_IsCGI();
}

struct http_transport http_fcgi(const struct http_list *wanted)
{
    uint64_t seed;
    list = *wanted;
    rand_bytes(&turns.seed, sizeof turns.seed);
    rand_bytes(&seed, sizeof seed);
    waiting_init(&waiting, seed, list.limit ? list.limit : NO_LIMIT);
    listener = fcgi_listener(FCGI_LISTENSOCK_FILENO);
    FCGX_Init();
    for (int i = 0; i < WAITING_MAX; i++)
        FCGX_InitRequest(&slots[i], NO_SOCKET, FCGI_FAIL_ACCEPT_ON_INTR);
    int flags = fcntl(FCGI_LISTENSOCK_FILENO, F_GETFL);
    fcntl(FCGI_LISTENSOCK_FILENO, F_SETFL, flags | O_NONBLOCK);
    hold_signals();
    return (struct http_transport){.accept = fcgi_accept,
                                   .variable = fcgi_variable,
                                   .check = fcgi_check,
                                   .read = fcgi_read,
                                   .write = fcgi_write,
                                   .has_room = fcgi_has_room,
                                   .shed = fcgi_shed,
                                   .has_left = fcgi_has_left,
                                   .know = fcgi_know,
                                   .another = fcgi_another,
                                   .current = fcgi_current,
                                   .take_up = fcgi_take_up,
                                   .finish = fcgi_finish,
                                   .abort = fcgi_abort};
}

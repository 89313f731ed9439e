/* bench_load: a client that pushes, asks and reads over HTTP, and measures how long answers take.
 *
 *   bench_load --port P --clients N (--seconds S | --count C) [--rate R] [--close]
 *              [--method M] [--path PATH] [--header LINE]... [--body FILE]... [--over N] [--skip N]
 *              [--refusals]
 *
 * With --rate requests are due at fixed times, whatever the answers do, and wait for a free client:
 * an answer's time counts from when its request was due. Without, each client sends its next
 * request when it has the answer to the last. {n} in the path and headers is 0, 1, ... N-1, 0, ...;
 * bodies take turns so that each n gets another one every time. --skip goes on where so many
 * requests of a run before have ended. --close: a connection a request.
 * --refusals: 503 is no error; it is counted apart, and its time is not among the figures.
 *
 * Prints "requests=.. refused=.. errors=.. seconds=.. rate=.. p50_ms=.. p99_ms=.. max_ms=..
 * cpu_ms=.." and the first answer that was not 2xx on stderr.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/arena.h"
#include "bench.h"

enum { CLIENTS_MAX = 256, HEADERS_MAX = 8, BODIES_MAX = 64, HEAD_SIZE = 4096, PIECE = 64 * 1024 };

struct plan {
    struct arena *arena;
    uint16_t port;
    const char *method, *path, *headers[HEADERS_MAX];
    struct str bodies[BODIES_MAX];
    size_t header_n, body_n, clients, over, count, skip;
    double rate, seconds;
    bool close, refusals;
};

struct client {
    struct arena *arena; /* of the current request */
    int fd;              /* -1: not connected */
    bool busy;
    double due;
    struct str head, body; /* left to be sent */
    char answer[HEAD_SIZE];
    size_t answer_n;
    bool has_head, ok, refused, last; /* last: the server closes */
    uint64_t left;                    /* of the answer's body */
};

struct load {
    const struct plan *plan;
    struct client clients[CLIENTS_MAX];
    struct pollfd polls[CLIENTS_MAX];
    double started, *times;
    size_t sent, done, refused, errors, room;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "bench_load: %s\n", what);
    exit(1);
}

/* ---- plan ---- */

static struct str read_file(struct arena *arena, const char *name)
{
    FILE *file = fopen(name, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0)
        die("cannot read a body");
    size_t n = (size_t)ftell(file);
    rewind(file);
    char *p = arena_bytes(arena, n);
    if (fread(p, 1, n, file) != n)
        die("cannot read a body");
    fclose(file);
    return (struct str){p, n};
}

static const struct option options[] = {
    {"port", 1, NULL, 'p'},   {"clients", 1, NULL, 'c'}, {"seconds", 1, NULL, 's'},
    {"count", 1, NULL, 'n'},  {"rate", 1, NULL, 'r'},    {"close", 0, NULL, 'x'},
    {"over", 1, NULL, 'o'},   {"method", 1, NULL, 'm'},  {"path", 1, NULL, 'u'},
    {"header", 1, NULL, 'h'}, {"body", 1, NULL, 'b'},    {"refusals", 0, NULL, 'f'},
    {"skip", 1, NULL, 'k'},   {NULL, 0, NULL, 0}};

static void set_option(struct plan *plan, int letter)
{
    switch (letter) {
    case 'p':
        plan->port = (uint16_t)strtoul(optarg, NULL, 10);
        break;
    case 'c':
        plan->clients = strtoul(optarg, NULL, 10);
        break;
    case 's':
        plan->seconds = strtod(optarg, NULL);
        break;
    case 'n':
        plan->count = strtoul(optarg, NULL, 10);
        break;
    case 'r':
        plan->rate = strtod(optarg, NULL);
        break;
    case 'x':
        plan->close = true;
        break;
    case 'f':
        plan->refusals = true;
        break;
    case 'o':
        plan->over = strtoul(optarg, NULL, 10);
        break;
    case 'k':
        plan->skip = strtoul(optarg, NULL, 10);
        break;
    case 'm':
        plan->method = optarg;
        break;
    case 'u':
        plan->path = optarg;
        break;
    case 'h':
        if (plan->header_n == HEADERS_MAX)
            die("too many headers");
        plan->headers[plan->header_n++] = optarg;
        break;
    case 'b':
        if (plan->body_n == BODIES_MAX)
            die("too many bodies");
        plan->bodies[plan->body_n++] = read_file(plan->arena, optarg);
        break;
    default:
        exit(2);
    }
}

static void read_plan(struct plan *plan, int argc, char **argv)
{
    int letter;
    while ((letter = getopt_long(argc, argv, "", options, NULL)) != -1)
        set_option(plan, letter);
    if (plan->rate > 0 && plan->seconds > 0)
        plan->count = (size_t)(plan->rate * plan->seconds);
    if (plan->clients < 1 || plan->clients > CLIENTS_MAX || plan->over < 1 ||
        (plan->count == 0 && plan->seconds <= 0))
        die("--clients, --over, and --count or --seconds are wanted");
}

/* ---- one request ---- */

static struct str with_number(struct arena *arena, const char *text, size_t number)
{
    const char *at = strstr(text, "{n}");
    if (!at)
        return str_of(text);
    return arena_printf(arena, "%.*s%zu%s", (int)(at - text), text, number, at + 3);
}

static struct str make_head(struct arena *arena, const struct plan *plan, size_t number,
                            size_t body_n)
{
    struct str head = arena_printf(arena, "%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\n%s", plan->method,
                                   with_number(arena, plan->path, number).p,
                                   plan->close ? "Connection: close\r\n" : "");
    for (size_t i = 0; i < plan->header_n; i++)
        head =
            arena_printf(arena, "%s%s\r\n", head.p, with_number(arena, plan->headers[i], number).p);
    if (plan->body_n)
        head = arena_printf(arena, "%sContent-Length: %zu\r\n", head.p, body_n);
    return arena_printf(arena, "%s\r\n", head.p);
}

static int connect_to(uint16_t port)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int one = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) != 0)
        die("cannot connect");
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    fcntl(fd, F_SETFL, O_NONBLOCK);
    return fd;
}

static void start_request(struct load *load, struct client *c, double due)
{
    const struct plan *plan = load->plan;
    size_t i = plan->skip + load->sent++, number = i % plan->over;
    c->body = plan->body_n ? plan->bodies[(i / plan->over + number) % plan->body_n]
                           : (struct str){NULL, 0};
    arena_reset(c->arena);
    c->head = make_head(c->arena, plan, number, c->body.n);
    c->due = due;
    c->busy = true;
    c->has_head = c->ok = c->refused = c->last = false;
    c->answer_n = 0;
    if (c->fd < 0)
        c->fd = connect_to(plan->port);
}

static void complain(struct load *load, const struct client *c)
{
    if (load->errors++ == 0)
        fprintf(stderr, "bench_load: answer: %.*s\n", (int)c->answer_n, c->answer);
}

static void end_request(struct load *load, struct client *c, bool whole)
{
    if (whole && c->refused && load->plan->refusals) {
        load->refused++;
    } else {
        if (!whole || !c->ok)
            complain(load, c);
        if (load->done < load->room)
            load->times[load->done] = now() - c->due;
        load->done++;
    }
    c->busy = false;
    if (!whole || c->last) {
        close(c->fd);
        c->fd = -1;
    }
}

/* Sends what is left of it. False when the connection broke. */
static bool send_some(int fd, struct str *bytes)
{
    while (bytes->n) {
        ssize_t n = send(fd, bytes->p, bytes->n, MSG_NOSIGNAL);
        if (n < 0)
            return errno == EAGAIN || errno == EINTR;
        *bytes = str_sub(*bytes, (size_t)n, bytes->n);
    }
    return true;
}

/* The value of a header of the answer; absent without it. */
static struct str find_header(struct str head, const char *name)
{
    struct str line, key, value;
    while (str_cut(head, '\n', &line, &head))
        if (str_cut(line, ':', &key, &value) && str_eq_nocase(key, str_of(name)))
            return str_trim(value);
    return (struct str){NULL, 0};
}

/* The head of the answer is there: what follows it? */
static bool take_head(const struct plan *plan, struct client *c, size_t head_n)
{
    struct str head = {c->answer, head_n};
    uint64_t length;
    if (!str_has_prefix(head, STR("HTTP/1.1 ")) || head_n < 12 ||
        !str_to_u64(find_header(head, "Content-Length"), &length))
        return false;
    c->has_head = true;
    c->ok = head.p[9] == '2';
    c->refused = str_eq(str_sub(head, 9, 3), STR("503"));
    c->last = plan->close || str_eq_nocase(find_header(head, "Connection"), STR("close"));
    size_t beyond = c->answer_n - head_n;
    c->left = length > beyond ? length - beyond : 0;
    return true;
}

/* False when the connection broke or the answer is not one. */
static bool receive_head(const struct plan *plan, struct client *c)
{
    ssize_t n = recv(c->fd, c->answer + c->answer_n, HEAD_SIZE - c->answer_n, 0);
    if (n <= 0)
        return n < 0 && (errno == EAGAIN || errno == EINTR);
    c->answer_n += (size_t)n;
    const char *end = memmem(c->answer, c->answer_n, "\r\n\r\n", 4);
    if (!end)
        return c->answer_n < HEAD_SIZE;
    return take_head(plan, c, (size_t)(end + 4 - c->answer));
}

static bool receive_body(struct client *c)
{
    static char piece[PIECE];
    while (c->left) {
        ssize_t n = recv(c->fd, piece, sizeof piece, 0);
        if (n <= 0)
            return n < 0 && (errno == EAGAIN || errno == EINTR);
        c->left -= (uint64_t)n < c->left ? (uint64_t)n : c->left;
    }
    return true;
}

static void go_on(struct load *load, struct client *c, int events)
{
    bool fine = true;
    if (events & POLLOUT)
        fine = send_some(c->fd, &c->head) && (c->head.n || send_some(c->fd, &c->body));
    if (fine && events & (POLLIN | POLLHUP | POLLERR))
        fine = c->has_head ? receive_body(c) : receive_head(load->plan, c);
    if (!fine || (c->has_head && c->left == 0))
        end_request(load, c, fine);
}

/* ---- all of them ---- */

static bool has_more(const struct load *load)
{
    const struct plan *plan = load->plan;
    if (plan->count)
        return load->sent < plan->count;
    return now() - load->started < plan->seconds * 1e3;
}

/* When the next request is due: now, unless they are paced. */
static double next_due(const struct load *load)
{
    double rate = load->plan->rate;
    return rate > 0 ? load->started + (double)load->sent * 1e3 / rate : now();
}

/* Gives what is due to free clients. Returns how long nothing more will be due, in milliseconds. */
static double hand_out(struct load *load)
{
    for (size_t i = 0; i < load->plan->clients && has_more(load); i++) {
        double due = next_due(load), wait = due - now();
        if (wait > 0)
            return wait;
        if (!load->clients[i].busy)
            start_request(load, &load->clients[i], due);
    }
    return 1000;
}

static void wait_and_serve(struct load *load, double wait)
{
    size_t n = load->plan->clients;
    struct timespec t = {.tv_sec = (time_t)(wait / 1e3)};
    t.tv_nsec = (long)((wait - (double)t.tv_sec * 1e3) * 1e6);
    for (size_t i = 0; i < n; i++) {
        struct client *c = &load->clients[i];
        short out = c->head.n || c->body.n ? POLLOUT : 0;
        load->polls[i] = (struct pollfd){c->busy ? c->fd : -1, (short)(POLLIN | out), 0};
    }
    if (ppoll(load->polls, n, &t, NULL) <= 0)
        return;
    for (size_t i = 0; i < n; i++)
        if (load->polls[i].revents)
            go_on(load, &load->clients[i], load->polls[i].revents);
}

static void run(struct load *load)
{
    size_t n = load->plan->clients;
    for (size_t i = 0; i < n; i++)
        load->clients[i] = (struct client){.fd = -1, .arena = arena_new(1 << 20)};
    load->started = now();
    while (has_more(load) || load->done + load->refused < load->sent)
        wait_and_serve(load, hand_out(load));
    for (size_t i = 0; i < n; i++) {
        arena_free(load->clients[i].arena);
        if (load->clients[i].fd >= 0)
            close(load->clients[i].fd);
    }
}

static void report(const struct load *load)
{
    size_t n = load->done < load->room ? load->done : load->room;
    double seconds = (now() - load->started) / 1e3;
    double rate = (double)load->done / seconds;
    if (n == 0)
        die("no answer");
    printf("requests=%zu refused=%zu errors=%zu seconds=%.3f rate=%.2f p50_ms=%.3f p99_ms=%.3f "
           "max_ms=%.3f "
           "cpu_ms=%.0f\n",
           load->done, load->refused, load->errors, seconds, rate,
           bench_quantile(load->times, n, 0.5), bench_quantile(load->times, n, 0.99),
           bench_quantile(load->times, n, 1.0), bench_cpu_ms());
}

static int bench(int argc, char **argv)
{
    static struct load load;
    struct plan plan = {
        .arena = arena_new((size_t)4 << 30), .method = "GET", .path = "/", .over = 1, .clients = 1};
    read_plan(&plan, argc, argv);
    load.plan = &plan;
    load.room = 1 << 20;
    load.times = ARENA_ARRAY(plan.arena, load.room, double);
    run(&load);
    report(&load);
    arena_free(plan.arena);
    return 0;
}

int main(int argc, char **argv)
{
    return bench(argc, argv);
}

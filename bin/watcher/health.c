#include "health.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "agent/memory.h"
#include "base/clock.h"
#include "codec/prometheus.h"

enum { REQUEST_MAX = 4096, ANSWER_MAX = 256 * 1024, CLIENT_MS = 5000, BACKLOG = 16 };

struct client {
    int file; /* -1: the place is free */
    int64_t until;
    struct bytes request, answer;
    size_t sent;
};

struct health {
    int listener;
    struct health_voice voice;
    struct client clients[HEALTH_CLIENTS_MAX];
};

static int listen_at(const struct addrinfo *address)
{
    int yes = 1,
        file = socket(address->ai_family, address->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (file < 0)
        return -1;
    setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(file, address->ai_addr, address->ai_addrlen) == 0 && listen(file, BACKLOG) == 0)
        return file;
    close(file);
    return -1;
}

/* Names are not looked up. */
static int open_listener(const char *text)
{
    struct addrinfo hints = {.ai_flags = AI_PASSIVE | AI_NUMERICHOST | AI_NUMERICSERV,
                             .ai_socktype = SOCK_STREAM},
                    *address = NULL;
    struct str host, port;
    int file = -1;
    if (!str_cut_last(str_of(text), ':', &host, &port))
        host = port = STR("");
    if (str_has_prefix(host, STR("[")) && str_has_suffix(host, STR("]")))
        host = str_sub(host, 1, host.n - 2);
    char *host_text = memory_text(host), *port_text = memory_text(port);
    errno = EINVAL;
    if (port.n && getaddrinfo(host.n ? host_text : NULL, port_text, &hints, &address) == 0)
        file = listen_at(address);
    if (address)
        freeaddrinfo(address);
    free(host_text);
    free(port_text);
    return file;
}

struct health *health_open(const char *address, struct health_voice voice)
{
    int listener = open_listener(address);
    if (listener < 0) {
        fprintf(stderr, "loadline-agent: cannot listen at %s: %s\n", address, strerror(errno));
        return NULL;
    }
    struct health *health = MEMORY_NEW(struct health);
    health->listener = listener;
    health->voice = voice;
    for (size_t i = 0; i < HEALTH_CLIENTS_MAX; i++)
        health->clients[i].file = -1;
    return health;
}

static void drop(struct client *client)
{
    if (client->file >= 0)
        close(client->file);
    bytes_free(&client->request);
    bytes_free(&client->answer);
    *client = (struct client){.file = -1};
}

void health_close(struct health *health)
{
    if (!health)
        return;
    close(health->listener);
    for (size_t i = 0; i < HEALTH_CLIENTS_MAX; i++)
        drop(&health->clients[i]);
    free(health);
}

/* ---- an answer ---- */

static void put_answer(struct client *client, const char *status, const char *type, struct str body)
{
    char head[256];
    int n = snprintf(head, sizeof head,
                     "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n"
                     "Cache-Control: no-store\r\nConnection: close\r\n\r\n",
                     status, type, body.n);
    bytes_put(&client->answer, (struct str){head, (size_t)n});
    bytes_put(&client->answer, body);
}

static void put_metrics(struct health *health, struct client *client)
{
    struct arena *arena = arena_new(SIZE_MAX / 2);
    if (!arena)
        memory_exhausted();
    struct buf text = buf_init(arena, ANSWER_MAX);
    health->voice.put_metrics(health->voice.context, &text);
    put_answer(client, "200 OK", PROMETHEUS_TYPE, buf_str(&text));
    arena_free(arena);
}

static void answer(struct health *health, struct client *client)
{
    const char *plain = "text/plain; charset=utf-8";
    struct str request = bytes_str(&client->request), method = STR(""), path = STR(""), query;
    str_next_word(&request, &method);
    str_next_word(&request, &path);
    str_cut(path, '?', &path, &query);
    if (!str_eq(method, STR("GET")))
        put_answer(client, "405 Method Not Allowed", plain, STR("GET, please\n"));
    else if (str_eq(path, STR("/metrics")))
        put_metrics(health, client);
    else if (!str_eq(path, STR("/healthz")))
        put_answer(client, "404 Not Found", plain, STR("there are /healthz and /metrics\n"));
    else if (health->voice.is_well(health->voice.context))
        put_answer(client, "200 OK", plain, STR("ok\n"));
    else
        put_answer(client, "503 Service Unavailable", plain,
                   STR("no push was taken for three minutes\n"));
}

/* ---- clients ---- */

static void receive(struct health *health, struct client *client)
{
    char piece[1024];
    ssize_t n = recv(client->file, piece, sizeof piece, 0);
    if (n > 0)
        bytes_put(&client->request, (struct str){piece, (size_t)n});
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR) || client->request.n > REQUEST_MAX)
        drop(client);
    else if (str_has(bytes_str(&client->request), STR("\r\n\r\n")))
        answer(health, client);
}

static void send_rest(struct client *client)
{
    ssize_t n = send(client->file, client->answer.p + client->sent, client->answer.n - client->sent,
                     MSG_NOSIGNAL);
    if (n > 0)
        client->sent += (size_t)n;
    if ((n < 0 && errno != EAGAIN && errno != EINTR) || client->sent == client->answer.n)
        drop(client);
}

static void accept_client(struct health *health, int64_t now)
{
    for (size_t i = 0; i < HEALTH_CLIENTS_MAX; i++)
        if (health->clients[i].file < 0) {
            health->clients[i].file =
                accept4(health->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
            health->clients[i].until = now + CLIENT_MS;
            return;
        }
}

/* The listener is the first, and is not waited for while all places are taken. */
unsigned health_files(const struct health *health, struct pollfd *files)
{
    unsigned n = 1;
    bool room = false;
    if (!health)
        return 0;
    for (size_t i = 0; i < HEALTH_CLIENTS_MAX; i++) {
        const struct client *client = &health->clients[i];
        room |= client->file < 0;
        if (client->file >= 0)
            files[n++] = (struct pollfd){client->file, client->answer.n ? POLLOUT : POLLIN, 0};
    }
    files[0] = (struct pollfd){health->listener, room ? POLLIN : 0, 0};
    return n;
}

static bool is_ready(const struct pollfd *files, unsigned n, int file)
{
    for (unsigned i = 0; i < n; i++)
        if (files[i].fd == file)
            return files[i].revents != 0;
    return false;
}

void health_tick(struct health *health, const struct pollfd *files, unsigned n, int64_t now)
{
    if (!health)
        return;
    for (size_t i = 0; i < HEALTH_CLIENTS_MAX; i++) {
        struct client *client = &health->clients[i];
        if (client->file >= 0 && is_ready(files, n, client->file) && !client->answer.n)
            receive(health, client);
        if (client->file >= 0 && client->answer.n)
            send_rest(client);
        if (client->file >= 0 && now > client->until)
            drop(client);
    }
    if (is_ready(files, n, health->listener))
        accept_client(health, now);
}

/* post: what each kind of receiver makes of a post, and where none is ever sent. The receiver is a
 * thread with a listening socket that counts its connections. */
#include "deliver/post.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/clock.h"
#include "base/version.h"
#include "scratch.h"

enum { TIMEOUT_MS = 400, MIB = 1024 * 1024, GIVE_UP_MS = 10000, SILENT_MS = 3000, LATE_MS = 500 };

/* ---- the receiver ---- */

static struct receiver {
    int listener, port;
    pthread_t thread;
    const char *answer; /* what every request gets */
    size_t then;        /* and so many bytes after it */
    bool hang;          /* until the client hangs up */
    const char *second; /* what the next request on a connection gets; NULL: it is closed */
    int connections;
    size_t sent;
    char request[4096]; /* the last one */
} receiver;

static size_t read_request(int fd)
{
    size_t n = 0;
    ssize_t got;
    const char *body = NULL;
    while (!(body && strstr(body, "\"end\"")) &&
           (got = read(fd, receiver.request + n, sizeof receiver.request - 1 - n)) > 0) {
        n += (size_t)got;
        receiver.request[n] = '\0';
        body = strstr(receiver.request, "\r\n\r\n");
    }
    return n;
}

static bool send_all(int fd, const char *bytes, size_t n)
{
    for (ssize_t sent; n > 0; bytes += sent, n -= (size_t)sent) {
        sent = send(fd, bytes, n, MSG_NOSIGNAL);
        if (sent <= 0)
            return false;
        receiver.sent += (size_t)sent;
    }
    return true;
}

static void answer(int fd)
{
    static const char filler[64 * 1024];
    bool asked_for = read_request(fd);
    if (asked_for && strstr(receiver.request, "POST /late "))
        poll(NULL, 0, LATE_MS);
    if (!asked_for || !send_all(fd, receiver.answer, strlen(receiver.answer)))
        return;
    for (size_t left = receiver.then; left > 0; left -= sizeof filler)
        if (!send_all(fd, filler, sizeof filler))
            return;
    if (receiver.second && read_request(fd))
        send_all(fd, receiver.second, strlen(receiver.second));
    if (receiver.hang) {
        struct pollfd hangup = {fd, POLLIN, 0};
        poll(&hangup, 1, GIVE_UP_MS);
    }
}

static void *receive(void *context)
{
    (void)context;
    for (;;) {
        int fd = accept4(receiver.listener, NULL, NULL, SOCK_CLOEXEC);
        if (fd < 0)
            return NULL;
        receiver.connections++;
        answer(fd);
        close(fd);
    }
}

static int start_receiver(void **state)
{
    struct sockaddr_in any = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_ANY)};
    socklen_t n = sizeof any;
    (void)state;
    receiver.listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(receiver.listener, (struct sockaddr *)&any, n) != 0 ||
        listen(receiver.listener, 16) != 0 ||
        getsockname(receiver.listener, (struct sockaddr *)&any, &n) != 0)
        return -1;
    receiver.port = ntohs(any.sin_port);
    return pthread_create(&receiver.thread, NULL, receive, NULL);
}

/* One that came late, on a busy machine, is counted by the time this one has been answered. */
static void forget_connections(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)receiver.port)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_true(connect(fd, (struct sockaddr *)&at, sizeof at) == 0 && shutdown(fd, SHUT_WR) == 0 &&
                read(fd, &(char){0}, 1) == 0);
    close(fd);
    receiver.connections = 0;
}

static int stop_receiver(void **state)
{
    (void)state;
    shutdown(receiver.listener, SHUT_RDWR);
    pthread_join(receiver.thread, NULL);
    return close(receiver.listener);
}

/* ---- names: libcurl asks these instead of the C library's ---- */

struct found {
    struct addrinfo info;
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } address;
};

static struct found *found_address(const char *text, uint16_t port)
{
    struct found *found = calloc(1, sizeof *found);
    assert_non_null(found);
    bool is_v4 = inet_pton(AF_INET, text, &found->address.v4.sin_addr) == 1;
    if (!is_v4)
        inet_pton(AF_INET6, text, &found->address.v6.sin6_addr);
    found->address.any.sa_family = is_v4 ? AF_INET : AF_INET6;
    found->address.v4.sin_port = htons(port); /* at the same place in both */
    found->info.ai_family = found->address.any.sa_family;
    found->info.ai_socktype = SOCK_STREAM;
    found->info.ai_addr = &found->address.any;
    found->info.ai_addrlen = is_v4 ? sizeof found->address.v4 : sizeof found->address.v6;
    return found;
}

/* The n-th answer about a name that is somewhere else each time: where its owner wants it to be. */
static struct addrinfo *rebound(const char *const *addresses, size_t n, uint16_t port)
{
    return &found_address(addresses[n], port)->info;
}

static size_t asked; /* how often for rebinding.test */

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints,
                struct addrinfo **result)
{
    static const struct {
        const char *name, *address;
    } names[] = {
        {"loopback.test", "127.0.0.1"}, {"mapped.test", "::ffff:127.0.0.1"},
        {"private.test", "10.0.0.1"},   {"metadata.test", "169.254.169.254"},
        {"local.test", "fe80::1"},      {"any.test", "0.0.0.0"},
    };
    static const char *const rebinding[] = {"127.0.0.1", "127.1.2.3", "10.0.0.1"};
    uint64_t port = 0;
    (void)hints;
    str_to_u64(str_of(service), &port);
    if (strcmp(node, "silent.test") == 0) { /* its servers do not answer */
        poll(NULL, 0, SILENT_MS);
        return EAI_AGAIN;
    }
    if (strcmp(node, "rebinding.test") == 0) {
        *result = rebound(rebinding, asked++ % COUNT(rebinding), (uint16_t)port);
        return 0;
    }
    if (strcmp(node, "both.test") == 0) { /* one that is allowed behind one that is not */
        *result = rebound(rebinding, 2, (uint16_t)port);
        (*result)->ai_next = rebound(rebinding, 0, (uint16_t)port);
        return 0;
    }
    for (size_t i = 0; i < COUNT(names); i++) {
        if (strcmp(node, names[i].name) == 0) {
            *result = &found_address(names[i].address, (uint16_t)port)->info;
            return 0;
        }
    }
    return EAI_NONAME;
}

void freeaddrinfo(struct addrinfo *info)
{
    while (info) {
        struct addrinfo *next = info->ai_next;
        free(info);
        info = next;
    }
}

/* ---- posts ---- */

static const struct post_policy loopback_allowed = {
    .allow = {"127.0.0.0/8", 11}, .allow_http = true, .ca_file = "", .timeout_ms = TIMEOUT_MS};
static const struct post_policy nothing_allowed = {
    .allow = {"", 0}, .allow_http = true, .ca_file = "", .timeout_ms = TIMEOUT_MS};

static void keep(void *context, const struct post_result *result)
{
    *(struct post_result *)context = *result;
}

/* PORT in the url is the receiver's. */
static struct post_result post_by(const struct post_policy *policy, const char *url,
                                  int64_t begin_by)
{
    struct post_result result = {.outcome = POST_REFUSED, .error = "never done"};
    char *colon = strstr(url, ":PORT"), full[256];
    int head = colon ? (int)(colon - url) : (int)strlen(url);
    if (colon)
        snprintf(full, sizeof full, "%.*s:%d%s", head, url, receiver.port, colon + 5);
    else
        snprintf(full, sizeof full, "%s", url);
    struct post post = {.url = full,
                        .body = STR("{\"end\":1}"),
                        .headers = {"Content-Type: application/json", "webhook-id: msg_1"},
                        .begin_by = begin_by,
                        .context = &result};
    struct poster *poster = poster_new(policy);
    assert_non_null(poster);
    assert_true(poster_add(poster, &post));
    int64_t started = clock_monotonic();
    while (poster_busy(poster) && clock_monotonic() - started < GIVE_UP_MS)
        poster_run(poster, 50, keep);
    assert_int_equal(poster_busy(poster), 0);
    poster_free(poster);
    return result;
}

static struct post_result post_to(const struct post_policy *policy, const char *url)
{
    return post_by(policy, url, 0);
}

#define HEAD(status, more) "HTTP/1.1 " status "\r\n" more "\r\n"

static void every_kind_of_receiver(void **state)
{
    static const struct {
        const char *answer;
        size_t then;
        bool hang;
        enum post_outcome outcome;
        int status;
        int64_t retry_after_ms;
        const char *error; /* begins so */
    } rows[] = {
        {HEAD("200 OK", "Content-Length: 0\r\n"), 0, false, POST_ANSWERED, 200, 0, ""},
        {HEAD("204 No Content", ""), 0, false, POST_ANSWERED, 204, 0, ""},
        {HEAD("100 Continue", "") HEAD("202 Accepted", "Content-Length: 0\r\n"), 0, false,
         POST_ANSWERED, 202, 0, ""},
        {HEAD("500 Oops", "Content-Length: 0\r\n"), 0, false, POST_ANSWERED, 500, 0,
         "The receiver answered 500."},
        {HEAD("429 Slow down", "Retry-After: 7\r\nContent-Length: 0\r\n"), 0, false, POST_ANSWERED,
         429, 7000, "The receiver answered 429."},
        {HEAD("429 Slow down", "Retry-After: 9223372036854775\r\nContent-Length: 0\r\n"), 0, false,
         POST_ANSWERED, 429, 9223372036854775000, "The receiver answered 429."},
        {HEAD("429 Slow down", "Retry-After: 9223372036854775807\r\nContent-Length: 0\r\n"), 0,
         false, POST_ANSWERED, 429, INT64_MAX, "The receiver answered 429."},
        {HEAD("429 Slow down", "Retry-After: soon\r\nContent-Length: 0\r\n"), 0, false,
         POST_ANSWERED, 429, 0, "The receiver answered 429."},
        {HEAD("503 Later", "Retry-After: Mon, 01 Jan 2001 00:00:00 GMT\r\nContent-Length: 0\r\n"),
         0, false, POST_ANSWERED, 503, 0, "The receiver answered 503."},
        {HEAD("410 Gone", "Content-Length: 0\r\n"), 0, false, POST_ANSWERED, 410, 0,
         "The receiver answered 410."},
        {HEAD("301 Moved", "Location: http://127.0.0.1:9/\r\nContent-Length: 0\r\n"), 0, false,
         POST_ANSWERED, 301, 0, "The receiver answered 301; redirects are not followed."},
        {HEAD("200 OK", "Content-Length: 104857600\r\n"), 100 * MIB, false, POST_ANSWERED, 200, 0,
         ""},
        {HEAD("200 OK", "Content-Length: 10\r\n"), 0, false, POST_ANSWERED, 200, 0, ""},
        {HEAD("200 OK", "Content-Length: 10\r\n"), 0, true, POST_ANSWERED, 200, 0, ""},
        {HEAD("200 OK", "Transfer-Encoding: chunked\r\n") "zz", 0, false, POST_ANSWERED, 200, 0,
         ""},
        {"", 0, false, POST_FAILED, 0, 0, "Empty reply from server."},
        {"", 0, true, POST_FAILED, 0, 0, "Operation timed out"},
        {"HTTP/1.1 2", 0, true, POST_FAILED, 0, 0, "Operation timed out"},
        {HEAD("100 Continue", ""), 0, true, POST_FAILED, 0, 0, "Operation timed out"},
        {"SSH-2.0-OpenSSH\r\n", 0, false, POST_FAILED, 0, 0, "Received HTTP/0.9"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        print_message("# receiver %zu\n", i);
        receiver.answer = rows[i].answer;
        receiver.then = rows[i].then;
        receiver.hang = rows[i].hang;
        forget_connections();
        receiver.sent = 0;
        struct post_result result =
            post_to(&loopback_allowed, "http://loopback.test:PORT/hook?a=b");
        assert_int_equal(result.outcome, rows[i].outcome);
        assert_int_equal(result.status, rows[i].status);
        assert_int_equal(result.retry_after_ms, rows[i].retry_after_ms);
        assert_true(str_has_prefix(str_of(result.error), str_of(rows[i].error)));
        assert_int_equal(!*result.error, !*rows[i].error);
        assert_int_equal(receiver.connections, 1);
        assert_true(receiver.sent < 10 * MIB);
        assert_true(str_has_prefix(str_of(receiver.request), STR("POST /hook?a=b HTTP/1.1\r\n")));
        assert_non_null(strstr(receiver.request, "\r\nwebhook-id: msg_1\r\n"));
        assert_non_null(
            strstr(receiver.request, "\r\nUser-Agent: Loadline/" LOADLINE_VERSION "\r\n"));
        assert_non_null(strstr(receiver.request, "\r\n\r\n{\"end\":1}"));
        assert_null(strstr(receiver.request, "Expect:"));
    }
}

#define UNREACHABLE                                                                                \
    "The receiver's name is not known, or its address is not public and not in webhook_allow."

static void refuses_addresses(void **state)
{
    static const char *const urls[] = {
        "http://127.0.0.1:PORT/",
        "http://127.8.9.1:PORT/",
        "http://2130706433:PORT/",
        "http://0x7f000001:PORT/",
        "http://0177.0.0.1:PORT/",
        "http://127.1:PORT/",
        "http://0:PORT/",
        "http://0.0.0.0:PORT/",
        "http://10.0.0.1:PORT/",
        "http://169.254.169.254:PORT/latest/meta-data/",
        "http://[::1]:PORT/",
        "http://[::]:PORT/",
        "http://[::ffff:127.0.0.1]:PORT/",
        "http://[::ffff:10.0.0.1]:PORT/",
        "http://[fe80::1]:PORT/",
        "http://[fe80::1%25lo]:PORT/",
        "http://[64:ff9b::7f00:1]:PORT/",
        "http://loopback.test:PORT/",
        "http://mapped.test:PORT/",
        "http://private.test:PORT/",
        "http://metadata.test:PORT/",
        "http://local.test:PORT/",
        "http://any.test:PORT/",
        "http://user:password@loopback.test:PORT/",
    };
    (void)state;
    receiver.answer = HEAD("200 OK", "Content-Length: 0\r\n");
    receiver.then = 0;
    receiver.hang = false;
    forget_connections();
    for (size_t i = 0; i < COUNT(urls); i++) {
        print_message("# %s\n", urls[i]);
        struct post_result result = post_to(&nothing_allowed, urls[i]);
        assert_string_equal(result.error, UNREACHABLE);
        assert_string_equal(result.cause, "The address is not public and not in webhook_allow.");
        assert_int_equal(result.outcome, POST_REFUSED);
    }
    assert_int_equal(receiver.connections, 0);
}

static void follows_no_redirect(void **state)
{
    static const int statuses[] = {301, 302, 303, 307, 308};
    static const char *const places[] = {
        "http://127.0.0.1:%d/secret", "http://[::ffff:127.0.0.1]:%d/secret",
        "http://169.254.169.254:%d/latest/meta-data/", "//127.0.0.1:%d/secret"};
    (void)state;
    receiver.then = 0;
    receiver.hang = false;
    for (size_t i = 0; i < COUNT(statuses); i++)
        for (size_t j = 0; j < COUNT(places); j++) {
            char place[128], text[256];
            snprintf(place, sizeof place, places[j], receiver.port);
            snprintf(text, sizeof text,
                     "HTTP/1.1 %d Elsewhere\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n",
                     statuses[i], place);
            receiver.answer = text;
            forget_connections();
            struct post_result result = post_to(&loopback_allowed, "http://loopback.test:PORT/");
            assert_int_equal(result.outcome, POST_ANSWERED);
            assert_int_equal(result.status, statuses[i]);
            assert_non_null(strstr(result.error, "redirects are not followed"));
            assert_int_equal(receiver.connections, 1);
            assert_true(str_has_prefix(str_of(receiver.request), STR("POST / HTTP")));
        }
}

/* What a name led to before decides nothing: the address that is judged is the one that is
 * connected to. */
static void judges_the_address_that_it_connects_to(void **state)
{
    static const struct post_policy one_allowed = {
        .allow = {"127.0.0.1/32", 12}, .allow_http = true, .ca_file = "", .timeout_ms = TIMEOUT_MS};
    (void)state;
    receiver.answer = HEAD("200 OK", "Content-Length: 0\r\n");
    forget_connections();
    asked = 0;
    assert_int_equal(post_to(&one_allowed, "http://rebinding.test:PORT/").status, 200);
    for (int i = 0; i < 2; i++) { /* another address of this host, then one inside a network */
        struct post_result result = post_to(&one_allowed, "http://rebinding.test:PORT/");
        assert_int_equal(result.outcome, POST_REFUSED);
        assert_string_equal(result.error, UNREACHABLE);
    }
    assert_int_equal(asked, 3);
    assert_int_equal(receiver.connections, 1);
    assert_int_equal(post_to(&one_allowed, "http://both.test:PORT/").status, 200);
    assert_int_equal(receiver.connections, 2);
    assert_int_equal(post_to(&nothing_allowed, "http://both.test:PORT/").outcome, POST_REFUSED);
    assert_int_equal(receiver.connections, 2);
}

/* What is said tells nobody which names there are. */
static void says_the_same_of_a_name_that_is_not(void **state)
{
    (void)state;
    struct post_result result = post_to(&nothing_allowed, "http://nowhere.test:PORT/");
    assert_string_equal(result.error, UNREACHABLE);
    assert_non_null(strstr(result.cause, "resolve"));
    assert_int_equal(result.outcome, POST_FAILED);
    result = post_to(&loopback_allowed, "http://nowhere.test:PORT/");
    assert_string_equal(result.error, UNREACHABLE);
}

static int64_t run_took(struct poster *poster)
{
    int64_t began = clock_monotonic();
    poster_run(poster, 50, keep);
    return clock_monotonic() - began;
}

/* Others are under way in the same poster: none of its calls may take long. */
static void a_name_that_nobody_answers_for_holds_up_nobody(void **state)
{
    struct post_result result = {.error = "never done"};
    struct post post = {
        .url = "http://silent.test/", .body = STR("{\"end\":1}"), .context = &result};
    struct poster *poster = poster_new(&nothing_allowed);
    (void)state;
    assert_true(poster && poster_add(poster, &post));
    while (poster_busy(poster))
        assert_in_range(run_took(poster), 0, SILENT_MS / 2);
    assert_int_equal(result.outcome, POST_FAILED);
    assert_string_equal(result.error, UNREACHABLE);
    assert_true(poster_add(poster, &post));
    run_took(poster);
    assert_int_equal(poster_busy(poster), 1);
    int64_t began = clock_monotonic();
    poster_free(poster);
    assert_in_range(clock_monotonic() - began, 0, SILENT_MS / 2);
}

static void keep_slowly(void *context, const struct post_result *result)
{
    keep(context, result);
    poll(NULL, 0, LATE_MS + 100);
}

static void all_are_answered_within(long timeout_ms)
{
    struct post_policy policy = loopback_allowed;
    enum { POSTS = 5 };
    char urls[POSTS][64];
    struct post_result results[POSTS];
    policy.timeout_ms = timeout_ms;
    struct poster *poster = poster_new(&policy);
    assert_non_null(poster);
    receiver.answer = HEAD("200 OK", "Content-Length: 0\r\n");
    for (size_t i = 0; i < POSTS; i++) {
        snprintf(urls[i], sizeof urls[i], "http://loopback.test:%d/%s", receiver.port,
                 i == POSTS - 1 ? "late" : "");
        struct post post = {.url = urls[i], .body = STR("{\"end\":1}"), .context = &results[i]};
        assert_true(poster_add(poster, &post));
    }
    while (poster_busy(poster))
        poster_run(poster, 50, keep_slowly);
    for (size_t i = 0; i < POSTS; i++)
        assert_int_equal(results[i].status, 200);
    poster_free(poster);
}

static void what_is_done_with_one_is_not_taken_from_the_time_of_another(void **state)
{
    (void)state;
    all_are_answered_within(2000);         /* all of it together takes longer than a post may */
    all_are_answered_within(LATE_MS + 50); /* and so does each */
}

/* Two posts, one after another on the same connection: what becomes of the second. */
static struct post_result second_of_two(void)
{
    char url[64];
    struct post_result result = {.error = "never done"};
    struct post post = {.url = url, .body = STR("{\"end\":1}"), .context = &result};
    struct poster *poster = poster_new(&loopback_allowed);
    assert_non_null(poster);
    snprintf(url, sizeof url, "http://loopback.test:%d/", receiver.port);
    receiver.answer = HEAD("200 OK", "Content-Length: 0\r\n");
    for (int i = 0; i < 2; i++) {
        assert_true(poster_add(poster, &post));
        while (poster_busy(poster))
            poster_run(poster, 50, keep);
    }
    poster_free(poster);
    receiver.second = NULL;
    return result;
}

/* It is what the receiver said, and nobody's refusal. */
static void a_garbled_answer_on_a_used_connection(void **state)
{
    (void)state;
    receiver.second = "SSH-2.0-OpenSSH\r\n";
    forget_connections();
    struct post_result result = second_of_two();
    assert_int_equal(receiver.connections, 1);
    assert_int_equal(result.outcome, POST_FAILED);
    assert_true(str_has_prefix(str_of(result.error), STR("Received HTTP/0.9")));
}

/* When a connection of before is cut libcurl would ask again, on a new one: it may have arrived. */
static void asks_once(void **state)
{
    (void)state;
    receiver.second = "";
    struct post_result result = second_of_two();
    assert_int_equal(result.outcome, POST_FAILED);
    assert_string_equal(result.error, "Empty reply from server.");
}

/* Somebody else may be sending it by then. */
static void sends_nothing_after_its_time(void **state)
{
    static const char url[] = "http://loopback.test:PORT/";
    (void)state;
    receiver.answer = HEAD("200 OK", "Content-Length: 0\r\n");
    receiver.request[0] = '\0';
    struct post_result result = post_by(&loopback_allowed, url, clock_monotonic() - 1);
    assert_int_equal(result.outcome, POST_LATE);
    assert_int_equal(result.status, 0);
    assert_string_equal(receiver.request, "");
    result = post_by(&loopback_allowed, url, clock_monotonic() + GIVE_UP_MS);
    assert_int_equal(result.status, 200);
}

static void refuses_schemes(void **state)
{
    static const char *const urls[] = {"file:///etc/passwd", "ftp://loopback.test:PORT/",
                                       "gopher://loopback.test:PORT/_x", "://", "http://"};
    struct post_policy https_only = loopback_allowed;
    (void)state;
    https_only.allow_http = false;
    forget_connections();
    for (size_t i = 0; i < COUNT(urls); i++) {
        print_message("# %s\n", urls[i]);
        assert_int_equal(post_to(&loopback_allowed, urls[i]).outcome, POST_REFUSED);
    }
    struct post_result result = post_to(&https_only, "http://loopback.test:PORT/");
    assert_int_equal(result.outcome, POST_REFUSED);
    assert_string_equal(result.error, "The URL is not https, and webhook_allow_http is not set.");
    assert_int_equal(receiver.connections, 0);
    result = post_to(&https_only, "https://loopback.test:PORT/"); /* which speaks no TLS */
    assert_int_equal(result.outcome, POST_FAILED);
}

static void asks_no_proxy(void **state)
{
    (void)state;
    forget_connections();
    setenv("http_proxy", "http://127.0.0.1:9", 1);
    setenv("ALL_PROXY", "http://127.0.0.1:9", 1);
    assert_int_equal(post_to(&loopback_allowed, "http://loopback.test:PORT/").status, 200);
    unsetenv("http_proxy");
    unsetenv("ALL_PROXY");
    assert_int_equal(post_to(&loopback_allowed, "http://nowhere.test:PORT/").outcome, POST_FAILED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_receiver),
        cmocka_unit_test(refuses_addresses),
        cmocka_unit_test(follows_no_redirect),
        cmocka_unit_test(judges_the_address_that_it_connects_to),
        cmocka_unit_test(says_the_same_of_a_name_that_is_not),
        cmocka_unit_test(a_name_that_nobody_answers_for_holds_up_nobody),
        cmocka_unit_test(what_is_done_with_one_is_not_taken_from_the_time_of_another),
        cmocka_unit_test(a_garbled_answer_on_a_used_connection),
        cmocka_unit_test(sends_nothing_after_its_time),
        cmocka_unit_test(asks_once),
        cmocka_unit_test(refuses_schemes),
        cmocka_unit_test(asks_no_proxy),
    };
    return cmocka_run_group_tests(tests, start_receiver, stop_receiver);
}

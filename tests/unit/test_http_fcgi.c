/* http_fcgi: what is left of a request in the memory of a worker when it is over. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/str.h"
#include "service/http.h"

enum { ROOM = 32 * 1024, BEGIN = 1, PARAMS = 4, STDIN = 5, LISTENER = 0, MASK = 0x55 };

/* The secret, masked: as it is it stands nowhere in this program, so whoever finds it has found
 * what came in. */
static const char masked[] = "a password of forty bytes that is masked";
enum { SECRET = sizeof masked - 1 };

static struct http_transport transport;
static struct sockaddr_un address;
static socklen_t address_n = sizeof address;

/* ---- the web server ---- */

static unsigned char records[ROOM];
static size_t records_n;

static void put_record(int type, const void *bytes, size_t n)
{
    const unsigned char head[8] = {1, (unsigned char)type,     0,
                                   1, (unsigned char)(n >> 8), (unsigned char)n};
    memcpy(records + records_n, head, sizeof head);
    if (n)
        memcpy(records + records_n + sizeof head, bytes, n);
    records_n += sizeof head + n;
}

static void unmask(char *secret)
{
    for (size_t i = 0; i < SECRET; i++)
        secret[i] = (char)(masked[i] ^ MASK);
}

static size_t put_pair(char *at, const char *name, const char *value, size_t n)
{
    size_t name_n = strlen(name);
    at[0] = (char)name_n;
    at[1] = (char)n;
    memcpy(at + 2, name, name_n);
    memcpy(at + 2 + name_n, value, n);
    return 2 + name_n + n;
}

/* A connection on which the whole request has come, with the secret as that header, or as the body
 * behind as many bytes as `before`. */
static int send_request(const char *header, size_t before)
{
    static char body[ROOM / 2], pairs[ROOM / 4];
    char secret[SECRET], length[32];
    size_t body_n = header ? before : before + SECRET, n = 0;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    unmask(secret);
    memset(body, 'b', before);
    if (header)
        n += put_pair(pairs, header, secret, SECRET);
    else
        memcpy(body + before, secret, SECRET);
    snprintf(length, sizeof length, "%zu", body_n);
    n += put_pair(pairs + n, "CONTENT_LENGTH", length, strlen(length));
    records_n = 0;
    put_record(BEGIN, "\0\1\0\0\0\0\0", 8);
    put_record(PARAMS, pairs, n);
    put_record(PARAMS, NULL, 0);
    put_record(STDIN, body, body_n);
    put_record(STDIN, NULL, 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&address, address_n), 0);
    assert_int_equal(write(fd, records, records_n), records_n);
    explicit_bzero(records, sizeof records);
    explicit_bzero(body, sizeof body);
    explicit_bzero(pairs, sizeof pairs);
    explicit_bzero(secret, sizeof secret);
    return fd;
}

/* ---- the worker ---- */

static void read_body(void)
{
    static char body[ROOM];
    while (transport.read(transport.context, body, sizeof body) > 0) {
    }
    explicit_bzero(body, sizeof body);
}

static bool holds(const char *from, const char *to)
{
    for (; to - from >= SECRET; from++) {
        size_t n = 0;
        while (n < SECRET && from[n] == (char)(masked[n] ^ MASK))
            n++;
        if (n == SECRET)
            return true;
    }
    return false;
}

/* Memory that was given back is part of it. */
static bool heap_holds_secret(void)
{
    char line[512];
    unsigned long from, to;
    bool found = false;
    FILE *maps = fopen("/proc/self/maps", "re");
    assert_non_null(maps);
    while (fgets(line, sizeof line, maps))
        if (strstr(line, "[heap]") && sscanf(line, "%lx-%lx", &from, &to) == 2)
            found |= holds((const char *)from, (const char *)to);
    fclose(maps);
    return found;
}

static const struct secret_row {
    const char *header; /* NULL: it is in the body, ... */
    size_t before;      /* ... behind so many bytes */
    bool read;          /* the body is */
    bool cut;           /* the answer is */
} rows[] = {
    {NULL, 0, true, false},
    {NULL, 0, true, true},
    {NULL, 0, false, false}, /* refused before */
    {NULL, 0, false, true},
    {NULL, 4000, true, false},
    {NULL, 8000, true, false}, /* libfcgi reads 8 KiB at once: ... */
    {NULL, 8200, true, false}, /* ... it comes with the second time */
    {"HTTP_COOKIE", 0, true, false},
    {"HTTP_X_API_KEY", 5, false, false},
    {"HTTP_AUTHORIZATION", 5, true, true},
};

static void a_request_that_is_over_leaves_no_secret(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct secret_row *row = &rows[i];
        int fd = send_request(row->header, row->before);
        assert_true(transport.accept(transport.context));
        if (row->read)
            read_body();
        close(fd);
        if (row->cut)
            transport.abort(transport.context);
        else
            transport.finish(transport.context);
        if (heap_holds_secret())
            fail_msg("row %zu: it is there still", i);
    }
}

static int start(void **state)
{
    (void)state;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const struct sockaddr_un any = {.sun_family = AF_UNIX}; /* the kernel finds a name */
    if (fd < 0 || bind(fd, (const struct sockaddr *)&any, sizeof any.sun_family) ||
        getsockname(fd, (struct sockaddr *)&address, &address_n) || listen(fd, 8) ||
        dup2(fd, LISTENER) != LISTENER)
        return 1;
    signal(SIGPIPE, SIG_IGN);
    transport = http_fcgi(&(struct http_list){.credential = "HTTP_X_API_KEY"});
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_that_is_over_leaves_no_secret),
    };
    return cmocka_run_group_tests(tests, start, NULL);
}

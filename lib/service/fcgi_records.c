#include "service/fcgi_records.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

/* Of the FastCGI specification, 8. */
enum { VERSION = 1, END_REQUEST = 3, STDOUT = 6, HEAD_SIZE = 8 };

/* The end of the stream, and of the request, whose status is 0. */
enum { END_SIZE = 3 * HEAD_SIZE };

/* Records of one system call, and their parts: a head and what follows it. */
enum { RECORDS_MAX = 16, PARTS_MAX = 2 * RECORDS_MAX + 1 };
struct sending {
    unsigned char heads[RECORDS_MAX][HEAD_SIZE];
    struct iovec parts[PARTS_MAX];
    size_t records, count;
};

static void make_head(unsigned char *head, int type, int request, size_t n)
{
    const unsigned char bytes[HEAD_SIZE] = {VERSION,
                                            (unsigned char)type,
                                            (unsigned char)(request >> 8),
                                            (unsigned char)request,
                                            (unsigned char)(n >> 8),
                                            (unsigned char)n,
                                            0,
                                            0};
    memcpy(head, bytes, HEAD_SIZE);
}

/* How many of the parts are left, of which the first may have become shorter. */
static size_t skip(struct iovec *parts, size_t count, size_t sent)
{
    size_t whole = 0;
    while (whole < count && sent >= parts[whole].iov_len)
        sent -= parts[whole++].iov_len;
    memmove(parts, parts + whole, (count - whole) * sizeof *parts);
    if (whole < count) {
        parts->iov_base = (char *)parts->iov_base + sent;
        parts->iov_len -= sent;
    }
    return count - whole;
}

static bool send_parts(int fd, struct iovec *parts, size_t count)
{
    while (count) {
        struct msghdr message = {.msg_iov = parts, .msg_iovlen = count};
        ssize_t sent = sendmsg(fd, &message, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR)
            return false;
        count = skip(parts, count, sent > 0 ? (size_t)sent : 0);
    }
    return true;
}

/* Takes records off the beginning of bytes, as many as there is room for. */
static void add_records(struct sending *s, int request, struct str *bytes)
{
    for (; bytes->n && s->records < RECORDS_MAX; s->records++) {
        struct str record = str_sub(*bytes, 0, FCGI_RECORD_MAX);
        make_head(s->heads[s->records], STDOUT, request, record.n);
        s->parts[s->count++] = (struct iovec){s->heads[s->records], HEAD_SIZE};
        s->parts[s->count++] = (struct iovec){(void *)record.p, record.n};
        *bytes = str_sub(*bytes, record.n, bytes->n);
    }
}

/* What is kept. */
static void add_kept(struct sending *s, int request, struct fcgi_records *records)
{
    struct str kept = {records->bytes, records->n};
    add_records(s, request, &kept);
    records->n = 0;
}

bool fcgi_records_flush(struct fcgi_records *records, int fd, int request, bool end)
{
    struct sending sending = {.count = 0};
    unsigned char last[END_SIZE] = {0};
    add_kept(&sending, request, records);
    make_head(last, STDOUT, request, 0);
    make_head(last + HEAD_SIZE, END_REQUEST, request, HEAD_SIZE);
    if (end)
        sending.parts[sending.count++] = (struct iovec){last, END_SIZE};
    records->gone = records->gone || !send_parts(fd, sending.parts, sending.count);
    return !records->gone;
}

/* Much goes out from where it is, behind what is kept. */
static struct str put_much(struct fcgi_records *records, int fd, int request, struct str bytes)
{
    struct sending sending = {.count = 0};
    add_kept(&sending, request, records);
    add_records(&sending, request, &bytes);
    records->gone = !send_parts(fd, sending.parts, sending.count);
    return bytes;
}

bool fcgi_records_put(struct fcgi_records *records, int fd, int request, struct str bytes)
{
    while (bytes.n >= sizeof records->bytes && !records->gone)
        bytes = put_much(records, fd, request, bytes);
    while (bytes.n && !records->gone) {
        struct str part = str_sub(bytes, 0, sizeof records->bytes - records->n);
        memcpy(records->bytes + records->n, part.p, part.n);
        records->n += part.n;
        bytes = str_sub(bytes, part.n, bytes.n);
        if (records->n == sizeof records->bytes)
            fcgi_records_flush(records, fd, request, false);
    }
    return !records->gone;
}

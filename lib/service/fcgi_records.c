#include "service/fcgi_records.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

/* Of the FastCGI specification, 8. */
enum { VERSION = 1, END_REQUEST = 3, STDOUT = 6, HEAD_SIZE = 8 };

/* The end of the stream, and of the request, whose status is 0. */
enum { END_SIZE = 3 * HEAD_SIZE, PARTS_MAX = 2 * FCGI_RECORDS + 1 };

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

bool fcgi_records_flush(struct fcgi_records *records, int fd, int request, bool end)
{
    unsigned char heads[FCGI_RECORDS][HEAD_SIZE], last[END_SIZE] = {0};
    struct iovec parts[PARTS_MAX];
    size_t count = 0, record = 0;
    for (size_t at = 0; at < records->n; at += FCGI_RECORD_MAX, record++) {
        size_t left = records->n - at, n = left < FCGI_RECORD_MAX ? left : FCGI_RECORD_MAX;
        make_head(heads[record], STDOUT, request, n);
        parts[count++] = (struct iovec){heads[record], HEAD_SIZE};
        parts[count++] = (struct iovec){records->bytes + at, n};
    }
    make_head(last, STDOUT, request, 0);
    make_head(last + HEAD_SIZE, END_REQUEST, request, HEAD_SIZE);
    if (end)
        parts[count++] = (struct iovec){last, END_SIZE};
    records->n = 0;
    records->gone = records->gone || !send_parts(fd, parts, count);
    return !records->gone;
}

bool fcgi_records_put(struct fcgi_records *records, int fd, int request, struct str bytes)
{
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

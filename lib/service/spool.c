#include "service/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/log.h"

/* Bytes are read ahead: what is copied in small parts mostly lies side by side. */
enum { AHEAD = 64 * 1024 };

struct spool {
    int fd;
    bool failed;
    uint64_t size, read; /* read: of the source */
    uint64_t ahead_at;
    size_t ahead_n;
    char ahead[AHEAD];
};

static void complain(const char *what, int code)
{
    log_error("problem=\"spool_directory: cannot %s\" error=%s", what,
              log_quote(str_of(strerror(code))));
}

static void fail(struct spool *spool, const char *what)
{
    complain(what, errno);
    spool->failed = true;
}

/* Not every file system makes files without names. */
static int open_unnamed(const char *directory)
{
    char path[256];
    int fd = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
        return fd;
    snprintf(path, sizeof path, "%s/loadline-XXXXXX", directory);
    fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0)
        unlink(path);
    return fd;
}

struct spool *spool_open(const char *directory)
{
    struct spool *spool = malloc(sizeof *spool);
    if (!spool)
        return NULL;
    spool->size = spool->read = spool->ahead_at = 0;
    spool->ahead_n = 0;
    spool->failed = false;
    spool->fd = open_unnamed(directory);
    if (spool->fd >= 0)
        return spool;
    complain("make a file", errno);
    free(spool);
    return NULL;
}

void spool_free(struct spool *spool)
{
    if (!spool)
        return;
    close(spool->fd);
    free(spool);
}

bool spool_put(struct spool *spool, struct str bytes)
{
    while (bytes.n) {
        ssize_t n = pwrite(spool->fd, bytes.p, bytes.n, (off_t)spool->size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            fail(spool, "write");
            return false;
        }
        spool->size += (size_t)n;
        bytes = str_sub(bytes, (size_t)n, bytes.n);
    }
    return true;
}

static ptrdiff_t read_at(struct spool *spool, uint64_t at, char *dst, size_t cap)
{
    ssize_t n;
    do
        n = pread(spool->fd, dst, cap, (off_t)at);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        fail(spool, "read");
    return n;
}

/* What is read ahead of an offset; absent when nothing can be. */
static struct str ahead(struct spool *spool, uint64_t at)
{
    if (at < spool->ahead_at || at >= spool->ahead_at + spool->ahead_n) {
        ptrdiff_t n = read_at(spool, at, spool->ahead, AHEAD);
        spool->ahead_at = at;
        spool->ahead_n = n > 0 ? (size_t)n : 0;
    }
    size_t from = (size_t)(at - spool->ahead_at);
    return str_sub((struct str){spool->ahead, spool->ahead_n}, from, spool->ahead_n);
}

bool spool_copy(struct spool *spool, uint64_t offset, uint64_t n, struct sink out)
{
    while (n) {
        struct str bytes = ahead(spool, offset);
        bytes = str_sub(bytes, 0, n < bytes.n ? (size_t)n : bytes.n);
        if (bytes.n == 0 || !out.put(out.context, bytes))
            return false;
        offset += bytes.n;
        n -= bytes.n;
    }
    return true;
}

bool spool_failed(const struct spool *spool)
{
    return spool->failed;
}

static ptrdiff_t read_on(void *context, char *dst, size_t cap)
{
    struct spool *spool = context;
    ptrdiff_t n = read_at(spool, spool->read, dst, cap);
    spool->read += n > 0 ? (size_t)n : 0;
    return n;
}

struct source spool_source(struct spool *spool)
{
    spool->read = 0;
    return (struct source){read_on, spool};
}

static ptrdiff_t read_through(void *context, char *dst, size_t cap)
{
    struct spool_tee *tee = context;
    ptrdiff_t n = tee->from.read(tee->from.context, dst, cap);
    if (n > 0 && !spool_put(tee->to, (struct str){dst, (size_t)n}))
        return -1;
    return n;
}

struct source spool_tee_source(struct spool_tee *tee)
{
    return (struct source){read_through, tee};
}

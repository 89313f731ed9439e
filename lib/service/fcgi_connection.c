#include "service/fcgi_connection.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>

#include "base/clock.h"

enum {
    HEAD_MS = 2000,
    END_MS = 100,
    WRITE_SECONDS = 60,
    WRITE_AHEAD = 24 * 1024,
    DISCARD_SIZE = 256 * 1024,
    DISCARD_MS = 2000
};

uint64_t fcgi_listener(int fd)
{
    struct stat socket = {0};
    fstat(fd, &socket);
    return socket.st_ino;
}

static void limit_reads(int fd, int ms)
{
    struct timeval limit = {.tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
}

void fcgi_limit_head(int fd)
{
    limit_reads(fd, HEAD_MS);
}

void fcgi_allow_body(int fd)
{
    limit_reads(fd, 0);
}

void fcgi_limit_end(int fd)
{
    limit_reads(fd, END_MS);
}

void fcgi_limit_writes(int fd)
{
    struct timeval limit = {.tv_sec = WRITE_SECONDS};
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
}

void fcgi_limit_room(int fd)
{
    int room = WRITE_AHEAD;
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
}

void fcgi_take_off(int fd)
{
    static char bytes[DISCARD_SIZE];
    int64_t until = clock_monotonic() + DISCARD_MS;
    limit_reads(fd, DISCARD_MS);
    while (recv(fd, bytes, sizeof bytes, 0) > 0 && clock_monotonic() < until) {
    }
}

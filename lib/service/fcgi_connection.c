#include "service/fcgi_connection.h"

#include <sys/socket.h>
#include <sys/time.h>

#include "base/clock.h"

enum {
    HEAD_SECONDS = 2,
    WRITE_SECONDS = 60,
    WRITE_AHEAD = 24 * 1024,
    DISCARD_SIZE = 256 * 1024,
    DISCARD_SECONDS = 2
};

static void limit_reads(int fd, int seconds)
{
    struct timeval limit = {.tv_sec = seconds};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
}

void fcgi_limit_head(int fd)
{
    limit_reads(fd, HEAD_SECONDS);
}

void fcgi_allow_body(int fd)
{
    limit_reads(fd, 0);
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
    int64_t until = clock_monotonic() + DISCARD_SECONDS * CLOCK_SECOND;
    limit_reads(fd, DISCARD_SECONDS);
    while (recv(fd, bytes, sizeof bytes, 0) > 0 && clock_monotonic() < until) {
    }
}

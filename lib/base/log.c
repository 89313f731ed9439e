#include "base/log.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"

enum { QUOTE_RING = 8, QUOTE_SIZE = 512, REQUEST_MAX = 64, PATH_SIZE = 4096 };

static struct {
    const char *program;
    char path[PATH_SIZE];
    int fd;
    int tail; /* the same file, to be read; -1: it is none, or may not be read */
    bool cut; /* the last line was written in part */
    enum log_level level;
    char request[REQUEST_MAX + 1];
} logger = {.program = "loadline", .fd = STDERR_FILENO, .tail = -1, .level = LOG_LEVEL_INFO};

/* What a path of /proc opens is the file itself, also where it was renamed since. */
static int open_tail(int fd)
{
    char path[32];
    struct stat status;
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode))
        return -1;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return open(path, O_RDONLY | O_CLOEXEC);
}

/* Opens what the path names. False when that fails: what was in use stays in use. */
static bool open_path(void)
{
    int fd = STDERR_FILENO;
    if (logger.path[0]) {
        /* Whoever starts a program may keep its other files from the group (UMask=0077). */
        mode_t mask = umask(S_IWGRP | S_IRWXO);
        fd = open(logger.path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0640);
        umask(mask);
    }
    if (fd < 0)
        return false;
    if (logger.fd != STDERR_FILENO)
        close(logger.fd);
    if (logger.tail >= 0)
        close(logger.tail);
    logger.fd = fd;
    logger.tail = open_tail(fd);
    logger.cut = false;
    return true;
}

bool log_open(const char *program, const char *path, enum log_level level)
{
    size_t n = path ? strlen(path) : 0;
    logger.program = program;
    logger.level = level;
    if (n >= PATH_SIZE)
        return false;
    memcpy(logger.path, n ? path : "", n + 1);
    return open_path();
}

void log_reopen(void)
{
    open_path();
}

void log_request(struct str id)
{
    size_t n = id.n > REQUEST_MAX ? REQUEST_MAX : id.n;
    if (n)
        memcpy(logger.request, id.p, n);
    logger.request[n] = '\0';
}

/* Control characters would end the line or play with the terminal of who reads it. */
static void disarm(char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)text[i] < 0x20 || text[i] == 0x7F)
            text[i] = '?';
}

static size_t put(char *line, size_t n, const char *format, va_list args)
{
    int more = vsnprintf(line + n, LOG_LINE_MAX - n, format, args);
    n += more < 0 ? 0 : (size_t)more;
    return n < LOG_LINE_MAX ? n : LOG_LINE_MAX - 1;
}

static size_t put_head(char *line, enum log_level level)
{
    static const char *const NAMES[] = {"error", "warn", "info", "debug"};
    char time[CLOCK_TEXT_SIZE];
    clock_format(clock_now(), time);
    int n = snprintf(line, LOG_LINE_MAX, "%s level=%s program=%s pid=%ld%s%s ", time, NAMES[level],
                     logger.program, (long)getpid(), logger.request[0] ? " request=" : "",
                     logger.request);
    return n < 0 ? 0 : n < LOG_LINE_MAX ? (size_t)n : LOG_LINE_MAX - 1;
}

/* Whether the file ends within a line. A full disk cuts lines off, ours or that of another process
 * that writes to the same file. */
static bool within_line(void)
{
    char last = '\n';
    if (logger.tail < 0)
        return logger.cut;
    return lseek(logger.tail, -1, SEEK_END) >= 0 && read(logger.tail, &last, 1) == 1 &&
           last != '\n';
}

/* n bytes, the first of which is a newline for an unfinished line before them. */
static void put_line(const char *text, size_t n)
{
    size_t skip = !within_line();
    ssize_t written = write(logger.fd, text + skip, n - skip);
    if (written >= 0) /* otherwise nobody is left to tell */
        logger.cut = (size_t)written < n - skip;
}

void log_write(enum log_level level, const char *format, ...)
{
    char text[1 + LOG_LINE_MAX], *line = text + 1;
    if (level > logger.level)
        return;
    va_list args;
    va_start(args, format);
    size_t n = put(line, put_head(line, level), format, args);
    va_end(args);
    disarm(line, n);
    text[0] = line[n] = '\n';
    put_line(text, n + 2);
}

const char *log_quote(struct str s)
{
    static char ring[QUOTE_RING][QUOTE_SIZE];
    static unsigned next;
    char *text = ring[next++ % QUOTE_RING], *p = text;
    *p++ = '"';
    while (s.n && p - text < QUOTE_SIZE - 8) {
        size_t n = str_visible_length(s);
        if (s.p[0] == '"' || s.p[0] == '\\')
            *p++ = '\\';
        if (n)
            memcpy(p, s.p, n);
        p += n ? (int)n : snprintf(p, 5, "\\x%02x", (unsigned char)s.p[0]);
        s = str_sub(s, n ? n : 1, s.n);
    }
    *p++ = '"';
    *p = '\0';
    return text;
}

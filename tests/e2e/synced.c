/* synced.so, preloaded into a program: keeps a copy of its files as a loss of power would leave
 * them. What is written to a file below SYNCED_FROM reaches the same name below SYNCED_TO only with
 * the next fsync or fdatasync of that file. Names (rename, unlink, mkdir) reach it at once. The
 * copy is there before the program starts. With SYNCED_LIES it stays as it was: a disk that only
 * says that it has synced.
 *
 * Known are the calls by which MariaDB writes without native asynchronous I/O
 * (innodb-use-native-aio = 0). A failure of the copy ends the program: a test must not pass with
 * half a copy. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { FILES_MAX = 4096, BLOCK = 65536 };

struct range {
    off_t at, n;
};

/* A file by its inode: what was written and is not synced. */
struct file {
    dev_t dev;
    ino_t ino;
    struct range *ranges;
    size_t n, capacity;
};

static struct file files[FILES_MAX];
static size_t n_files;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void die(const char *what)
{
    fprintf(stderr, "synced.so: %s: %s\n", what, strerror(errno));
    abort();
}

/* The call that is replaced. */
#define REAL(result, name, ...)                                                                    \
    static result (*real)(__VA_ARGS__);                                                            \
    if (!real)                                                                                     \
    *(void **)&real = dlsym(RTLD_NEXT, #name)

/* ---- names ---- */

/* Where the copy of a path is; false when it is not below SYNCED_FROM. */
static bool copy_of(const char *path, char copy[PATH_MAX])
{
    const char *from = getenv("SYNCED_FROM"), *to = getenv("SYNCED_TO");
    char whole[PATH_MAX];
    if (!from || !to)
        return false;
    if (path[0] != '/') {
        char here[PATH_MAX];
        if (!getcwd(here, sizeof here))
            return false;
        if (snprintf(whole, sizeof whole, "%s/%s", here,
                     path[0] == '.' && path[1] == '/' ? path + 2 : path) >= PATH_MAX)
            return false;
        path = whole;
    }
    size_t n = strlen(from);
    if (strncmp(path, from, n) || path[n] != '/')
        return false;
    return snprintf(copy, PATH_MAX, "%s%s", to, path + n) < PATH_MAX;
}

static bool copy_of_fd(int fd, char path[PATH_MAX], char copy[PATH_MAX])
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, PATH_MAX - 1);
    if (n <= 0)
        return false;
    path[n] = '\0';
    return copy_of(path, copy);
}

/* ---- what was written ---- */

/* NULL when it is no regular file. The lock is held. */
static struct file *file_of(int fd)
{
    struct stat st;
    if (fstat(fd, &st) || !S_ISREG(st.st_mode))
        return NULL;
    for (size_t i = 0; i < n_files; i++)
        if (files[i].ino == st.st_ino && files[i].dev == st.st_dev)
            return &files[i];
    if (n_files == FILES_MAX)
        die("more files than it has room for");
    files[n_files] = (struct file){.dev = st.st_dev, .ino = st.st_ino};
    return &files[n_files++];
}

static void note(int fd, off_t at, ssize_t n)
{
    int kept = errno;
    if (n > 0) {
        pthread_mutex_lock(&lock);
        struct file *file = file_of(fd);
        if (file && file->n == file->capacity) {
            file->capacity = file->capacity ? 2 * file->capacity : 64;
            file->ranges = realloc(file->ranges, file->capacity * sizeof *file->ranges);
            if (!file->ranges)
                die("memory");
        }
        if (file)
            file->ranges[file->n++] = (struct range){at, n};
        pthread_mutex_unlock(&lock);
    }
    errno = kept;
}

/* ---- and is synced ---- */

static void copy_range(int from, int to, struct range range)
{
    REAL(ssize_t, pwrite64, int, const void *, size_t, off_t);
    char block[BLOCK];
    while (range.n > 0) {
        ssize_t n = pread(from, block, range.n < BLOCK ? (size_t)range.n : BLOCK, range.at);
        if (n < 0)
            die("pread");
        if (n == 0)
            return; /* cut off since */
        if (real(to, block, (size_t)n, range.at) != n)
            die("pwrite");
        range.at += n;
        range.n -= n;
    }
}

static void copy_written(int fd)
{
    int kept = errno;
    char path[PATH_MAX], copy[PATH_MAX];
    struct stat st;
    if (getenv("SYNCED_LIES") || !copy_of_fd(fd, path, copy))
        return;
    pthread_mutex_lock(&lock);
    struct file *file = file_of(fd);
    if (file) {
        /* A descriptor of its own: the program's may be of O_DIRECT, or not for reading. */
        int from = open(path, O_RDONLY | O_CLOEXEC),
            to = open(copy, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        if (from >= 0 && to < 0)
            die(copy);
        if (from >= 0) {
            for (size_t i = 0; i < file->n; i++)
                copy_range(from, to, file->ranges[i]);
            REAL(int, ftruncate64, int, off_t);
            if (fstat(from, &st) || real(to, st.st_size))
                die("ftruncate");
            close(from);
        }
        if (to >= 0)
            close(to);
        file->n = 0;
    }
    pthread_mutex_unlock(&lock);
    errno = kept;
}

int fsync(int fd)
{
    REAL(int, fsync, int);
    copy_written(fd);
    return real(fd);
}

int fdatasync(int fd)
{
    REAL(int, fdatasync, int);
    copy_written(fd);
    return real(fd);
}

/* ---- calls that write ---- */

ssize_t pwrite64(int fd, const void *bytes, size_t n, off_t at)
{
    REAL(ssize_t, pwrite64, int, const void *, size_t, off_t);
    ssize_t done = real(fd, bytes, n, at);
    note(fd, at, done);
    return done;
}

ssize_t pwrite(int fd, const void *bytes, size_t n, off_t at)
{
    return pwrite64(fd, bytes, n, at);
}

ssize_t pwritev64(int fd, const struct iovec *parts, int n, off_t at)
{
    REAL(ssize_t, pwritev64, int, const struct iovec *, int, off_t);
    ssize_t done = real(fd, parts, n, at);
    note(fd, at, done);
    return done;
}

ssize_t pwritev(int fd, const struct iovec *parts, int n, off_t at)
{
    return pwritev64(fd, parts, n, at);
}

ssize_t write(int fd, const void *bytes, size_t n)
{
    REAL(ssize_t, write, int, const void *, size_t);
    ssize_t done = real(fd, bytes, n);
    off_t end = done > 0 ? lseek(fd, 0, SEEK_CUR) : -1;
    if (end >= 0)
        note(fd, end - done, done);
    return done;
}

/* ---- names, at once ---- */

int rename(const char *old, const char *new)
{
    REAL(int, rename, const char *, const char *);
    char from[PATH_MAX], to[PATH_MAX];
    int result = real(old, new);
    if (!result && copy_of(old, from) && copy_of(new, to))
        real(from, to);
    return result;
}

int unlink(const char *path)
{
    REAL(int, unlink, const char *);
    char copy[PATH_MAX];
    int result = real(path);
    if (!result && copy_of(path, copy))
        real(copy);
    return result;
}

int mkdir(const char *path, mode_t mode)
{
    REAL(int, mkdir, const char *, mode_t);
    char copy[PATH_MAX];
    int result = real(path, mode);
    if (!result && copy_of(path, copy))
        real(copy, mode);
    return result;
}

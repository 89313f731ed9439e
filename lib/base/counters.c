#include "base/counters.h"

#include "base/asserts.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 256 };

/* The descriptor of a file of that size, or -1. A file that somebody is just making grows with
 * zeros; nothing is ever cut, since another process may have it mapped. */
static int open_file(const char *path, uint64_t layout, size_t size)
{
    char name[PATH_SIZE];
    struct stat status;
    int n = snprintf(name, sizeof name, "%s.%016llx", path, (unsigned long long)layout);
    if (n < 0 || n >= PATH_SIZE) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return -1;
    if (fstat(fd, &status) == 0 &&
        (status.st_size >= (off_t)size || ftruncate(fd, (off_t)size) == 0))
        return fd;
    close(fd);
    return -1;
}

static void *map(int fd, size_t size)
{
    int flags = fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
    void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, fd, 0);
    return at == MAP_FAILED ? NULL : at;
}

bool counters_open(struct counters *counters, const char *path, uint64_t layout, size_t n)
{
    assert(n > 0 && n <= SIZE_MAX / sizeof *counters->at);
    size_t size = n * sizeof *counters->at;
    int fd = *path ? open_file(path, layout, size) : -1;
    void *at = fd < 0 ? NULL : map(fd, size);
    int why = errno;
    bool shared = at != NULL;
    if (fd >= 0)
        close(fd);
    if (!at)
        at = map(-1, size);
    *counters = (struct counters){at, at ? n : 0};
    errno = why;
    return shared;
}

void counters_close(struct counters *counters)
{
    if (counters->at)
        munmap((void *)counters->at, counters->n * sizeof *counters->at);
    *counters = (struct counters){0};
}

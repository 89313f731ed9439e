#include "service/stamp.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"

enum { PATH_SIZE = CONF_TEXT_MAX + 32 };

void stamp_directory(const struct conf *conf, char directory[CONF_TEXT_MAX + 1])
{
    const char *path = conf->waiting_file.s, *slash = strrchr(path, '/');
    int n = slash == path ? 1 : slash ? (int)(slash - path) : 1;
    snprintf(directory, CONF_TEXT_MAX + 1, "%.*s", n, slash ? path : ".");
}

static void path_of(const struct conf *conf, const char *job, char path[PATH_SIZE])
{
    char directory[CONF_TEXT_MAX + 1];
    stamp_directory(conf, directory);
    snprintf(path, PATH_SIZE, "%s/%s.done", directory, job);
}

/* A file that root has left could not be touched by others, but they may remove it. */
void stamp_set(const struct conf *conf, const char *job)
{
    char path[PATH_SIZE];
    path_of(conf, job, path);
    unlink(path);
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (file >= 0)
        close(file);
}

int64_t stamp_time(const struct conf *conf, const char *job)
{
    char path[PATH_SIZE];
    struct stat file;
    path_of(conf, job, path);
    if (stat(path, &file) != 0)
        return TIME_NONE;
    return (int64_t)file.st_mtim.tv_sec * CLOCK_SECOND + file.st_mtim.tv_nsec / 1000000;
}

#include "reload.h"

#include <errno.h>
#include <grp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "pools.h"

enum {
    LOOK_MS = 5,
    END_MS = 90 * CLOCK_SECOND, /* what a worker has begun may take: a slow reader of an answer */
    START_MS = 5 * CLOCK_SECOND
};

static bool fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

static bool fail(const char *format, ...)
{
    va_list args;
    fputs("loadline-admin: ", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    return false;
}

static bool loads(void)
{
    struct conf conf;
    char error[CONF_ERROR_SIZE];
    return conf_load(&conf, conf_path(), error) ||
           fail("%s. All workers go on with the configuration of before", error);
}

/* Root may read what the workers may not. */
static bool loads_for(pid_t worker)
{
    char path[32];
    struct stat process;
    int status = 0;
    snprintf(path, sizeof path, "/proc/%d", (int)worker);
    if (geteuid() != 0 || stat(path, &process) != 0 || process.st_uid == 0)
        return true;
    pid_t child = fork();
    if (child == 0)
        _exit(setgroups(1, &process.st_gid) == 0 && setgid(process.st_gid) == 0 &&
                      setuid(process.st_uid) == 0 && loads()
                  ? 0
                  : 1);
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static bool is_among(const pid_t *pids, size_t n, pid_t pid)
{
    for (size_t i = 0; i < n; i++)
        if (pids[i] == pid)
            return true;
    return false;
}

static void rest(void)
{
    nanosleep(&(struct timespec){.tv_nsec = LOOK_MS * 1000000}, NULL);
}

/* Has it ended within that time? */
static bool ends(const char *program, pid_t pid)
{
    pid_t now[POOL_MAX];
    int64_t until = clock_monotonic() + END_MS;
    while (is_among(now, pools_processes(program, now), pid)) {
        if (clock_monotonic() > until)
            return false;
        rest();
    }
    return true;
}

/* Are there as many again? */
static bool is_replaced(const char *program, size_t wanted)
{
    pid_t now[POOL_MAX];
    int64_t until = clock_monotonic() + START_MS;
    while (pools_processes(program, now) < wanted) {
        if (clock_monotonic() > until)
            return false;
        rest();
    }
    return true;
}

static bool replace(const char *program, pid_t pid, size_t of)
{
    if (kill(pid, SIGTERM) != 0)
        return fail("%s: worker %d cannot be told: %s. Run this as root, or as the user that the "
                    "workers run as",
                    program, (int)pid, strerror(errno));
    if (!ends(program, pid)) {
        fprintf(stderr,
                "loadline-admin: %s: worker %d is still at work for somebody. It takes the new "
                "configuration when that is done\n",
                program, (int)pid);
        return true;
    }
    return is_replaced(program, of) ||
           fail("%s: worker %d has ended, and none has taken its place. The others go on with the "
                "configuration of before. The log says why: journalctl -t loadline-%s",
                program, (int)pid, program);
}

static bool reload_pool(const char *program)
{
    pid_t pids[POOL_MAX];
    size_t n = pools_processes(program, pids);
    if (n == 0)
        return fail("%s: no worker runs on this host", program);
    if (!loads_for(pids[0]))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!replace(program, pids[i], n))
            return false;
    printf("%-12s %zu worker%s\n", program, n, n == 1 ? "" : "s");
    return true;
}

static bool is_of_systemd(pid_t pid)
{
    char path[32], line[256] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "re");
    int parent = 0;
    if (file && fgets(line, sizeof line, file)) {
        const char *end = strrchr(line, ')');
        if (!end || sscanf(end, ") %*c %d", &parent) != 1)
            parent = 0;
    }
    if (file)
        fclose(file);
    return parent == 1;
}

/* systemd starts it anew, after a second. What cron has started ends by itself within a minute, and
 * the next one has the new configuration. */
static bool reload_notifier(const char *what)
{
    pid_t pids[POOL_MAX];
    size_t n = pools_processes(what, pids);
    for (size_t i = 0; i < n; i++)
        if (is_of_systemd(pids[i]) && !replace(what, pids[i], n))
            return false;
    return true;
}

static bool is_program(const char *name)
{
    const char *program;
    for (size_t i = 0; (program = pools_program(i)); i++)
        if (strcmp(program, name) == 0)
            return true;
    return false;
}

bool admin_reload(const char *program)
{
    struct conf conf;
    char error[CONF_ERROR_SIZE];
    const char *next;
    bool all = true;
    if (program && !is_program(program))
        return fail("%s is no program of Loadline", program);
    if (!loads() || !conf_load(&conf, conf_path(), error))
        return false;
    if (!pools_open(&conf, error))
        return fail("%s", error);
    for (size_t i = 0; all && (next = pools_program(i)); i++)
        if (!program || strcmp(program, next) == 0)
            all = reload_pool(next);
    return all && (program || (reload_notifier("notify") && reload_notifier("mail")));
}

/* What loadline-admin check looks at beside the configuration and the database. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/timex.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"
#include "check.h"
#include "pools.h"
#include "service/stamp.h"

/* ---- workers ---- */

static bool connects(const char *directory, const char *program)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int n = snprintf(address.sun_path, sizeof address.sun_path, "%s/%s.sock", directory, program);
    if (n < 0 || (size_t)n >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return false;
    }
    int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool connected = connect(file, (struct sockaddr *)&address, sizeof address) == 0;
    int problem = errno;
    close(file);
    errno = problem;
    return connected;
}

/* On a host sockets are beside waiting_file, and in a stack of scripts/up in a directory there. */
static void check_pool(struct findings *findings, const struct conf *conf, const char *program)
{
    char directory[CONF_TEXT_MAX + 1], below[CONF_TEXT_MAX + 8];
    pid_t pids[POOL_MAX];
    stamp_directory(conf, directory);
    snprintf(below, sizeof below, "%s/sock", directory);
    if (pools_processes(program, pids) == 0)
        findings_add(findings, FINDING_WRONG, "workers",
                     "%s has none on this host. Look at: systemctl status loadline@%s; journalctl "
                     "-t loadline-%s",
                     program, program, program);
    else if (!connects(access(below, F_OK) == 0 ? below : directory, program))
        findings_add(findings, FINDING_WRONG, "workers",
                     "%s/%s.sock: %s. The web server gets as far as this: systemctl restart "
                     "loadline@%s",
                     directory, program, strerror(errno), program);
}

/* One process may do both. */
static void check_notifiers(struct findings *findings, const struct conf *conf)
{
    pid_t pids[POOL_MAX];
    if (pools_processes("notify", pids) == 0)
        findings_add(findings, FINDING_WRONG, "notifier",
                     "loadline-notify does not run: alerts wait. systemctl status loadline-notify, "
                     "or look at cron");
    else
        findings_add(findings, FINDING_OK, "notifier", "process %d", (int)pids[0]);
    if (!conf->mail_program.s[0])
        findings_add(findings, FINDING_NONE, "mail", "no mail_program: links are given by hand");
    else if (pools_processes("mail", pids) == 0)
        findings_add(
            findings, FINDING_WRONG, "mail",
            "nothing runs %s: letters wait. systemctl restart loadline-mail, or look at cron",
            conf->mail_program.s);
    else
        findings_add(findings, FINDING_OK, "mail", "process %d runs %s", (int)pids[0],
                     conf->mail_program.s);
}

void check_pools(struct findings *findings, const struct conf *conf)
{
    pid_t pids[POOL_MAX];
    char problem[CONF_ERROR_SIZE];
    const char *program;
    size_t programs = 0, workers = 0;
    if (!pools_open(conf, problem)) {
        findings_add(findings, FINDING_WRONG, "workers",
                     "%s. Else look at: systemctl status loadline.target", problem);
        return;
    }
    for (; (program = pools_program(programs)); programs++) {
        check_pool(findings, conf, program);
        workers += pools_processes(program, pids);
    }
    if (!findings_complain(findings, "workers"))
        findings_add(findings, FINDING_OK, "workers", "%zu, of %zu programs", workers, programs);
    check_notifiers(findings, conf);
}

/* ---- jobs ---- */

enum { JOB_LATE = 2 * 60 * 60 * 1000 };

static bool is_masked(const char *unit)
{
    char path[128], target[16] = "";
    snprintf(path, sizeof path, "/etc/systemd/system/%s", unit);
    return readlink(path, target, sizeof target - 1) > 0 && strcmp(target, "/dev/null") == 0;
}

/* Programs make waiting_file when they start for the first time since the host has booted. */
static bool has_just_started(const struct conf *conf, int64_t now)
{
    struct stat file;
    return stat(conf->waiting_file.s, &file) == 0 &&
           now - (int64_t)file.st_mtim.tv_sec * CLOCK_SECOND < JOB_LATE;
}

void check_jobs(struct findings *findings, const struct conf *conf, int64_t now)
{
    static const char what[] = "last run";
    char age[CLOCK_TEXT_SIZE] = "";
    int64_t last = stamp_time(conf, "maintain");
    if (last != TIME_NONE)
        clock_format(last, age);
    if (last != TIME_NONE && now - last < JOB_LATE)
        findings_add(findings, FINDING_OK, what, "loadline-maintain ended well at %s", age);
    else if (is_masked("loadline-maintain.timer"))
        findings_add(findings, FINDING_NONE, what,
                     "loadline-maintain.timer is masked: another host has to run it");
    else if (last == TIME_NONE && has_just_started(conf, now))
        findings_add(findings, FINDING_OK, what, "loadline-maintain is due within the hour");
    else
        findings_add(findings, FINDING_WRONG, what,
                     "loadline-maintain has not ended well for two hours%s%s: old rows stay, and "
                     "the audit trail is not chained. Look at: systemctl status "
                     "loadline-maintain.timer loadline-maintain, or at cron",
                     age[0] ? ", since " : "", age);
}

/* ---- the clock ---- */

enum {
    CLOCK_WARN = 2000,
    CLOCK_WRONG = 20000 /* deliveries are claimed for 30 s (deliver/lease.h) */
};

void check_clock(struct findings *findings, const struct server_state *state, int64_t asked)
{
    int64_t apart = state ? state->now - asked : 0;
    long long shown = apart < 0 ? -apart : apart;
    if (shown > CLOCK_WARN)
        findings_add(findings, shown > CLOCK_WRONG ? FINDING_WRONG : FINDING_WARN, "clock",
                     "this host and the database's are %lld seconds apart. Set both by NTP: "
                     "timedatectl set-ntp true",
                     shown / 1000);
    else if (adjtimex(&(struct timex){0}) == TIME_ERROR)
        findings_add(findings, FINDING_WARN, "clock",
                     "nothing sets it. Install systemd-timesyncd or chrony, unless the machine "
                     "around this one does");
    else
        findings_add(findings, FINDING_OK, "clock", "set by NTP%s",
                     state ? ", and the database has the same" : "");
}

/* ---- disks ---- */

#define MIB (1024.0 * 1024)

static void check_place(struct findings *findings, const char *path, double *least)
{
    struct statvfs disk;
    if (statvfs(path, &disk) != 0) {
        findings_add(findings, FINDING_WRONG, "disk", "%s: %s", path, strerror(errno));
        return;
    }
    double free_mib = (double)disk.f_bavail * (double)disk.f_frsize / MIB;
    double part = disk.f_blocks ? (double)disk.f_bavail / (double)disk.f_blocks : 1;
    bool no_files = disk.f_files && disk.f_favail * 100 < disk.f_files;
    *least = *least < 0 || free_mib < *least ? free_mib : *least;
    if (no_files)
        findings_add(findings, FINDING_WRONG, "disk", "%s has room for %llu more files only", path,
                     (unsigned long long)disk.f_favail);
    else if (free_mib < 256 || free_mib < 2048)
        findings_add(findings, free_mib < 256 ? FINDING_WRONG : FINDING_WARN, "disk",
                     "%s has %.0f MiB left (%.0f %%). Remove something, or give it more", path,
                     free_mib, part * 100);
}

static bool is_readable_directory(const char *path)
{
    struct stat file;
    return stat(path, &file) == 0 && S_ISDIR(file.st_mode);
}

void check_disk(struct findings *findings, const struct conf *conf,
                const struct server_state *state)
{
    double least = -1;
    char log[CONF_TEXT_MAX + 1], data[CONF_TEXT_MAX + 1] = "";
    snprintf(log, sizeof log, "%s", conf->log_path.s);
    char *slash = strrchr(log, '/');
    check_place(findings, conf->spool_directory.s, &least);
    if (slash && slash != log) {
        *slash = '\0';
        check_place(findings, log, &least);
    }
    if (state)
        snprintf(data, sizeof data, "%" STR_FMT, STR_ARG(state->data));
    if (is_readable_directory(data)) /* the server may be on another host */
        check_place(findings, data, &least);
    if (is_readable_directory("/var/lib/loadline/backups"))
        check_place(findings, "/var/lib/loadline/backups", &least);
    if (!findings_complain(findings, "disk"))
        findings_add(findings, FINDING_OK, "disk", "%.0f GiB left at least", least / 1024);
}

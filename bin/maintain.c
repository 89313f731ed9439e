/* loadline-maintain: keeps what plans promise and no more. Started by a timer. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/hex.h"
#include "base/log.h"
#include "base/output.h"
#include "base/version.h"
#include "service/program.h"
#include "service/stamp.h"
#include "store/audit_chain.h"
#include "store/history_pack.h"
#include "store/retention.h"

static const char usage[] =
    "Usage: loadline-maintain [OPTION]...\n"
    "Chains the audit trail, removes rows that are older than their tenant's plan keeps them, a\n"
    "thousand at a time, and packs the points of the score history, an hour at a time.\n\n"
    "  --dry-run   tells what would be done, and does nothing\n"
    "  --hurry     without the rests that leave time to pushes: for when there are none\n"
    "  --help      this text\n"
    "  --version   the version\n\n"
    "A timer or cron starts it every hour. It may be killed at any moment, and several may run at "
    "once.\n"
    "The configuration is the file that LOADLINE_CONF names, else /etc/loadline/loadline.conf.\n\n"
    "Exit status: 0 done, but for what others have locked, 1 something was left or could not "
    "start\n"
    "(the log says what), 2 bad usage.\n";

enum { EXIT_DONE = 0, EXIT_LEFT = 1, EXIT_USAGE = 2 };
enum { SHOW_MS = 200, PACK_MS = 20 * 60 * 1000 };

struct options {
    bool dry_run, hurry, help, version;
};

struct job {
    struct options options;
    struct program program;
    struct retention retention;
    struct history_packing packing;
    struct throttle throttle;
    struct db *keeper; /* of an account that may remove entries of the audit trail */
    int64_t began, shown;
    bool left; /* something */
};

static volatile sig_atomic_t stop;

static void on_signal(int signal_number)
{
    (void)signal_number;
    stop = 1;
}

static bool parse(int argc, char **argv, struct options *options)
{
    static const struct option longs[] = {
        {"dry-run", no_argument, NULL, 'n'},
        {"hurry", no_argument, NULL, 'u'},
        {"help", no_argument, NULL, 'h'},
        {"version", no_argument, NULL, 'v'},
        {"split-max", required_argument, NULL, 's'}, /* of before: does nothing */
        {0}};
    int option;
    while ((option = getopt_long(argc, argv, "", longs, NULL)) != -1) {
        if (option == '?')
            return false;
        options->dry_run |= option == 'n';
        options->hurry |= option == 'u';
        options->help |= option == 'h';
        options->version |= option == 'v';
    }
    if (optind < argc)
        fprintf(stderr, "loadline-maintain: unknown argument: %s\n", argv[optind]);
    return optind == argc;
}

/* ---- what it tells ---- */

static uint64_t total(const struct retention *r)
{
    uint64_t rows = 0;
    for (int i = 0; i < RETENTION_TABLES; i++)
        rows += r->rows[i];
    return rows;
}

static void show_progress(void *context)
{
    struct job *job = context;
    const struct retention *r = &job->retention;
    int64_t now = clock_monotonic();
    if (now - job->began < 1000 || now - job->shown < SHOW_MS || !isatty(STDERR_FILENO))
        return;
    job->shown = now;
    fprintf(stderr, "\r%llu clusters, %llu rows, %llu points packed",
            (unsigned long long)r->clusters, (unsigned long long)total(r),
            (unsigned long long)job->packing.points);
}

static void tell_rows(const struct job *job)
{
    const struct retention *r = &job->retention;
    if (job->shown)
        fputs("\r\033[K", stderr);
    for (int i = 0; i < RETENTION_TABLES; i++) {
        const char *name = retention_table_name((enum retention_table)i);
        if (r->rows[i] && job->options.dry_run)
            printf("%s: %llu rows are to go\n", name, (unsigned long long)r->rows[i]);
        else if (r->rows[i])
            log_info("table=%s rows=%llu", name, (unsigned long long)r->rows[i]);
    }
    if (r->removals && job->options.dry_run)
        printf("what is left of %llu deleted cluster%s is to go\n", (unsigned long long)r->removals,
               r->removals == 1 ? "" : "s");
    if (job->options.dry_run && !total(r) && !r->removals && !job->left && !stop)
        puts("nothing is to go");
    if (job->packing.points || job->packing.hours)
        log_info("packed_points=%llu packed_hours=%llu", (unsigned long long)job->packing.points,
                 (unsigned long long)job->packing.hours);
    if (!job->options.dry_run)
        log_info("tenants=%llu clusters=%llu rows=%llu deleted_clusters=%llu ms=%lld%s",
                 (unsigned long long)r->tenants, (unsigned long long)r->clusters,
                 (unsigned long long)total(r), (unsigned long long)r->removals,
                 (long long)(clock_monotonic() - job->began), stop ? " stopped=1" : "");
}

/* ---- work ---- */

static void note(struct job *job, enum error e)
{
    job->left |= e != ERR_OK;
}

static void prune_tenants(void *arg)
{
    struct job *job = arg;
    note(job, retention_tenants(&job->retention));
}

static void remove_leftovers(void *arg)
{
    struct job *job = arg;
    note(job, retention_leftovers(&job->retention));
}

static void pack_history(void *arg)
{
    struct job *job = arg;
    note(job, history_pack(&job->packing));
}

static void tell_head(void *context, const struct audit_head *head)
{
    char mac[2 * CRYPT_DIGEST + 1];
    (void)context;
    hex_encode(head->mac, CRYPT_DIGEST, mac);
    log_info("audit=%" STR_FMT " position=%lld head=%s", STR_ARG(head->tenant),
             (long long)head->position, mac);
}

static void extend_audit_chain(void *arg)
{
    struct job *job = arg;
    struct program *program = &job->program;
    struct seal_keys keys;
    char error[SEAL_ERROR_SIZE];
    if (!seal_keys_load(program->conf.audit_keys.s, &keys, error)) {
        log_error("problem=%s", log_quote(str_of(error)));
        job->left = true;
    } else if (keys.n) {
        note(job, audit_chain_extend(job->keeper, program->arena, &keys,
                                     job->retention.now - AUDIT_SETTLED_MS, &job->throttle,
                                     tell_head, job));
    }
    crypt_wipe(&keys, sizeof keys);
}

static void take_step(struct job *job, void (*step)(void *job))
{
    struct program *program = &job->program;
    if (stop)
        return;
    arena_reset(program->arena);
    if (!arena_guard(program->arena, step, job)) {
        log_error("problem=\"more memory is needed than memory_limit_mib\"");
        job->left = true;
    }
    db_reset(program->db);
    db_reset(job->keeper);
}

static void work(struct job *job)
{
    if (!job->options.dry_run)
        take_step(job, extend_audit_chain);
    take_step(job, prune_tenants);
    if (!job->options.dry_run)
        take_step(job, pack_history);
    take_step(job, remove_leftovers);
}

static bool open_job(struct job *job)
{
    struct program *program = &job->program;
    if (!program_open(program, "loadline-maintain", "maintain"))
        return false;
    const char *file = program->conf.maintain_database.s;
    job->keeper = db_new(file[0] ? file : program->conf.database.s);
    if (!job->keeper) {
        program_close(program);
        return false;
    }
    job->began = clock_monotonic();
    job->throttle = (struct throttle){job->options.hurry, &stop, job->began};
    job->retention = (struct retention){.db = program->db,
                                        .keeper = job->keeper,
                                        .arena = program->arena,
                                        .conf = &program->conf,
                                        .now = clock_now(),
                                        .only_show = job->options.dry_run,
                                        .throttle = &job->throttle,
                                        .progress = show_progress,
                                        .context = job};
    job->packing =
        (struct history_packing){.db = program->db,
                                 .arena = program->arena,
                                 .now = job->retention.now,
                                 .deadline = job->options.hurry ? 0 : job->began + PACK_MS,
                                 .throttle = &job->throttle,
                                 .progress = show_progress,
                                 .context = job};
    return true;
}

static void handle_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
}

static int run(int argc, char **argv)
{
    struct job job = {0};
    if (!parse(argc, argv, &job.options)) {
        fputs("Try loadline-maintain --help.\n", stderr);
        return EXIT_USAGE;
    }
    if (job.options.help || job.options.version) {
        fputs(job.options.help ? usage : "loadline-maintain " LOADLINE_VERSION "\n", stdout);
        return output_end("loadline-maintain") ? EXIT_DONE : EXIT_LEFT;
    }
    if (!open_job(&job))
        return EXIT_LEFT;
    handle_signals();
    work(&job);
    tell_rows(&job);
    if (!job.left && !stop && !job.options.dry_run)
        stamp_set(&job.program.conf, "maintain");
    db_free(job.keeper);
    program_close(&job.program);
    bool told = output_end("loadline-maintain");
    return job.left || stop || !told ? EXIT_LEFT : EXIT_DONE;
}

int main(int argc, char **argv)
{
    return run(argc, argv);
}

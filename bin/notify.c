/* loadline-notify: delivers alerts and mails links. systemd keeps it running
 * (loadline-notify.service, loadline-mail.service). */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/output.h"
#include "base/seats.h"
#include "base/version.h"
#include "deliver/courier.h"
#include "deliver/letters.h"
#include "web/app.h"

static const char usage[] =
    "Usage: loadline-notify [OPTION]...\n"
    "Delivers queued alerts to their channels, and letters to mail_program. Without options, what\n"
    "is due now.\n\n"
    "  --for SECONDS   looks for more every second, for so long (0 to 86400)\n"
    "  --only WHAT     alerts or mail, and leaves the other to another one. Who does both has a\n"
    "                  process of its own for mail, so that no alert waits for a letter\n"
    "  --help          this text\n"
    "  --version       the version\n\n"
    "systemd or cron starts it anew. Several may run at once, also on several hosts.\n"
    "The configuration is the file that LOADLINE_CONF names, else /etc/loadline/loadline.conf.\n\n"
    "Exit status: 0 ended, 1 could not start or not ask the database in the end, 2 bad usage,\n"
    "78 the configuration is refused.\n";

enum { EXIT_ENDED = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_CONFIGURATION = 78 };
enum { SECONDS_MAX = 86400, LOOK_MS = 50 };

enum job { JOB_BOTH, JOB_ALERTS, JOB_MAIL };

struct options {
    uint64_t seconds;
    bool bounded, help, version;
    enum job job;
};

static volatile sig_atomic_t stop;

static void on_signal(int signal_number)
{
    (void)signal_number;
    stop = 1;
}

static bool parse_for(const char *text, struct options *options)
{
    options->bounded = true;
    if (str_to_u64(str_of(text), &options->seconds) && options->seconds <= SECONDS_MAX)
        return true;
    fprintf(stderr, "loadline-notify: --for is not 0 to %d: %s\n", SECONDS_MAX, text);
    return false;
}

static bool parse_only(const char *text, struct options *options)
{
    bool alerts = strcmp(text, "alerts") == 0;
    options->job = alerts ? JOB_ALERTS : JOB_MAIL;
    if (alerts || strcmp(text, "mail") == 0)
        return true;
    fprintf(stderr, "loadline-notify: --only is alerts or mail, not %s\n", text);
    return false;
}

static bool parse(int argc, char **argv, struct options *options)
{
    static const struct option longs[] = {{"for", required_argument, NULL, 'f'},
                                          {"only", required_argument, NULL, 'o'},
                                          {"help", no_argument, NULL, 'h'},
                                          {"version", no_argument, NULL, 'v'},
                                          {0}};
    int option;
    while ((option = getopt_long(argc, argv, "", longs, NULL)) != -1) {
        if (option == 'h')
            options->help = true;
        else if (option == 'v')
            options->version = true;
        else if (option == 'f' ? !parse_for(optarg, options)
                               : option != 'o' || !parse_only(optarg, options))
            return false;
    }
    if (optind < argc)
        fprintf(stderr, "loadline-notify: unknown argument: %s\n", argv[optind]);
    return optind == argc;
}

static void handle_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
}

static int deliver(struct program *program, int64_t until)
{
    struct courier *courier = courier_new(program);
    if (!courier)
        return EXIT_FAILED;
    int status = courier_run(courier, until, &stop) ? EXIT_ENDED : EXIT_FAILED;
    struct courier_counts counts = courier_counts(courier);
    log_info("sent=%llu failed=%llu gave_up=%llu", (unsigned long long)counts.sent,
             (unsigned long long)counts.failed, (unsigned long long)counts.gave_up);
    courier_free(courier);
    return status;
}

static int run(const struct options *options, enum job job)
{
    const char *name = job == JOB_MAIL ? "mail" : "notify";
    struct program program;
    int status = EXIT_ENDED;
    if (!program_open(&program, "loadline-notify", name))
        return EXIT_FAILED;
    if (seats_open(program.conf.waiting_file.s)) /* so that it is seen that one runs */
        seats_take(app_pool(str_of(name)), SEATS_MAX);
    int64_t until = options->bounded ? clock_monotonic() + (int64_t)options->seconds * 1000 : 0;
    handle_signals();
    if (job == JOB_MAIL)
        status = letters_run(&program, until, &stop) ? EXIT_ENDED : EXIT_FAILED;
    else
        status = deliver(&program, until);
    program_close(&program);
    return status;
}

/* The process that mails, which ends with this one; -1: there is none. */
static pid_t start_mail(const struct options *options)
{
    pid_t parent = getpid(), mail = fork();
    if (mail != 0)
        return mail;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    _exit(getppid() == parent ? run(options, JOB_MAIL) : EXIT_FAILED);
}

/* Waits for it; looks now and then whether it is to stop. */
static int end_of(pid_t mail)
{
    int status = EXIT_FAILED;
    pid_t ended;
    while ((ended = waitpid(mail, &status, WNOHANG)) == 0) {
        if (stop)
            kill(mail, SIGTERM);
        usleep(LOOK_MS * 1000);
    }
    return ended == mail && WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILED;
}

/* A letter takes up to ten seconds, in which a receiver's answer would be late. */
static int run_both(const struct options *options)
{
    pid_t mail = start_mail(options);
    if (mail < 0) {
        fprintf(stderr, "loadline-notify: no process for mail: %s\n", strerror(errno));
        return EXIT_FAILED;
    }
    int status = run(options, JOB_ALERTS);
    if (status != EXIT_ENDED)
        stop = 1;
    int mailed = end_of(mail);
    return status != EXIT_ENDED ? status : mailed;
}

int main(int argc, char **argv)
{
    struct options options = {0};
    if (!parse(argc, argv, &options)) {
        fputs("Try loadline-notify --help.\n", stderr);
        return EXIT_USAGE;
    }
    if (options.help || options.version) {
        fputs(options.help ? usage : "loadline-notify " LOADLINE_VERSION "\n", stdout);
        return output_end("loadline-notify") ? EXIT_ENDED : EXIT_FAILED;
    }
    struct conf conf;
    char error[CONF_ERROR_SIZE];
    if (!conf_load(&conf, conf_path(), error)) {
        fprintf(stderr, "loadline-notify: %s\n", error);
        return EXIT_CONFIGURATION;
    }
    bool both = options.job == JOB_BOTH && conf.mail_program.s[0];
    return both ? run_both(&options) : run(&options, options.job);
}

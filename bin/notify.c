/* loadline-notify: delivers alerts. systemd keeps it running (loadline-notify.service). */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/seats.h"
#include "base/version.h"
#include "deliver/courier.h"
#include "web/app.h"

static const char usage[] =
    "Usage: loadline-notify [OPTION]...\n"
    "Delivers queued alerts to their channels. Without options, what is due now.\n\n"
    "  --for SECONDS   looks for more every second, for so long (0 to 86400)\n"
    "  --help          this text\n"
    "  --version       the version\n\n"
    "systemd or cron starts it anew. Several may run at once, also on several hosts.\n"
    "The configuration is the file that LOADLINE_CONF names, else /etc/loadline/loadline.conf.\n\n"
    "Exit status: 0 ended, 1 could not start or not ask the database in the end, 2 bad usage.\n";

enum { EXIT_ENDED = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, SECONDS_MAX = 86400 };

struct options {
    uint64_t seconds;
    bool bounded, help, version;
};

static volatile sig_atomic_t stop;

static void on_signal(int signal_number)
{
    (void)signal_number;
    stop = 1;
}

static bool parse(int argc, char **argv, struct options *options)
{
    static const struct option longs[] = {{"for", required_argument, NULL, 'f'},
                                          {"help", no_argument, NULL, 'h'},
                                          {"version", no_argument, NULL, 'v'},
                                          {0}};
    int option;
    while ((option = getopt_long(argc, argv, "", longs, NULL)) != -1) {
        if (option == 'h') {
            options->help = true;
        } else if (option == 'v') {
            options->version = true;
        } else if (option == 'f' && str_to_u64(str_of(optarg), &options->seconds) &&
                   options->seconds <= SECONDS_MAX) {
            options->bounded = true;
        } else {
            if (option == 'f')
                fprintf(stderr, "loadline-notify: --for is not 0 to %d: %s\n", SECONDS_MAX, optarg);
            return false;
        }
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

static int deliver(const struct options *options)
{
    struct program program;
    int status = EXIT_FAILED;
    if (!program_open(&program, "notify"))
        return EXIT_FAILED;
    if (seats_open(program.conf.waiting_file.s)) /* so that it is seen that one runs */
        seats_take(app_pool(STR("notify")), SEATS_MAX);
    struct courier *courier = courier_new(&program);
    if (courier) {
        int64_t until = options->bounded ? clock_monotonic() + (int64_t)options->seconds * 1000 : 0;
        handle_signals();
        status = courier_run(courier, until, &stop) ? EXIT_ENDED : EXIT_FAILED;
        struct courier_counts counts = courier_counts(courier);
        log_info("sent=%llu failed=%llu gave_up=%llu", (unsigned long long)counts.sent,
                 (unsigned long long)counts.failed, (unsigned long long)counts.gave_up);
    }
    courier_free(courier);
    program_close(&program);
    return status;
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
        return EXIT_ENDED;
    }
    return deliver(&options);
}

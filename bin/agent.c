/* loadline-agent: watches a Kubernetes cluster and pushes what it has to Loadline. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "watcher/health.h"
#include "watcher/kubeconfig.h"
#include "watcher/logs.h"
#include "watcher/discover.h"
#include "watcher/options.h"
#include "watcher/push.h"
#include "base/log.h"
#include "base/output.h"
#include "base/version.h"
#include "codec/inflate.h"
#include "codec/prometheus.h"

enum {
    EXIT_DONE = 0,
    EXIT_FAILED = 1,
    EXIT_BAD = 2,
    WAIT_MS = 100,
    DISCOVER_INTERVALS = 6, /* what is served is asked again after so many, or after a minute */
    TRIES = 5,              /* to learn what is served, for what is done once */
    WELL_MS = 3 * 60 * 1000,
    WATCHES_MAX = STORE_LISTS_MAX,
    ABOUT_MAX = 64 * 1024
};

struct agent {
    struct options options;
    struct access access;
    struct api_source source;
    struct watch *watches[WATCHES_MAX];
    size_t n;
    struct discover *discover;
    struct push *push;
    struct logs *logs; /* NULL: nobody wants them */
    struct health *health;
    int64_t began; /* clock_monotonic() */
};

static volatile sig_atomic_t told_to_end;

static void take_signal(int number)
{
    (void)number;
    told_to_end = 1;
}

/* ---- what it tells of itself ---- */

static bool is_well(void *context)
{
    const struct agent *agent = context;
    const struct push_counts *pushes = push_counts(agent->push);
    return clock_monotonic() - (pushes->taken ? pushes->taken_tick : agent->began) < WELL_MS;
}

static void put_one(struct buf *out, const char *name, const char *type, const char *help,
                    uint64_t value)
{
    prometheus_family(out, name, type, help);
    prometheus_sample(
        out, &(struct prometheus_sample){.name = name, .value = (int64_t)value, .scale = 1});
}

static void put_kinds(const struct agent *agent, struct buf *out)
{
    int64_t now = clock_monotonic();
    prometheus_family(out, "loadline_agent_objects", "gauge", "Objects that are kept, by kind.");
    for (size_t i = 0; i < agent->n; i++) {
        const struct watch *watch = agent->watches[i];
        if (watch_state(watch, now) != WATCH_NOT_SERVED)
            prometheus_sample(out, &(struct prometheus_sample){
                                       .name = "loadline_agent_objects",
                                       .labels = {{"kind", kind_name(watch_kind(watch)->kind)}},
                                       .value = (int64_t)store_count(watch_list(watch)),
                                       .scale = 1});
    }
    prometheus_family(out, "loadline_agent_fresh", "gauge",
                      "1: the list of a kind is what the API server has.");
    for (size_t i = 0; i < agent->n; i++) {
        const struct watch *watch = agent->watches[i];
        if (watch_state(watch, now) != WATCH_NOT_SERVED)
            prometheus_sample(out, &(struct prometheus_sample){
                                       .name = "loadline_agent_fresh",
                                       .labels = {{"kind", kind_name(watch_kind(watch)->kind)}},
                                       .value = watch_state(watch, now) == WATCH_FRESH,
                                       .scale = 1});
    }
}

static void put_logs(const struct agent *agent, struct buf *out)
{
    const struct logs_counts *counts = logs_counts(agent->logs);
    put_one(out, "loadline_agent_logs_asked_total", "counter",
            "Logs of containers that were asked for.", counts->asked);
    put_one(out, "loadline_agent_log_lines_total", "counter", "Lines of logs that were taken.",
            counts->lines);
    put_one(out, "loadline_agent_log_errors_total", "counter",
            "Requests for logs, and pushes of them, that failed.", counts->errors);
}

static void put_metrics(void *context, struct buf *out)
{
    const struct agent *agent = context;
    const struct push_counts *pushes = push_counts(agent->push);
    const struct source_counts *source = &agent->source.counts;
    put_one(out, "loadline_agent_pushes_taken_total", "counter", "Pushes that Loadline took.",
            pushes->taken);
    put_one(out, "loadline_agent_pushes_refused_total", "counter", "Pushes answered anything else.",
            pushes->refused);
    put_one(out, "loadline_agent_pushes_failed_total", "counter", "Pushes without an answer.",
            pushes->failed);
    put_one(out, "loadline_agent_pushes_of_changes_total", "counter",
            "Pushes that were taken and told only what had changed.", pushes->as_changes);
    put_one(out, "loadline_agent_push_bytes", "gauge", "Bytes of the last push, packed.",
            pushes->bytes);
    put_one(out, "loadline_agent_last_push_seconds", "gauge",
            "When the last push was taken, in seconds since 1970; 0: never.",
            (uint64_t)(pushes->taken_at / CLOCK_SECOND));
    put_one(out, "loadline_agent_lists_total", "counter", "Pages that were asked for.",
            source->lists);
    put_one(out, "loadline_agent_watches_total", "counter", "Watches that were begun.",
            source->watches);
    put_one(out, "loadline_agent_api_errors_total", "counter",
            "Requests to the API server that failed, but for those that are forbidden.",
            source->errors);
    put_one(out, "loadline_agent_dropped_total", "counter",
            "Objects that were left out because they could not be redacted.", source->dropped);
    put_one(out, "loadline_agent_store_bytes", "gauge", "Memory of what is kept, about.",
            store_bytes(agent->source.store));
    put_kinds(agent, out);
    if (agent->logs)
        put_logs(agent, out);
}

/* ---- the loop ---- */

static bool print_json(struct agent *agent)
{
    struct bytes body = {0};
    char piece[16 * 1024];
    ptrdiff_t n = -1;
    bool any = push_pack(agent->push, clock_monotonic(), &body);
    struct str rest = bytes_str(&body);
    struct inflate *inflate = any ? inflate_open(source_of(&rest), SIZE_MAX) : NULL;
    if (inflate) {
        struct source source = inflate_source(inflate);
        while ((n = source.read(source.context, piece, sizeof piece)) > 0)
            if (!output_put((struct str){piece, (size_t)n}))
                break;
    } else {
        log_error("the API server tells of nothing");
    }
    inflate_free(inflate);
    bytes_free(&body);
    putchar('\n');
    return output_end("loadline-agent") && n == 0;
}

static void wait_a_little(struct agent *agent)
{
    struct pollfd files[HEALTH_FILES_MAX];
    unsigned n = health_files(agent->health, files);
    transfers_run(agent->source.transfers, WAIT_MS, files, n);
    health_tick(agent->health, files, n, clock_monotonic());
}

/* What is to be done once cannot be done. */
static bool is_hopeless(const struct agent *agent)
{
    const struct options *options = &agent->options;
    return (options->once || options->dry_run) && !discover_is_done(agent->discover) &&
           (discover_failures(agent->discover) >= TRIES || discover_is_refused(agent->discover));
}

/* True when there is nothing more to do, with *status. */
static bool step(struct agent *agent, int *status)
{
    const struct push_counts *counts = push_counts(agent->push);
    int64_t now = clock_monotonic();
    discover_tick(agent->discover, now);
    for (size_t i = 0; i < agent->n; i++)
        watch_tick(agent->watches[i], now);
    bool ready = push_is_ready(agent->push, discover_is_done(agent->discover), now);
    if (agent->options.dry_run && ready) {
        *status = print_json(agent) ? EXIT_DONE : EXIT_FAILED;
        return true;
    }
    if (agent->options.once && (counts->taken || counts->refused || counts->failed)) {
        *status = counts->taken ? EXIT_DONE : EXIT_FAILED;
        return true;
    }
    if (is_hopeless(agent)) {
        *status = EXIT_FAILED;
        return true;
    }
    if (ready && !agent->options.dry_run)
        push_tick(agent->push, now);
    if (agent->logs && counts->taken) /* else Loadline does not know the cluster */
        logs_tick(agent->logs, now);
    wait_a_little(agent);
    return false;
}

static void make_watches(struct agent *agent)
{
    struct watched kind;
    for (size_t at = 0; watched_next(&at, &kind);) {
        assert(agent->n < WATCHES_MAX);
        agent->watches[agent->n++] = watch_new(&agent->source, &kind);
    }
}

static int64_t discover_interval(const struct options *options)
{
    int64_t wait = options->interval * DISCOVER_INTERVALS * CLOCK_SECOND;
    return wait < CLOCK_MINUTE ? wait : CLOCK_MINUTE;
}

static int watch_and_push(struct agent *agent)
{
    struct sigaction action = {.sa_handler = take_signal};
    /* When it is told to end before it has done what is to be done once, that is not done. */
    int status = agent->options.once || agent->options.dry_run ? EXIT_FAILED : EXIT_DONE;
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    agent->began = clock_monotonic();
    make_watches(agent);
    agent->discover =
        discover_new(&agent->source, agent->watches, agent->n, discover_interval(&agent->options));
    agent->push = push_new(&agent->options, &agent->source, agent->watches, agent->n);
    if (agent->options.logs && !agent->options.once && !agent->options.dry_run)
        agent->logs = logs_new(&agent->options, &agent->source);
    if (agent->options.listen) {
        agent->health =
            health_open(agent->options.listen, (struct health_voice){is_well, put_metrics, agent});
        if (!agent->health)
            return EXIT_BAD;
    }
    while (!told_to_end && !step(agent, &status))
        ;
    return status;
}

static bool open_source(struct agent *agent)
{
    const struct options *options = &agent->options;
    struct api_source *source = &agent->source;
    bool good = options->kubeconfig ? kubeconfig_read(options->kubeconfig, options->context,
                                                      options->allow_insecure, &agent->access)
                                    : access_in_cluster(&agent->access);
    if (!good)
        return false;
    source->access = &agent->access;
    source->transfers = transfers_new();
    source->cleaner = cleaner_new();
    source->store = store_new();
    if (!source->transfers || !source->cleaner)
        memory_exhausted();
    return true;
}

static void close_agent(struct agent *agent)
{
    health_close(agent->health);
    logs_free(agent->logs);
    push_free(agent->push);
    discover_free(agent->discover);
    for (size_t i = 0; i < agent->n; i++)
        watch_free(agent->watches[i]);
    store_free(agent->source.store);
    cleaner_free(agent->source.cleaner);
    transfers_free(agent->source.transfers);
    access_free(&agent->access);
}

static int print_about(const struct options *options)
{
    struct arena *arena = arena_new(SIZE_MAX / 2);
    if (!arena)
        memory_exhausted();
    struct buf out = buf_init(arena, ABOUT_MAX);
    if (options->help)
        options_help(&out);
    else
        buf_put(&out, STR("loadline-agent " LOADLINE_VERSION "\n"));
    output_put(buf_str(&out));
    arena_free(arena);
    return output_end("loadline-agent") ? EXIT_DONE : EXIT_FAILED;
}

static int run(int argc, char **argv)
{
    struct agent agent = {.n = 0};
    int status = EXIT_BAD;
    if (!options_parse(&agent.options, argc, argv))
        return EXIT_BAD;
    if (agent.options.help || agent.options.version)
        return print_about(&agent.options);
    log_open("agent", NULL, agent.options.verbose ? LOG_LEVEL_DEBUG : LOG_LEVEL_INFO);
    if (open_source(&agent))
        status = watch_and_push(&agent);
    close_agent(&agent);
    return status;
}

int main(int argc, char **argv)
{
    return run(argc, argv);
}

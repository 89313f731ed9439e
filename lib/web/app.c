#include "web/app.h"

#include <errno.h>
#include <malloc.h>
#include <signal.h>

#include "base/asserts.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/seats.h"
#include "base/version.h"
#include "service/backlog.h"
#include "service/confine.h"
#include "service/handoff.h"
#include "service/program.h"
#include "web/push_head.h"
#include "web/request_metrics.h"
#include "web/together.h"

enum {
    KEPT_BYTES = 64 << 20,
    KEPT_BLOCK = 8 << 20,
    FILE_NAME_SIZE = 64,
    PUSH_CALM_PART = 8, /* of push_wait */
    PEOPLE_CALM_MS = 100,
    GATE_CALM_MS = 100
};

/* What a request leaves free stays for the next: to give it back and have it anew costs a page
 * fault for every 4 KiB, a third of the time of a large answer. Larger blocks do go back. */
static void keep_memory(void)
{
    mallopt(M_MMAP_THRESHOLD, KEPT_BLOCK);
    mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
}

static volatile sig_atomic_t reopen_log;

static void on_hangup(int signal_number)
{
    (void)signal_number;
    reopen_log = 1;
}

void app_serve(struct app *app, struct http_transport *transport)
{
    struct together *together = together_new(app, TOGETHER_MS);
    assert(together);
    together_serve(together, transport);
    together_free(together);
}

static bool loop(struct app *app, const struct http_list *list)
{
    struct http_transport transport = http_is_cgi() ? http_cgi() : http_fcgi(list);
    struct together *together = together_new(app, TOGETHER_MS);
    struct sigaction hangup = {.sa_handler = on_hangup, .sa_flags = SA_RESTART};
    sigaction(SIGHUP, &hangup, NULL);
    signal(SIGPIPE, SIG_IGN);
    while (together && transport.accept(transport.context)) {
        if (reopen_log) {
            reopen_log = 0;
            log_reopen();
        }
        together_serve(together, &transport);
    }
    bool served = together != NULL;
    together_free(together);
    return served;
}

/* Whether somebody has called the program by hand to know about it, and has been told. As plain CGI
 * a web server makes arguments of a query without "=" (RFC 3875, 4.4): those are nobody's options.
 */
static bool tell_about(int argc, char **argv, const char *name)
{
    if (argc != 2 || getenv("REQUEST_METHOD"))
        return false;
    if (strcmp(argv[1], "--version") == 0)
        printf("%s.fcgi " LOADLINE_VERSION "\n", name);
    else if (strcmp(argv[1], "--help") == 0)
        printf(
            "Usage: %s.fcgi [--help | --version]\n"
            "A program of Loadline that answers requests: spawn-fcgi starts it for FastCGI, or a\n"
            "web server for plain CGI. The configuration is the file that LOADLINE_CONF names,\n"
            "else /etc/loadline/loadline.conf.\n",
            name);
    else
        return false;
    return true;
}

/* How long a program waits for the database: who asks the gate or /health waits least. */
static int64_t patience(const struct conf *conf, struct str name)
{
    if (str_eq(name, STR("validate")) || str_eq(name, STR("status")))
        return conf->gate_timeout;
    if (str_eq(name, STR("ingest")) || str_eq(name, STR("logs")))
        return conf->push_timeout;
    return conf->read_timeout;
}

uint64_t app_pool(struct str program)
{
    return hash_bytes(hash_bytes(0, STR("pool")), program);
}

/* Whether it answers people alone, each by a session. */
static bool is_for_people(struct route_table routes)
{
    for (size_t i = 0; i < routes.n; i++)
        if (routes.rows[i].handler && routes.rows[i].credential != CREDENTIAL_BEARER)
            return false;
    return true;
}

/* Pushes are stored soon or refused. People's requests all wait, and so do questions to the gate:
 * the list is there so that those of one tenant do not keep others waiting. Elsewhere there is
 * none: passwords take turns (service/turns.h), and lines of logs are taken as they come. */
static struct http_list list_of(const struct conf *conf, struct str name, struct route_table routes)
{
    int64_t wait = conf->push_wait * CLOCK_SECOND;
    if (str_eq(name, STR("ingest")))
        return (struct http_list){.calm = wait ? wait / PUSH_CALM_PART + 1 : 0,
                                  .limit = wait,
                                  .credential = "HTTP_X_API_KEY",
                                  .cluster = "HTTP_X_CLUSTER_ID",
                                  .handed = PUSH_CHANGES_TYPE};
    if (str_eq(name, STR("validate")))
        return (struct http_list){.calm = GATE_CALM_MS,
                                  .credential = "HTTP_X_API_KEY",
                                  .otherwise = "HTTP_AUTHORIZATION"};
    return (struct http_list){.calm = is_for_people(routes) ? PEOPLE_CALM_MS : 0,
                              .credential = "HTTP_AUTHORIZATION"};
}

/* Who waits, and who is there at all, workers of a host see by their seats. Plain CGI has none. */
static void take_seat(const struct program *program, const char *name, const struct http_list *list)
{
    const char *file = program->conf.waiting_file.s;
    uint64_t pool = app_pool(str_of(name));
    if (http_is_cgi())
        return;
    if (!seats_open(file))
        log_warn("waiting_file=%s error=%s: any number of workers may wait for a cluster",
                 log_quote(str_of(file)), log_quote(str_of(strerror(errno))));
    int seat = seats_take(pool, SEATS_MAX);
    if (list->calm)
        backlog_open(file, pool, seat, clock_monotonic());
    if (list->calm && list->handed && !handoff_open(file, pool, seat))
        log_warn("waiting_file=%s error=%s: any worker takes the requests of any cluster",
                 log_quote(str_of(file)), log_quote(str_of(strerror(errno))));
}

int app_run(int argc, char **argv, const char *name, struct route_table routes)
{
    struct program program;
    char file[FILE_NAME_SIZE];
    if (tell_about(argc, argv, name))
        return 0;
    keep_memory();
    snprintf(file, sizeof file, "%s.fcgi", name);
    if (!program_open(&program, file, name))
        return 1;
    struct app app = {
        .conf = &program.conf, .arena = program.arena, .db = program.db, .routes = routes};
    if (conf_has_metrics(&program.conf))
        request_metrics_open(program.conf.metrics_file.s, routes);
    db_set_limit(program.db, (unsigned)patience(&program.conf, str_of(name)));
    struct http_list list = list_of(&program.conf, str_of(name), routes);
    take_seat(&program, name, &list);
    if (program.conf.seccomp && !confine())
        log_debug("problem=\"this kernel or this build has no filter of system calls\"");
    bool served = loop(&app, &list);
    program_close(&program);
    return served ? 0 : 1;
}

#include "web/app.h"

#include <errno.h>
#include <malloc.h>
#include <signal.h>

#include "base/hash.h"
#include "base/log.h"
#include "base/seats.h"
#include "base/version.h"
#include "service/backlog.h"
#include "service/confine.h"
#include "service/crypt.h"
#include "service/program.h"
#include "web/admission.h"
#include "web/request_metrics.h"
#include "web/page.h"

struct serving {
    struct app *app;
    struct http_transport *transport;
    struct request *r;
    enum error error;
    struct http_sending sending;
    bool sent; /* to its end, or as far as the client took it */
};

static void note_path(struct request *r)
{
    struct str path = str_sub(r->http.path, 0, REQUEST_LOG_PATH - 1);
    memcpy(r->log_path, path.p ? path.p : "", path.n);
    r->log_path[path.n] = '\0';
}

static void start(struct serving *s)
{
    struct request *r = s->r;
    http_response_init(r->arena, &r->response);
    s->error = http_read_head(r->arena, s->transport, &r->http);
    note_path(r);
}

static void work(void *arg)
{
    struct serving *s = arg;
    start(s);
    if (!s->error)
        s->error = admission_pass(s->r, s->app->routes);
    if (!s->error)
        s->error = s->r->route->handler(s->r);
}

static void answer(void *arg)
{
    struct serving *s = arg;
    struct request *r = s->r;
    if (s->error == ERR_METHOD_NOT_ALLOWED) /* ours, or the web server's */
        http_add_header(&r->response, STR("Allow"),
                        route_allow(r->arena, s->app->routes, r->http.path));
    if (s->error)
        page_error(r, s->error);
    http_add_header(&r->response, STR("X-Request-Id"), str_of(r->id));
    http_add_header(&r->response, STR("X-Content-Type-Options"), STR("nosniff"));
    if (!r->response.has_cache_control)
        http_add_header(&r->response, STR("Cache-Control"), STR("no-store"));
}

/* The arena is full: it is emptied, and with it goes all that the request had. */
static void start_over(struct serving *s)
{
    struct request *r = s->r;
    request_release(r);
    log_error("problem=\"the request needs more memory than memory_limit_mib\"");
    arena_reset(r->arena);
    http_response_init(r->arena, &r->response);
    r->sentence = r->field = (struct str){0};
    r->identity = (struct identity){0};
    r->http.path = r->http.query = r->http.address = r->http.body = (struct str){0};
    r->client = r->client_range = (struct str){0};
    r->http.method_name = STR("-");
    r->http.transport = s->transport;
    r->retry_after = 0;
    s->error = ERR_OUT_OF_MEMORY;
}

static void send_answer(void *arg)
{
    struct serving *s = arg;
    s->sent = http_send(s->r->arena, &s->r->http, &s->r->response, &s->sending);
}

/* Makes the answer and sends it. False when the arena was exhausted meanwhile. */
static bool respond(struct serving *s)
{
    bool whole =
        arena_guard(s->app->arena, answer, s) && arena_guard(s->app->arena, send_answer, s);
    http_send_end(&s->sending);
    return whole;
}

/* An answer that fails before any of it went out becomes an error; one that fails later is cut. */
static void respond_somehow(struct serving *s)
{
    bool whole = respond(s);
    if ((whole && s->sent) || s->sending.begun)
        return;
    if (whole) {
        http_response_init(s->r->arena, &s->r->response);
        s->error = ERR_INTERNAL;
    } else {
        start_over(s);
    }
    respond(s);
}

static void finish(struct serving *s)
{
    struct http_transport *transport = s->transport;
    if (!s->sent)
        log_error("problem=\"the answer was cut\" bytes=%llu",
                  (unsigned long long)s->sending.bytes);
    if (!s->sent && transport->abort)
        transport->abort(transport->context);
    else
        transport->finish(transport->context);
}

static void note_served(struct serving *s, int64_t started)
{
    struct request *r = s->r;
    int64_t ms = clock_monotonic() - started;
    request_metrics_count(r->route, s->error, ms);
    struct str tenant = r->identity.tenant;
    log_info("method=%s path=%s status=%d code=%s%s ms=%lld bytes=%llu tenant=%" STR_FMT
             " client=%s",
             log_quote(r->http.method_name), log_quote(str_of(r->log_path)), r->response.status,
             error_code(s->error).p, s->sending.gone ? " gone=1" : "", (long long)ms,
             (unsigned long long)s->sending.bytes, STR_ARG(tenant.n ? tenant : STR("-")),
             log_quote(r->client));
}

void app_serve(struct app *app, struct http_transport *transport)
{
    int64_t started = clock_monotonic();
    struct request r = {.arena = app->arena, .db = app->db, .conf = app->conf, .now = clock_now()};
    struct serving s = {.app = app, .transport = transport, .r = &r};
    rand_uuid(r.id);
    log_request(str_of(r.id));
    bool whole = arena_guard(app->arena, work, &s);
    db_reset(app->db);
    if (!whole)
        start_over(&s);
    respond_somehow(&s);
    request_release(&r);
    if (r.response.secret && r.response.body.n)
        crypt_wipe((char *)r.response.body.p, r.response.body.n);
    finish(&s);
    note_served(&s, started);
    log_request((struct str){0});
    arena_reset(app->arena);
}

enum { KEPT_BYTES = 64 << 20, KEPT_BLOCK = 8 << 20 };

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

static void loop(struct app *app, int64_t limit)
{
    struct http_transport transport = http_is_cgi() ? http_cgi() : http_fcgi(limit);
    struct sigaction hangup = {.sa_handler = on_hangup, .sa_flags = SA_RESTART};
    sigaction(SIGHUP, &hangup, NULL);
    signal(SIGPIPE, SIG_IGN);
    while (transport.accept(transport.context)) {
        if (reopen_log) {
            reopen_log = 0;
            log_reopen();
        }
        app_serve(app, &transport);
    }
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

/* How long a request may wait for a worker of a program, in milliseconds; 0: for ever. */
static int64_t wait_limit(const struct conf *conf, struct str name)
{
    return str_eq(name, STR("ingest")) ? conf->push_wait * CLOCK_SECOND : 0;
}

/* Who waits, and who is there at all, workers of a host see by their seats. Plain CGI has none. */
static void take_seat(const struct program *program, const char *name)
{
    const char *file = program->conf.waiting_file.s;
    uint64_t pool = app_pool(str_of(name));
    if (http_is_cgi())
        return;
    if (!seats_open(file))
        log_warn("waiting_file=%s error=%s: any number of workers may wait for a cluster",
                 log_quote(str_of(file)), log_quote(str_of(strerror(errno))));
    int seat = seats_take(pool, SEATS_MAX);
    if (wait_limit(&program->conf, str_of(name)))
        backlog_open(file, pool, seat, clock_monotonic());
}

int app_run(int argc, char **argv, const char *name, struct route_table routes)
{
    struct program program;
    if (tell_about(argc, argv, name))
        return 0;
    keep_memory();
    if (!program_open(&program, name))
        return 1;
    struct app app = {
        .conf = &program.conf, .arena = program.arena, .db = program.db, .routes = routes};
    if (conf_has_metrics(&program.conf))
        request_metrics_open(program.conf.metrics_file.s, routes);
    db_set_limit(program.db, (unsigned)patience(&program.conf, str_of(name)));
    take_seat(&program, name);
    if (program.conf.seccomp && !confine())
        log_debug("problem=\"this kernel or this build has no filter of system calls\"");
    loop(&app, wait_limit(&program.conf, str_of(name)));
    program_close(&program);
    return 0;
}

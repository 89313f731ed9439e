#include "web/serving.h"

#include "base/log.h"
#include "service/crypt.h"
#include "web/admission.h"
#include "web/ahead.h"
#include "web/page.h"
#include "web/request_metrics.h"

static void note_path(struct request *r)
{
    struct str path = str_sub(r->http.path, 0, REQUEST_LOG_PATH - 1);
    memcpy(r->log_path, path.p ? path.p : "", path.n);
    r->log_path[path.n] = '\0';
}

static void start(void *arg)
{
    struct serving *s = arg;
    struct request *r = &s->r;
    http_response_init(r->arena, &r->response);
    s->error = http_read_head(r->arena, s->transport, &r->http);
    if (s->error == ERR_BAD_REQUEST && !http_query_is_text(r->arena, r->http.query))
        refuse(r, s->error,
               "The parameters are not UTF-8 in percent-encoding: %%25 stands for a percent sign.");
    note_path(r);
    if (!s->error)
        ahead_note(r, s->app->routes);
}

static void work(void *arg)
{
    struct serving *s = arg;
    s->error = admission_pass(&s->r, s->app->routes);
    if (!s->error)
        s->error = s->r.route->handler(&s->r);
}

static void tell_methods(struct request *r, struct str allowed)
{
    http_add_header(&r->response, STR("Allow"), allowed);
    if (allowed.n)
        refuse(r, ERR_METHOD_NOT_ALLOWED, "This path has no %" STR_FMT ", but %" STR_FMT ".",
               STR_ARG(r->http.method_name), STR_ARG(allowed));
}

static void answer(void *arg)
{
    struct serving *s = arg;
    struct request *r = &s->r;
    if (s->error == ERR_METHOD_NOT_ALLOWED) /* ours, or the web server's */
        tell_methods(r, route_allow(r->arena, s->app->routes, r->http.path));
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
    struct request *r = &s->r;
    request_release(r);
    log_error("problem=\"the request needs more memory than memory_limit_mib\"");
    arena_reset(r->arena);
    http_response_init(r->arena, &r->response);
    r->sentence = r->field = r->reason = (struct str){0};
    r->identity = (struct identity){0};
    r->http.path = r->http.query = r->http.address = r->http.body = (struct str){0};
    r->client = r->client_range = (struct str){0};
    r->http.method_name = STR("-");
    r->http.transport = s->transport;
    r->retry_after = 0;
    r->left.keep = NULL;
    r->ahead.noted = false;
    s->error = ERR_OUT_OF_MEMORY;
}

static void send_answer(void *arg)
{
    struct serving *s = arg;
    s->sent = http_send(s->r.arena, &s->r.http, &s->r.response, &s->sending);
}

/* Makes the answer and sends it. False when the arena was exhausted meanwhile. */
static bool respond(struct serving *s)
{
    bool whole = arena_guard(s->r.arena, answer, s) && arena_guard(s->r.arena, send_answer, s);
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
        http_response_init(s->r.arena, &s->r.response);
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

static void note_served(struct serving *s)
{
    struct request *r = &s->r;
    int64_t ms = clock_monotonic() - s->started;
    request_metrics_count(r->route, s->error, ms);
    struct str tenant = r->identity.tenant;
    log_info("method=%s path=%s status=%d code=%s%s ms=%lld bytes=%llu tenant=%" STR_FMT
             " client=%s",
             log_quote(r->http.method_name), log_quote(str_of(r->log_path)), r->response.status,
             error_code(s->error).p, s->sending.gone ? " gone=1" : "", (long long)ms,
             (unsigned long long)s->sending.bytes, STR_ARG(tenant.n ? tenant : STR("-")),
             log_quote(r->client));
}

void serving_begin(struct serving *s, const struct app *app, struct arena *arena,
                   struct http_transport *transport, struct together *together)
{
    *s = (struct serving){.app = app, .transport = transport, .started = clock_monotonic()};
    s->r = (struct request){
        .arena = arena, .db = app->db, .conf = app->conf, .now = clock_now(), .together = together};
    rand_uuid(s->r.id);
    log_request(str_of(s->r.id));
    if (!arena_guard(arena, start, s))
        start_over(s);
}

void serving_work(struct serving *s)
{
    log_request(str_of(s->r.id));
    if (!s->error && !arena_guard(s->r.arena, work, s))
        start_over(s);
}

void serving_end(struct serving *s)
{
    struct request *r = &s->r;
    respond_somehow(s);
    request_release(r);
    if (r->response.secret && r->response.body.n)
        crypt_wipe((char *)r->response.body.p, r->response.body.n);
    finish(s);
    note_served(s);
    log_request((struct str){0});
    arena_reset(r->arena);
}

/* status: what is this service, is it alive, and how does it do; and the answer to every path that
 * nobody has.
 */
#include "base/ip.h"
#include "base/seats.h"
#include "base/version.h"
#include "codec/prometheus.h"
#include "routes.h"
#include "service/backlog.h"
#include "service/crypt.h"
#include "service/metrics.h"
#include "store/cluster.h"
#include "store/overview.h"
#include "web/app.h"
#include "web/request_metrics.h"
#include "web/page.h"

/* What this is, for whoever comes without a browser; the web server has a page for browsers. */
enum error status_product(struct request *r)
{
    static const char *const documents[] = {"agent",      "alerts", "api",   "architecture",
                                            "asvs",       "checks", "ci",    "dashboard",
                                            "operations", "peers",  "score", "scoring"};
    struct page page;
    http_add_header(&r->response, STR("Vary"), STR("Accept"));
    page_begin(r, &page);
    jw_object(&page.jw);
    JW_STR(&page.jw, "product", STR("Loadline"));
    JW_STR(&page.jw, "version", STR(LOADLINE_VERSION));
    JW_STR(&page.jw, "health", STR("/health"));
    jw_key(&page.jw, STR("documents"));
    jw_object(&page.jw);
    for (size_t i = 0; i < sizeof documents / sizeof documents[0]; i++) {
        jw_key(&page.jw, str_of(documents[i]));
        jw_str(&page.jw, arena_printf(r->arena, "/docs/%s.md", documents[i]));
    }
    jw_object_end(&page.jw);
    jw_object_end(&page.jw);
    return page_json(r, 200, &page);
}

/* What an operator does about it differs; who asks learns no more than that. */
static struct str reason_name(enum db_reason reason)
{
    static const char *const names[] = {[DB_UNREACHABLE] = "unreachable",
                                        [DB_READ_ONLY] = "read_only",
                                        [DB_CUT_OFF] = "cut_off",
                                        [DB_DISK_FULL] = "disk_full",
                                        [DB_TOO_MANY_CONNECTIONS] = "too_many_connections"};
    return str_of(names[reason]);
}

/* 200 while the database answers, else 503: a load balancer then takes this host out. */
enum error status_health(struct request *r)
{
    struct page page;
    enum error e = db_ping(r->db);
    if (e == ERR_DATABASE_UNAVAILABLE)
        r->reason = reason_name(db_reason(r->db));
    if (e)
        return e;
    page_begin(r, &page);
    jw_object(&page.jw);
    JW_STR(&page.jw, "status", STR("ok"));
    JW_STR(&page.jw, "database", STR("ok"));
    JW_BOOL(&page.jw, "durable", db_is_durable(r->db));
    JW_STR(&page.jw, "version", STR(LOADLINE_VERSION));
    JW_TIME(&page.jw, "time", r->now);
    jw_object_end(&page.jw);
    return page_json(r, 200, &page);
}

/* ---- GET /metrics ---- */

static bool is_token(struct request *r)
{
    unsigned char wanted[CRYPT_DIGEST], given[CRYPT_DIGEST];
    struct str scheme, token, header = http_header(&r->http, "AUTHORIZATION");
    if (!str_cut(header, ' ', &scheme, &token) || !str_eq_nocase(scheme, STR("Bearer")))
        return false;
    crypt_sha256(str_of(r->conf->metrics_token.s), wanted);
    crypt_sha256(str_trim(token), given);
    return crypt_equal(wanted, given, CRYPT_DIGEST);
}

/* Names and scores of all tenants are not for everybody: an address or a token must be right. To
 * others than who could have a token there is nothing here. */
static enum error admit(struct request *r)
{
    struct ip client;
    if (ip_parse(r->client, &client) && ip_in_ranges(&client, str_of(r->conf->metrics_allow.s)))
        return ERR_OK;
    if (!r->conf->metrics_token.s[0])
        return ERR_NOT_FOUND;
    if (is_token(r))
        return ERR_OK;
    return http_header(&r->http, "AUTHORIZATION").n ? ERR_BAD_TOKEN : ERR_UNAUTHORIZED;
}

static void put_gauge(struct buf *out, const char *name, const char *help, int64_t value)
{
    prometheus_family(out, name, "gauge", help);
    prometheus_sample(out, &(struct prometheus_sample){.name = name, .value = value, .scale = 1});
}

static void put_build(struct buf *out)
{
    static const char name[] = "loadline_build_info";
    prometheus_family(out, name, "gauge", "Always 1; the labels say which build runs.");
    prometheus_sample(out,
                      &(struct prometheus_sample){.name = name,
                                                  .labels = {{"version", STR(LOADLINE_VERSION)},
                                                             {"compiler", STR(__VERSION__)}},
                                                  .value = 1,
                                                  .scale = 1});
}

static void put_clusters(struct buf *out, const struct overview *overview, const char *name,
                         const char *help, bool age, struct request *r)
{
    int64_t now = r->now, stale = r->conf->stale_block * 1000 + CLOCK_SECOND;
    prometheus_family(out, name, "gauge", help);
    for (size_t i = 0; i < overview->n; i++) {
        const struct overview_cluster *cluster = &overview->clusters[i];
        prometheus_sample(
            out, &(struct prometheus_sample){
                     .name = name,
                     .labels = {{"tenant", cluster->tenant}, {"cluster", cluster->name}},
                     .value = age ? cluster_age(cluster->taken, now, stale) : cluster->score_exact,
                     .scale = age ? 1000 : 100});
    }
}

static void put_deliveries(struct buf *out, const struct overview *overview)
{
    static const char name[] = "loadline_deliveries";
    prometheus_family(out, name, "gauge", "Messages that are not delivered, by their state.");
    for (int i = 0; i < 2; i++)
        prometheus_sample(out, &(struct prometheus_sample){
                                   .name = name,
                                   .labels = {{"state", i ? STR("gave_up") : STR("queued")}},
                                   .value = i ? overview->gave_up : overview->queued,
                                   .scale = 1});
}

/* Rows of a program stand together or apart: it is told at its first. */
static bool is_first_of_program(struct route_table table, size_t i)
{
    size_t first = 0;
    while (strcmp(table.rows[first].program, table.rows[i].program) != 0)
        first++;
    return first == i;
}

/* A slot that its watcher has given up is missing here. */
static void put_workers(struct buf *out)
{
    static const char name[] = "loadline_workers";
    struct route_table table = routes();
    prometheus_family(out, name, "gauge", "Workers of this host that run, by program.");
    for (size_t i = 0; i < table.n; i++) {
        struct str program = str_of(table.rows[i].program);
        bool is_this = str_eq(program, STR("status")); /* its own seat no process sees */
        if (is_first_of_program(table, i))
            prometheus_sample(out, &(struct prometheus_sample){
                                       .name = name,
                                       .labels = {{"program", program}},
                                       .value = (int64_t)seats_count(app_pool(program)) + is_this,
                                       .scale = 1});
    }
}

/* While the database is away, what is known without it is told all the same. */
enum error status_metrics(struct request *r)
{
    struct buf out = buf_init(r->arena, PAGE_MAX);
    struct overview overview;
    enum error e = admit(r);
    if (e)
        return e;
    bool up = overview_fetch(r->db, r->arena, &overview) == ERR_OK;
    put_build(&out);
    put_gauge(&out, "loadline_database_up", "Whether the database answers.", up);
    if (up) {
        db_ping(r->db);
        put_gauge(&out, "loadline_database_durable",
                  "Whether a commit is on disk when it is answered.", db_is_durable(r->db));
        put_clusters(&out, &overview, "loadline_cluster_score", "The latest score, 0 to 100.",
                     false, r);
        put_clusters(&out, &overview, "loadline_cluster_snapshot_age_seconds",
                     "Age of the snapshot that the score is of.", true, r);
        put_deliveries(&out, &overview);
    }
    if (!http_is_cgi()) {
        put_workers(&out);
        put_gauge(&out, "loadline_pushes_waiting", "Pushes that workers of this host have waiting.",
                  backlog_count(r->conf->waiting_file.s, app_pool(STR("ingest"))));
    }
    metrics_expose(&out);
    request_metrics_write(&out);
    if (out.full)
        return ERR_OUT_OF_MEMORY;
    return page_body(r, 200, STR(PROMETHEUS_TYPE), buf_str(&out));
}

int main(int argc, char **argv)
{
    return app_run(argc, argv, "status", routes());
}

#include "web/request_metrics.h"

#include "base/counters.h"
#include "codec/prometheus.h"

/* Of each route: how many answers of each code, how many within each of these milliseconds (and
 * longer), and all their milliseconds together. One more route stands for paths that nobody has. */
static const int64_t bounds[] = {5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10000};
enum {
    BOUNDS = sizeof bounds / sizeof *bounds,
    AT_TIMES = ERR_COUNT,
    AT_SUM = AT_TIMES + BOUNDS + 1,
    STRIDE
};

static const char requests_name[] = "loadline_requests_total";
static const char seconds_name[] = "loadline_request_duration_seconds";

static struct counters counters;
static struct route_table table;

static struct str method_of(size_t i)
{
    static const char *const names[] = {
        [HTTP_GET] = "GET", [HTTP_HEAD] = "HEAD",   [HTTP_POST] = "POST",
        [HTTP_PUT] = "PUT", [HTTP_PATCH] = "PATCH", [HTTP_DELETE] = "DELETE"};
    return str_of(i < table.n ? names[table.rows[i].method] : "other");
}

static struct str path_of(size_t i)
{
    return str_of(i < table.n ? table.rows[i].path : "other");
}

static uint64_t layout(void)
{
    uint64_t hash = str_hash(0, (struct str){(const char *)bounds, sizeof bounds});
    for (size_t i = 0; i < table.n; i++)
        hash = str_hash(str_hash(hash, method_of(i)), path_of(i));
    for (int e = 0; e < ERR_COUNT; e++)
        hash = str_hash(hash, error_code((enum error)e));
    return hash;
}

void request_metrics_open(const char *path, struct route_table routes)
{
    table = routes;
    counters_open(&counters, path, layout(), (routes.n + 1) * STRIDE);
}

void request_metrics_count(const struct route *route, enum error e, int64_t ms)
{
    size_t at = (route ? (size_t)(route - table.rows) : table.n) * STRIDE, i = 0;
    while (i < BOUNDS && ms > bounds[i])
        i++;
    counters_add(&counters, at + e, 1);
    counters_add(&counters, at + AT_TIMES + i, 1);
    counters_add(&counters, at + AT_SUM, ms > 0 ? (uint64_t)ms : 0);
}

static uint64_t count_of(size_t route, size_t i)
{
    return counters_get(&counters, route * STRIDE + i);
}

static void expose_codes(struct buf *out, size_t route)
{
    for (int e = 0; e < ERR_COUNT; e++) {
        uint64_t n = count_of(route, (size_t)e);
        if (n == 0 && e != ERR_OK)
            continue;
        prometheus_sample(
            out, &(struct prometheus_sample){.name = requests_name,
                                             .labels = {{"method", method_of(route)},
                                                        {"path", path_of(route)},
                                                        {"code", error_code((enum error)e)}},
                                             .value = (int64_t)n,
                                             .scale = 1});
    }
}

static void expose_value(struct buf *out, size_t route, const char *suffix, struct str le,
                         uint64_t value, unsigned scale)
{
    prometheus_sample(out, &(struct prometheus_sample){.name = seconds_name,
                                                       .suffix = suffix,
                                                       .labels = {{"method", method_of(route)},
                                                                  {"path", path_of(route)},
                                                                  {le.p ? "le" : NULL, le}},
                                                       .value = (int64_t)value,
                                                       .scale = scale});
}

/* Buckets of Prometheus count what is below, too. */
static void expose_times(struct buf *out, size_t route)
{
    uint64_t n = 0;
    char le[32];
    for (size_t i = 0; i < BOUNDS; i++) {
        n += count_of(route, AT_TIMES + i);
        snprintf(le, sizeof le, "%g", (double)bounds[i] / 1000);
        expose_value(out, route, "_bucket", str_of(le), n, 1);
    }
    n += count_of(route, AT_TIMES + BOUNDS);
    expose_value(out, route, "_bucket", STR("+Inf"), n, 1);
    expose_value(out, route, "_sum", (struct str){0}, count_of(route, AT_SUM), 1000);
    expose_value(out, route, "_count", (struct str){0}, n, 1);
}

void request_metrics_write(struct buf *out)
{
    prometheus_family(out, requests_name, "counter", "Requests by the code of their answer.");
    for (size_t route = 0; route <= table.n; route++)
        expose_codes(out, route);
    prometheus_family(out, seconds_name, "histogram",
                      "Seconds from a request's arrival at a worker to the end of its answer.");
    for (size_t route = 0; route <= table.n; route++)
        expose_times(out, route);
}

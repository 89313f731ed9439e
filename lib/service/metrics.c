#include "service/metrics.h"

#include <errno.h>

#include "base/counters.h"
#include "base/log.h"
#include "codec/prometheus.h"

static const struct row {
    const char *family, *label, *value, *help;
} rows[METRIC_COUNT] = {
#define METRIC(name, family, label, value, help) {family, label, value, help},
#include "service/metrics.def"
#undef METRIC
};

static struct counters counters;

static uint64_t layout(void)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < METRIC_COUNT; i++)
        hash = str_hash(str_hash(hash, str_of(rows[i].family)), str_of(rows[i].value));
    return hash;
}

void metrics_open(const char *path)
{
    if (!counters_open(&counters, path, layout(), METRIC_COUNT) && *path)
        log_warn("metrics file=%s error=\"%s\"", log_quote(str_of(path)), strerror(errno));
}

void metrics_add(enum metric metric, uint64_t n)
{
    counters_add(&counters, metric, n);
}

static const char *type_of(const struct row *row)
{
    return str_has_suffix(str_of(row->family), STR("_total")) ? "counter" : "gauge";
}

void metrics_expose(struct buf *out)
{
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        const struct row *row = &rows[i];
        if (i == 0 || strcmp(row->family, rows[i - 1].family) != 0)
            prometheus_family(out, row->family, type_of(row), row->help);
        prometheus_sample(out,
                          &(struct prometheus_sample){
                              .name = row->family,
                              .labels = {{*row->label ? row->label : NULL, str_of(row->value)}},
                              .value = (int64_t)counters_get(&counters, i),
                              .scale = 1});
    }
}

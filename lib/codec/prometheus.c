#include "codec/prometheus.h"

/* quotes: of a label's value. */
static void put_escaped(struct buf *out, struct str s, bool quotes)
{
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        if (c == '\n') {
            buf_put(out, STR("\\n"));
        } else if (c == '\\' || (c == '"' && quotes)) {
            buf_putc(out, '\\');
            buf_putc(out, c);
        } else {
            buf_putc(out, c);
        }
    }
}

void prometheus_family(struct buf *out, const char *name, const char *type, const char *help)
{
    buf_printf(out, "# HELP %s ", name);
    put_escaped(out, str_of(help), false);
    buf_printf(out, "\n# TYPE %s %s\n", name, type);
}

static void put_labels(struct buf *out, const struct prometheus_label *labels)
{
    size_t n = 0;
    for (size_t i = 0; i < PROMETHEUS_LABELS_MAX; i++) {
        if (!labels[i].name)
            continue;
        buf_printf(out, "%s%s=\"", n++ ? "," : "{", labels[i].name);
        put_escaped(out, labels[i].value, true);
        buf_putc(out, '"');
    }
    if (n)
        buf_putc(out, '}');
}

void prometheus_sample(struct buf *out, const struct prometheus_sample *sample)
{
    int digits = sample->scale == 1000 ? 3 : sample->scale == 100 ? 2 : 0;
    uint64_t value = sample->value < 0 ? 0 - (uint64_t)sample->value : (uint64_t)sample->value;
    buf_printf(out, "%s%s", sample->name, sample->suffix ? sample->suffix : "");
    put_labels(out, sample->labels);
    buf_printf(out, " %s%llu", sample->value < 0 ? "-" : "",
               (unsigned long long)(digits ? value / sample->scale : value));
    if (digits)
        buf_printf(out, ".%0*llu", digits, (unsigned long long)(value % sample->scale));
    buf_putc(out, '\n');
}

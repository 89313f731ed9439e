/* prometheus: metrics in Prometheus' text format 0.0.4, into a buf.
 *
 * A family is begun once and followed by all of its samples. Label values and help are UTF-8 and
 * escaped here; names are literals.
 */
#ifndef LOADLINE_CODEC_PROMETHEUS_H
#define LOADLINE_CODEC_PROMETHEUS_H

#include "base/buf.h"

#define PROMETHEUS_TYPE "text/plain; version=0.0.4; charset=utf-8"

struct prometheus_label {
    const char *name; /* NULL: none */
    struct str value;
};
enum { PROMETHEUS_LABELS_MAX = 3 };

/* type: "counter", "gauge", "histogram". */
void prometheus_family(struct buf *out, const char *name, const char *type, const char *help);

/* One value of the family `name`; of a histogram, suffix is "_bucket", "_sum" or "_count". The
 * value is a whole number of 1/scale: scale 1, 100 or 1000. */
struct prometheus_sample {
    const char *name, *suffix;
    struct prometheus_label labels[PROMETHEUS_LABELS_MAX];
    int64_t value;
    unsigned scale;
};
void prometheus_sample(struct buf *out, const struct prometheus_sample *sample);

#endif

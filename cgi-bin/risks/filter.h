/* filter: which risks a list shows. */
#ifndef LOADLINE_RISKS_FILTER_H
#define LOADLINE_RISKS_FILTER_H

#include "score/result.h"
#include "web/request.h"

struct filter {
    int category, severity;      /* -1: any */
    struct str check, namespace; /* absent: any */
};

/* The parameters category, severity, check and namespace. INVALID_FIELD. */
enum error filter_read(struct request *r, struct filter *filter);
bool filter_passes(const struct filter *filter, const struct risk *risk);

#endif

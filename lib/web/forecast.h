/* forecast: what the score of a cluster will be when a manifest is applied: the stored snapshot is
 * judged again, at its time, without the manifest and with it. */
#ifndef LOADLINE_WEB_FORECAST_H
#define LOADLINE_WEB_FORECAST_H

#include "gate/prediction.h"
#include "gate/proposal.h"
#include "gate/rollout.h"
#include "store/cluster.h"
#include "store/gate_summary.h"
#include "web/request.h"

struct forecast {
    struct cluster_row *cluster;  /* at the moment of which the prediction is */
    struct gate_summary *summary; /* of that moment */
    struct proposal proposal;
    struct prediction prediction;
    struct rollout rollout;
    const struct ledger *after; /* with the manifest */
};

/* namespace: of objects that name none. INVALID_FIELD, TOO_LARGE, TOO_COMPLEX (too many objects, or
 * too much work), RATE_LIMITED, UNKNOWN_CLUSTER, NO_SNAPSHOT. */
enum error forecast_make(struct request *r, struct str cluster_name, struct str manifest,
                         struct str namespace, struct forecast *forecast);

#endif

/* posture: the report of a whole cluster: score, categories, deployments, pods, risks and nodes, a
 * record each, as JSON and as CSV with the same records. Pure; output goes to a sink in pieces.
 */
#ifndef LOADLINE_REPORT_POSTURE_H
#define LOADLINE_REPORT_POSTURE_H

#include "codec/source.h"
#include "score/score.h"

struct posture {
    struct str cluster_name, provider, region, verdict;
    bool partial;             /* the snapshot shows some namespaces only */
    int64_t generated, taken; /* taken: when the snapshot was */
    int64_t score, score_exact;
    struct category_result categories[CATEGORY_COUNT];
    const struct cluster *cluster;
    const struct risk *risks;
    const int64_t *first_seen; /* one a risk */
    uint32_t risks_n;
};

/* False when the sink refused, or a single record is larger than 1 MiB. The arena holds what is
 * made on the way: some bytes a record. */
bool posture_json(struct arena *arena, const struct posture *posture, struct sink out);
bool posture_csv(struct arena *arena, const struct posture *posture, struct sink out);

/* OCSF 1.3.0 Compliance Findings (class 2003), one JSON object a line and a risk. */
bool posture_ocsf(struct arena *arena, const struct posture *posture, struct sink out);

#endif

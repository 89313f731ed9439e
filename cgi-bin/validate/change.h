/* What the gate is asked about: a change to a cluster, as a body or a query says it. */
#ifndef LOADLINE_VALIDATE_CHANGE_H
#define LOADLINE_VALIDATE_CHANGE_H

#include "kube/release.h"
#include "web/request.h"

struct change {
    struct str cluster_name, resource, namespace, action, image, user, source, target_version,
        baseline;
    struct str manifest;   /* JSON; absent: there is none */
    struct release target; /* major 0: none is asked about */
};

/* From a JSON body, or the X-Cluster-Id beside it. INVALID_FIELD, MISSING_FIELD, and those of
 * bodies. */
enum error change_read(struct request *r, struct change *change);
/* From a query, which has no manifest, user and source. INVALID_FIELD, MISSING_FIELD. */
enum error change_read_query(struct request *r, struct change *change);

/* What a job sends by mistake is neither answered nor kept. The columns have room for what is left.
 */
void change_cut_secrets(struct arena *arena, struct change *change);

#endif

/* deploys: what the deploys that were handed in beside the snapshot say of a workload. They are
 * asked where the snapshot itself has nothing to say.
 */
#ifndef LOADLINE_SCORE_DEPLOYS_H
#define LOADLINE_SCORE_DEPLOYS_H

#include "kube/deployed.h"
#include "score/check.h"

/* Other templates that were put in force before the snapshot, which does not tell of itself, and
 * not before the workload was made: then it was another one of that name. */
struct deploys {
    uint32_t today;              /* within 24 h */
    const struct deployed *last; /* within DEPLOYED_MS; NULL: none, or none were handed in */
};

struct deploys deploys_of(const struct check_context *context, const struct workload *workload);

#endif

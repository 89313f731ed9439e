/* api_use: API versions in use that some release of Kubernetes does not serve. Whether a certain
 * release does is asked later: by the gate.
 */
#ifndef LOADLINE_SCORE_API_USE_H
#define LOADLINE_SCORE_API_USE_H

#include "kube/api_removal.h"
#include "score/policy.h"

struct api_use {
    const struct api_removal *removal;
    uint32_t objects;            /* that were written for it */
    const struct object *sample; /* the first of them */
};

/* At most one a row of api_removal.def, in the order of these rows. */
typedef LIST(struct api_use) api_use_list;

/* Of the objects that check_api_version_removed() is asked about; one that was written for several
 * counts for the one that goes first. */
api_use_list api_use_of(struct arena *arena, const struct cluster *cluster,
                        const struct score_policy *policy);

#endif

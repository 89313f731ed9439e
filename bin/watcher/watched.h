/* watched: the kinds that are watched: those that a check reads (kube/kinds.def), but for two.
 *
 *   Secrets     never leave the cluster, and the agent's role does not let it read them
 *   Endpoints   EndpointSlices say the same
 */
#ifndef LOADLINE_BIN_WATCHER_WATCHED_H
#define LOADLINE_BIN_WATCHER_WATCHED_H

#include "kube/kinds.h"

struct watched {
    enum kind kind;
    struct str resource;  /* as the API calls it: "pods" */
    struct str groups;    /* with a comma between; "core" is the one without a name */
    struct str namespace; /* the only one that is of interest; empty: all */
    bool quiet;           /* its changes are no reason to push: it changes all the time */
};

/* The kinds in the order of kinds.def: fills in the next one from *at on, 0 at first. False when
 * there is none. */
bool watched_next(size_t *at, struct watched *one);
/* The groups that it is of. */
bool watched_has_group(const struct watched *one, struct str group);

#endif

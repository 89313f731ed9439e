/* deployed: what was deployed lately, as far as checks read it. Deploys are no part of a snapshot:
 * successive ones tell of them (gate/deploy.h). Whoever keeps them hands these over with the
 * snapshot that is judged.
 */
#ifndef LOADLINE_KUBE_DEPLOYED_H
#define LOADLINE_KUBE_DEPLOYED_H

#include "base/clock.h"
#include "base/list.h"
#include "kube/kinds.h"

/* What is older nobody has to hand over. */
#define DEPLOYED_MS (7 * CLOCK_DAY)

/* Another template of a workload was put in force. */
struct deployed {
    int64_t at; /* time of the snapshot that showed it */
    struct str namespace, name;
    enum kind kind;
    bool image;       /* with other images; else with the same ones */
    bool rolled_back; /* it is the one before the last one */
};
typedef LIST(struct deployed) deployed_list;

/* `event` and `changes` are those of GET /api/deploys, its changes separated by blanks. False when
 * it is about no other template: then it is nothing that checks read. */
bool deployed_take(struct str event, struct str changes, struct deployed *deployed);

/* Into an order in which the same deploys are the same list, whichever way they came, each once. */
void deployed_sort(deployed_list *list);

/* Those of a workload, by time. The list is sorted. A slice of it. */
deployed_list deployed_of(const deployed_list *list, enum kind kind, struct str namespace,
                          struct str name);

#endif

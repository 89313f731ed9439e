/* family: a workload of a change with its ReplicaSets and pods, changed together, so that what the
 * controller says of its pods stays true. */
#ifndef LOADLINE_TESTS_FAMILY_H
#define LOADLINE_TESTS_FAMILY_H

#include "change.h"

/* What a pod looks like that has gone wrong, or well. Fragments as in change.h. */
struct pod_picture {
    const char *phase;
    bool ready;
    bool placed;           /* on a node */
    const char *container; /* members of the status of each container; NULL: there is none yet */
    const char *init;      /* the same of a container that comes first; or NULL */
    const char *event;     /* reason of a Warning about it; or NULL */
};

extern const struct pod_picture pod_well;

/* For change_pick(): a controller at the top with a status, that wants pods; that has them all and
 * they are ready; of which some are missing. */
bool family_is_live(struct change *change, uint32_t at);
bool family_is_well(struct change *change, uint32_t at);
bool family_is_well_and_several(struct change *change, uint32_t at);
bool family_is_unwell(struct change *change, uint32_t at);
/* A workload with a pod spec: any controller at the top, or a pod of nobody. */
bool family_has_spec(struct change *change, uint32_t at);

/* At most so many pods of it get the picture; its status says how many are ready then. A workload
 * whose pods are not shown gets the status of one that lost so many. */
void family_paint(struct change *change, uint32_t at, const struct pod_picture *picture,
                  unsigned pods);
/* The pods on the node that are ready, or that are not, become what the picture says, the other way
 * round, and the controllers say so too. */
void family_paint_node(struct change *change, struct str node, const struct pod_picture *picture);
/* Calls edit with every pod spec of the workload: its own, its ReplicaSets', its pods'. */
void family_edit_spec(struct change *change, uint32_t at,
                      void (*edit)(struct change *change, struct json_object *spec));
/* Wants one pod more, and has it, as ready as the first, on another node. False when its pods are
 * not shown. */
bool family_grow(struct change *change, uint32_t at);
void family_remove_pods(struct change *change, uint32_t at);

#endif

/* linker: what the parts of link share. Nobody else includes it. */
#ifndef LOADLINE_READER_LINKER_H
#define LOADLINE_READER_LINKER_H

#include "kube/object_index.h"
#include "kube/model.h"

struct linker {
    struct arena *arena;
    struct cluster *cluster;
    LIST(struct workload *) added; /* workloads that are not in the snapshot */
    struct object_index *index;    /* workloads, services, nodes, leases */
};

/* Pods and workloads to their owners; fills roots. */
void link_owners(struct linker *linker);
/* Labels that the API server gives templates, where nobody has written them: after link_owners().
 */
void link_labels(struct linker *linker);
/* Services to the pods and workloads that they select, and to their endpoints. */
void link_services(struct linker *linker);

#endif

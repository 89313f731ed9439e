/* scope_link: the objects of a cluster that have risks, and who leans on them. A part of
 * scope_text(). */
#ifndef LOADLINE_GATE_SCOPE_LINK_H
#define LOADLINE_GATE_SCOPE_LINK_H

#include "base/table.h"
#include "gate/scope_line.h"
#include "kube/object_index.h"
#include "score/score.h"

/* An object with risks; one that has risks of several roles is several. */
struct scope_place {
    const struct object *object;
    enum scope_role role;
    uint32_t number;
    uint32_t risks;
    int64_t points;
    uint32_t first, last; /* of its risks: one more than their places in the ledger */
    uint32_t root;        /* that was linked with it last, and one more */
};

struct scope_root { /* of cluster->roots */
    const struct workload *workload;
    uint32_t ordinal;
    LIST(uint32_t) numbers; /* of places that it leans on, each once */
    /* set by scope_draft() */
    int64_t wanted, ready, state, since;
};

enum { SCOPE_LINKS_MAX = 20000 }; /* of a cluster; what is beyond is not told */

struct scope_links {
    struct arena *arena;
    const struct cluster *cluster;
    LIST(struct scope_place) places;
    struct table by_object;
    uint64_t kinds;           /* bits of the kinds that places of SCOPE_ROLE_NONE have */
    struct scope_root *roots; /* parallel to cluster->roots */
    struct table by_workload;
    uint32_t n;
};

/* NULL: it has none of that role. */
struct scope_place *scope_find_place(const struct scope_links *links, const struct object *object,
                                     enum scope_role role);
/* Sets roots. The places are there. */
void scope_link(struct scope_links *links);

/* The object of a sorted list that is called so; NULL: there is none. */
#define SCOPE_FIND_NAMED(list, namespace_, name_, found)                                           \
    do {                                                                                           \
        uint32_t at_;                                                                              \
        OBJECTS_LOWER_BOUND(list, namespace_, name_, at_);                                         \
        (found) =                                                                                  \
            at_ < (list).n && !object_name_order(&(list).items[at_]->object, namespace_, name_)    \
                ? (list).items[at_]                                                                \
                : NULL;                                                                            \
    } while (0)

#endif

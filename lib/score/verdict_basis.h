/* verdict_basis: what the verdicts of local checks (struct check) on a workload follow from, as
 * numbers that can be compared. */
#ifndef LOADLINE_SCORE_VERDICT_BASIS_H
#define LOADLINE_SCORE_VERDICT_BASIS_H

#include "score/around.h"

typedef LIST(uint64_t) basis_list;

/* What is told of the nodes of pods that were met last, by the address of the node. */
enum { BASIS_NODES = 256 }; /* a power of two */
struct basis_nodes {
    struct basis_node {
        const struct node *node;
        uint64_t state;
    } of[BASIS_NODES];
};

/* Adds to an empty basis all of the workload; the first number is that of its own content. No two
 * workloads have the same numbers by chance. False: of an object nobody knows from what it was
 * read. left_out: it is asked nothing of policy and history. */
bool basis_put(struct arena *arena, struct basis_nodes *nodes, basis_list *basis,
               const struct workload *workload, const struct around *around, bool left_out);

#endif

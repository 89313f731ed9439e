/* kitchen: what the parts of recipe.h share. */
#ifndef LOADLINE_TESTS_KITCHEN_H
#define LOADLINE_TESTS_KITCHEN_H

#include "recipe.h"

struct kitchen {
    struct arena *arena;
    const struct recipe *recipe;
    struct objects objects;
    uint64_t seed;
};

enum pod_state { POD_WELL, POD_LOOPS, POD_UNPULLABLE, POD_STRANDED, POD_STATES };

/* One more object: JSON with ' in the place of ". */
void kitchen_put(struct kitchen *kitchen, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The node of the i-th pod of a workload: every order of nodes is as likely for a workload. */
unsigned kitchen_node(const struct kitchen *kitchen, unsigned workload, unsigned i);
bool kitchen_is_dead(const struct kitchen *kitchen, unsigned node);
/* A Pod's status of one container, "'status':{...}"; it has been so for hours. */
const char *kitchen_pod_status(const struct kitchen *kitchen, enum pod_state state,
                               const char *container);

/* Nodes; then what a cluster has beside its applications; then pods and jobs without one. */
void kitchen_put_nodes(struct kitchen *kitchen);
void kitchen_put_system(struct kitchen *kitchen);
void kitchen_put_operators(struct kitchen *kitchen);
void kitchen_put_batch(struct kitchen *kitchen, const char *namespace);

#endif

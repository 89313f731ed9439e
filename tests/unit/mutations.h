/* mutations: what can happen to a cluster, and which way its score may go then. A row applies one;
 * the rows are in mutations_*.c, by what they touch. */
#ifndef LOADLINE_TESTS_MUTATIONS_H
#define LOADLINE_TESTS_MUTATIONS_H

#include "change.h"

enum direction {
    NEVER_RAISES,
    NEVER_LOWERS,
    FORCES_BLOCK,  /* below 50, whatever the rest */
    FORCES_BOTTOM, /* below 20 */
    FORBIDS_SAFE,  /* below 70 */
    CHANGES_NOTHING
};

struct mutation {
    const char *name;
    enum direction direction;
    /* False when the cluster holds nothing that this can happen to. */
    bool (*apply)(struct change *change);
    const void *what; /* for change.what */
};

struct mutation_table {
    const struct mutation *rows;
    size_t n;
};

extern const struct mutation_table mutations_of_pods, mutations_of_specs, mutations_of_objects,
    mutations_of_clusters;

enum { MUTATION_TABLES = 4 };
extern const struct mutation_table *const mutation_tables[MUTATION_TABLES];

#define MUTATION_TABLE(rows)                                                                       \
    {                                                                                              \
        rows, sizeof(rows) / sizeof *(rows)                                                        \
    }

#endif

/* keyed_cluster: clusters together with the API key that asks about them, in one statement. It
 * says only what is there: whoever finds nothing by it asks apikey_find() and cluster_find(), which
 * tell what is missing.
 */
#ifndef LOADLINE_STORE_KEYED_CLUSTER_H
#define LOADLINE_STORE_KEYED_CLUSTER_H

#include "store/apikey.h"
#include "store/cluster.h"

enum { KEYED_CLUSTERS_MAX = 8 };

struct keyed_cluster {
    struct apikey key;
    struct cluster_row cluster; /* of the key's tenant */
};

struct keyed_clusters {
    size_t n;
    struct keyed_cluster *items; /* in no order */
};

/* Clusters of these names, 1 to KEYED_CLUSTERS_MAX, of the tenant whose key has that hash and is
 * neither revoked nor expired. What the key is bound to is not looked at. */
enum error keyed_cluster_find(struct db *db, struct arena *arena,
                              const unsigned char hash[CRYPT_DIGEST], int64_t now,
                              const struct str *names, size_t n, struct keyed_clusters *found);

#endif

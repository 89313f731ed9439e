#include "store/keyed_cluster.h"

#include "base/asserts.h"

#define STATEMENTS "store/keyed_cluster.def"
#include "db/statements.inc"

enum error keyed_cluster_find(struct db *db, struct arena *arena,
                              const unsigned char hash[CRYPT_DIGEST], int64_t now,
                              const struct str *names, size_t n, struct keyed_clusters *found)
{
    struct str digest = {(const char *)hash, CRYPT_DIGEST}, all[KEYED_CLUSTERS_MAX];
    assert(n >= 1 && n <= KEYED_CLUSTERS_MAX);
    if (n == 1)
        return DB_ROWS(db, arena, &found->items, &found->n, keyed_cluster_by_name,
                       .key_hash = digest, .now = now, .name = names[0]);
    for (size_t i = 0; i < KEYED_CLUSTERS_MAX; i++) /* the last one fills what is left */
        all[i] = names[i < n ? i : n - 1];
    return DB_ROWS(db, arena, &found->items, &found->n, keyed_cluster_by_names, .key_hash = digest,
                   .now = now, .name = all[0], .second = all[1], .third = all[2], .fourth = all[3],
                   .fifth = all[4], .sixth = all[5], .seventh = all[6], .eighth = all[7]);
}

#include "web/known_cluster.h"

#include "service/metrics.h"

static struct cluster_memory *clusters;
static uint64_t counted; /* bytes that this process has in METRIC_MEMORY_BYTES */

static void count_bytes(void)
{
    uint64_t bytes = cluster_memory_bytes(clusters);
    metrics_add(METRIC_MEMORY_BYTES, bytes - counted);
    counted = bytes;
}

const struct known_cluster *known_cluster(struct request *r, struct str cluster)
{
    if (!clusters)
        clusters = cluster_memory_new((size_t)r->conf->cluster_memory_mib << 20);
    return cluster_memory_of(clusters, r->identity.tenant, cluster);
}

void known_cluster_count(const struct known_cluster *known)
{
    if (!known)
        return;
    struct object_memory_use use = object_memory_use(known->objects);
    metrics_add(METRIC_MEMORY_KNOWN, use.known);
    metrics_add(METRIC_MEMORY_READ, use.read);
    count_bytes();
}

void known_cluster_end(void)
{
    cluster_memory_free(clusters);
    clusters = NULL;
    count_bytes();
}

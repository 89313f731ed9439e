#include "web/cluster_memory.h"

#include <stdlib.h>

/* Of text that is not packed, a cluster. */
enum { LOOSE = 64 * 1024 };

struct slot {
    struct slot *next;
    struct known_cluster known;
    size_t tenant_n, cluster_n;
    char name[]; /* tenant, then cluster */
};

struct cluster_memory {
    size_t limit;
    struct slot *first; /* the one asked for last, and so on */
};

struct cluster_memory *cluster_memory_new(size_t limit)
{
    struct cluster_memory *clusters = limit ? calloc(1, sizeof *clusters) : NULL;
    if (clusters)
        clusters->limit = limit;
    return clusters;
}

static void free_known(const struct known_cluster *known)
{
    object_memory_free(known->objects);
    delta_memory_free(known->texts);
    document_memory_free(known->document);
    verdict_memory_free(known->verdicts);
}

static void free_slot(struct slot *slot)
{
    free_known(&slot->known);
    free(slot);
}

void cluster_memory_free(struct cluster_memory *clusters)
{
    while (clusters && clusters->first) {
        struct slot *first = clusters->first;
        clusters->first = first->next;
        free_slot(first);
    }
    free(clusters);
}

static bool is_of(const struct slot *slot, struct str tenant, struct str cluster)
{
    return str_eq(tenant, (struct str){slot->name, slot->tenant_n}) &&
           str_eq(cluster, (struct str){slot->name + slot->tenant_n, slot->cluster_n});
}

static struct slot *new_slot(size_t limit, struct str tenant, struct str cluster)
{
    struct slot *slot = malloc(sizeof *slot + tenant.n + cluster.n);
    struct known_cluster known = {object_memory_new(limit), delta_memory_new(),
                                  document_memory_new(limit, LOOSE), verdict_memory_new(limit)};
    if (!slot || !known.objects || !known.texts || !known.document || !known.verdicts) {
        free_known(&known);
        free(slot);
        return NULL;
    }
    *slot = (struct slot){.known = known, .tenant_n = tenant.n, .cluster_n = cluster.n};
    if (tenant.n)
        memcpy(slot->name, tenant.p, tenant.n);
    if (cluster.n)
        memcpy(slot->name + tenant.n, cluster.p, cluster.n);
    return slot;
}

/* Takes it out of the row. */
static struct slot *take(struct cluster_memory *clusters, struct str tenant, struct str cluster)
{
    struct slot **at = &clusters->first, *slot;
    while (*at && !is_of(*at, tenant, cluster))
        at = &(*at)->next;
    slot = *at;
    if (slot)
        *at = slot->next;
    return slot;
}

static size_t bytes_of(const struct slot *slot)
{
    return object_memory_bytes(slot->known.objects) + delta_memory_bytes(slot->known.texts) +
           document_memory_bytes(slot->known.document) + verdict_memory_bytes(slot->known.verdicts);
}

/* Those behind the first, as far as the limit reaches, stay. */
static void forget_oldest(struct cluster_memory *clusters)
{
    size_t bytes = bytes_of(clusters->first);
    struct slot **at = &clusters->first->next;
    while (*at) {
        struct slot *slot = *at;
        bytes += bytes_of(slot);
        if (bytes <= clusters->limit) {
            at = &slot->next;
        } else {
            *at = slot->next;
            free_slot(slot);
        }
    }
}

const struct known_cluster *cluster_memory_of(struct cluster_memory *clusters, struct str tenant,
                                              struct str cluster)
{
    struct slot *slot;
    if (!clusters)
        return NULL;
    slot = take(clusters, tenant, cluster);
    if (!slot)
        slot = new_slot(clusters->limit, tenant, cluster);
    if (!slot)
        return NULL;
    slot->next = clusters->first;
    clusters->first = slot;
    forget_oldest(clusters);
    return &slot->known;
}

size_t cluster_memory_bytes(const struct cluster_memory *clusters)
{
    size_t bytes = 0;
    for (const struct slot *slot = clusters ? clusters->first : NULL; slot; slot = slot->next)
        bytes += bytes_of(slot);
    return bytes;
}

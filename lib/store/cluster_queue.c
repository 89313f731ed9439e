#include "store/cluster_queue.h"

#include <unistd.h>

#include "base/hash.h"
#include "base/seats.h"

enum { LOOK_MS = 20, LOOKS = 12 };

static enum error wait_seated(struct db *db, struct arena *arena, const struct cluster_queue *queue,
                              struct str name, struct cluster_row **row, bool *seated)
{
    uint64_t tenant = hash_bytes(0, queue->tenant), cluster = hash_bytes(tenant, name);
    int of_tenant = seats_take(tenant, queue->tenant_max);
    int of_cluster = of_tenant < 0 ? -1 : seats_take(cluster, queue->cluster_max);
    *seated = of_cluster >= 0;
    enum error e = *seated ? cluster_lock(db, arena, name, row) : ERR_OK;
    seats_leave(cluster, of_cluster);
    seats_leave(tenant, of_tenant);
    return e;
}

enum error cluster_queue_lock(struct db *db, struct arena *arena, const struct cluster_queue *queue,
                              struct str name, struct cluster_row **row)
{
    bool seated = false;
    enum error e = cluster_lock_free(db, arena, name, row);
    for (int look = 0; !e && !*row && !seated; look++) {
        e = wait_seated(db, arena, queue, name, row, &seated);
        if (e || seated)
            break;
        if (look == LOOKS)
            return ERR_CLUSTER_BUSY;
        usleep(LOOK_MS * 1000);
        e = cluster_lock_free(db, arena, name, row);
    }
    return e;
}

#include "store/cluster_queue.h"

#include <unistd.h>

#include "base/hash.h"
#include "base/seats.h"

enum { LOOK_MS = 20, LOOKS = 12 };

struct waiting_for {
    struct db *db;
    struct arena *arena;
    struct str name;
    struct cluster_row **row;
    enum error error;
};

static void lock(void *context)
{
    struct waiting_for *w = context;
    w->error = cluster_lock(w->db, w->arena, w->name, w->row);
}

/* The seats are left however it ends: a worker lives on when its arena is exhausted. */
static enum error wait_seated(const struct cluster_queue *queue, struct waiting_for *w,
                              bool *seated)
{
    uint64_t tenant = hash_bytes(0, queue->tenant), cluster = hash_bytes(tenant, w->name);
    int of_tenant = seats_take(tenant, queue->tenant_max);
    int of_cluster = of_tenant < 0 ? -1 : seats_take(cluster, queue->cluster_max);
    *seated = of_cluster >= 0;
    bool whole = !*seated || arena_guard(w->arena, lock, w);
    seats_leave(cluster, of_cluster);
    seats_leave(tenant, of_tenant);
    if (!whole)
        arena_exhaust(w->arena);
    return w->error;
}

enum error cluster_queue_lock(struct db *db, struct arena *arena, const struct cluster_queue *queue,
                              struct str name, struct cluster_row **row)
{
    struct waiting_for w = {db, arena, name, row, ERR_OK};
    bool seated = false;
    enum error e = cluster_lock_free(db, arena, name, row);
    for (int look = 0; !e && !*row && !seated; look++) {
        e = wait_seated(queue, &w, &seated);
        if (e || seated)
            break;
        if (look == LOOKS)
            return ERR_CLUSTER_BUSY;
        usleep(LOOK_MS * 1000);
        e = cluster_lock_free(db, arena, name, row);
    }
    return e;
}

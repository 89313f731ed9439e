#include "deliver/lease.h"

void lease_init(struct leases *leases, struct db *db)
{
    leases->db = db;
    rand_uuid(leases->owner);
}

static struct delivery_lease from_now(const struct leases *leases)
{
    int64_t now = clock_now();
    return (struct delivery_lease){
        .owner = str_of(leases->owner), .now = now, .until = now + LEASE_MS};
}

enum error lease_take(struct leases *leases, struct arena *arena, struct str id,
                      struct delivery **delivery)
{
    struct delivery_lease lease = from_now(leases);
    struct delivery_left left;
    enum error e = delivery_claim(leases->db, arena, id, &lease, delivery, &left);
    if (e || !left.owner.p ||
        !stale_look(&leases->stale, id, left.owner, left.until, clock_monotonic()))
        return e;
    lease.after = left;
    return delivery_claim(leases->db, arena, id, &lease, delivery, &left);
}

bool lease_is_keeping_due(struct leases *leases)
{
    int64_t now = clock_monotonic();
    bool due = now - leases->kept >= LEASE_KEEP_MS;
    if (due)
        leases->kept = now;
    return due;
}

void lease_keep(struct leases *leases, struct arena *arena, const struct delivery *const *held,
                size_t n)
{
    struct delivery_lease lease = from_now(leases);
    delivery_keep(leases->db, arena, held, n, &lease);
    db_reset(leases->db);
    arena_reset(arena);
}

/* stored_exemption: the findings that a tenant has accepted, each for a time. One that ends stays
 * for as long as the audit trail does: it is evidence.
 */
#ifndef LOADLINE_STORE_STORED_EXEMPTION_H
#define LOADLINE_STORE_STORED_EXEMPTION_H

#include "db/db.h"
#include "score/score.h"
#include "store/cluster.h"
#include "store/keyset.h"

enum {
    EXEMPTIONS_MAX = 1000, /* of a tenant, that hold */
    EXEMPTIONS_KEPT_MAX = 10000,
    EXEMPTIONS_JUDGED_MAX = 2000, /* all that hold, and those that expired last */
    EXEMPTION_REASON_MAX = 500,
    EXEMPTION_OWNER_MAX = 200,
    EXEMPTION_NAMESPACE_MAX = 255,
    EXEMPTION_RESOURCE_MAX = 512,
    EXEMPTION_MATCHES_MAX = 100
};

struct stored_exemption {
    struct str id;
    struct str cluster_name;        /* absent: all clusters */
    struct str check;               /* its id */
    struct str namespace, resource; /* empty: any; see struct exemption */
    struct str reason, owner;
    int64_t expires;
    struct str created_by; /* e-mail */
    int64_t created, changed;
    struct str ended_by;
    int64_t ended; /* early; TIME_NONE: it was not */
    /* In the latest snapshots of the clusters, together: risks that are exempt by it, what these
     * would cost (hundredths), and risks that count again because it expired. */
    int64_t risks, would_cost, counting;
    bool waiting; /* the latest snapshot of a cluster that it is for is from before it */
};

struct stored_exemptions {
    size_t n;
    struct stored_exemption *items;
};

enum exemption_state {
    EXEMPTION_PENDING, /* no snapshot has been judged by it */
    EXEMPTION_ACTIVE,  /* a risk is exempt by it */
    EXEMPTION_UNUSED,  /* it holds, and no finding is like that */
    EXEMPTION_EXPIRED,
    EXEMPTION_ENDED /* early */
};
enum exemption_state exemption_state(const struct stored_exemption *exemption, int64_t now);
struct str exemption_state_name(enum exemption_state state);

struct exemption_filter {
    struct str id;           /* absent: any */
    struct str cluster_name; /* only what concerns this cluster; absent: all */
    struct str check;        /* absent: any */
    bool with_ended;
    struct keyset page;
};

/* Of the tenant, newest first. */
enum error exemption_page(struct db *db, struct arena *arena, const struct exemption_filter *filter,
                          struct stored_exemptions *exemptions);
/* Of the tenant that hold. */
enum error exemption_count(struct db *db, struct arena *arena, int64_t now, int64_t *count);
/* Inside a transaction: nobody else changes it until its end. NULL when the tenant has none of that
 * id that has not been ended. */
enum error exemption_lock(struct db *db, struct arena *arena, struct str id,
                          struct stored_exemption **exemption);
/* Sets the id. The tenant is locked. Of more than EXEMPTIONS_KEPT_MAX the one that has been over
 * for longest is forgotten. */
enum error exemption_create(struct db *db, struct arena *arena, struct stored_exemption *exemption);
/* Stores reason, owner, expires and changed. */
enum error exemption_update(struct db *db, const struct stored_exemption *exemption);
enum error exemption_end_early(struct db *db, struct str id, struct str by, int64_t now);
/* A cluster is deleted: what was accepted of it is not of another one of that name. */
enum error exemption_end_of_cluster(struct db *db, struct str cluster_name, int64_t now);

/* An open risk that an exemption is for. */
struct exemption_match {
    struct str cluster_name, id, namespace, resource, container, message;
    struct str exemption; /* the id of the one by which it is exempt; absent: it counts */
    int64_t would_cost;   /* hundredths, if it is exempt */
};

struct exemption_matches {
    size_t n;
    struct exemption_match *items;
};

/* At most EXEMPTION_MATCHES_MAX, by cluster and what they would cost. */
enum error exemption_match_list(struct db *db, struct arena *arena,
                                const struct stored_exemption *exemption,
                                struct exemption_matches *matches);

/* What a cluster of that name is judged by: those that hold, and those that have expired. */
enum error exemption_policy(struct db *db, struct arena *arena, struct str cluster_name,
                            exemption_list *list);
/* Those of a cluster that its latest snapshot has not been judged by. */
enum error exemption_pending(struct db *db, struct arena *arena, const struct cluster_row *cluster,
                             int64_t now, exemption_list *list);
/* Changes with every change of what risks of a cluster of that name tell of exemptions. */
enum error exemption_revision(struct db *db, struct arena *arena, struct str cluster_name,
                              int64_t *revision);
/* Keeps what each did to the latest snapshot of a cluster. */
enum error exemption_note_use(struct db *db, struct arena *arena, struct str cluster,
                              const struct ledger *ledger);

/* Forgets at most `limit` of the tenant that were over at or before `before`, first those that have
 * been for longest. For maintenance. */
enum error exemption_purge(struct db *db, int64_t before, int64_t limit, uint64_t *purged);
/* How many it would forget without a limit. */
enum error exemption_old(struct db *db, struct arena *arena, int64_t before, int64_t *count);

#endif

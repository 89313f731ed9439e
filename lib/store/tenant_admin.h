/* tenant_admin: what the operator of the service does with its tenants, from outside of any of
 * them. */
#ifndef LOADLINE_STORE_TENANT_ADMIN_H
#define LOADLINE_STORE_TENANT_ADMIN_H

#include "service/crypt.h"
#include "store/tenant.h"
#include "store/user.h"

struct tenant_summary {
    struct str id, company, plan;
    int64_t clusters, users;
    int64_t last_push; /* TIME_NONE: none yet */
    int64_t created;
};

struct tenant_summaries {
    size_t n;
    struct tenant_summary *items;
};

/* All tenants, oldest first. */
enum error tenant_admin_tenants(struct db *db, struct arena *arena,
                                struct tenant_summaries *tenants);
/* The tenant; the db is bound to it from here on. NULL when there is none. */
enum error tenant_admin_enter(struct db *db, struct arena *arena, struct str id,
                              struct tenant_summary **tenant);

/* The db is bound to the trail of the service (AUDIT_SERVICE). */
void tenant_admin_enter_service(struct db *db);

/* Who did it, in the audit trail, and when. */
struct tenant_admin_by {
    struct str name;
    int64_t now;
};

/* The bound tenant is on that plan. Clusters beyond its limit stay; no new ones are taken in. */
enum error tenant_admin_set_plan(struct db *db, const struct tenant_admin_by *by,
                                 const struct tenant_summary *tenant, const struct plan *plan);
/* The user has this password, as its scrypt hash, and no session any more. Binds the db to the
 * user's tenant. */
enum error tenant_admin_set_password(struct db *db, struct arena *arena,
                                     const struct tenant_admin_by *by, const struct user *user,
                                     struct str hash);

/* The token becomes a link by which the user chooses a new password. Binds the db to the user's
 * tenant. */
enum error tenant_admin_make_link(struct db *db, const struct tenant_admin_by *by,
                                  const struct user *user, const struct crypt_secret *token);

/* The user has no second factor any more, and no session. *had: whether there was one. Binds the db
 * to the user's tenant. */
enum error tenant_admin_end_second_factor(struct db *db, struct arena *arena,
                                          const struct tenant_admin_by *by, const struct user *user,
                                          bool *had);

/* Ends all sessions of the bound tenant and revokes all its keys; *keys: how many these were. */
enum error tenant_admin_revoke(struct db *db, struct arena *arena, const struct tenant_admin_by *by,
                               uint64_t *keys);

/* done of all clusters are removed; called about every second. */
typedef void tenant_admin_progress(size_t done, size_t all);
/* Takes the bound tenant away: users, sessions and keys at once, so that nobody gets in any more,
 * then everything else in batches, the tenant itself last. When it was killed in between, another
 * call goes on. keeper: of the account that may remove entries of the audit trail; it is bound. */
enum error tenant_admin_purge(struct db *db, struct db *keeper, struct arena *arena,
                              const struct tenant_admin_by *by, const struct tenant_summary *tenant,
                              tenant_admin_progress *progress);

#endif

#include "store/tenant_admin.h"

#include "store/audit.h"
#include "store/cluster.h"
#include "store/link.h"
#include "store/removal.h"
#include "store/second_factor.h"
#include "store/session.h"

enum { BATCH = 5000, SLICE_MS = 1000 };

struct cluster_name {
    struct str name;
};
struct cluster_id {
    struct str id;
};

#define STATEMENTS "store/tenant_admin.def"
#include "db/statements.inc"

enum error tenant_admin_tenants(struct db *db, struct arena *arena,
                                struct tenant_summaries *tenants)
{
    return DB_ROWS(db, arena, &tenants->items, &tenants->n, tenant_list);
}

enum error tenant_admin_enter(struct db *db, struct arena *arena, struct str id,
                              struct tenant_summary **tenant)
{
    db_set_tenant(db, id);
    return DB_ROW(db, arena, tenant, tenant_summary);
}

void tenant_admin_enter_service(struct db *db)
{
    db_set_tenant(db, str_of(AUDIT_SERVICE));
}

static enum error note(struct db *db, const struct tenant_admin_by *by, enum audit_action action,
                       struct str subject)
{
    struct audit_entry entry = {
        .time = by->now, .actor = by->name, .action = action, .subject = subject};
    return audit_add(db, &entry);
}

/* ---- plan and password ---- */

struct change {
    struct arena *arena;
    const struct tenant_admin_by *by;
    const struct tenant_summary *tenant;
    const struct plan *plan;
    const struct user *user;
    struct str hash;
    const struct crypt_secret *token;
    bool had; /* a second factor */
};

static enum error store_plan(struct db *db, void *arg)
{
    const struct change *c = arg;
    char subject[64];
    snprintf(subject, sizeof subject, "%" STR_FMT " to %" STR_FMT, STR_ARG(c->tenant->plan),
             STR_ARG(c->plan->name));
    enum error e = DB_RUN(db, tenant_set_plan, .plan = c->plan->name);
    return e ? e : note(db, c->by, AUDIT_PLAN_CHANGED, str_of(subject));
}

enum error tenant_admin_set_plan(struct db *db, const struct tenant_admin_by *by,
                                 const struct tenant_summary *tenant, const struct plan *plan)
{
    struct change c = {.by = by, .tenant = tenant, .plan = plan};
    return db_transact(db, store_plan, &c);
}

static enum error store_password(struct db *db, void *arg)
{
    const struct change *c = arg;
    struct user *user;
    enum error e = user_lock(db, c->arena, c->user->id, &user);
    if (e || !user)
        return e ? e : ERR_UNKNOWN_MEMBER;
    e = user_set_password(db, user->id, c->hash);
    if (!e)
        e = session_delete_of_user(db, user->id);
    if (!e)
        e = link_delete_of_user(db, user->id);
    return e ? e : note(db, c->by, AUDIT_PASSWORD_RESET, user->email);
}

enum error tenant_admin_set_password(struct db *db, struct arena *arena,
                                     const struct tenant_admin_by *by, const struct user *user,
                                     struct str hash)
{
    struct change c = {.arena = arena, .by = by, .user = user, .hash = hash};
    db_set_tenant(db, user->tenant);
    return db_transact(db, store_password, &c);
}

static enum error store_link(struct db *db, void *arg)
{
    const struct change *c = arg;
    int64_t expires;
    enum error e = link_create(db, LINK_PASSWORD, c->user->id, c->token, c->by->now, &expires);
    return e ? e : note(db, c->by, AUDIT_LINK_MADE, c->user->email);
}

enum error tenant_admin_make_link(struct db *db, const struct tenant_admin_by *by,
                                  const struct user *user, const struct crypt_secret *token)
{
    struct change c = {.by = by, .user = user, .token = token};
    db_set_tenant(db, user->tenant);
    return db_transact(db, store_link, &c);
}

static enum error end_second_factor(struct db *db, void *arg)
{
    struct change *c = arg;
    struct user *user;
    struct second_factor *factor;
    enum error e = user_lock(db, c->arena, c->user->id, &user);
    if (e || !user)
        return e ? e : ERR_UNKNOWN_MEMBER;
    e = second_factor_find(db, c->arena, NULL, user->id, &factor);
    c->had = !e && factor;
    if (e || !factor)
        return e;
    e = second_factor_delete(db, user->id);
    if (!e)
        e = session_delete_of_user(db, user->id);
    return e ? e : note(db, c->by, AUDIT_SECOND_FACTOR_RESET, user->email);
}

enum error tenant_admin_end_second_factor(struct db *db, struct arena *arena,
                                          const struct tenant_admin_by *by, const struct user *user,
                                          bool *had)
{
    struct change c = {.arena = arena, .by = by, .user = user};
    db_set_tenant(db, user->tenant);
    enum error e = db_transact(db, end_second_factor, &c);
    *had = c.had;
    return e;
}

struct revocation {
    struct arena *arena;
    const struct tenant_admin_by *by;
    uint64_t keys;
};

static enum error store_revocation(struct db *db, void *arg)
{
    struct revocation *c = arg;
    char subject[64];
    enum error e = tenant_lock(db, c->arena);
    if (!e)
        e = session_delete_all(db, c->arena);
    if (!e)
        e = DB_RUN_COUNT(db, &c->keys, apikey_revoke_all, .revoked_at = c->by->now);
    snprintf(subject, sizeof subject, "all sessions, %llu API keys", (unsigned long long)c->keys);
    return e ? e : note(db, c->by, AUDIT_ACCESS_REVOKED, str_of(subject));
}

enum error tenant_admin_revoke(struct db *db, struct arena *arena, const struct tenant_admin_by *by,
                               uint64_t *keys)
{
    struct revocation c = {.arena = arena, .by = by};
    enum error e = db_transact(db, store_revocation, &c);
    *keys = c.keys;
    return e;
}

/* ---- purge ---- */

/* Each empties its table of the tenant. */
#define TENANT_TABLE(table)                                                                        \
    static enum error empty_##table(struct db *db)                                                 \
    {                                                                                              \
        uint64_t removed = BATCH;                                                                  \
        enum error e = ERR_OK;                                                                     \
        while (!e && removed == BATCH)                                                             \
            e = DB_RUN_COUNT(db, &removed, purge_##table, .limit = BATCH);                         \
        return e;                                                                                  \
    }
#include "store/tenant_tables.def"
#undef TENANT_TABLE
static enum error (*const tables[])(struct db *db) = {
#define TENANT_TABLE(table) empty_##table,
#include "store/tenant_tables.def"
#undef TENANT_TABLE
};

static enum error shut_out(struct db *db, void *arg)
{
    const struct change *c = arg;
    enum error e = tenant_lock(db, c->arena);
    if (!e)
        e = note(db, c->by, AUDIT_TENANT_PURGED, c->tenant->company);
    if (!e)
        e = session_delete_all(db, c->arena);
    if (!e)
        e = empty_users(db);
    return e ? e : empty_api_keys(db);
}

struct removing {
    struct arena *arena;
    struct str name;
    int64_t now;
};

static enum error take_away(struct db *db, void *arg)
{
    const struct removing *r = arg;
    struct str cluster;
    return removal_begin(db, r->arena, r->name, r->now, &cluster);
}

static enum error take_clusters_away(struct db *db, const struct change *c)
{
    struct cluster_name *names;
    size_t n;
    enum error e = DB_ROWS(db, c->arena, &names, &n, cluster_names);
    for (size_t i = 0; !e && i < n; i++) {
        struct removing r = {c->arena, names[i].name, c->by->now};
        e = db_transact(db, take_away, &r);
    }
    return e;
}

/* Of those that were taken away, now or by a call that was killed. */
static enum error empty_clusters(struct db *db, const struct change *c,
                                 tenant_admin_progress *progress)
{
    struct cluster_id *clusters;
    size_t n;
    enum error e = DB_ROWS(db, c->arena, &clusters, &n, removal_list_own);
    for (size_t i = 0; !e && i < n; i++) {
        bool done = false;
        while (!e && !done) {
            progress(i, n);
            e = removal_continue(db, clusters[i].id, clock_monotonic() + SLICE_MS, &done);
        }
    }
    return e;
}

static enum error purge_rest(struct db *db, struct db *keeper)
{
    enum error e = ERR_OK;
    for (size_t i = 0; !e && i < sizeof tables / sizeof *tables; i++) {
        bool kept = tables[i] == empty_audit || tables[i] == empty_audit_chain;
        e = tables[i](kept ? keeper : db);
    }
    return e ? e : DB_RUN(db, tenant_delete);
}

enum error tenant_admin_purge(struct db *db, struct db *keeper, struct arena *arena,
                              const struct tenant_admin_by *by, const struct tenant_summary *tenant,
                              tenant_admin_progress *progress)
{
    struct change c = {.arena = arena, .by = by, .tenant = tenant};
    enum error e = db_transact(db, shut_out, &c);
    if (!e)
        e = take_clusters_away(db, &c);
    if (!e)
        e = empty_clusters(db, &c, progress);
    db_set_tenant(keeper, tenant->id);
    return e ? e : purge_rest(db, keeper);
}

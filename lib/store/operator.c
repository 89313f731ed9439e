#include "store/operator.h"

#include "store/audit.h"
#include "store/cluster.h"
#include "store/removal.h"
#include "store/session.h"

enum { BATCH = 5000, SLICE_MS = 1000 };

static struct tenant_summary summary_of(const struct db_value *v)
{
    return (struct tenant_summary){v[0].s, v[1].s, v[2].s, v[3].i, v[4].i, v[5].i, v[6].i};
}

enum error operator_tenants(struct db *db, struct arena *arena, struct tenant_summaries *tenants)
{
    struct db_rows rows;
    enum error e = db_rows(db, arena, STMT_tenant_list, DB_NO_ARGS, &rows);
    if (e)
        return e;
    tenants->n = rows.n;
    tenants->items = ARENA_ARRAY(arena, rows.n, struct tenant_summary);
    for (size_t i = 0; i < rows.n; i++)
        tenants->items[i] = summary_of(rows.items[i]);
    return ERR_OK;
}

enum error operator_enter(struct db *db, struct arena *arena, struct str id,
                          struct tenant_summary **tenant)
{
    struct db_value *row;
    db_set_tenant(db, id);
    enum error e = db_row(db, arena, STMT_tenant_summary, DB_NO_ARGS, &row);
    *tenant = NULL;
    if (e || !row)
        return e;
    *tenant = ARENA_NEW(arena, struct tenant_summary);
    **tenant = summary_of(row);
    return ERR_OK;
}

static enum error note(struct db *db, const struct operator_by *by, enum audit_action action,
                       struct str subject)
{
    struct audit_entry entry = {
        .time = by->now, .actor = by->name, .action = action, .subject = subject};
    return audit_add(db, &entry);
}

/* ---- plan and password ---- */

struct change {
    struct arena *arena;
    const struct operator_by *by;
    const struct tenant_summary *tenant;
    const struct plan *plan;
    const struct user *user;
    struct str hash;
};

static enum error store_plan(struct db *db, void *arg)
{
    const struct change *c = arg;
    char subject[64];
    snprintf(subject, sizeof subject, "%" STR_FMT " to %" STR_FMT, STR_ARG(c->tenant->plan),
             STR_ARG(c->plan->name));
    enum error e = db_run(db, STMT_tenant_set_plan, DB_ARGS(db_text(c->plan->name)), NULL);
    return e ? e : note(db, c->by, AUDIT_PLAN_CHANGED, str_of(subject));
}

enum error operator_set_plan(struct db *db, const struct operator_by *by,
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
    return e ? e : note(db, c->by, AUDIT_PASSWORD_RESET, user->email);
}

enum error operator_set_password(struct db *db, struct arena *arena, const struct operator_by *by,
                                 const struct user *user, struct str hash)
{
    struct change c = {.arena = arena, .by = by, .user = user, .hash = hash};
    db_set_tenant(db, user->tenant);
    return db_transact(db, store_password, &c);
}

struct revocation {
    struct arena *arena;
    const struct operator_by *by;
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
        e = db_run(db, STMT_apikey_revoke_all, DB_ARGS(db_time(c->by->now)), &c->keys);
    snprintf(subject, sizeof subject, "all sessions, %llu API keys", (unsigned long long)c->keys);
    return e ? e : note(db, c->by, AUDIT_ACCESS_REVOKED, str_of(subject));
}

enum error operator_revoke(struct db *db, struct arena *arena, const struct operator_by *by,
                           uint64_t *keys)
{
    struct revocation c = {.arena = arena, .by = by};
    enum error e = db_transact(db, store_revocation, &c);
    *keys = c.keys;
    return e;
}

/* ---- purge ---- */

static enum error empty(struct db *db, enum stmt table)
{
    uint64_t removed = BATCH;
    enum error e = ERR_OK;
    while (!e && removed == BATCH)
        e = db_run(db, table, DB_ARGS(db_int(BATCH)), &removed);
    return e;
}

static enum error shut_out(struct db *db, void *arg)
{
    const struct change *c = arg;
    enum error e = tenant_lock(db, c->arena);
    if (!e)
        e = note(db, c->by, AUDIT_TENANT_PURGED, c->tenant->company);
    if (!e)
        e = session_delete_all(db, c->arena);
    if (!e)
        e = empty(db, STMT_purge_users);
    return e ? e : empty(db, STMT_purge_api_keys);
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
    struct db_rows names;
    enum error e = db_rows(db, c->arena, STMT_cluster_names, DB_NO_ARGS, &names);
    for (size_t i = 0; !e && i < names.n; i++) {
        struct removing r = {c->arena, names.items[i][0].s, c->by->now};
        e = db_transact(db, take_away, &r);
    }
    return e;
}

/* Of those that were taken away, now or by a call that was killed. */
static enum error empty_clusters(struct db *db, const struct change *c, operator_progress *progress)
{
    struct db_rows clusters;
    enum error e = db_rows(db, c->arena, STMT_removal_list_own, DB_NO_ARGS, &clusters);
    for (size_t i = 0; !e && i < clusters.n; i++) {
        bool done = false;
        while (!e && !done) {
            progress(i, clusters.n);
            e = removal_continue(db, clusters.items[i][0].s, clock_monotonic() + SLICE_MS, &done);
        }
    }
    return e;
}

static enum error purge_rest(struct db *db)
{
    static const enum stmt tables[] = {
        STMT_purge_users,    STMT_purge_api_keys, STMT_purge_channels, STMT_purge_rules,
        STMT_purge_silences, STMT_purge_outbox,   STMT_purge_audit,
    };
    enum error e = ERR_OK;
    for (size_t i = 0; !e && i < sizeof tables / sizeof *tables; i++)
        e = empty(db, tables[i]);
    return e ? e : db_run(db, STMT_tenant_delete, DB_NO_ARGS, NULL);
}

enum error operator_purge(struct db *db, struct arena *arena, const struct operator_by *by,
                          const struct tenant_summary *tenant, operator_progress *progress)
{
    struct change c = {.arena = arena, .by = by, .tenant = tenant};
    enum error e = db_transact(db, shut_out, &c);
    if (!e)
        e = take_clusters_away(db, &c);
    if (!e)
        e = empty_clusters(db, &c, progress);
    return e ? e : purge_rest(db);
}

#include "store/retention.h"

#include "base/log.h"
#include "store/audit_chain.h"
#include "store/audit.h"
#include "store/cluster.h"
#include "store/known_address.h"
#include "store/link.h"
#include "store/oidc.h"
#include "store/outbox.h"
#include "store/rate.h"
#include "store/removal.h"
#include "store/retention_moment.h"
#include "store/retry.h"
#include "store/session.h"
#include "store/silence.h"
#include "store/stored_exemption.h"
#include "store/tenant.h"

enum {
    BATCH = 1000,
    TENANTS_AT_ONCE = 100,
    UNUSED_MS = 60 * 60 * 1000 /* far longer than a request takes */
};

struct tenant_plan {
    struct str tenant, plan;
};
struct cluster_base {
    struct str cluster;
    int64_t ledger_base, rolled; /* see struct cluster_row */
};
struct orphan {
    struct str tenant, cluster;
};

#define STATEMENTS "store/retention.def"
#include "db/statements.inc"

/* Of each table what removes some rows of a cluster that are that old, and what counts them. */
#define PRUNE(table, column, kept)                                                                 \
    static enum error remove_##table(struct db *db, struct str cluster, int64_t before,            \
                                     uint64_t *removed)                                            \
    {                                                                                              \
        return DB_RUN_COUNT(db, removed, prune_##table, .cluster = cluster, .before = before,      \
                            .limit = BATCH);                                                       \
    }                                                                                              \
    static enum error count_##table(struct db *db, struct arena *arena, struct str cluster,        \
                                    int64_t before, int64_t *count)                                \
    {                                                                                              \
        return DB_NUMBER(db, arena, count, old_##table, .cluster = cluster, .before = before);     \
    }
#include "store/prunes.def"
#undef PRUNE

static const struct prune {
    const char *name;
    enum kept kept;
    enum error (*remove)(struct db *db, struct str cluster, int64_t before, uint64_t *removed);
    enum error (*count)(struct db *db, struct arena *arena, struct str cluster, int64_t before,
                        int64_t *count);
} prunes[] = {
#define PRUNE(table, column, kept) {#table, KEPT_##kept, remove_##table, count_##table},
#include "store/prunes.def"
#undef PRUNE
};
enum { PRUNES = sizeof prunes / sizeof prunes[0] };

const char *retention_table_name(enum retention_table table)
{
    static const char *const others[] = {
        "decision_risks", "outbox",     "sessions",        "audit", "silences",
        "exemptions",     "rate_limit", "known_addresses", "links", "oidc_logins"};
    return (int)table < PRUNES ? prunes[table].name : others[table - PRUNES];
}

/* ---- batches, and what goes wrong ---- */

static bool is_away(enum error e)
{
    return e == ERR_DATABASE_UNAVAILABLE || e == ERR_SCHEMA_OLD;
}

/* *failed: what failed first, or that the database is away. */
static void note(enum error *failed, enum error e)
{
    if (!*failed || is_away(e))
        *failed = e;
}

/* What keeps one table from being looked at keeps nobody from the others, unless it is the database
 * that is away. */
static bool goes_on(const struct retention *r, enum error failed)
{
    return !is_away(failed) && !*r->throttle->stop;
}

static enum error for_later(enum error e)
{
    return e == ERR_DATABASE_BUSY ? ERR_OK : e;
}

static void add(struct retention *r, enum retention_table table, uint64_t rows)
{
    r->rows[table] += rows;
    r->progress(r->context);
}

struct batch {
    struct retention *r;
    enum error (*remove)(struct retention *r, void *context, uint64_t *removed);
    void *context;
    uint64_t removed;
};

static enum error remove_batch(void *arg)
{
    struct batch *batch = arg;
    return batch->remove(batch->r, batch->context, &batch->removed);
}

/* remove() removes at most BATCH rows and says how many. It is called again while there may be
 * more. */
static enum error in_batches(struct retention *r, enum retention_table table,
                             enum error (*remove)(struct retention *r, void *context,
                                                  uint64_t *removed),
                             void *context)
{
    struct batch batch = {r, remove, context, BATCH};
    enum error e = ERR_OK;
    while (!e && batch.removed == BATCH && !*r->throttle->stop) {
        batch.removed = 0;
        e = retry_when_free(r->throttle, remove_batch, &batch);
        add(r, table, batch.removed);
    }
    return for_later(e);
}

/* ---- of everybody, or of one tenant ---- */

/* See session_purge(). */
struct purging {
    enum retention_table table;
    enum error (*purge)(struct db *db, int64_t before, int64_t limit, uint64_t *purged);
    enum error (*count)(struct db *db, struct arena *arena, int64_t before, int64_t *count);
    int64_t before;
    bool keeper; /* only that account may */
};

static enum error purge_once(struct retention *r, void *context, uint64_t *removed)
{
    const struct purging *p = context;
    return p->purge(p->keeper ? r->keeper : r->db, p->before, BATCH, removed);
}

static enum error purge(struct retention *r, struct purging p)
{
    int64_t rows;
    if (!r->only_show)
        return in_batches(r, p.table, purge_once, &p);
    enum error e = p.count(r->db, r->arena, p.before, &rows);
    add(r, p.table, (uint64_t)rows);
    return e;
}

static enum error purge_each(struct retention *r, const struct purging *list, size_t n)
{
    enum error failed = ERR_OK;
    for (size_t i = 0; i < n && goes_on(r, failed); i++)
        note(&failed, purge(r, list[i]));
    return failed;
}

/* ---- of one cluster ---- */

struct pruning {
    const struct prune *prune;
    struct str cluster;
    int64_t before;
};

static enum error prune_once(struct retention *r, void *context, uint64_t *removed)
{
    const struct pruning *p = context;
    return p->prune->remove(r->db, p->cluster, p->before, removed);
}

static enum error prune(struct retention *r, enum retention_table table, struct pruning p)
{
    int64_t rows;
    if (!r->only_show)
        return in_batches(r, table, prune_once, &p);
    enum error e = p.prune->count(r->db, r->arena, p.cluster, p.before, &rows);
    add(r, table, (uint64_t)rows);
    return e;
}

struct sweeping {
    struct retention *r;
    struct str cluster;
};

static enum error mark_and_remove(void *arg)
{
    const struct sweeping *s = arg;
    struct retention *r = s->r;
    uint64_t removed;
    enum error e = DB_RUN_COUNT(r->db, &removed, decision_risks_sweep, .cluster = s->cluster,
                                .before = r->now - UNUSED_MS);
    add(r, RETENTION_decision_risks, removed);
    return e ? e
             : DB_RUN(r->db, decision_risks_mark, .cluster = s->cluster, .unused_since = r->now);
}

/* First marked, long afterwards removed: a gate that still counts on them is done by then. */
static enum error sweep_decision_risks(struct retention *r, struct str cluster)
{
    struct sweeping sweeping = {r, cluster};
    int64_t old;
    if (!r->only_show)
        return for_later(retry_when_free(r->throttle, mark_and_remove, &sweeping));
    enum error e = DB_NUMBER(r->db, r->arena, &old, decision_risks_old, .cluster = cluster,
                             .before = r->now - UNUSED_MS);
    add(r, RETENTION_decision_risks, (uint64_t)old);
    return e;
}

static enum error prune_cluster(struct retention *r, const struct plan *plan,
                                const struct cluster_base *base)
{
    struct retention_terms terms = {r->conf, r->now, plan->retention, base->ledger_base,
                                    base->rolled};
    enum error failed = ERR_OK;
    for (int i = 0; i < PRUNES && goes_on(r, failed); i++) {
        int64_t before = retention_moment(&terms, prunes[i].kept);
        note(&failed, prune(r, (enum retention_table)i,
                            (struct pruning){&prunes[i], base->cluster, before}));
    }
    r->clusters++;
    if (goes_on(r, failed))
        note(&failed, sweep_decision_risks(r, base->cluster));
    return failed;
}

/* ---- all tenants ---- */

static enum error prune_tenant(struct retention *r, struct str tenant, const struct plan *plan)
{
    struct cluster_base *clusters;
    size_t n;
    int64_t kept = r->now - plan->retention * CLOCK_DAY;
    const struct purging list[] = {{RETENTION_outbox, outbox_purge, outbox_old, kept, false},
                                   {RETENTION_silences, silence_purge, silence_old, kept, false},
                                   {RETENTION_exemptions, exemption_purge, exemption_old,
                                    r->now - r->conf->audit_days * CLOCK_DAY, false}};
    db_set_tenant(r->db, tenant);
    enum error failed = DB_ROWS(r->db, r->arena, &clusters, &n, cluster_bases);
    for (size_t i = 0; i < n && goes_on(r, failed); i++)
        note(&failed, prune_cluster(r, plan, &clusters[i]));
    if (goes_on(r, failed))
        note(&failed, purge_each(r, list, r->conf->audit_days ? 3 : 2));
    r->tenants++;
    r->progress(r->context);
    return failed;
}

enum error retention_tenants(struct retention *r)
{
    char last[UUID_TEXT_LEN + 1] = UUID_NIL;
    struct tenant_plan *page;
    size_t n = TENANTS_AT_ONCE;
    enum error e = ERR_OK, failed = ERR_OK;
    while (!e && n == TENANTS_AT_ONCE && goes_on(r, failed)) {
        arena_reset(r->arena);
        e = DB_ROWS(r->db, r->arena, &page, &n, tenant_page, .after = str_of(last),
                    .limit = TENANTS_AT_ONCE);
        for (size_t i = 0; !e && i < n && goes_on(r, failed); i++) {
            struct str tenant = page[i].tenant;
            memcpy(last, tenant.p, tenant.n < UUID_TEXT_LEN ? tenant.n : UUID_TEXT_LEN);
            note(&failed, prune_tenant(r, tenant, plan_of(page[i].plan)));
        }
    }
    return e ? e : failed;
}

/* ---- leftovers ---- */

/* As long as counts of attempts are asked for. */
static int64_t longest_window(const struct conf *conf)
{
    const struct conf_rate limits[] = {
        conf->login_fail_limit, conf->login_limit,    conf->address_limit, conf->signup_limit,
        conf->key_fail_limit,   conf->manifest_limit, conf->change_limit,  conf->gate_limit};
    int64_t longest = CLOCK_DAY / 1000; /* of wrong passwords of an account */
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        longest = limits[i].seconds > longest ? limits[i].seconds : longest;
    return longest;
}

static enum error purge_all(struct retention *r)
{
    int64_t now = r->now, kept = r->conf->audit_days * CLOCK_DAY;
    int64_t counted = now - longest_window(r->conf) * 1000;
    const struct purging list[] = {{RETENTION_sessions, session_purge, session_old, now, false},
                                   {RETENTION_rate_limit, rate_purge, rate_old, counted, false},
                                   {RETENTION_known_addresses, known_address_purge,
                                    known_address_old, now - KNOWN_ADDRESS_DAYS * CLOCK_DAY, false},
                                   {RETENTION_links, link_purge, link_old, now, false},
                                   {RETENTION_oidc_logins, oidc_purge, oidc_old, now, false},
                                   {RETENTION_audit, audit_purge, audit_old, now - kept, true}};
    size_t n = sizeof list / sizeof *list;
    enum error failed = purge_each(r, list, kept ? n : n - 1);
    if (kept && !r->only_show && goes_on(r, failed))
        note(&failed, audit_chain_trim(r->keeper, r->arena, now - kept));
    return failed;
}

static enum error bury(struct db *db, void *arg)
{
    const struct sweeping *s = arg;
    return removal_bury(db, s->cluster, s->r->now);
}

/* What an account's deletion by hand leaves is deleted as if somebody had done it properly. */
static enum error bury_orphans(struct retention *r)
{
    struct orphan *orphans;
    size_t n;
    enum error failed = DB_ROWS(r->db, r->arena, &orphans, &n, cluster_orphans, .limit = BATCH);
    r->removals = failed || !r->only_show ? 0 : n;
    for (size_t i = 0; i < n && !r->only_show && goes_on(r, failed); i++) {
        struct sweeping sweeping = {r, orphans[i].cluster};
        db_set_tenant(r->db, orphans[i].tenant);
        note(&failed, db_transact(r->db, bury, &sweeping));
    }
    return failed;
}

static enum error count_removals(struct retention *r)
{
    size_t n;
    enum error e = removal_count(r->db, r->arena, &n);
    r->removals += e ? 0 : n;
    return e;
}

static enum error sweep_removals(struct retention *r)
{
    enum error e = count_removals(r);
    if (e || r->only_show || r->removals == 0)
        return e;
    return for_later(removal_finish(r->db, r->arena, r->now, r->throttle, r->progress, r->context));
}

static enum error disbelieve(struct retention *r)
{
    if (r->only_show)
        return ERR_OK;
    return cluster_disbelieve_all(r->db, r->now, r->conf->stale_block * 1000 + CLOCK_SECOND);
}

enum error retention_leftovers(struct retention *r)
{
    static enum error (*const steps[])(struct retention * r) = {disbelieve, bury_orphans,
                                                                sweep_removals, purge_all};
    enum error failed = ERR_OK;
    arena_reset(r->arena);
    for (size_t i = 0; i < sizeof steps / sizeof *steps && goes_on(r, failed); i++)
        note(&failed, steps[i](r));
    return failed;
}

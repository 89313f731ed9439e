#include "store/retention.h"

#include "base/log.h"
#include "codec/point_chunk.h"
#include "store/audit_chain.h"
#include "store/audit.h"
#include "store/cluster.h"
#include "store/history.h"
#include "store/known_address.h"
#include "store/link.h"
#include "store/oidc.h"
#include "store/outbox.h"
#include "store/rate.h"
#include "store/removal.h"
#include "store/session.h"
#include "store/silence.h"
#include "store/stored_exemption.h"
#include "store/tenant.h"

enum {
    BATCH = 1000,
    REST = 2, /* times as long as the work */
    BUSY_TRIES = 5,
    TENANTS_AT_ONCE = 100,
    SWEEP_MS = 250,             /* at a stretch */
    UNUSED_MS = 60 * 60 * 1000, /* far longer than a request takes */
    LEDGER_MARGIN_DAYS =
        2, /* the ledger of a moment, and the whole one that it is a difference from */
    TEXT_MARGIN_DAYS = 3
};

struct tenant_plan {
    struct str tenant, plan;
};
struct cluster_base {
    struct str cluster;
    int64_t ledger_base; /* see struct cluster_row */
};
struct orphan {
    struct str tenant, cluster;
};

#define STATEMENTS "store/retention.def"
#include "db/statements.inc"

/* Of each table what removes some rows of a cluster that are older than that, and what counts them.
 */
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

enum kept { KEPT_PLAN, KEPT_POINTS, KEPT_CHUNK, KEPT_LEDGER, KEPT_TEXT, KEPT_LOGS, KEPT_DAY };

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

/* ---- batches ---- */

static void add(struct retention *r, enum retention_table table, uint64_t rows)
{
    r->rows[table] += rows;
    r->progress(r->context);
}

/* remove() removes at most BATCH rows and says how many. It is called again while there may be
 * more; when others have locked what it wants, later, and then not before the next run. */
static enum error in_batches(struct retention *r, enum retention_table table,
                             enum error (*remove)(struct retention *r, void *context,
                                                  uint64_t *removed),
                             void *context)
{
    int busy = 0;
    uint64_t removed = BATCH;
    while (removed == BATCH && !*r->throttle->stop) {
        enum error e = remove(r, context, &removed);
        throttle_rest(r->throttle, REST);
        if (e && (e != ERR_DATABASE_BUSY || ++busy == BUSY_TRIES))
            return e == ERR_DATABASE_BUSY ? ERR_OK : e;
        if (e)
            removed = BATCH;
        else
            add(r, table, removed);
    }
    return ERR_OK;
}

/* ---- of everybody, or of one tenant ---- */

/* See session_purge(). */
struct purging {
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

static enum error purge(struct retention *r, enum retention_table table, struct purging p)
{
    int64_t rows;
    if (!r->only_show)
        return in_batches(r, table, purge_once, &p);
    enum error e = p.count(r->db, r->arena, p.before, &rows);
    add(r, table, (uint64_t)rows);
    return e;
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

/* Rows of before that moment go. ledger_base: see struct cluster_row. */
static int64_t moment(const struct retention *r, enum kept kept, int64_t plan_days,
                      int64_t ledger_base)
{
    int64_t points = r->conf->history_days < plan_days ? r->conf->history_days : plan_days;
    int64_t ledgers = r->now - (plan_days + LEDGER_MARGIN_DAYS) * CLOCK_DAY;
    /* not in the middle of a step, which is told instead */
    int64_t first = (r->now - points * CLOCK_DAY) / HISTORY_ROLLUP_MS * HISTORY_ROLLUP_MS;
    switch (kept) {
    case KEPT_PLAN:
        break;
    case KEPT_POINTS:
        return first;
    case KEPT_CHUNK:
        return first - POINT_CHUNK_MS;
    case KEPT_LEDGER:
        return ledger_base != TIME_NONE && ledger_base < ledgers ? ledger_base : ledgers;
    case KEPT_TEXT:
        return r->now - (plan_days + TEXT_MARGIN_DAYS) * CLOCK_DAY;
    case KEPT_LOGS:
        return r->now - r->conf->log_retention_days * CLOCK_DAY;
    case KEPT_DAY:
        return r->now - CLOCK_DAY;
    }
    return r->now - plan_days * CLOCK_DAY;
}

/* First marked, long afterwards removed: a gate that still counts on them is done by then. */
static enum error sweep_decision_risks(struct retention *r, struct str cluster)
{
    int64_t before = r->now - UNUSED_MS, old = 0;
    uint64_t removed = 0;
    enum error e;
    if (r->only_show)
        e = DB_NUMBER(r->db, r->arena, &old, decision_risks_old, .cluster = cluster,
                      .before = before);
    else
        e = DB_RUN_COUNT(r->db, &removed, decision_risks_sweep, .cluster = cluster,
                         .before = before);
    add(r, RETENTION_decision_risks, r->only_show ? (uint64_t)old : removed);
    if (r->only_show)
        return e;
    if (!e)
        e = DB_RUN(r->db, decision_risks_mark, .cluster = cluster, .unused_since = r->now);
    return e == ERR_DATABASE_BUSY ? ERR_OK : e;
}

static enum error prune_cluster(struct retention *r, const struct plan *plan,
                                const struct cluster_base *base)
{
    enum error e = ERR_OK;
    for (int i = 0; !e && i < PRUNES && !*r->throttle->stop; i++) {
        int64_t before = moment(r, prunes[i].kept, plan->retention, base->ledger_base);
        e = prune(r, (enum retention_table)i, (struct pruning){&prunes[i], base->cluster, before});
    }
    r->clusters++;
    return e ? e : sweep_decision_risks(r, base->cluster);
}

/* ---- all tenants ---- */

static enum error prune_tenant(struct retention *r, struct str tenant, const struct plan *plan)
{
    struct cluster_base *clusters;
    size_t n;
    db_set_tenant(r->db, tenant);
    enum error e = DB_ROWS(r->db, r->arena, &clusters, &n, cluster_bases);
    for (size_t i = 0; !e && i < n && !*r->throttle->stop; i++)
        e = prune_cluster(r, plan, &clusters[i]);
    if (!e)
        e = purge(r, RETENTION_outbox,
                  (struct purging){outbox_purge, outbox_old,
                                   moment(r, KEPT_PLAN, plan->retention, TIME_NONE), false});
    if (!e)
        e = purge(r, RETENTION_silences,
                  (struct purging){silence_purge, silence_old,
                                   moment(r, KEPT_PLAN, plan->retention, TIME_NONE), false});
    if (!e && r->conf->audit_days)
        e = purge(r, RETENTION_exemptions,
                  (struct purging){exemption_purge, exemption_old,
                                   r->now - r->conf->audit_days * CLOCK_DAY, false});
    r->tenants++;
    r->progress(r->context);
    return e;
}

enum error retention_tenants(struct retention *r)
{
    char last[UUID_TEXT_LEN + 1] = "00000000-0000-0000-0000-000000000000";
    struct tenant_plan *page;
    size_t n = TENANTS_AT_ONCE;
    enum error e = ERR_OK;
    while (!e && n == TENANTS_AT_ONCE && !*r->throttle->stop) {
        arena_reset(r->arena);
        e = DB_ROWS(r->db, r->arena, &page, &n, tenant_page, .after = str_of(last),
                    .limit = TENANTS_AT_ONCE);
        for (size_t i = 0; !e && i < n && !*r->throttle->stop; i++) {
            struct str tenant = page[i].tenant;
            memcpy(last, tenant.p, tenant.n < UUID_TEXT_LEN ? tenant.n : UUID_TEXT_LEN);
            e = prune_tenant(r, tenant, plan_of(page[i].plan));
        }
    }
    return e;
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
    int64_t counted = longest_window(r->conf) * 1000;
    enum error e =
        purge(r, RETENTION_sessions, (struct purging){session_purge, session_old, now, false});
    if (!e)
        e = purge(r, RETENTION_rate_limit,
                  (struct purging){rate_purge, rate_old, now - counted, false});
    if (!e)
        e = purge(r, RETENTION_known_addresses,
                  (struct purging){known_address_purge, known_address_old,
                                   now - KNOWN_ADDRESS_DAYS * CLOCK_DAY, false});
    if (!e)
        e = purge(r, RETENTION_links, (struct purging){link_purge, link_old, now, false});
    if (!e)
        e = purge(r, RETENTION_oidc_logins, (struct purging){oidc_purge, oidc_old, now, false});
    if (!e && kept)
        e = purge(r, RETENTION_audit, (struct purging){audit_purge, audit_old, now - kept, true});
    if (!e && kept && !r->only_show)
        e = audit_chain_trim(r->keeper, r->arena, now - kept);
    return e;
}

static enum error bury(struct db *db, void *arg)
{
    return removal_bury(db, ((const struct orphan *)arg)->cluster, clock_now());
}

/* What an account's deletion by hand leaves is deleted as if somebody had done it properly. */
static enum error bury_orphans(struct retention *r)
{
    struct orphan *orphans;
    size_t n;
    enum error e = DB_ROWS(r->db, r->arena, &orphans, &n, cluster_orphans, .limit = BATCH);
    r->removals = e || !r->only_show ? 0 : n;
    for (size_t i = 0; !e && i < n && !r->only_show && !*r->throttle->stop; i++) {
        db_set_tenant(r->db, orphans[i].tenant);
        e = db_transact(r->db, bury, &orphans[i]);
    }
    return e;
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
    bool done = r->only_show || r->removals == 0;
    while (!e && !done && !*r->throttle->stop) {
        arena_reset(r->arena);
        e = removal_sweep(r->db, r->arena, r->now, clock_monotonic() + SWEEP_MS, &done);
        r->progress(r->context);
        throttle_rest(r->throttle, REST);
    }
    return e == ERR_DATABASE_BUSY ? ERR_OK : e;
}

static enum error disbelieve(struct retention *r)
{
    return cluster_disbelieve_all(r->db, r->now, r->conf->stale_block * 1000 + CLOCK_SECOND);
}

enum error retention_leftovers(struct retention *r)
{
    arena_reset(r->arena);
    enum error e = r->only_show ? ERR_OK : disbelieve(r);
    if (!e)
        e = bury_orphans(r);
    if (!e)
        e = sweep_removals(r);
    return e ? e : purge_all(r);
}

#include "store/retention.h"

#include <unistd.h>

#include "base/log.h"
#include "store/audit.h"
#include "store/history.h"
#include "store/rate.h"
#include "store/removal.h"
#include "store/session.h"
#include "store/silence.h"
#include "store/tenant.h"

enum {
    BATCH = 2000,
    BUSY_TRIES = 5,
    PAUSE_MAX_MS = 1000,
    TENANTS_AT_ONCE = 100,
    SWEEP_MS = 250,             /* at a stretch */
    UNUSED_MS = 60 * 60 * 1000, /* far longer than a request takes */
    LEDGER_MARGIN_DAYS = 2,     /* the ledger of a moment, and the whole one it is told against */
    TEXT_MARGIN_DAYS = 3
};

static const int64_t day_ms = 86400000;

enum kept { KEPT_PLAN, KEPT_POINTS, KEPT_LEDGER, KEPT_TEXT, KEPT_LOGS };

static const struct {
    const char *name;
    enum kept kept;
    enum stmt prune, count;
} prunes[] = {
#define PRUNE(table, column, kept) {#table, KEPT_##kept, STMT_prune_##table, STMT_old_##table},
#include "service/prunes.def"
#undef PRUNE
};
enum { PRUNES = sizeof prunes / sizeof prunes[0] };

const char *retention_table_name(enum retention_table table)
{
    static const char *const others[] = {"decision_risks", "outbox",   "sessions",
                                         "audit",          "silences", "rate_limit"};
    return (int)table < PRUNES ? prunes[table].name : others[table - PRUNES];
}

/* ---- batches ---- */

static void pause_for(const struct retention *r, int64_t ms)
{
    if (!*r->stop && ms > 0)
        usleep((useconds_t)(ms < PAUSE_MAX_MS ? ms : PAUSE_MAX_MS) * 1000);
}

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
    while (removed == BATCH && !*r->stop) {
        int64_t began = clock_monotonic();
        enum error e = remove(r, context, &removed);
        if (e && (e != ERR_DATABASE_BUSY || ++busy == BUSY_TRIES))
            return e == ERR_DATABASE_BUSY ? ERR_OK : e;
        if (e)
            removed = BATCH;
        else
            add(r, table, removed);
        if (removed == BATCH)
            pause_for(r, clock_monotonic() - began);
    }
    return ERR_OK;
}

/* ---- of one cluster ---- */

struct pruning {
    enum stmt stmt;
    struct str cluster; /* absent: of the tenant */
    int64_t before;
};

static enum error prune_once(struct retention *r, void *context, uint64_t *removed)
{
    const struct pruning *p = context;
    if (!p->cluster.p)
        return db_run(r->db, p->stmt, DB_ARGS(db_time(p->before), db_int(BATCH)), removed);
    return db_run(r->db, p->stmt, DB_ARGS(db_uuid(p->cluster), db_time(p->before), db_int(BATCH)),
                  removed);
}

static enum error count_old(struct retention *r, enum retention_table table, enum stmt stmt,
                            const struct pruning *p)
{
    struct db_value *row;
    enum error e = p->cluster.p ? db_row(r->db, r->arena, stmt,
                                         DB_ARGS(db_uuid(p->cluster), db_time(p->before)), &row)
                                : db_row(r->db, r->arena, stmt, DB_ARGS(db_time(p->before)), &row);
    if (!e)
        add(r, table, (uint64_t)row[0].i);
    return e;
}

static enum error prune(struct retention *r, enum retention_table table, enum stmt count,
                        struct pruning p)
{
    return r->only_show ? count_old(r, table, count, &p) : in_batches(r, table, prune_once, &p);
}

/* Rows of before that moment go. ledger_base: see struct cluster_row. */
static int64_t moment(const struct retention *r, enum kept kept, int64_t plan_days,
                      int64_t ledger_base)
{
    int64_t points = r->conf->history_days < plan_days ? r->conf->history_days : plan_days;
    int64_t ledgers = r->now - (plan_days + LEDGER_MARGIN_DAYS) * day_ms;
    switch (kept) {
    case KEPT_PLAN:
        break;
    case KEPT_POINTS: /* not in the middle of a step, which is told instead */
        return (r->now - points * day_ms) / HISTORY_ROLLUP_MS * HISTORY_ROLLUP_MS;
    case KEPT_LEDGER:
        return ledger_base != TIME_NONE && ledger_base < ledgers ? ledger_base : ledgers;
    case KEPT_TEXT:
        return r->now - (plan_days + TEXT_MARGIN_DAYS) * day_ms;
    case KEPT_LOGS:
        return r->now - r->conf->log_retention_days * day_ms;
    }
    return r->now - plan_days * day_ms;
}

/* First marked, long afterwards removed: a gate that still counts on them is done by then. */
static enum error sweep_decision_risks(struct retention *r, struct str cluster)
{
    uint64_t removed = 0;
    if (r->only_show)
        return ERR_OK;
    enum error e = db_run(r->db, STMT_decision_risks_sweep,
                          DB_ARGS(db_uuid(cluster), db_time(r->now - UNUSED_MS)), &removed);
    add(r, RETENTION_decision_risks, removed);
    if (!e)
        e = db_run(r->db, STMT_decision_risks_mark, DB_ARGS(db_time(r->now), db_uuid(cluster)),
                   NULL);
    return e == ERR_DATABASE_BUSY ? ERR_OK : e;
}

static enum error prune_cluster(struct retention *r, const struct plan *plan, struct str cluster,
                                int64_t ledger_base)
{
    enum error e = ERR_OK;
    for (int i = 0; !e && i < PRUNES && !*r->stop; i++) {
        int64_t before = moment(r, prunes[i].kept, plan->retention, ledger_base);
        e = prune(r, (enum retention_table)i, prunes[i].count,
                  (struct pruning){prunes[i].prune, cluster, before});
    }
    r->clusters++;
    return e ? e : sweep_decision_risks(r, cluster);
}

/* ---- all tenants ---- */

static enum error prune_tenant(struct retention *r, struct str tenant, const struct plan *plan)
{
    struct db_rows clusters;
    db_set_tenant(r->db, tenant);
    enum error e = db_rows(r->db, r->arena, STMT_cluster_bases, DB_NO_ARGS, &clusters);
    for (size_t i = 0; !e && i < clusters.n && !*r->stop; i++)
        e = prune_cluster(r, plan, clusters.items[i][0].s, clusters.items[i][1].i);
    if (!e)
        e = prune(r, RETENTION_outbox, STMT_outbox_old,
                  (struct pruning){.stmt = STMT_outbox_prune,
                                   .before = moment(r, KEPT_PLAN, plan->retention, TIME_NONE)});
    r->tenants++;
    r->progress(r->context);
    return e;
}

enum error retention_tenants(struct retention *r)
{
    char last[UUID_TEXT_LEN + 1] = "00000000-0000-0000-0000-000000000000";
    struct db_rows page = {.n = TENANTS_AT_ONCE};
    enum error e = ERR_OK;
    while (!e && page.n == TENANTS_AT_ONCE && !*r->stop) {
        arena_reset(r->arena);
        e = db_rows(r->db, r->arena, STMT_tenant_page,
                    DB_ARGS(db_uuid(str_of(last)), db_int(TENANTS_AT_ONCE)), &page);
        for (size_t i = 0; !e && i < page.n && !*r->stop; i++) {
            struct str tenant = page.items[i][0].s;
            memcpy(last, tenant.p, tenant.n < UUID_TEXT_LEN ? tenant.n : UUID_TEXT_LEN);
            e = prune_tenant(r, tenant, plan_of(page.items[i][1].s));
        }
    }
    return e;
}

enum error retention_longest(struct db *db, struct arena *arena, int64_t *days)
{
    struct db_rows plans;
    enum error e = db_rows(db, arena, STMT_tenant_plans, DB_NO_ARGS, &plans);
    *days = plan_of(STR(""))->retention;
    for (size_t i = 0; !e && i < plans.n; i++) {
        int64_t kept = plan_of(plans.items[i][0].s)->retention;
        *days = kept > *days ? kept : *days;
    }
    return e;
}

/* ---- leftovers ---- */

static enum error purge_sessions(struct retention *r, void *context, uint64_t *removed)
{
    (void)context;
    return session_purge(r->db, r->now, BATCH, removed);
}

static enum error purge_audit(struct retention *r, void *context, uint64_t *removed)
{
    (void)context;
    return audit_purge(r->db, r->now - r->conf->audit_days * day_ms, BATCH, removed);
}

static enum error purge_silences(struct retention *r, void *context, uint64_t *removed)
{
    (void)context;
    return silence_purge(r->db, r->now, BATCH, removed);
}

static enum error purge_rates(struct retention *r, void *context, uint64_t *removed)
{
    (void)context;
    const struct conf *conf = r->conf;
    const struct conf_rate limits[] = {conf->login_fail_limit, conf->login_limit,
                                       conf->signup_limit, conf->key_fail_limit};
    int64_t longest = 0;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        longest = limits[i].seconds > longest ? limits[i].seconds : longest;
    return rate_purge(r->db, r->now - longest * 1000, BATCH, removed);
}

static enum error bury(struct db *db, void *arg)
{
    const struct db_value *row = arg;
    enum error e = db_run(db, STMT_cluster_delete, DB_ARGS(db_uuid(row[1].s)), NULL);
    return e ? e
             : db_run(db, STMT_removal_insert, DB_ARGS(db_uuid(row[1].s), db_time(clock_now())),
                      NULL);
}

/* What an account's deletion by hand leaves is deleted as if somebody had done it properly. */
static enum error bury_orphans(struct retention *r)
{
    struct db_rows orphans;
    enum error e = db_rows(r->db, r->arena, STMT_cluster_orphans, DB_ARGS(db_int(BATCH)), &orphans);
    for (size_t i = 0; !e && i < orphans.n && !*r->stop; i++) {
        db_set_tenant(r->db, orphans.items[i][0].s);
        e = db_transact(r->db, bury, orphans.items[i]);
    }
    return e;
}

static enum error sweep_removals(struct retention *r)
{
    bool done = false;
    enum error e = ERR_OK;
    while (!e && !done && !*r->stop) {
        arena_reset(r->arena);
        e = removal_sweep(r->db, r->arena, r->now, clock_monotonic() + SWEEP_MS, &done);
        r->progress(r->context);
        if (!done)
            pause_for(r, SWEEP_MS);
    }
    return e == ERR_DATABASE_BUSY ? ERR_OK : e;
}

enum error retention_leftovers(struct retention *r)
{
    if (r->only_show)
        return ERR_OK;
    arena_reset(r->arena);
    enum error e = bury_orphans(r);
    if (!e)
        e = sweep_removals(r);
    if (!e)
        e = in_batches(r, RETENTION_sessions, purge_sessions, NULL);
    if (!e)
        e = in_batches(r, RETENTION_rate_limit, purge_rates, NULL);
    if (!e)
        e = in_batches(r, RETENTION_silences, purge_silences, NULL);
    if (!e && r->conf->audit_days)
        e = in_batches(r, RETENTION_audit, purge_audit, NULL);
    return e;
}

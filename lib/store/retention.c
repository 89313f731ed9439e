#include "store/retention.h"

#include "base/log.h"
#include "store/audit.h"
#include "store/history.h"
#include "store/rate.h"
#include "store/removal.h"
#include "store/session.h"
#include "store/tenant.h"

enum {
    BATCH = 1000,
    REST = 2, /* times as long as the work */
    BUSY_TRIES = 5,
    TENANTS_AT_ONCE = 100,
    SWEEP_MS = 250,             /* at a stretch */
    UNUSED_MS = 60 * 60 * 1000, /* far longer than a request takes */
    LEDGER_MARGIN_DAYS = 2,     /* the ledger of a moment, and the whole one it is told against */
    TEXT_MARGIN_DAYS = 3
};

enum kept { KEPT_PLAN, KEPT_POINTS, KEPT_LEDGER, KEPT_TEXT, KEPT_LOGS };

static const struct {
    const char *name;
    enum kept kept;
    enum stmt prune, count;
} prunes[] = {
#define PRUNE(table, column, kept) {#table, KEPT_##kept, STMT_prune_##table, STMT_old_##table},
#include "db/prunes.def"
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
    while (removed == BATCH && !*r->pace->stop) {
        enum error e = remove(r, context, &removed);
        pace_rest(r->pace, REST);
        if (e && (e != ERR_DATABASE_BUSY || ++busy == BUSY_TRIES))
            return e == ERR_DATABASE_BUSY ? ERR_OK : e;
        if (e)
            removed = BATCH;
        else
            add(r, table, removed);
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
    int64_t rows;
    enum error e = p->cluster.p
                       ? db_number(r->db, r->arena, stmt,
                                   DB_ARGS(db_uuid(p->cluster), db_time(p->before)), &rows)
                       : db_number(r->db, r->arena, stmt, DB_ARGS(db_time(p->before)), &rows);
    add(r, table, (uint64_t)rows);
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
    int64_t ledgers = r->now - (plan_days + LEDGER_MARGIN_DAYS) * CLOCK_DAY;
    switch (kept) {
    case KEPT_PLAN:
        break;
    case KEPT_POINTS: /* not in the middle of a step, which is told instead */
        return (r->now - points * CLOCK_DAY) / HISTORY_ROLLUP_MS * HISTORY_ROLLUP_MS;
    case KEPT_LEDGER:
        return ledger_base != TIME_NONE && ledger_base < ledgers ? ledger_base : ledgers;
    case KEPT_TEXT:
        return r->now - (plan_days + TEXT_MARGIN_DAYS) * CLOCK_DAY;
    case KEPT_LOGS:
        return r->now - r->conf->log_retention_days * CLOCK_DAY;
    }
    return r->now - plan_days * CLOCK_DAY;
}

/* First marked, long afterwards removed: a gate that still counts on them is done by then. */
static enum error sweep_decision_risks(struct retention *r, struct str cluster)
{
    struct pruning unused = {STMT_decision_risks_sweep, cluster, r->now - UNUSED_MS};
    uint64_t removed = 0;
    if (r->only_show)
        return count_old(r, RETENTION_decision_risks, STMT_decision_risks_old, &unused);
    enum error e =
        db_run(r->db, unused.stmt, DB_ARGS(db_uuid(cluster), db_time(unused.before)), &removed);
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
    for (int i = 0; !e && i < PRUNES && !*r->pace->stop; i++) {
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
    for (size_t i = 0; !e && i < clusters.n && !*r->pace->stop; i++)
        e = prune_cluster(r, plan, clusters.items[i][0].s, clusters.items[i][1].i);
    if (!e)
        e = prune(r, RETENTION_outbox, STMT_outbox_old,
                  (struct pruning){.stmt = STMT_outbox_prune,
                                   .before = moment(r, KEPT_PLAN, plan->retention, TIME_NONE)});
    if (!e)
        e = prune(r, RETENTION_silences, STMT_silence_old,
                  (struct pruning){.stmt = STMT_silence_prune, .before = r->now});
    r->tenants++;
    r->progress(r->context);
    return e;
}

enum error retention_tenants(struct retention *r)
{
    char last[UUID_TEXT_LEN + 1] = "00000000-0000-0000-0000-000000000000";
    struct db_rows page = {.n = TENANTS_AT_ONCE};
    enum error e = ERR_OK;
    while (!e && page.n == TENANTS_AT_ONCE && !*r->pace->stop) {
        arena_reset(r->arena);
        e = db_rows(r->db, r->arena, STMT_tenant_page,
                    DB_ARGS(db_uuid(str_of(last)), db_int(TENANTS_AT_ONCE)), &page);
        for (size_t i = 0; !e && i < page.n && !*r->pace->stop; i++) {
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

/* As long as counts of attempts are asked for. */
static int64_t longest_window(const struct conf *conf)
{
    const struct conf_rate limits[] = {conf->login_fail_limit, conf->login_limit,
                                       conf->signup_limit, conf->key_fail_limit};
    int64_t longest = 0;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        longest = limits[i].seconds > longest ? limits[i].seconds : longest;
    return longest;
}

struct purging {
    enum error (*purge)(struct db *db, int64_t before, int64_t limit, uint64_t *purged);
    int64_t before;
};

static enum error purge_once(struct retention *r, void *context, uint64_t *removed)
{
    const struct purging *p = context;
    return p->purge(r->db, p->before, BATCH, removed);
}

static enum error purge(struct retention *r, enum retention_table table, enum stmt count,
                        struct purging p)
{
    struct pruning old = {.before = p.before};
    return r->only_show ? count_old(r, table, count, &old) : in_batches(r, table, purge_once, &p);
}

static enum error purge_all(struct retention *r)
{
    int64_t now = r->now, kept = r->conf->audit_days * CLOCK_DAY;
    int64_t counted = longest_window(r->conf) * 1000;
    enum error e =
        purge(r, RETENTION_sessions, STMT_session_old, (struct purging){session_purge, now});
    if (!e)
        e = purge(r, RETENTION_rate_limit, STMT_rate_old,
                  (struct purging){rate_purge, now - counted});
    if (!e && kept)
        e = purge(r, RETENTION_audit, STMT_audit_old, (struct purging){audit_purge, now - kept});
    return e;
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
    r->removals = e || !r->only_show ? 0 : orphans.n;
    for (size_t i = 0; !e && i < orphans.n && !r->only_show && !*r->pace->stop; i++) {
        db_set_tenant(r->db, orphans.items[i][0].s);
        e = db_transact(r->db, bury, orphans.items[i]);
    }
    return e;
}

static enum error count_removals(struct retention *r)
{
    struct db_rows rows;
    enum error e = db_rows(r->db, r->arena, STMT_removal_list, DB_NO_ARGS, &rows);
    r->removals += e ? 0 : rows.n;
    return e;
}

static enum error sweep_removals(struct retention *r)
{
    enum error e = count_removals(r);
    bool done = r->only_show || r->removals == 0;
    while (!e && !done && !*r->pace->stop) {
        arena_reset(r->arena);
        e = removal_sweep(r->db, r->arena, r->now, clock_monotonic() + SWEEP_MS, &done);
        r->progress(r->context);
        pace_rest(r->pace, REST);
    }
    return e == ERR_DATABASE_BUSY ? ERR_OK : e;
}

enum error retention_leftovers(struct retention *r)
{
    arena_reset(r->arena);
    enum error e = bury_orphans(r);
    if (!e)
        e = sweep_removals(r);
    return e ? e : purge_all(r);
}

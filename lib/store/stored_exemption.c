#include "store/stored_exemption.h"

/* What an exemption did to a cluster. */
struct exemption_use {
    struct str exemption;
    int64_t risks, would_cost, counting;
};

#define STATEMENTS "store/stored_exemption.def"
#include "db/statements.inc"

enum exemption_state exemption_state(const struct stored_exemption *exemption, int64_t now)
{
    if (exemption->ended != TIME_NONE)
        return EXEMPTION_ENDED;
    if (exemption->expires <= now)
        return EXEMPTION_EXPIRED;
    if (exemption->risks)
        return EXEMPTION_ACTIVE;
    return exemption->waiting ? EXEMPTION_PENDING : EXEMPTION_UNUSED;
}

struct str exemption_state_name(enum exemption_state state)
{
    static const char *const names[] = {[EXEMPTION_PENDING] = "pending",
                                        [EXEMPTION_ACTIVE] = "active",
                                        [EXEMPTION_UNUSED] = "unused",
                                        [EXEMPTION_EXPIRED] = "expired",
                                        [EXEMPTION_ENDED] = "ended"};
    return str_of(names[state]);
}

enum error exemption_page(struct db *db, struct arena *arena, const struct exemption_filter *filter,
                          struct stored_exemptions *exemptions)
{
    return DB_ROWS(db, arena, &exemptions->items, &exemptions->n, exemption_page,
                   .exemption_id = filter->id, .cluster_name = filter->cluster_name,
                   .check_id = filter->check, .with_ended = filter->with_ended,
                   .before = filter->page.before, .before_id = filter->page.before_id,
                   .limit = filter->page.limit);
}

enum error exemption_count(struct db *db, struct arena *arena, int64_t now, int64_t *count)
{
    return DB_NUMBER(db, arena, count, exemption_count, .now = now);
}

enum error exemption_revision(struct db *db, struct arena *arena, struct str cluster_name,
                              int64_t *revision)
{
    return DB_NUMBER(db, arena, revision, exemption_revision, .cluster_name = cluster_name);
}

enum error exemption_lock(struct db *db, struct arena *arena, struct str id,
                          struct stored_exemption **exemption)
{
    return DB_ROW(db, arena, exemption, exemption_lock, .exemption_id = id);
}

static enum error make_room(struct db *db, struct arena *arena, int64_t now)
{
    int64_t kept;
    uint64_t purged;
    enum error e = DB_NUMBER(db, arena, &kept, exemption_count_kept);
    if (e || kept < EXEMPTIONS_KEPT_MAX)
        return e;
    return exemption_purge(db, now, kept - EXEMPTIONS_KEPT_MAX + 1, &purged);
}

enum error exemption_create(struct db *db, struct arena *arena, struct stored_exemption *exemption)
{
    char id[UUID_TEXT_LEN + 1];
    enum error e = make_room(db, arena, exemption->created);
    if (e)
        return e;
    rand_uuid(id);
    exemption->id = arena_str(arena, str_of(id));
    exemption->changed = exemption->created;
    exemption->ended = TIME_NONE;
    return DB_RUN(db, exemption_insert, .exemption_id = exemption->id,
                  .cluster_name = exemption->cluster_name, .check_id = exemption->check,
                  .namespace = str_or_empty(exemption->namespace),
                  .resource = str_or_empty(exemption->resource), .reason = exemption->reason,
                  .owner = exemption->owner, .expires_at = exemption->expires,
                  .created_by = exemption->created_by, .created_at = exemption->created,
                  .changed_at = exemption->changed);
}

enum error exemption_update(struct db *db, const struct stored_exemption *exemption)
{
    return DB_RUN(db, exemption_set, .reason = exemption->reason, .owner = exemption->owner,
                  .expires_at = exemption->expires, .changed_at = exemption->changed,
                  .exemption_id = exemption->id);
}

enum error exemption_end_early(struct db *db, struct str id, struct str by, int64_t now)
{
    return DB_RUN(db, exemption_end, .ended_by = by, .ended_at = now, .exemption_id = id);
}

enum error exemption_end_of_cluster(struct db *db, struct str cluster_name, int64_t now)
{
    return DB_RUN(db, exemption_end_named, .cluster_name = cluster_name,
                  .ended_by = STR("the cluster was deleted"), .ended_at = now);
}

enum error exemption_match_list(struct db *db, struct arena *arena,
                                const struct stored_exemption *exemption,
                                struct exemption_matches *matches)
{
    return DB_ROWS(db, arena, &matches->items, &matches->n, exemption_matches,
                   .name = exemption->cluster_name, .check_id = exemption->check,
                   .namespace = str_or_empty(exemption->namespace),
                   .resource = str_or_empty(exemption->resource), .limit = EXEMPTION_MATCHES_MAX);
}

/* ---- judging ---- */

/* Of a check that this release does not have nothing can be exempt. */
static void add_known(struct arena *arena, exemption_list *list,
                      const struct stored_exemption *stored)
{
    const struct check *check = check_find(stored->check);
    if (check)
        LIST_ADD(arena, *list,
                 ((struct exemption){.id = stored->id,
                                     .check = check,
                                     .namespace = stored->namespace,
                                     .workload = stored->resource,
                                     .reason = stored->reason,
                                     .owner = stored->owner,
                                     .expires = stored->expires,
                                     .changed = stored->changed}));
}

enum error exemption_policy(struct db *db, struct arena *arena, struct str cluster_name,
                            exemption_list *list)
{
    struct stored_exemptions stored;
    *list = (exemption_list){0};
    enum error e = DB_ROWS(db, arena, &stored.items, &stored.n, exemption_policy,
                           .cluster_name = cluster_name, .limit = EXEMPTIONS_JUDGED_MAX);
    for (size_t i = 0; !e && i < stored.n; i++)
        add_known(arena, list, &stored.items[i]);
    return e;
}

enum error exemption_pending(struct db *db, struct arena *arena, const struct cluster_row *cluster,
                             int64_t now, exemption_list *list)
{
    const struct exemption *exemption;
    exemption_list all;
    enum error e = exemption_policy(db, arena, cluster->name, &all);
    *list = (exemption_list){0};
    LIST_EACH (exemption, all)
        if (exemption->expires > now && exemption->changed > cluster->received)
            LIST_ADD(arena, *list, *exemption);
    return e;
}

/* ---- what it did ---- */

typedef LIST(struct exemption_use) use_list;

static int by_exemption(const void *a, const void *b)
{
    const struct exemption_use *x = a, *y = b;
    return str_cmp(x->exemption, y->exemption);
}

/* One a risk that an exemption is about. */
static use_list uses_of_risks(struct arena *arena, const struct ledger *ledger)
{
    const struct risk *risk;
    use_list uses = {0};
    LIST_EACH (risk, ledger->risks)
        if (risk->exemption && risk->exemption->id.n)
            LIST_ADD(arena, uses,
                     ((struct exemption_use){.exemption = risk->exemption->id,
                                             .risks = risk->exempt,
                                             .would_cost = risk->would_cost,
                                             .counting = !risk->exempt}));
    return uses;
}

/* One an exemption, by its id. */
static use_list uses_of(struct arena *arena, const struct ledger *ledger)
{
    use_list uses = uses_of_risks(arena, ledger);
    uint32_t n = 0;
    LIST_SORT(uses, by_exemption);
    for (uint32_t i = 0; i < uses.n; i++) {
        const struct exemption_use *use = &uses.items[i];
        struct exemption_use *last = n ? &uses.items[n - 1] : NULL;
        if (last && str_eq(last->exemption, use->exemption)) {
            last->risks += use->risks;
            last->would_cost += use->would_cost;
            last->counting += use->counting;
        } else {
            uses.items[n++] = *use;
        }
    }
    uses.n = n;
    return uses;
}

static bool are_same(const use_list *uses, const struct exemption_use *kept, size_t n)
{
    if (uses->n != n)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        const struct exemption_use *x = &uses->items[i], *y = &kept[i];
        if (!str_eq(x->exemption, y->exemption) || x->risks != y->risks ||
            x->would_cost != y->would_cost || x->counting != y->counting)
            return false;
    }
    return true;
}

enum error exemption_note_use(struct db *db, struct arena *arena, struct str cluster,
                              const struct ledger *ledger)
{
    struct exemption_use *kept;
    size_t n;
    use_list uses = uses_of(arena, ledger);
    enum error e = DB_ROWS(db, arena, &kept, &n, exemption_uses, .cluster = cluster);
    if (!e && n)
        qsort(kept, n, sizeof *kept, by_exemption);
    if (e || are_same(&uses, kept, n))
        return e;
    struct exemption_use_put_args *puts = ARENA_ARRAY(arena, uses.n, struct exemption_use_put_args);
    for (uint32_t i = 0; i < uses.n; i++)
        puts[i] =
            STMT_ARGS(exemption_use_put, .cluster = cluster,
                      .exemption_id = uses.items[i].exemption, .risks = uses.items[i].risks,
                      .would_cost = uses.items[i].would_cost, .counting = uses.items[i].counting);
    e = DB_RUN(db, exemption_use_delete, .cluster = cluster);
    return e ? e : DB_RUN_MANY(db, arena, exemption_use_put, puts, uses.n);
}

/* ---- maintenance ---- */

enum error exemption_purge(struct db *db, int64_t before, int64_t limit, uint64_t *purged)
{
    return DB_RUN_COUNT(db, purged, exemption_purge, .before = before, .limit = limit);
}

enum error exemption_old(struct db *db, struct arena *arena, int64_t before, int64_t *count)
{
    return DB_NUMBER(db, arena, count, exemption_old, .before = before);
}

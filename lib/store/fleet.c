#include "store/fleet.h"

#include "alert/alert.h"
#include "score/score.h"

struct fleet_count {
    struct str name;
    int64_t alerts;
};
struct fleet_slot {
    int64_t slot, score_exact, formula;
};

#define STATEMENTS "store/fleet.def"
#include "db/statements.inc"

struct reading {
    struct db *db;
    struct arena *arena;
    const struct cluster_row *clusters;
    size_t n;
    struct fleet_cluster *fleet;
};

/* Rows come by name, like the clusters: *at goes forward. NULL: a cluster that came meanwhile. */
static struct fleet_cluster *find(const struct reading *r, size_t *at, struct str name)
{
    while (*at < r->n && str_cmp(r->clusters[*at].name, name) < 0)
        ++*at;
    return *at < r->n && str_eq(r->clusters[*at].name, name) ? &r->fleet[*at] : NULL;
}

static enum error read_alerts(struct reading *r)
{
    struct fleet_count *counts;
    size_t n, at = 0;
    enum error e = DB_ROWS(r->db, r->arena, &counts, &n, fleet_alerts, .first = r->clusters[0].name,
                           .last = r->clusters[r->n - 1].name, .rule_id = STR(ALERT_CATCH_ALL_ID));
    for (size_t i = 0; !e && i < n; i++) {
        struct fleet_cluster *cluster = find(r, &at, counts[i].name);
        if (cluster)
            cluster->alerts = counts[i].alerts;
    }
    return e;
}

static void take_lowest(int16_t *lowest, int16_t score)
{
    if (*lowest == FLEET_NO_SCORE || score < *lowest)
        *lowest = score;
}

static enum error read_scores(struct reading *r, size_t at, int64_t now)
{
    struct fleet_slot *slots;
    size_t n;
    int64_t first = now / 1000 / FLEET_SLOT_SECONDS - FLEET_SLOTS + 1;
    enum error e =
        DB_ROWS(r->db, r->arena, &slots, &n, fleet_slots, .seconds = FLEET_SLOT_SECONDS,
                .cluster = r->clusters[at].id, .from = first * FLEET_SLOT_SECONDS * 1000);
    for (size_t i = 0; !e && i < n; i++) {
        int64_t slot = slots[i].slot - first;
        int16_t score = (int16_t)score_rounded(slots[i].formula, slots[i].score_exact);
        if (slot >= 0 && slot < FLEET_SLOTS)
            take_lowest(&r->fleet[at].scores[slot], score);
    }
    return e;
}

enum error fleet_fetch(struct db *db, struct arena *arena, const struct cluster_row *clusters,
                       size_t n, bool with_scores, int64_t now, struct fleet_cluster **fleet)
{
    struct reading r = {db, arena, clusters, n, ARENA_ARRAY(arena, n, struct fleet_cluster)};
    *fleet = r.fleet;
    for (size_t i = 0; i < n; i++) {
        r.fleet[i].alerts = 0;
        for (int slot = 0; slot < FLEET_SLOTS; slot++)
            r.fleet[i].scores[slot] = FLEET_NO_SCORE;
    }
    enum error e = n ? read_alerts(&r) : ERR_OK;
    for (size_t i = 0; !e && with_scores && i < n; i++)
        e = read_scores(&r, i, now);
    return e;
}

enum error fleet_firing(struct db *db, struct arena *arena, struct str cluster_name,
                        struct firing_alerts *alerts)
{
    struct str catch_all = STR(ALERT_CATCH_ALL_ID);
    enum error e = cluster_name.p ? DB_ROWS(db, arena, &alerts->items, &alerts->n, fleet_firing_in,
                                            .name = cluster_name, .rule_id = catch_all,
                                            .limit = FLEET_FIRING_MAX)
                                  : DB_ROWS(db, arena, &alerts->items, &alerts->n, fleet_firing,
                                            .rule_id = catch_all, .limit = FLEET_FIRING_MAX);
    for (size_t i = 0; !e && i < alerts->n; i++) {
        struct firing_alert *alert = &alerts->items[i];
        if (!str_eq(alert->rule, catch_all))
            continue;
        alert->rule = (struct str){0};
        alert->kind = alert_kind_name(ALERT_SCORE_DROP);
        alert->threshold = ALERT_CATCH_ALL;
    }
    return e;
}

/* clusters: the tenant's clusters and their latest scores. */
#include "routes.h"
#include "base/log.h"
#include "gate/gate.h"
#include "report/report.h"
#include "store/categories.h"
#include "store/fleet.h"
#include "store/removal.h"
#include "web/app.h"
#include "web/audit_trail.h"
#include "web/body.h"
#include "web/page.h"
#include "web/paging.h"
#include "web/param.h"

/* A request removes as much of a deleted cluster as it can in this time; maintenance does the rest.
 */
enum { REMOVAL_MS = 1000, SCOPE_MAX = 16 };

/* What has been scored: the score as the gate would count it now, and what it has lost where. */
static void write_score(struct request *r, struct jw *w, const struct cluster_row *row)
{
    struct category_result categories[CATEGORY_COUNT];
    int64_t stale = r->conf->stale_block * 1000 + CLOCK_SECOND;
    int64_t age = cluster_age(row->taken, r->now, stale);
    int counted = gate_score_at_age((int)row->score, age, r->conf->stale_warn * 1000,
                                    r->conf->stale_block * 1000);
    jw_key(w, STR("scoreExact"));
    jw_hundredths(w, row->score_exact);
    JW_STR(w, "decision", decision_name(decision_of(counted)));
    categories_read(row->categories, categories);
    jw_key(w, STR("categories"));
    jw_object(w);
    for (enum category category = 0; category < CATEGORY_COUNT; category++) {
        jw_key(w, category_name(category));
        jw_hundredths(w, categories[category].lost);
    }
    jw_object_end(w);
}

static void write_no_score(struct jw *w)
{
    JW_STR_OR_NULL(w, "scoreExact", STR(""));
    JW_STR_OR_NULL(w, "decision", STR(""));
    JW_STR_OR_NULL(w, "categories", STR(""));
}

static void write_history(struct jw *w, const struct fleet_cluster *fleet)
{
    jw_key(w, STR("history"));
    jw_array(w);
    for (int i = 0; i < FLEET_SLOTS; i++) {
        if (fleet->scores[i] == FLEET_NO_SCORE)
            jw_null(w);
        else
            jw_int(w, fleet->scores[i]);
    }
    jw_array_end(w);
}

static void write_cluster(struct request *r, struct jw *w, const struct cluster_row *row,
                          const struct fleet_cluster *fleet, bool with_history)
{
    jw_object(w);
    JW_STR(w, "id", row->name);
    JW_STR(w, "name", row->name);
    JW_STR(w, "provider", row->provider);
    JW_STR(w, "status", cluster_status_name(cluster_status(row, r->now)));
    JW_STR(w, "region", row->region);
    jw_key(w, STR("cscScore"));
    if (row->taken != TIME_NONE)
        jw_int(w, row->score);
    else
        jw_null(w);
    JW_INT(w, "pods", row->pods);
    JW_INT(w, "nodes", row->nodes);
    JW_INT(w, "risks", row->risks);
    JW_TIME(w, "lastSnapshot", row->received);
    JW_STR(w, "scope", report_scope(row->partial));
    JW_STR_OR_NULL(w, "verdict", row->verdict);
    JW_TIME(w, "takenAt", row->taken);
    if (row->taken == TIME_NONE)
        write_no_score(w);
    else
        write_score(r, w, row);
    JW_INT(w, "firingAlerts", fleet->alerts);
    if (with_history)
        write_history(w, fleet);
    jw_object_end(w);
}

/* All of them, unless the client wants pages. A page's cursor is the name that the one before ended
 * with. */
static enum error read_page(struct request *r, struct str *after, int64_t *limit)
{
    *after = request_param(r, "cursor");
    if (after->p && !cluster_name_is_valid(*after))
        return refuse_field(r, ERR_INVALID_FIELD, "cursor", "is not one of a Link header.");
    return param_int(r, "limit", 1, PAGING_MAX, INT64_MAX, limit);
}

static enum error read_include(struct request *r, bool *history)
{
    struct str include = request_param(r, "include");
    *history = str_eq(include, STR("history"));
    if (include.n && !*history)
        return refuse_field(r, ERR_INVALID_FIELD, "include", "can only be history.");
    return ERR_OK;
}

/* Those behind the cursor, at most limit; *more: there are others. */
static void take_page(struct cluster_rows *rows, struct str after, int64_t limit, bool *more)
{
    while (rows->n && str_cmp(rows->items[0].name, after) <= 0) {
        rows->items++;
        rows->n--;
    }
    *more = rows->n > (uint64_t)limit;
    if (*more)
        rows->n = (size_t)limit;
}

static enum error answer_list(struct request *r, const struct cluster_rows *rows, bool history)
{
    struct fleet_cluster *fleet;
    struct page page;
    enum error e = fleet_fetch(r->db, r->arena, rows->items, rows->n, history, r->now, &fleet);
    if (e)
        return e;
    page_begin(r, &page);
    jw_array(&page.jw);
    for (size_t i = 0; i < rows->n; i++)
        write_cluster(r, &page.jw, &rows->items[i], &fleet[i], history);
    jw_array_end(&page.jw);
    return page_json_tagged(r, &page);
}

/* One, for who looks at one. */
static enum error answer_one(struct request *r, bool history)
{
    struct cluster_rows rows = {.n = 1};
    enum error e = param_cluster(r, "id", &rows.items);
    return e ? e : answer_list(r, &rows, history);
}

enum error clusters_list(struct request *r)
{
    struct cluster_rows rows;
    struct str after;
    int64_t limit;
    bool history, more;
    enum error e = read_page(r, &after, &limit);
    if (!e)
        e = read_include(r, &history);
    if (!e && request_param(r, "id").p)
        return answer_one(r, history);
    if (!e)
        e = cluster_list(r->db, r->arena, &rows);
    if (e)
        return e;
    take_page(&rows, after, limit, &more);
    if (more)
        paging_link(r, rows.items[rows.n - 1].name);
    return answer_list(r, &rows, history);
}

/* ---- PATCH /api/clusters ---- */

struct changing {
    struct request *r;
    struct str name;
    bool partial;
    struct cluster_row *cluster;
    struct fleet_cluster *fleet;
};

/* The parameter, else the member. body: NULL when there is none. */
static enum error read_id(struct request *r, struct json_object *body, struct str *name)
{
    if (!body || request_param(r, "id").p)
        return param_cluster_name(r, "id", name);
    enum error e = body_text(r, body, "id", BODY_REQUIRED, CLUSTER_NAME_MAX, name);
    return e ? e : param_check_cluster_name(r, "id", *name);
}

static enum error read_scope(struct request *r, struct json_object *body, bool *partial)
{
    struct str scope;
    enum error e = body_text(r, body, "scope", BODY_REQUIRED, SCOPE_MAX, &scope);
    if (e)
        return e;
    *partial = str_eq(scope, report_scope(true));
    if (*partial || str_eq(scope, report_scope(false)))
        return ERR_OK;
    return refuse_field(r, ERR_INVALID_FIELD, "scope", "must be namespaces or cluster.");
}

/* What is answered is read with it: once it is stored nothing may fail. */
static enum error store_change(struct db *db, void *arg)
{
    struct changing *c = arg;
    enum error e = cluster_lock(db, c->r->arena, c->name, &c->cluster);
    if (!e && !c->cluster)
        e = ERR_UNKNOWN_CLUSTER;
    if (!e)
        e = cluster_set_partial(db, c->cluster, c->partial);
    if (!e)
        e = fleet_fetch(db, c->r->arena, c->cluster, 1, false, c->r->now, &c->fleet);
    if (e)
        return e;
    return audit_done(c->r, AUDIT_CLUSTER_CHANGED,
                      arena_printf(c->r->arena, "%" STR_FMT ", scope %" STR_FMT, STR_ARG(c->name),
                                   STR_ARG(report_scope(c->partial))));
}

enum error clusters_change(struct request *r)
{
    struct changing c = {.r = r};
    struct json_object *body;
    struct page page;
    enum error e = body_object(r, &body);
    if (!e)
        e = read_id(r, body, &c.name);
    if (!e)
        e = read_scope(r, body, &c.partial);
    if (!e)
        e = db_transact(r->db, store_change, &c);
    if (e)
        return e;
    page_begin(r, &page);
    write_cluster(r, &page.jw, c.cluster, c.fleet, false);
    return page_json(r, 200, &page);
}

/* ---- DELETE /api/clusters ---- */

struct deletion {
    struct request *r;
    struct str name, cluster;
};

static enum error store_deletion(struct db *db, void *arg)
{
    struct deletion *s = arg;
    enum error e = removal_begin(db, s->r->arena, s->name, s->r->now, &s->cluster);
    return e ? e : audit_done(s->r, AUDIT_CLUSTER_DELETED, s->name);
}

enum error clusters_delete(struct request *r)
{
    struct deletion s = {.r = r};
    struct json_object *body = NULL;
    bool done;
    enum error e = r->http.body.n ? body_object(r, &body) : ERR_OK;
    if (!e)
        e = read_id(r, body, &s.name);
    if (!e)
        e = db_transact(r->db, store_deletion, &s);
    if (e)
        return e;
    /* It is gone by now: what fails here, fails for maintenance alone. */
    if (removal_continue(r->db, s.cluster, clock_monotonic() + REMOVAL_MS, &done) || !done)
        log_info("cluster=%s removal=unfinished", log_quote(s.cluster));
    return page_deleted(r, s.name);
}

int main(int argc, char **argv)
{
    return app_run(argc, argv, "clusters", routes());
}

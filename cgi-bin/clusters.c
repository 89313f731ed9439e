/* clusters: the tenant's clusters and their latest scores. */
#include "routes.h"
#include "base/log.h"
#include "report/report.h"
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

static void write_cluster(struct jw *w, const struct cluster_row *row, int64_t now)
{
    jw_object(w);
    JW_STR(w, "id", row->name);
    JW_STR(w, "name", row->name);
    JW_STR(w, "provider", row->provider);
    JW_STR(w, "status", cluster_status_name(cluster_status(row, now)));
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

enum error clusters_list(struct request *r)
{
    struct cluster_rows rows;
    struct page page;
    struct str after;
    int64_t limit;
    enum error e = read_page(r, &after, &limit);
    if (!e)
        e = cluster_list(r->db, r->arena, &rows);
    if (e)
        return e;
    size_t i = 0;
    while (i < rows.n && str_cmp(rows.items[i].name, after) <= 0)
        i++;
    page_begin(r, &page);
    jw_array(&page.jw);
    for (; i < rows.n && limit > 0; i++, limit--)
        write_cluster(&page.jw, &rows.items[i], r->now);
    jw_array_end(&page.jw);
    if (i < rows.n)
        paging_link(r, rows.items[i - 1].name);
    return page_json(r, 200, &page);
}

/* ---- PATCH /api/clusters ---- */

struct changing {
    struct request *r;
    struct str name;
    bool partial;
    struct cluster_row *cluster;
};

/* The parameter, else the member. */
static enum error read_id(struct request *r, struct json_object *body, struct str *name)
{
    if (request_param(r, "id").p)
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

static enum error store_change(struct db *db, void *arg)
{
    struct changing *c = arg;
    enum error e = cluster_lock(db, c->r->arena, c->name, &c->cluster);
    if (!e && !c->cluster)
        e = ERR_UNKNOWN_CLUSTER;
    if (!e)
        e = cluster_set_partial(db, c->cluster, c->partial);
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
    write_cluster(&page.jw, c.cluster, r->now);
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
    bool done;
    enum error e = param_cluster_name(r, "id", &s.name);
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

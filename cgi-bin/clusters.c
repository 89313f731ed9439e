/* clusters: the tenant's clusters and their latest scores. */
#include "routes.h"
#include "store/cluster.h"
#include "web/app.h"
#include "web/page.h"

static void int_or_null(struct jw *w, struct str key, bool known, int64_t n)
{
    jw_key(w, key);
    if (known)
        jw_int(w, n);
    else
        jw_null(w);
}

static void write_cluster(struct jw *w, const struct cluster_row *row, int64_t now)
{
    jw_object(w);
    JW_STR(w, "id", row->name);
    JW_STR(w, "name", row->name);
    JW_STR(w, "provider", row->provider);
    JW_STR(w, "status", cluster_status_name(cluster_status(row, now)));
    JW_STR(w, "region", row->region);
    int_or_null(w, STR("cscScore"), row->taken != TIME_NONE, row->score);
    JW_INT(w, "pods", row->pods);
    JW_INT(w, "nodes", row->nodes);
    JW_INT(w, "risks", row->risks);
    JW_TIME(w, "lastSnapshot", row->received);
    jw_object_end(w);
}

enum error clusters_list(struct request *r)
{
    struct cluster_rows rows;
    struct page page;
    enum error e = cluster_list(r->db, r->arena, &rows);
    if (e)
        return e;
    page_begin(r, &page);
    jw_array(&page.jw);
    for (size_t i = 0; i < rows.n; i++)
        write_cluster(&page.jw, &rows.items[i], r->now);
    jw_array_end(&page.jw);
    return page_json(r, 200, &page);
}

int main(void)
{
    return app_run("clusters", routes());
}

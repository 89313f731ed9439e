/* Which alerts fire, and which are over. */
#include "../routes.h"
#include "store/ended_alert.h"
#include "store/fleet.h"
#include "web/page.h"
#include "web/paging.h"
#include "web/param.h"

/* ---- what fires ---- */

static void write_firing(struct jw *w, const struct firing_alert *alert)
{
    jw_object(w);
    JW_STR(w, "clusterId", alert->cluster_name);
    JW_STR_OR_NULL(w, "ruleId", alert->rule);
    JW_STR(w, "condition", alert->kind);
    JW_INT_OR_NULL(w, "threshold", alert->threshold);
    JW_STR_OR_NULL(w, "app", alert->subject);
    JW_TIME(w, "since", alert->since);
    JW_TIME(w, "lastSentAt", alert->sent);
    jw_object_end(w);
}

/* The parameter clusterId, of a cluster of the tenant; absent: of all. */
static enum error read_own_cluster(struct request *r, struct str *name)
{
    struct cluster_row *cluster;
    *name = (struct str){0};
    if (!request_param(r, "clusterId").p)
        return ERR_OK;
    enum error e = param_cluster(r, "clusterId", &cluster);
    if (!e)
        *name = cluster->name;
    return e;
}

enum error rules_firing(struct request *r)
{
    struct firing_alerts alerts;
    struct str name;
    struct page page;
    enum error e = read_own_cluster(r, &name);
    if (!e)
        e = fleet_firing(r->db, r->arena, name, &alerts);
    if (e)
        return e;
    page_begin(r, &page);
    jw_array(&page.jw);
    for (size_t i = 0; i < alerts.n; i++)
        write_firing(&page.jw, &alerts.items[i]);
    jw_array_end(&page.jw);
    return page_json_tagged(r, &page);
}

/* ---- what is over ---- */

static void write_ended(struct jw *w, const struct ended_alert *alert)
{
    jw_object(w);
    JW_STR(w, "id", alert->id);
    JW_STR(w, "clusterId", alert->cluster_name);
    JW_STR_OR_NULL(w, "ruleId", alert->rule);
    JW_STR(w, "condition", alert->kind);
    JW_INT_OR_NULL(w, "threshold", alert->threshold);
    JW_STR_OR_NULL(w, "app", alert->subject);
    JW_TIME(w, "since", alert->since);
    JW_TIME(w, "lastSentAt", alert->sent);
    JW_TIME(w, "endedAt", alert->ended);
    JW_BOOL(w, "recovered", alert->recovered);
    jw_object_end(w);
}

static enum error read_ended_filter(struct request *r, struct ended_alert_filter *filter)
{
    enum error e = paging_read(r, &filter->page);
    if (!e)
        e = read_own_cluster(r, &filter->cluster_name);
    if (!e)
        e = param_time(r, "from", PARAM_TIME_MIN, &filter->from);
    return e ? e : param_time(r, "to", PARAM_TIME_MAX, &filter->to);
}

enum error rules_ended(struct request *r)
{
    struct ended_alert_filter filter = {0};
    struct ended_alerts alerts;
    struct page page;
    enum error e = read_ended_filter(r, &filter);
    if (!e)
        e = ended_alert_list(r->db, r->arena, &filter, &alerts);
    if (e)
        return e;
    if (paging_has_more(&filter.page, &alerts.n))
        paging_next(r, alerts.items[alerts.n - 1].ended, alerts.items[alerts.n - 1].id);
    page_begin(r, &page);
    jw_array(&page.jw);
    for (size_t i = 0; i < alerts.n; i++)
        write_ended(&page.jw, &alerts.items[i]);
    jw_array_end(&page.jw);
    return page_json_tagged(r, &page);
}

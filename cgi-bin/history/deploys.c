/* What was deployed. */
#include "kube/kinds.h"
#include "store/stored_deploy.h"
#include "web/page.h"
#include "web/paging.h"
#include "web/param.h"

#include "../routes.h"

static void write_words(struct jw *w, struct str text)
{
    struct str word;
    jw_array(w);
    while (str_next_word(&text, &word))
        jw_str(w, word);
    jw_array_end(w);
}

static struct str resource_of(struct arena *arena, const struct kept_deploy *deploy)
{
    struct buf out = buf_init(arena, HTTP_TARGET_MAX);
    for (size_t i = 0; i < deploy->kind.n; i++)
        buf_putc(&out, str_lower(deploy->kind.p[i]));
    buf_putc(&out, '/');
    buf_put(&out, deploy->name);
    return buf_str(&out);
}

static void write_replicas(struct jw *w, const struct kept_deploy *deploy)
{
    jw_key(w, STR("replicas"));
    if (deploy->replicas_from < 0 || deploy->replicas_to < 0) {
        jw_null(w);
        return;
    }
    jw_object(w);
    JW_INT(w, "from", deploy->replicas_from);
    JW_INT(w, "to", deploy->replicas_to);
    jw_object_end(w);
}

static void write_deploy(struct request *r, struct jw *w, struct str cluster,
                         const struct kept_deploy *deploy)
{
    jw_object(w);
    JW_STR(w, "id", deploy->id);
    JW_TIME(w, "at", deploy->at);
    JW_STR(w, "cluster_id", cluster);
    JW_STR(w, "namespace", deploy->namespace);
    JW_STR(w, "resource", resource_of(r->arena, deploy));
    JW_STR(w, "event", deploy->event);
    jw_key(w, STR("changes"));
    write_words(w, deploy->changes);
    jw_key(w, STR("images"));
    jw_raw(w, deploy->images);
    jw_key(w, STR("configuration"));
    jw_raw(w, deploy->configuration);
    write_replicas(w, deploy);
    JW_STR_OR_NULL(w, "revision", deploy->revision);
    JW_TIME(w, "started_at", deploy->began);
    JW_STR_OR_NULL(w, "by", deploy->by);
    JW_STR_OR_NULL(w, "cause", deploy->cause);
    JW_STR_OR_NULL(w, "decision_id", deploy->decision_id);
    JW_STR_OR_NULL(w, "decision", deploy->decision);
    stored_outcome_write(w, &deploy->outcome);
    jw_object_end(w);
}

/* "deployment/api", a kind as kubectl takes it; "api" alone: of any kind. */
static enum error read_resource(struct request *r, struct deploy_filter *filter)
{
    struct str text, word, name;
    enum error e = param_text(r, "resource", 2 * DEPLOY_TEXT_MAX, &text);
    if (e || !text.n)
        return e;
    filter->name = text;
    if (!str_cut(text, '/', &word, &name))
        return ERR_OK;
    filter->kind = kind_name(kind_of_workload(word));
    filter->name = name;
    return filter->kind.n && name.n
               ? ERR_OK
               : refuse_field(r, ERR_INVALID_FIELD, "resource",
                              "must be a workload such as deployment/api, or its name.");
}

static enum error read_filter(struct request *r, struct deploy_filter *filter)
{
    enum error e = paging_read(r, &filter->page);
    if (!e)
        e = param_time(r, "from", PARAM_TIME_MIN, &filter->from);
    if (!e)
        e = param_time(r, "to", PARAM_TIME_MAX, &filter->to);
    if (!e)
        e = param_text(r, "namespace", DEPLOY_TEXT_MAX, &filter->namespace);
    if (!e)
        e = read_resource(r, filter);
    filter->event = request_param(r, "event");
    if (!e && filter->event.n && !deploy_event_find(filter->event))
        e = refuse_field(r, ERR_INVALID_FIELD, "event",
                         "must be started, rolled_back, changed, finished or stalled.");
    return e;
}

enum error history_deploys(struct request *r)
{
    struct deploy_filter filter = {.cluster = {0}};
    struct kept_deploys deploys;
    struct cluster_row *cluster;
    struct page page;
    enum error e = read_filter(r, &filter);
    if (!e)
        e = param_cluster(r, "clusterId", &cluster);
    if (e)
        return e;
    filter.cluster = cluster->id;
    e = deploy_list(r->db, r->arena, &filter, &deploys);
    if (e)
        return e;
    if (paging_has_more(&filter.page, &deploys.n))
        paging_next(r, deploys.items[deploys.n - 1].at, deploys.items[deploys.n - 1].id);
    page_begin(r, &page);
    jw_array(&page.jw);
    for (size_t i = 0; i < deploys.n; i++)
        write_deploy(r, &page.jw, cluster->name, &deploys.items[i]);
    jw_array_end(&page.jw);
    return page_json_tagged(r, &page);
}

/* Overrides of the gate: what it would stop goes ahead for a time, because somebody says so. */
#include "../routes.h"
#include "body.h"
#include "kube/credential_cut.h"
#include "store/stored_override.h"
#include "store/tenant.h"
#include "web/audit_trail.h"
#include "web/body.h"
#include "web/page.h"
#include "web/paging.h"
#include "web/param.h"

enum { OVERRIDE_HOURS_MAX = 72, INCLUDE_MAX = 64 };

struct changing_override {
    struct request *r;
    struct str id;
    struct cluster_row *cluster;
    struct stored_override *stored;
};

static void write_override(struct jw *w, const struct stored_override *stored, int64_t now)
{
    const struct override *override = &stored->override;
    bool ended = stored->ended != TIME_NONE;
    jw_object(w);
    JW_STR(w, "id", override->id);
    JW_STR(w, "clusterId", stored->cluster_name);
    JW_STR_OR_NULL(w, "namespace", override->namespace);
    JW_STR(w, "reason", override->reason);
    JW_TIME(w, "until", override->until);
    JW_STR(w, "state", ended ? STR("ended") : override->until <= now ? STR("over") : STR("active"));
    JW_STR(w, "createdBy", override->by);
    JW_TIME(w, "createdAt", override->created);
    JW_STR_OR_NULL(w, "endedBy", stored->ended_by);
    JW_TIME(w, "endedAt", stored->ended);
    jw_object_end(w);
}

/* ---- GET ---- */

static enum error read_filter(struct request *r, struct override_filter *filter)
{
    struct str include;
    enum error e = paging_read(r, &filter->page);
    if (!e && request_param(r, "id").p)
        e = param_id(r, "id", &filter->id);
    if (!e)
        e = param_filter_cluster(r, "clusterId", &filter->cluster_name);
    if (!e)
        e = param_text(r, "include", INCLUDE_MAX, &include);
    if (!e && include.p && !str_eq(include, STR("ended")))
        e = refuse_field(r, ERR_INVALID_FIELD, "include", "must be ended.");
    filter->with_ended = !e && (include.p || filter->id.p);
    filter->now = r->now;
    return e;
}

enum error exemptions_overrides(struct request *r)
{
    struct override_filter filter = {0};
    struct stored_overrides rows;
    struct page page;
    enum error e = read_filter(r, &filter);
    if (!e)
        e = override_page(r->db, r->arena, &filter, &rows);
    if (!e && filter.id.p && !rows.n)
        e = ERR_UNKNOWN_OVERRIDE;
    if (e)
        return e;
    if (!filter.id.p && paging_has_more(&filter.page, &rows.n))
        paging_next(r, rows.items[rows.n - 1].override.created, rows.items[rows.n - 1].override.id);
    page_begin(r, &page);
    if (!filter.id.p)
        jw_array(&page.jw);
    for (size_t i = 0; i < rows.n; i++)
        write_override(&page.jw, &rows.items[i], r->now);
    if (!filter.id.p)
        jw_array_end(&page.jw);
    return page_json_tagged(r, &page);
}

/* ---- in words ---- */

/* "cluster production, namespace shop" */
static struct str where_overridden(const struct changing_override *c)
{
    struct str namespace = c->stored->override.namespace;
    return arena_printf(c->r->arena, "cluster %" STR_FMT "%s%" STR_FMT,
                        STR_ARG(c->stored->cluster_name), namespace.n ? ", namespace " : "",
                        STR_ARG(namespace));
}

/* ---- POST ---- */

static enum error read_cluster(struct changing_override *c, struct json_object *body)
{
    struct str *name = &c->stored->cluster_name;
    enum error e = body_text(c->r, body, "clusterId", BODY_REQUIRED, CLUSTER_NAME_MAX, name);
    return e ? e : param_find_cluster(c->r, "clusterId", *name, &c->cluster);
}

/* A secret in it would be in every answer of the gate. */
static enum error read_reason(struct changing_override *c, struct json_object *body)
{
    struct str reason;
    enum error e = body_filled(c->r, body, "reason", BODY_REQUIRED, OVERRIDE_REASON_MAX, &reason);
    if (!e)
        c->stored->override.reason =
            str_utf8_prefix(credential_cut(c->r->arena, str_trim(reason)), OVERRIDE_REASON_MAX);
    return e;
}

static enum error read_until(struct changing_override *c, struct json_object *body)
{
    struct request *r = c->r;
    int64_t *until = &c->stored->override.until;
    enum error e = body_time(r, body, "until", until);
    if (!e && *until == TIME_NONE)
        e = refuse_field(r, ERR_MISSING_FIELD, "until", "is required.");
    if (!e && (*until <= r->now || *until > r->now + OVERRIDE_HOURS_MAX * CLOCK_HOUR))
        e = refuse_field(r, ERR_INVALID_FIELD, "until",
                         "must be in the future, and within the next %d hours.",
                         OVERRIDE_HOURS_MAX);
    return e;
}

static enum error read_override(struct changing_override *c)
{
    struct json_object *body;
    enum error e = body_object(c->r, &body);
    if (!e)
        e = read_cluster(c, body);
    if (!e)
        e = exemption_read_namespace(c->r, body, OVERRIDE_NAMESPACE_MAX,
                                     &c->stored->override.namespace);
    if (!e)
        e = read_reason(c, body);
    return e ? e : read_until(c, body);
}

/* The cluster is locked: a deletion of it takes the override with it. */
static enum error store_new(struct db *db, void *arg)
{
    struct changing_override *c = arg;
    struct request *r = c->r;
    struct override *override = &c->stored->override;
    char until[CLOCK_TEXT_SIZE];
    int64_t count;
    enum error e = tenant_lock(db, r->arena);
    if (!e)
        e = cluster_lock(db, r->arena, c->stored->cluster_name, &c->cluster);
    if (!e && !c->cluster)
        e = ERR_UNKNOWN_CLUSTER;
    if (!e)
        e = override_count(db, r->arena, r->now, &count);
    if (!e && count >= OVERRIDES_MAX)
        e = refuse(r, ERR_PLAN_LIMIT, "There can be %d overrides at a time; end one first.",
                   OVERRIDES_MAX);
    if (!e)
        e = override_create(db, r->arena, c->cluster->id, override);
    if (e)
        return e;
    struct str where = where_overridden(c), end = clock_format_short(override->until, until);
    return audit_done(r, AUDIT_OVERRIDE_CREATED,
                      arena_printf(r->arena, "%" STR_FMT " until %" STR_FMT ": %" STR_FMT,
                                   STR_ARG(where), STR_ARG(end), STR_ARG(override->reason)));
}

enum error exemptions_create_override(struct request *r)
{
    struct stored_override stored = {.override = {.by = r->identity.email, .created = r->now},
                                     .ended = TIME_NONE};
    struct changing_override c = {.r = r, .stored = &stored};
    struct page page;
    enum error e = read_override(&c);
    if (!e)
        e = db_transact(r->db, store_new, &c);
    if (e)
        return e;
    page_begin(r, &page);
    write_override(&page.jw, &stored, r->now);
    return page_json(r, 201, &page);
}

/* ---- DELETE ---- */

static enum error store_ended(struct db *db, void *arg)
{
    struct changing_override *c = arg;
    enum error e = override_lock(db, c->r->arena, c->id, c->r->now, &c->stored);
    if (!e && !c->stored)
        e = ERR_UNKNOWN_OVERRIDE;
    if (!e)
        e = override_end(db, c->id, c->r->identity.email, c->r->now);
    return e ? e : audit_done(c->r, AUDIT_OVERRIDE_ENDED, where_overridden(c));
}

enum error exemptions_end_override(struct request *r)
{
    struct changing_override c = {.r = r};
    enum error e = body_only_id(r, &c.id);
    if (!e)
        e = db_transact(r->db, store_ended, &c);
    return e ? e : page_deleted(r, c.id);
}

/* exemptions: findings that a tenant has accepted, each for a time. They count from the next
 * snapshot on. */
#include "exemptions/body.h"
#include "routes.h"
#include "score/exemption.h"
#include "store/stored_exemption.h"
#include "store/tenant.h"
#include "web/app.h"
#include "web/audit_trail.h"
#include "web/body.h"
#include "web/page.h"
#include "web/paging.h"
#include "web/param.h"

enum { CHECK_MAX = 64 };

/* ---- what is told of one ---- */

static void write_match(struct jw *w, const struct exemption_match *match)
{
    jw_object(w);
    JW_STR(w, "clusterId", match->cluster_name);
    JW_STR(w, "riskId", match->id);
    JW_STR(w, "namespace", match->namespace);
    JW_STR(w, "resource", match->resource);
    if (match->container.n)
        JW_STR(w, "container", match->container);
    JW_STR(w, "message", match->message);
    JW_STR_OR_NULL(w, "exemptionId", match->exemption);
    jw_key(w, STR("wouldCost"));
    jw_hundredths(w, match->would_cost);
    jw_object_end(w);
}

static void write_matches(struct jw *w, const struct exemption_matches *matches)
{
    if (!matches)
        return;
    jw_key(w, STR("matches"));
    jw_array(w);
    for (size_t i = 0; i < matches->n; i++)
        write_match(w, &matches->items[i]);
    jw_array_end(w);
}

/* matches: NULL leaves the member out. */
static void write_exemption(struct jw *w, const struct stored_exemption *exemption,
                            const struct exemption_matches *matches, int64_t now)
{
    jw_object(w);
    JW_STR(w, "id", exemption->id);
    JW_STR(w, "check", exemption->check);
    JW_STR_OR_NULL(w, "clusterId", exemption->cluster_name);
    JW_STR_OR_NULL(w, "namespace", exemption->namespace);
    JW_STR_OR_NULL(w, "resource", exemption->resource);
    JW_STR(w, "reason", exemption->reason);
    JW_STR(w, "owner", exemption->owner);
    JW_TIME(w, "expires", exemption->expires);
    JW_STR(w, "state", exemption_state_name(exemption_state(exemption, now)));
    JW_BOOL(w, "pending", exemption->waiting);
    JW_INT(w, "risks", exemption->risks);
    jw_key(w, STR("wouldCost"));
    jw_hundredths(w, exemption->would_cost);
    JW_INT(w, "countAgain", exemption->counting);
    JW_STR(w, "createdBy", exemption->created_by);
    JW_TIME(w, "createdAt", exemption->created);
    JW_TIME(w, "changedAt", exemption->changed);
    JW_STR_OR_NULL(w, "endedBy", exemption->ended_by);
    JW_TIME(w, "endedAt", exemption->ended);
    write_matches(w, matches);
    jw_object_end(w);
}

static enum error find(struct request *r, struct str id, struct stored_exemption **exemption)
{
    struct exemption_filter filter = {
        .id = id,
        .with_ended = true,
        .page = {1, PARAM_TIME_MAX, STR("ffffffff-ffff-ffff-ffff-ffffffffffff")}};
    struct stored_exemptions rows;
    enum error e = exemption_page(r->db, r->arena, &filter, &rows);
    if (!e && !rows.n)
        e = ERR_UNKNOWN_EXEMPTION;
    *exemption = e ? NULL : &rows.items[0];
    return e;
}

/* With what it is for in the latest snapshots. To tell that, open risks are read, which can be
 * millions. changed: it is stored already, so what it is for is left out when the database does not
 * say it in time. */
static enum error answer(struct request *r, int status, const struct stored_exemption *exemption,
                         bool changed)
{
    struct exemption_matches matches;
    struct page page;
    enum error e = exemption_match_list(r->db, r->arena, exemption, &matches);
    if (e && !changed)
        return e;
    page_begin(r, &page);
    write_exemption(&page.jw, exemption, e ? NULL : &matches, r->now);
    return status == 200 ? page_json_tagged(r, &page) : page_json(r, status, &page);
}

static enum error answer_one(struct request *r, struct str id)
{
    struct stored_exemption *exemption;
    enum error e = find(r, id, &exemption);
    return e ? e : answer(r, 200, exemption, false);
}

/* ---- GET ---- */

static enum error read_filter(struct request *r, struct exemption_filter *filter)
{
    struct str include;
    enum error e = paging_read(r, &filter->page);
    if (!e && request_param(r, "id").p)
        e = param_id(r, "id", &filter->id);
    if (!e)
        e = param_text(r, "check", CHECK_MAX, &filter->check);
    if (!e)
        e = param_filter_cluster(r, "clusterId", &filter->cluster_name);
    if (!e)
        e = param_text(r, "include", CHECK_MAX, &include);
    if (!e && include.p && !str_eq(include, STR("ended")))
        e = refuse_field(r, ERR_INVALID_FIELD, "include", "must be ended.");
    filter->with_ended = !e && include.p;
    return e;
}

enum error exemptions_list(struct request *r)
{
    struct exemption_filter filter = {0};
    struct stored_exemptions rows;
    struct page page;
    enum error e = read_filter(r, &filter);
    if (!e && filter.id.p)
        return answer_one(r, filter.id);
    if (!e)
        e = exemption_page(r->db, r->arena, &filter, &rows);
    if (e)
        return e;
    if (paging_has_more(&filter.page, &rows.n))
        paging_next(r, rows.items[rows.n - 1].created, rows.items[rows.n - 1].id);
    page_begin(r, &page);
    jw_array(&page.jw);
    for (size_t i = 0; i < rows.n; i++)
        write_exemption(&page.jw, &rows.items[i], NULL, r->now);
    jw_array_end(&page.jw);
    return page_json_tagged(r, &page);
}

/* ---- in words ---- */

/* "privileged-container of deployment/api in shop, cluster production" */
static struct str what_is_exempt(const struct changing *c)
{
    const struct stored_exemption *x = c->exemption;
    struct buf out = buf_init(c->r->arena, AUDIT_SUBJECT_MAX);
    buf_put(&out, x->check);
    if (x->resource.n)
        buf_printf(&out, " of %" STR_FMT, STR_ARG(x->resource));
    if (x->namespace.n)
        buf_printf(&out, " in %" STR_FMT, STR_ARG(x->namespace));
    if (x->cluster_name.p)
        buf_printf(&out, ", cluster %" STR_FMT, STR_ARG(x->cluster_name));
    else
        buf_put(&out, STR(", all clusters"));
    return buf_str(&out);
}

/* "until 2027-04-01T00:00:00Z by platform team: needs the device" */
static struct str terms(const struct changing *c)
{
    const struct stored_exemption *x = c->exemption;
    char until[CLOCK_TEXT_SIZE];
    struct str end = clock_format_short(x->expires, until);
    return arena_printf(c->r->arena, "until %" STR_FMT " by %" STR_FMT ": %" STR_FMT, STR_ARG(end),
                        STR_ARG(x->owner), STR_ARG(x->reason));
}

/* ---- POST, PATCH, DELETE ---- */

/* The tenant is locked. */
static enum error check_room(struct db *db, struct request *r)
{
    int64_t count;
    enum error e = exemption_count(db, r->arena, r->now, &count);
    if (!e && count >= EXEMPTIONS_MAX)
        e = refuse(r, ERR_PLAN_LIMIT, "There can be %d exemptions at a time; end one first.",
                   EXEMPTIONS_MAX);
    return e;
}

/* What is answered is read with it: once it is stored nothing may fail. */
static enum error store_new(struct db *db, void *arg)
{
    struct changing *c = arg;
    struct request *r = c->r;
    enum error e = tenant_lock(db, r->arena);
    if (!e)
        e = check_room(db, r);
    if (!e)
        e = exemption_create(db, r->arena, c->exemption);
    if (!e)
        e = find(r, c->exemption->id, &c->stored);
    if (e)
        return e;
    struct str what = what_is_exempt(c), why = terms(c);
    return audit_done(
        r, AUDIT_EXEMPTION_CREATED,
        arena_printf(r->arena, "%" STR_FMT ", %" STR_FMT, STR_ARG(what), STR_ARG(why)));
}

enum error exemptions_create(struct request *r)
{
    struct stored_exemption exemption = {.created_by = r->identity.email, .created = r->now};
    struct changing c = {.r = r, .exemption = &exemption};
    enum error e = exemption_read_new(&c);
    if (!e)
        e = db_transact(r->db, store_new, &c);
    return e ? e : answer(r, 201, c.stored, true);
}

static enum error lock(struct db *db, struct changing *c)
{
    enum error e = exemption_lock(db, c->r->arena, c->id, &c->exemption);
    return !e && !c->exemption ? ERR_UNKNOWN_EXEMPTION : e;
}

static bool has_terms_of(const struct stored_exemption *a, const struct stored_exemption *b)
{
    return a->expires == b->expires && str_eq(a->owner, b->owner) && str_eq(a->reason, b->reason);
}

/* One that was over, and will hold again, takes a place. */
static enum error change_end(struct db *db, struct changing *c)
{
    struct stored_exemption *exemption = c->exemption;
    int64_t end, now = c->r->now;
    enum error e = exemption_read_end(c, BODY_OPTIONAL, &end);
    if (!e && end != TIME_NONE && exemption->expires <= now)
        e = check_room(db, c->r);
    if (!e && end != TIME_NONE)
        exemption->expires = end;
    return e;
}

/* What is to be as it is already waits for no push, and the trail has no entry of it. */
static enum error store_changed(struct db *db, void *arg)
{
    struct changing *c = arg;
    struct request *r = c->r;
    enum error e = tenant_lock(db, r->arena);
    if (!e)
        e = lock(db, c);
    if (e)
        return e;
    struct str what = what_is_exempt(c), was = terms(c);
    struct stored_exemption before = *c->exemption;
    e = exemption_read_reason_and_owner(c, BODY_OPTIONAL);
    if (!e)
        e = change_end(db, c);
    if (e)
        return e;
    if (has_terms_of(c->exemption, &before))
        return find(r, c->id, &c->stored);
    c->exemption->changed = r->now;
    e = exemption_update(db, c->exemption);
    if (!e)
        e = find(r, c->id, &c->stored);
    if (e)
        return e;
    struct str is = terms(c);
    return audit_done(r, AUDIT_EXEMPTION_CHANGED,
                      arena_printf(r->arena, "%" STR_FMT ", %" STR_FMT " -> %" STR_FMT,
                                   STR_ARG(what), STR_ARG(was), STR_ARG(is)));
}

enum error exemptions_change(struct request *r)
{
    struct changing c = {.r = r};
    enum error e = body_object(r, &c.body);
    if (!e)
        e = body_or_param_id(r, c.body, &c.id);
    if (!e)
        e = db_transact(r->db, store_changed, &c);
    return e ? e : answer(r, 200, c.stored, true);
}

static enum error store_ended(struct db *db, void *arg)
{
    struct changing *c = arg;
    enum error e = lock(db, c);
    if (!e)
        e = exemption_end_early(db, c->id, c->r->identity.email, c->r->now);
    return e ? e : audit_done(c->r, AUDIT_EXEMPTION_ENDED, what_is_exempt(c));
}

enum error exemptions_end(struct request *r)
{
    struct changing c = {.r = r};
    enum error e = body_only_id(r, &c.id);
    if (!e)
        e = db_transact(r->db, store_ended, &c);
    return e ? e : page_deleted(r, c.id);
}

int main(int argc, char **argv)
{
    return app_run(argc, argv, "exemptions", routes());
}

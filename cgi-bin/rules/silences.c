/* When a tenant is not alerted. */
#include "../routes.h"
#include "store/silence.h"
#include "store/tenant.h"
#include "web/audit_trail.h"
#include "web/body.h"
#include "web/page.h"
#include "web/param.h"

enum { SILENCE_DAYS_MAX = 90 };

static void write_silence(struct jw *w, const struct silence *silence)
{
    jw_object(w);
    JW_STR(w, "id", silence->id);
    JW_STR_OR_NULL(w, "clusterId", silence->cluster_name);
    JW_TIME(w, "until", silence->until);
    JW_STR(w, "reason", silence->reason);
    JW_STR(w, "createdBy", silence->created_by);
    JW_TIME(w, "createdAt", silence->created);
    jw_object_end(w);
}

/* The parameter clusterId, of a cluster that may be gone; absent: of all. */
enum error rules_silences(struct request *r)
{
    struct silences silences;
    struct str cluster_name;
    struct page page;
    int64_t from;
    enum error e = param_time(r, "from", r->now, &from);
    if (!e)
        e = param_filter_cluster(r, "clusterId", &cluster_name);
    if (!e)
        e = silence_list(r->db, r->arena, from, cluster_name, &silences);
    if (e)
        return e;
    page_begin(r, &page);
    jw_array(&page.jw);
    for (size_t i = 0; i < silences.n; i++)
        write_silence(&page.jw, &silences.items[i]);
    jw_array_end(&page.jw);
    return page_json_tagged(r, &page);
}

static enum error read_silence(struct request *r, struct silence *silence)
{
    struct json_object *body;
    enum error e = body_object(r, &body);
    if (!e)
        e = body_cluster(r, body, &silence->cluster_name);
    if (!e)
        e = body_time(r, body, "until", &silence->until);
    if (!e && silence->until == TIME_NONE)
        e = refuse_field(r, ERR_MISSING_FIELD, "until", "is required.");
    if (!e && (silence->until <= r->now || silence->until > r->now + SILENCE_DAYS_MAX * CLOCK_DAY))
        e = refuse_field(r, ERR_INVALID_FIELD, "until",
                         "must be in the future, and within the next %d days.", SILENCE_DAYS_MAX);
    if (!e)
        e = body_text(r, body, "reason", BODY_OPTIONAL, SILENCE_REASON_MAX, &silence->reason);
    if (!silence->reason.p)
        silence->reason = STR("");
    return e;
}

/* "cluster production until 2026-03-17T12:00:00Z", "all clusters until ..." */
static struct str silence_subject(struct request *r, const struct silence *silence)
{
    char until[CLOCK_TEXT_SIZE];
    struct str name = silence->cluster_name, time = clock_format_short(silence->until, until);
    return arena_printf(r->arena, "%s%" STR_FMT " until %" STR_FMT,
                        name.p ? "cluster " : "all clusters", STR_ARG(name), STR_ARG(time));
}

struct changing_silence {
    struct request *r;
    struct str id;
    struct silence *silence;
};

static enum error store_new_silence(struct db *db, void *arg)
{
    struct changing_silence *c = arg;
    struct request *r = c->r;
    int64_t count;
    enum error e = tenant_lock(db, r->arena);
    if (!e)
        e = silence_count(db, r->arena, r->now, &count);
    if (!e && count >= SILENCES_MAX)
        e = refuse(r, ERR_PLAN_LIMIT, "There can be %d silences at a time; end one first.",
                   SILENCES_MAX);
    if (!e)
        e = silence_create(db, r->arena, c->silence);
    return e ? e : audit_done(r, AUDIT_SILENCE_CREATED, silence_subject(r, c->silence));
}

enum error rules_create_silence(struct request *r)
{
    struct silence silence = {.created_by = r->identity.email, .created = r->now};
    struct changing_silence c = {.r = r, .silence = &silence};
    struct page page;
    enum error e = read_silence(r, &silence);
    if (!e)
        e = db_transact(r->db, store_new_silence, &c);
    if (e)
        return e;
    page_begin(r, &page);
    write_silence(&page.jw, &silence);
    return page_json(r, 201, &page);
}

static enum error store_ended_silence(struct db *db, void *arg)
{
    struct changing_silence *c = arg;
    enum error e = silence_lock(db, c->r->arena, c->id, c->r->now, &c->silence);
    if (!e && !c->silence)
        e = ERR_UNKNOWN_SILENCE;
    if (!e)
        e = silence_end(db, c->id, c->r->now);
    return e ? e : audit_done(c->r, AUDIT_SILENCE_DELETED, silence_subject(c->r, c->silence));
}

enum error rules_delete_silence(struct request *r)
{
    struct changing_silence c = {.r = r};
    enum error e = body_only_id(r, &c.id);
    if (!e)
        e = db_transact(r->db, store_ended_silence, &c);
    return e ? e : page_deleted(r, c.id);
}

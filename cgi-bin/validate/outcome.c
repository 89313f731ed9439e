/* What became of a decision, as the pipeline tells it. */
#include "../routes.h"
#include "gate/outcome.h"
#include "kube/credential_cut.h"
#include "store/apikey.h"
#include "store/stored_outcome.h"
#include "web/audit_trail.h"
#include "web/body.h"
#include "web/page.h"
#include "web/param.h"
#include "web/together.h"

enum { OUTCOME_TEXT_MAX = 64 };

struct reporting {
    struct request *r;
    struct str id, outcome, note;
    struct reported_decision *decision;
};

static enum error read_report(struct reporting *p)
{
    struct request *r = p->r;
    struct json_object *body;
    enum error e = body_object(r, &body);
    if (!e)
        e = body_text(r, body, "decision_id", BODY_REQUIRED, OUTCOME_TEXT_MAX, &p->id);
    if (!e && !str_is_uuid(p->id))
        e = refuse_field(r, ERR_INVALID_FIELD, "decision_id",
                         "must be an id as answers give it, a UUID.");
    if (!e)
        e = body_text(r, body, "outcome", BODY_REQUIRED, OUTCOME_TEXT_MAX, &p->outcome);
    if (!e && outcome_find(p->outcome) == OUTCOME_NONE)
        e = refuse_field(r, ERR_INVALID_FIELD, "outcome",
                         "must be success, failure or rolled_back.");
    if (!e)
        e = body_text(r, body, "note", BODY_OPTIONAL, OUTCOME_NOTE_MAX, &p->note);
    p->note = str_utf8_prefix(credential_cut(r->arena, str_or_empty(p->note)), OUTCOME_NOTE_MAX);
    return e;
}

static bool is_reported(const struct reporting *p)
{
    const struct stored_outcome *known = &p->decision->outcome;
    return str_eq(known->by, STR("reported")) && str_eq(known->name, p->outcome) &&
           str_eq(known->note, p->note);
}

/* The same again changes nothing. */
static enum error store(struct db *db, void *arg)
{
    struct reporting *p = arg;
    struct request *r = p->r;
    enum error e = outcome_lock(db, r->arena, p->id, &p->decision);
    if (!e && !p->decision)
        e = ERR_UNKNOWN_DECISION;
    if (!e && !apikey_good_for(r->identity.clusters, p->decision->cluster_name))
        e = ERR_FORBIDDEN_CLUSTER;
    if (e || is_reported(p))
        return e;
    struct reported_decision *d = p->decision;
    d->outcome = (struct stored_outcome){p->outcome, STR("reported"), p->note, r->now};
    e = outcome_report(db, p->id, d);
    return e ? e
             : audit_done(r, AUDIT_OUTCOME_REPORTED,
                          arena_printf(r->arena, "%" STR_FMT " (%" STR_FMT "): %" STR_FMT,
                                       STR_ARG(d->cluster_name), STR_ARG(d->decision),
                                       STR_ARG(p->outcome)));
}

enum error validate_outcome(struct request *r)
{
    struct reporting p = {.r = r};
    struct page page;
    enum error e = read_report(&p);
    if (!e)
        together_settle(r); /* a push may have the cluster locked */
    if (!e)
        e = db_transact(r->db, store, &p);
    if (e == ERR_FORBIDDEN_CLUSTER) /* what the transaction had noted would be gone with it */
        e = param_check_bound(r, p.decision->cluster_name);
    if (e)
        return e;
    page_begin(r, &page);
    jw_object(&page.jw);
    JW_STR(&page.jw, "decision_id", p.id);
    JW_STR(&page.jw, "cluster_id", p.decision->cluster_name);
    JW_STR(&page.jw, "outcome", p.outcome);
    JW_STR_OR_NULL(&page.jw, "note", p.note);
    JW_TIME(&page.jw, "reported_at", p.decision->outcome.at);
    jw_object_end(&page.jw);
    return page_json(r, 200, &page);
}

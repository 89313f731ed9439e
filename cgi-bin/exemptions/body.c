#include "body.h"

#include "score/exemption.h"
#include "web/param.h"

/* DAYS_MAX: a year from today in any case, and the rest of that day. */
enum { CHECK_MAX = 64, EXPIRES_MAX = 64, DAYS_MAX = 367 };

static enum error read_check(struct changing *c)
{
    struct str *check = &c->exemption->check;
    enum error e = body_text(c->r, c->body, "check", BODY_REQUIRED, CHECK_MAX, check);
    if (!e && !check_find(*check))
        e = refuse_field(c->r, ERR_INVALID_FIELD, "check",
                         "is %" STR_FMT ", and there is no such check. docs/checks.md and the "
                         "member check of a risk name them.",
                         STR_ARG(*check));
    return e;
}

/* Of one cluster, or said to be of all: to leave it out by mistake must not exempt everywhere. */
static enum error read_cluster(struct changing *c)
{
    struct cluster_row *cluster;
    struct str *name = &c->exemption->cluster_name;
    bool all;
    enum error e = body_text(c->r, c->body, "clusterId", BODY_OPTIONAL, CLUSTER_NAME_MAX, name);
    if (!e)
        e = body_bool(c->r, c->body, "allClusters", false, &all);
    if (!e && !name->p && !all)
        e = refuse_field(c->r, ERR_MISSING_FIELD, "clusterId",
                         "is required, or allClusters: true for all of them.");
    if (!e && name->p && all)
        e = refuse_field(c->r, ERR_INVALID_FIELD, "allClusters",
                         "cannot be true when clusterId names one.");
    return e || all ? e : param_find_cluster(c->r, "clusterId", *name, &cluster);
}

static bool is_namespace(struct str name)
{
    for (size_t i = 0; i < name.n; i++)
        if (!strchr("abcdefghijklmnopqrstuvwxyz0123456789-.", name.p[i]))
            return false;
    return true;
}

enum error exemption_read_namespace(struct request *r, struct json_object *body, size_t max,
                                    struct str *namespace)
{
    enum error e = body_text(r, body, "namespace", BODY_OPTIONAL, max, namespace);
    if (!e && (!is_namespace(*namespace) || (namespace->p && !namespace->n)))
        e = refuse_field(r, ERR_INVALID_FIELD, "namespace",
                         "must be the name of a namespace, as shop; leave it out for all.");
    return e;
}

/* Files of exemptions call it workload. */
static enum error read_resource(struct changing *c)
{
    struct str text, workload;
    enum error e =
        body_text(c->r, c->body, "resource", BODY_OPTIONAL, EXEMPTION_RESOURCE_MAX, &text);
    if (!e)
        e = body_text(c->r, c->body, "workload", BODY_OPTIONAL, EXEMPTION_RESOURCE_MAX, &workload);
    if (!e && text.p && workload.p)
        e = refuse_field(c->r, ERR_INVALID_FIELD, "workload",
                         "is another word for resource: give one of the two.");
    if (e)
        return e;
    bool is_workload = workload.p != NULL;
    text = is_workload ? workload : text;
    if (!text.p)
        return ERR_OK;
    c->exemption->resource = exemption_resource(c->r->arena, text);
    if (!c->exemption->resource.p)
        return refuse_field(c->r, ERR_INVALID_FIELD, is_workload ? "workload" : "resource",
                            "must be a kind and a name, as deployment/api, or a name; leave it "
                            "out for all.");
    return ERR_OK;
}

enum error exemption_read_end(struct changing *c, enum body_presence presence, int64_t *end)
{
    struct request *r = c->r;
    struct str text;
    *end = TIME_NONE;
    enum error e = body_text(r, c->body, "expires", presence, EXPIRES_MAX, &text);
    if (e || !text.p)
        return e;
    *end = exemption_end(text);
    if (*end == TIME_NONE)
        return refuse_field(r, ERR_INVALID_FIELD, "expires",
                            "must be a day, as 2027-03-31, or a time, as 2027-03-31T12:00:00Z.");
    if (*end <= r->now)
        return refuse_field(r, ERR_INVALID_FIELD, "expires",
                            "is over already; DELETE ends an exemption at once.");
    if (*end > r->now + DAYS_MAX * CLOCK_DAY)
        return refuse_field(r, ERR_INVALID_FIELD, "expires",
                            "must be within the next %d days; renew the exemption then.", DAYS_MAX);
    return ERR_OK;
}

enum error exemption_read_reason_and_owner(struct changing *c, enum body_presence presence)
{
    struct str reason, owner;
    enum error e = body_filled(c->r, c->body, "reason", presence, EXEMPTION_REASON_MAX, &reason);
    if (!e)
        e = body_name(c->r, c->body, "owner", presence, EXEMPTION_OWNER_MAX, &owner);
    if (!e && reason.p)
        c->exemption->reason = str_trim(reason);
    if (!e && owner.p)
        c->exemption->owner = str_trim(owner);
    return e;
}

enum error exemption_read_new(struct changing *c)
{
    enum error e = body_object(c->r, &c->body);
    if (!e)
        e = read_check(c);
    if (!e)
        e = read_cluster(c);
    if (!e)
        e = exemption_read_namespace(c->r, c->body, EXEMPTION_NAMESPACE_MAX,
                                     &c->exemption->namespace);
    if (!e)
        e = read_resource(c);
    if (!e)
        e = exemption_read_reason_and_owner(c, BODY_REQUIRED);
    return e ? e : exemption_read_end(c, BODY_REQUIRED, &c->exemption->expires);
}

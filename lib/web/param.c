#include "web/param.h"

#include "store/apikey.h"
#include "web/ahead.h"
#include "web/audit_trail.h"

enum error param_check_cluster_name(struct request *r, const char *field, struct str name)
{
    if (cluster_name_is_valid(name))
        return ERR_OK;
    return refuse_field(r, ERR_INVALID_FIELD, field,
                        "must be 1 to %d of A-Z a-z 0-9 . _ : / and -.", CLUSTER_NAME_MAX);
}

enum error param_check_bound(struct request *r, struct str cluster_name)
{
    const struct identity *who = &r->identity;
    if (apikey_good_for(who->clusters, cluster_name))
        return ERR_OK;
    audit_refusal(r, who->tenant, AUDIT_ACCESS_REFUSED,
                  arena_printf(r->arena, "%" STR_FMT " %" STR_FMT ": cluster %" STR_FMT,
                               STR_ARG(r->http.method_name), STR_ARG(r->http.path),
                               STR_ARG(cluster_name)),
                  ERR_FORBIDDEN_CLUSTER);
    return refuse(r, ERR_FORBIDDEN_CLUSTER,
                  "The API key \"%" STR_FMT "\" is bound to other clusters than %" STR_FMT ".",
                  STR_ARG(who->key_name), STR_ARG(cluster_name));
}

enum error param_find_cluster(struct request *r, const char *field, struct str name,
                              struct cluster_row **cluster)
{
    enum error e = param_check_cluster_name(r, field, name);
    *cluster = e ? NULL : ahead_cluster(r, name);
    if (!e && !*cluster)
        e = cluster_find(r->db, r->arena, name, cluster);
    return !e && !*cluster ? ERR_UNKNOWN_CLUSTER : e;
}

static enum error required(struct request *r, const char *name, struct str *value)
{
    *value = request_param(r, name);
    return value->p ? ERR_OK : refuse_field(r, ERR_MISSING_FIELD, name, "is required.");
}

enum error param_cluster_name(struct request *r, const char *name, struct str *cluster_name)
{
    enum error e = required(r, name, cluster_name);
    return e ? e : param_check_cluster_name(r, name, *cluster_name);
}

enum error param_filter_cluster(struct request *r, const char *name, struct str *cluster_name)
{
    *cluster_name = request_param(r, name);
    return cluster_name->p ? param_check_cluster_name(r, name, *cluster_name) : ERR_OK;
}

enum error param_cluster(struct request *r, const char *name, struct cluster_row **cluster)
{
    struct str value;
    enum error e = required(r, name, &value);
    return e ? e : param_find_cluster(r, name, value, cluster);
}

enum error param_text(struct request *r, const char *name, size_t max, struct str *text)
{
    struct str value = request_param(r, name);
    *text = value.n ? value : (struct str){0};
    if (value.n > max)
        return refuse_field(r, ERR_INVALID_FIELD, name, "must have at most %zu bytes.", max);
    return str_is_utf8(value) ? ERR_OK : refuse_field(r, ERR_INVALID_FIELD, name, "must be UTF-8.");
}

enum error param_id(struct request *r, const char *name, struct str *id)
{
    enum error e = required(r, name, id);
    if (!e && !str_is_uuid(*id))
        return refuse_field(r, ERR_INVALID_FIELD, name,
                            "must be an id as answers give it, a UUID.");
    return e;
}

/* What people write into a URL by hand: a day alone, a time without an offset, a '+' that was not
 * encoded and arrives as a blank. */
int64_t param_parse_time(struct arena *arena, struct str text)
{
    enum { DAY_LEN = 10, OFFSET_LEN = 6 }; /* 2026-03-17, +01:00 */
    if (text.n == DAY_LEN)
        return clock_parse(arena_printf(arena, "%" STR_FMT "T00:00:00Z", STR_ARG(text)));
    if (text.n > DAY_LEN + OFFSET_LEN && text.p[text.n - OFFSET_LEN] == ' ')
        text = arena_printf(arena, "%" STR_FMT "+%" STR_FMT,
                            STR_ARG(str_sub(text, 0, text.n - OFFSET_LEN)),
                            STR_ARG(str_sub(text, text.n - OFFSET_LEN + 1, OFFSET_LEN - 1)));
    int64_t time = clock_parse(text);
    return time != TIME_NONE ? time
                             : clock_parse(arena_printf(arena, "%" STR_FMT "Z", STR_ARG(text)));
}

enum error param_time(struct request *r, const char *name, int64_t otherwise, int64_t *time)
{
    struct str value = request_param(r, name);
    *time = value.n ? param_parse_time(r->arena, value) : otherwise;
    if (value.n && *time == TIME_NONE)
        return refuse_field(r, ERR_INVALID_FIELD, name,
                            "must be a time such as 2026-03-17T12:00:00Z.");
    return ERR_OK;
}

enum error param_int(struct request *r, const char *name, int64_t min, int64_t max,
                     int64_t otherwise, int64_t *number)
{
    struct str value = request_param(r, name);
    int64_t given = otherwise;
    *number = otherwise;
    if (value.n && (!str_to_i64(value, &given) || given < min || given > max))
        return refuse_field(r, ERR_INVALID_FIELD, name, "must be a whole number from %lld to %lld.",
                            (long long)min, (long long)max);
    *number = given;
    return ERR_OK;
}

enum error param_format(struct request *r, enum param_format *format)
{
    struct str value = request_param(r, "format");
    *format = str_eq(value, STR("csv")) ? FORMAT_CSV : FORMAT_JSON;
    if (value.n && *format == FORMAT_JSON && !str_eq(value, STR("json")))
        return refuse_field(r, ERR_INVALID_FIELD, "format", "must be json or csv.");
    return ERR_OK;
}

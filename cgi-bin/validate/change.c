#include "change.h"

#include "baseline.h"
#include "kube/credential_cut.h"
#include "web/body.h"
#include "web/param.h"

enum { FIELD_MAX = 512, QUESTION_MAX = 64 * 1024 };

static enum error read_target_version(struct request *r, const char *field, struct change *change)
{
    struct str text = change->target_version;
    if (text.n && !release_choose(text, &change->target))
        return refuse_field(r, ERR_INVALID_FIELD, field,
                            "must be a release of Kubernetes such as 1.34.");
    return ERR_OK;
}

enum error change_read(struct request *r, struct change *change)
{
    struct json_object *body;
    const struct {
        const char *name;
        struct str *out;
    } fields[] = {
        {"cluster_id", &change->cluster_name},
        {"resource", &change->resource},
        {"namespace", &change->namespace},
        {"action", &change->action},
        {"image", &change->image},
        {"user", &change->user},
        {"source", &change->source},
        {"target_version", &change->target_version},
        {"baseline", &change->baseline},
    };
    enum error e = body_cut(r, "manifest", QUESTION_MAX, &change->manifest);
    if (e == ERR_TOO_LARGE)
        return refuse(r, e, "The body has more than %d bytes beside the manifest.", QUESTION_MAX);
    if (!e)
        e = body_object(r, &body);
    for (size_t i = 0; !e && i < sizeof fields / sizeof fields[0]; i++)
        e = body_text(r, body, fields[i].name, BODY_OPTIONAL, FIELD_MAX, fields[i].out);
    if (!e && !change->cluster_name.p)
        change->cluster_name = http_header(&r->http, "X_CLUSTER_ID");
    if (!e && change->cluster_name.n == 0)
        e = refuse_field(r, ERR_MISSING_FIELD, "cluster_id", "is required.");
    if (!e)
        e = baseline_check(r, change->baseline);
    return e ? e : read_target_version(r, "target_version", change);
}

void change_cut_secrets(struct arena *arena, struct change *change)
{
    struct str *const texts[] = {&change->resource, &change->namespace, &change->action,
                                 &change->image,    &change->user,      &change->source};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        *texts[i] = str_utf8_prefix(credential_cut(arena, *texts[i]), FIELD_MAX);
}

/* As a parameter a time may be a day alone, or have no offset. */
static void complete_time(struct request *r, struct str *baseline)
{
    char text[CLOCK_TEXT_SIZE];
    int64_t time = param_parse_time(r->arena, *baseline);
    if (time != TIME_NONE && clock_parse(*baseline) == TIME_NONE)
        *baseline = arena_str(r->arena, clock_format(time, text));
}

enum error change_read_query(struct request *r, struct change *change)
{
    const struct {
        const char *name;
        struct str *out;
    } fields[] = {
        {"resource", &change->resource},
        {"namespace", &change->namespace},
        {"action", &change->action},
        {"image", &change->image},
        {"targetVersion", &change->target_version},
        {"baseline", &change->baseline},
    };
    enum error e = param_cluster_name(r, "clusterId", &change->cluster_name);
    for (size_t i = 0; !e && i < sizeof fields / sizeof fields[0]; i++)
        e = param_text(r, fields[i].name, FIELD_MAX, fields[i].out);
    if (!e)
        complete_time(r, &change->baseline);
    if (!e)
        e = baseline_check(r, change->baseline);
    return e ? e : read_target_version(r, "targetVersion", change);
}

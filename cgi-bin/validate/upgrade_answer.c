#include "upgrade_answer.h"

static void write_removed(struct jw *w, const struct gate_api *api)
{
    char release[32];
    snprintf(release, sizeof release, "1.%lld", (long long)api->removed);
    jw_object(w);
    JW_STR(w, "kind", api->kind);
    JW_STR(w, "api_version", api->api_version);
    JW_STR(w, "removed_in", str_of(release));
    JW_STR_OR_NULL(w, "replacement", api->replacement);
    JW_INT(w, "objects", api->objects);
    JW_STR(w, "namespace", api->namespace);
    JW_STR(w, "resource", api->resource);
    jw_object_end(w);
}

void upgrade_write(struct jw *w, const struct change *change, const struct gate_summary *summary,
                   const struct gate_answer *answer)
{
    const struct gate_api *api;
    if (!change->target.major)
        return;
    jw_key(w, STR("target_version"));
    jw_object(w);
    JW_STR(w, "version", change->target_version);
    JW_BOOL(w, "known", summary->api_use.p && release_is_known(change->target));
    jw_key(w, STR("removed"));
    jw_array(w);
    LIST_EACH (api, answer->removed)
        write_removed(w, api);
    jw_array_end(w);
    jw_object_end(w);
}

#include "kube/manifest.h"

#include "kube/api_removal.h"
#include "kube/kinds.h"

bool is_manifest(const struct object *object)
{
    return !object->summary && !object->meta.uid.n && object->meta.created == TIME_NONE;
}

int64_t authored_replicas(const struct object *object, int64_t now)
{
    if (object->meta.applied)
        return object->meta.applied->replicas;
    return is_manifest(object) ? now : NUMBER_ABSENT;
}

static bool is_inferred(const struct object *object)
{
    return kind_has_pods(object->kind) && ((const struct workload *)object)->synthesized;
}

/* No API version replaces this one, so there is nothing to convert to: the object goes with it. */
static bool is_without_successor(const struct object *object)
{
    const struct api_removal *removal = api_removal_find(object->api_version, object->kind_name);
    return removal && !str_has(removal->replacement, STR("/"));
}

str_list written_versions(struct arena *arena, const struct object *object)
{
    const struct applied *applied = object->meta.applied;
    bool told = applied && applied->api_version.n;
    str_list one = {.n = 1};
    if (is_inferred(object))
        return (str_list){0};
    if (!told && !is_manifest(object) && !is_without_successor(object))
        return object->meta.managed_versions;
    one.items = ARENA_NEW(arena, struct str);
    one.items[0] = told ? applied->api_version : object->api_version;
    return one;
}

#include "kube/manifest.h"

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

/* manifest: what the author of an object wrote, as opposed to what the API server or a controller
 * filled in since.
 */
#ifndef LOADLINE_KUBE_MANIFEST_H
#define LOADLINE_KUBE_MANIFEST_H

#include "kube/model.h"

/* The object never was in an API server: it is what its author wrote. */
bool is_manifest(const struct object *object);

/* spec.replicas as written; NUMBER_ABSENT: not written, or not known. `now` is what the object
 * holds. */
int64_t authored_replicas(const struct object *object, int64_t now);

/* The API versions that its author wrote it for, in the arena: several only when nothing but field
 * managers tell, none when nothing does. The API server converts what it hands out, so it is the
 * last-applied annotation, the field managers, or a manifest that no API server has seen. */
str_list written_versions(struct arena *arena, const struct object *object);

#endif

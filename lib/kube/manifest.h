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

#endif

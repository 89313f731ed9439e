/* image_ref: references to container images, by the grammar of distribution/reference. */
#ifndef LOADLINE_KUBE_IMAGE_REF_H
#define LOADLINE_KUBE_IMAGE_REF_H

#include "base/str.h"

struct image_ref {
    struct str registry;   /* as image_registry() has it; "docker.io" when none is named */
    struct str repository; /* without registry; "library/" is not added */
    struct str tag;        /* absent: none given */
    struct str digest;     /* "sha256:..." when well formed, else absent */
    bool bad_digest;       /* an '@' part that is no digest */
};

/* A registry by the one name that its references have: "index.docker.io" is "docker.io". */
struct str image_registry(struct str name);
/* Split at @ first, then at the last colon of the last path segment. Never fails: odd text ends up
 * in repository. Slices of `text`. */
struct image_ref image_parse(struct str text);
/* Can images be from this place, a registry or a registry and the beginning of a path? Not when it
 * is an address, a pattern or two of them, or when its first part would be taken for a path. */
bool image_place_is_valid(struct str place);
/* No digest, and the tag is absent or "latest". What has a malformed digest is never pulled at all.
 */
bool image_is_mutable(struct image_ref ref);

#endif

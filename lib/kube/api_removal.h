/* api_removal: API versions that releases of Kubernetes no longer serve (api_removal.def). */
#ifndef LOADLINE_KUBE_API_REMOVAL_H
#define LOADLINE_KUBE_API_REMOVAL_H

#include "kube/release.h"

struct api_removal {
    struct str api_version, kind;
    int64_t deprecated, removed; /* minors of Kubernetes 1; deprecated 0: no release warned of it */
    struct str replacement;      /* absent: nothing */
};

/* NULL: every release serves it, or Kubernetes does not know it. */
const struct api_removal *api_removal_find(struct str api_version, struct str kind);
/* Is a version of this kind, of the same group, among them? */
bool api_removal_concerns(struct str api_version, struct str kind);
/* How many there are, and which of them one is. */
size_t api_removals(void);
size_t api_removal_number(const struct api_removal *removal);
bool api_removal_reaches(const struct api_removal *removal, struct release release);

#endif

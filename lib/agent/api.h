/* api: what an API server says it serves. */
#ifndef LOADLINE_AGENT_API_H
#define LOADLINE_AGENT_API_H

#include "base/list.h"

enum { API_VERSIONS_MAX = 8, API_GROUPS_MAX = 2000 };

struct api_group {
    struct str name;
    struct str versions[API_VERSIONS_MAX]; /* "v1"; the preferred one first */
    unsigned versions_n;
};
typedef LIST(struct api_group) api_group_list;

struct api_resource {
    struct str name, kind; /* "pods", "Pod" */
    bool list, watch;
};
typedef LIST(struct api_resource) api_resource_list;

/* Of an APIGroupList, the answer to /apis: adds what is not there yet, up to API_GROUPS_MAX in all.
 * False when it is not well formed. All is in the arena. */
bool api_read_groups(struct arena *arena, struct str text, api_group_list *groups);
/* Of an APIResourceList, the answer to /apis/GROUP/VERSION. */
bool api_read_resources(struct arena *arena, struct str text, api_resource_list *resources);

#endif

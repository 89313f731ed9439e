/* proposal: objects that somebody is about to apply, as `kubectl create --dry-run=client -o json`
 * prints them, and what the cluster will have of each when that is done.
 *
 * An object that is there keeps what the cluster gave it: uid, times, versions, owner, status, and
 * where the manifest does not say them, replicas and labels. A workload that is new comes up as
 * asked. docs/scoring.md tells it to people.
 */
#ifndef LOADLINE_GATE_PROPOSAL_H
#define LOADLINE_GATE_PROPOSAL_H

#include "gate/json_slice.h"
#include "kube/meta.h"

enum { PROPOSAL_OBJECTS_MAX = 50, PROPOSAL_BYTES_MAX = 1024 * 1024, PROPOSAL_DEPTH_MAX = 60 };

struct proposed {
    enum kind kind; /* KIND_NONE: it is of a kind that no check is about */
    struct str kind_name, api_version, namespace, name;
    struct str text; /* JSON, as it is in the manifest */
    json_slices members;
    struct str old; /* the object as the cluster has it, JSON; absent: it is new */
};

struct proposal {
    LIST(struct proposed) objects;
    enum { PROPOSAL_FINE, PROPOSAL_INVALID, PROPOSAL_TOO_MANY } problem;
    struct str why; /* of a problem: what follows "manifest" in a sentence */
};

/* One object, a List or an array of these. namespace: of objects that name none. In the arena;
 * points into `json`. */
struct proposal proposal_read(struct arena *arena, struct str json, struct str namespace);

/* The proposed object with that identity; NULL: none. */
struct proposed *proposal_find(const struct proposal *proposal, enum kind kind,
                               struct str namespace, struct str name);

/* The object as it will be. Of those that are there, `old` is set; a new one is made at `time`.
 * TIME_NONE: it stays a manifest among manifests. */
struct str proposal_applied(struct arena *arena, const struct proposed *object, int64_t time);

#endif

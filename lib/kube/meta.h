/* meta: the parts that all objects of the model are made of: optional values, metadata, label
 * selectors, conditions. See model.h for what holds for all of it.
 */
#ifndef LOADLINE_KUBE_META_H
#define LOADLINE_KUBE_META_H

#include "base/clock.h"
#include "base/list.h"

enum tri { TRI_ABSENT, TRI_FALSE, TRI_TRUE }; /* an optional boolean */

#define NUMBER_ABSENT INT64_MIN

struct pair {
    struct str key, value;
};
typedef LIST(struct pair) pair_list;
typedef LIST(struct str) str_list;

/* Kinds that are read. KIND_NONE: unknown, counted and kept out. */
enum kind {
    KIND_NONE,
#define KIND(id, name, plural, api_groups, list, schema, pods) KIND_##id,
#include "kube/kinds.def"
#undef KIND
    KIND_COUNT,
    KIND_UNREAD = KIND_COUNT /* of an object that is kept although its kind is not read */
};

/* Sets of kinds are bits of a uint64_t: KIND_BIT(POD) | KIND_BIT(NODE). */
#define KIND_BIT(kind) (UINT64_C(1) << KIND_##kind)
_Static_assert(KIND_UNREAD < 64, "kinds are bits of one number");

/* ---- metadata ---- */

struct owner_reference {
    struct str api_version, kind, name;
    enum tri controller;
};

/* What the author wrote, from the last-applied-configuration annotation: the only place where a
 * live object shows it. */
struct applied {
    struct str api_version;
    int64_t replicas;                                 /* spec.replicas as written */
    struct str service_account, service_account_name; /* of spec or spec.template.spec */
};

struct object_meta {
    struct str name, namespace, uid;
    int64_t created, deleted; /* creationTimestamp, deletionTimestamp */
    int64_t deletion_grace;   /* deletionGracePeriodSeconds */
    int64_t generation, resource_version;
    pair_list labels;
    pair_list annotations; /* only those that some check reads: see annotation_is_read() */
    LIST(struct owner_reference) owners;
    struct applied *applied;
    str_list managed_versions; /* apiVersion of each managedFields entry, each once */
};

/* What tells the newer of two copies of an object: of the API server's numbers the first that
 * differs. */
struct object_version {
    int64_t resource_version, created, generation;
};

static inline struct object_version version_of(const struct object_meta *meta)
{
    return (struct object_version){meta->resource_version, meta->created, meta->generation};
}

/* <0: a is older, 0: they do not tell, >0: a is newer. */
static inline int version_order(struct object_version a, struct object_version b)
{
    int64_t x = a.resource_version, y = b.resource_version;
    if (x == y) {
        x = a.created;
        y = b.created;
    }
    if (x == y) {
        x = a.generation;
        y = b.generation;
    }
    return (x > y) - (x < y);
}

/* Every object begins with this. */
struct object {
    enum kind kind; /* KIND_NONE: an owner of a kind that is not read, known from its pods only */
    struct str kind_name; /* as the API spells it: "Deployment" */
    bool summary;         /* an item without metadata: what it does not say is not evaluated */
    struct str api_version;
    struct object_meta meta;
    uint64_t content; /* number of the bytes that it was read from, within this process: objects of
                         the same number are the same in all but what link sets, and hold no secret;
                         0: it has none (reader/object_memory.h) */
};

/* metav1.LabelSelector, and the plain map of Services and ReplicationControllers. */
struct selector_requirement {
    struct str key, operator;
    str_list values;
};

struct label_selector {
    pair_list match_labels;
    LIST(struct selector_requirement) match_expressions;
};

struct condition {
    struct str type, status, reason, message;
    int64_t last_transition;
    int64_t last_update; /* lastUpdateTime; of a node lastHeartbeatTime */
    int64_t observed_generation;
};
typedef LIST(struct condition) condition_list;

#endif

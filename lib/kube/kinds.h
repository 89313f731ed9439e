/* kinds: which kinds are read, by the names that a snapshot gives them (kinds.def). */
#ifndef LOADLINE_KUBE_KINDS_H
#define LOADLINE_KUBE_KINDS_H

#include "kube/meta.h"

/* Bits of the kinds that bear pods: a constant. */
enum {
    KINDS_WITH_PODS = 0
#define KIND(id, name, plural, api_groups, list, schema, pods) | (uint64_t)pods << KIND_##id
#include "kube/kinds.def"
#undef KIND
};

static inline bool kind_has_pods(enum kind kind)
{
    return (uint64_t)KINDS_WITH_PODS >> kind & 1;
}

/* Does an object of it have as many pods as its spec.replicas says? */
bool kind_has_replicas(enum kind kind);
/* The kind of an object. api_version ("apps/v1") must be of one of the kind's groups; when absent,
 * the name alone decides. KIND_NONE: it is not read. */
enum kind kind_find(struct str name, struct str api_version);
/* The kind of a collection's items, by the collection's name: "pods", "statefulSets",
 * "config-maps", "deployments.apps", and the short names "pvcs", "pvs", "hpas", "pdbs". */
enum kind kind_of_collection(struct str name);
/* The kind of a workload by a word that kubectl takes for it: "deployment", "Deployments",
 * "deploy", "deployment.apps". KIND_NONE: no workload is called that. */
enum kind kind_of_workload(struct str word);
/* The kind of anything by a word that kubectl takes for it: "svc", "Ingresses", "nodes.v1.",
 * "roles.v1.rbac.authorization.k8s.io". KIND_NONE: it is of a kind, or a group, that is not read.
 */
enum kind kind_by_word(struct str word);
/* Are its objects in no namespace? */
bool kind_is_cluster_wide(enum kind kind);
/* "Pod"; "" of KIND_NONE. */
struct str kind_name(enum kind kind);
/* "pods": the name of a collection of them; "" of KIND_NONE. */
struct str kind_plural(enum kind kind);
/* "deployment/api" of "Deployment" and "api", as risks name an object; in the arena. */
struct str kind_resource(struct arena *arena, struct str kind, struct str name);
/* The API group of "apps/v1"; "" of "v1". */
struct str api_group(struct str api_version);

#endif

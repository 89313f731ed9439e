/* deployed_by: who deployed a workload, and why, as far as its annotations and labels tell. What
 * they hold comes from outside: it may hold secrets, and may be wrong.
 */
#ifndef LOADLINE_KUBE_DEPLOYED_BY_H
#define LOADLINE_KUBE_DEPLOYED_BY_H

#include "kube/model.h"

/* "Argo CD application shop", "Flux kustomization apps", "Helm release shop", or what
 * app.kubernetes.io/managed-by says; absent when nothing tells. In the arena, or of the workload.
 */
struct str deployed_by(struct arena *arena, const struct workload *workload);
/* The annotation kubernetes.io/change-cause. It stays when somebody deploys without one. */
struct str deployed_because(const struct workload *workload);

#endif

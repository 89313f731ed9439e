/* provider: on whose machines a cluster runs, from providerID and labels of its nodes. */
#ifndef LOADLINE_KUBE_PROVIDER_H
#define LOADLINE_KUBE_PROVIDER_H

#include "kube/model.h"

/* "aws", "gcp", "azure", "digitalocean", ..., "openshift", "kind", "k3s", "minikube"; "unknown"
 * when no node tells. Static. */
struct str provider_of(const struct cluster *cluster);
/* The region label of the first node that has one; "unknown" without. A slice of the model. */
struct str region_of(const struct cluster *cluster);

#endif

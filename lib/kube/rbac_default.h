/* rbac_default: the roles and bindings that Kubernetes and kubeadm ship (rbac_default.def). A label
 * or a prefix proves nothing: anybody can write both. */
#ifndef LOADLINE_KUBE_RBAC_DEFAULT_H
#define LOADLINE_KUBE_RBAC_DEFAULT_H

#include "kube/model.h"

/* Has the object the label kubernetes.io/bootstrapping=rbac-defaults? */
bool rbac_default_label(const struct object *object);
/* A shipped role: the name and the label, of a ClusterRole or of a Role in a namespace kube-*. What
 * others add to its rules is not seen. */
bool rbac_default_role(const struct role *role);
/* A shipped binding: by its name, what it refers to and whom it names, be it fewer of them. */
bool rbac_default_binding(const struct role_binding *binding);

#endif

/* containers: the pod template of a workload, and its containers. */
#ifndef LOADLINE_KUBE_CONTAINERS_H
#define LOADLINE_KUBE_CONTAINERS_H

#include "kube/model.h"

/* Lists inside an object that are searched for each of its other parts are looked at that far only:
 * an object that somebody runs has fewer, and none costs much more time than it has bytes. */
enum { SEARCHED_MAX = 1000 };

/* The spec that a check of pod fields judges: NULL when the snapshot holds none, or only a summary.
 */
const struct pod_spec *template_of(const struct workload *workload);

/* Does the snapshot hold the controller's own spec, not only its pods'? Of a live object that is
 * the whole of it, template and all; of a manifest any part will do, so there may be no template.
 */
bool is_known(const struct workload *workload);

/* Of what the volume as a whole is made: KIND_SECRET or KIND_CONFIGMAP, whose name is in its
 * reference; KIND_NONE: of neither, or projected. */
enum kind volume_object(const struct volume *volume);

/* By spec.os; without it by the nodes that the pod may go to. */
bool is_windows(const struct pod_spec *spec);

/* NULL: there is none of that name (among the first SEARCHED_MAX), or no spec. */
const struct container *container_named(struct effort *effort, const struct pod_spec *spec,
                                        struct str name);

/* istio-proxy, linkerd-init, daprd, vault-agent ...: names that admission webhooks give. */
bool container_is_injected(const struct container *container);

/* Is it the capability of that name, which has no prefix: in any case, with CAP_ before it or not?
 */
bool capability_is(struct str capability, struct str name);

/* Do the resources of this container have the amount in every live pod of the workload (there must
 * be one)? So a default that admission fills in counts although the template lacks it. */
bool all_pods_have(struct effort *effort, const struct workload *workload, struct str container,
                   bool (*has)(const struct resource_requirements *resources));

#endif

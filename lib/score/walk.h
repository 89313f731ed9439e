/* walk: the containers of a workload, and what of a pod template holds for each of them. */
#ifndef LOADLINE_SCORE_WALK_H
#define LOADLINE_SCORE_WALK_H

#include "kube/containers.h"
#include "score/check.h"

/* Sets of containers, by role. */
enum {
    ROLE_MAIN = 1u << CONTAINER_MAIN,
    ROLE_INIT = 1u << CONTAINER_INIT,
    ROLE_SIDECAR = 1u << CONTAINER_SIDECAR,
    ROLE_EPHEMERAL = 1u << CONTAINER_EPHEMERAL,
    ROLES_LASTING = ROLE_MAIN | ROLE_SIDECAR, /* run for the pod's life */
    ROLES_TEMPLATE = ROLES_LASTING | ROLE_INIT,
    ROLES_ALL = ROLES_TEMPLATE | ROLE_EPHEMERAL
};

/* Where a container stands: in the template of a workload, or in a live pod of it. */
struct place {
    const struct workload *workload;
    const struct pod_spec *spec;
    const struct container *container;
};

/* Says fail() and returns true when the container fails. */
typedef bool container_test(struct check_context *context, struct place at);

/* Asks the test about every container of these roles: those of the template, then those that only
 * live pods show (ephemeral, injected at admission). Sidecars that a mesh or an agent injects are
 * not the application's fault and left out unless the template itself names them. NOT_EVALUATED
 * without a template or without containers in it. `workload` is the one that is asked about. */
enum verdict walk_containers(struct check_context *context, const struct workload *workload,
                             unsigned roles, container_test *test);
/* The same for tests that read the container's image only: summary items will do. */
enum verdict walk_images(struct check_context *context, const struct workload *workload,
                         container_test *test);

/* For a field that the pod and its containers have: the pod's is asked first (NULL stands for
 * "none"), then each container's. Says fail() and returns true when the context fails. */
typedef bool context_test(struct check_context *context, const struct security_context *security,
                          struct str container);
enum verdict walk_contexts(struct check_context *context, const struct workload *workload,
                           context_test *test);

/* The context itself, or for NULL one with every field absent. */
const struct security_context *context_or_none(const struct security_context *security);
/* The container's value, else the pod's. */
int64_t effective_user(const struct pod_spec *spec, const struct container *container);
int64_t effective_group(const struct pod_spec *spec, const struct container *container);
enum tri effective_non_root(const struct pod_spec *spec, const struct container *container);
struct str effective_seccomp(const struct pod_spec *spec, const struct container *container);

#endif

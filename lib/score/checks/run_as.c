/* The user and the groups that containers run as. A pod in a user namespace of its own (hostUsers:
 * false) is nobody on its node, whoever it is inside. */
#include "score/checks.h"
#include "score/walk.h"

enum { LOWEST_PRIVATE_ID = 10000 };

static bool has_own_users(const struct workload *workload)
{
    return template_of(workload) && template_of(workload)->host_users == TRI_FALSE;
}

static bool user_is_zero(struct check_context *context, const struct security_context *security,
                         struct str container)
{
    if (security->run_as_user != 0)
        return false;
    if (container.n)
        fail(context, container, "Container %" STR_FMT " runs as root (runAsUser: 0).",
             STR_ARG(container));
    else
        fail(context, container, "The pod runs its containers as root (runAsUser: 0).");
    return true;
}

enum verdict check_run_as_user_zero(struct check_context *context, const struct workload *workload)
{
    if (has_own_users(workload))
        return PASSED;
    return walk_contexts(context, workload, user_is_zero);
}

static bool may_be_root(struct check_context *context, struct place at)
{
    int64_t user = effective_user(at.spec, at.container);
    if (is_windows(at.spec) || user > 0)
        return false;
    if (user == 0) {
        fail(context, at.container->name, "Container %" STR_FMT " runs as root (runAsUser: 0).",
             STR_ARG(at.container->name));
        return true;
    }
    enum tri non_root = effective_non_root(at.spec, at.container);
    if (non_root == TRI_TRUE)
        return false;
    fail(context, at.container->name,
         "Container %" STR_FMT " runs as root when its image does: %s.",
         STR_ARG(at.container->name),
         non_root == TRI_FALSE ? "runAsNonRoot is false and runAsUser not set"
                               : "neither runAsNonRoot nor runAsUser is set");
    return true;
}

enum verdict check_run_as_root_allowed(struct check_context *context,
                                       const struct workload *workload)
{
    if (has_own_users(workload))
        return PASSED;
    return walk_containers(context, workload, ROLES_ALL, may_be_root);
}

static bool non_root_is_unenforced(struct check_context *context, struct place at)
{
    enum tri non_root = effective_non_root(at.spec, at.container);
    if (non_root == TRI_TRUE)
        return false;
    fail(context, at.container->name, "runAsNonRoot of container %" STR_FMT " is %s.",
         STR_ARG(at.container->name), non_root == TRI_FALSE ? "false" : "not set");
    return true;
}

/* The pod's own value must not be false even when every container says true. */
enum verdict check_run_as_non_root_unenforced(struct check_context *context,
                                              const struct workload *workload)
{
    if (has_own_users(workload))
        return PASSED;
    enum verdict verdict = walk_containers(context, workload, ROLES_ALL, non_root_is_unenforced);
    if (verdict == PASSED &&
        context_or_none(workload->spec->security)->run_as_non_root == TRI_FALSE)
        return fail(context, NO_CONTAINER, "runAsNonRoot of the pod is false.");
    return verdict;
}

static struct str id_text(struct check_context *context, int64_t id)
{
    return id == NUMBER_ABSENT ? STR("not set")
                               : arena_printf(context->arena, "%lld", (long long)id);
}

static bool has_low_id(struct check_context *context, struct place at)
{
    int64_t user = effective_user(at.spec, at.container),
            group = effective_group(at.spec, at.container);
    if (is_windows(at.spec) || (user >= LOWEST_PRIVATE_ID && group >= LOWEST_PRIVATE_ID))
        return false;
    fail(context, at.container->name,
         "Container %" STR_FMT " may share an id with an account of its node: runAsUser %" STR_FMT
         ", runAsGroup %" STR_FMT ".",
         STR_ARG(at.container->name), STR_ARG(id_text(context, user)),
         STR_ARG(id_text(context, group)));
    return true;
}

enum verdict check_low_uid_gid(struct check_context *context, const struct workload *workload)
{
    return walk_containers(context, workload, ROLES_TEMPLATE, has_low_id);
}

static bool is_in_root_group(struct check_context *context, struct place at)
{
    if (effective_group(at.spec, at.container) != 0)
        return false;
    fail(context, at.container->name, "Container %" STR_FMT " runs in group root (runAsGroup: 0).",
         STR_ARG(at.container->name));
    return true;
}

static bool pod_joins_root_group(struct check_context *context,
                                 const struct security_context *security)
{
    const int64_t *group;
    if (security->fs_group == 0) {
        fail(context, NO_CONTAINER, "Volumes of the pod belong to group root (fsGroup: 0).");
        return true;
    }
    LIST_EACH (group, security->supplemental_groups)
        if (*group == 0) {
            fail(context, NO_CONTAINER, "The pod joins group root (supplementalGroups holds 0).");
            return true;
        }
    return false;
}

enum verdict check_root_group(struct check_context *context, const struct workload *workload)
{
    const struct pod_spec *spec = template_of(workload);
    if (!spec)
        return NOT_EVALUATED;
    enum verdict verdict = walk_containers(context, workload, ROLES_ALL, is_in_root_group);
    return pod_joins_root_group(context, context_or_none(spec->security)) ? FAILED : verdict;
}

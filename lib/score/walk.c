#include "score/walk.h"

#include "kube/manifest.h"
#include "score/view.h"

/* Of a live pod, and so of a controller that is known from its pods only, nobody can tell what its
 * author wrote and what admission added. */
static bool is_left_out(const struct workload *workload, const struct container *container)
{
    bool live = workload->object.kind == KIND_POD && !is_manifest(&workload->object);
    return (live || workload->synthesized) && container_is_injected(container);
}

static enum verdict walk(struct check_context *context, const struct workload *workload,
                         unsigned roles, container_test *test)
{
    const struct container *container;
    const struct live_container *live;
    bool asked = false, failed = false;
    LIST_EACH (container, workload->spec->containers) {
        if (is_left_out(workload, container))
            continue;
        asked = true;
        if (roles >> container->role & 1)
            failed |= test(context, (struct place){workload, workload->spec, container});
    }
    LIST_EACH (live, context->shown->live)
        if (roles >> live->container->role & 1)
            failed |= test(context, (struct place){workload, live->pod->spec, live->container});
    return failed ? FAILED : asked ? PASSED : NOT_EVALUATED;
}

enum verdict walk_containers(struct check_context *context, const struct workload *workload,
                             unsigned roles, container_test *test)
{
    return template_of(workload) ? walk(context, workload, roles, test) : NOT_EVALUATED;
}

enum verdict walk_images(struct check_context *context, const struct workload *workload,
                         container_test *test)
{
    return workload->spec ? walk(context, workload, ROLES_ALL, test) : NOT_EVALUATED;
}

enum verdict walk_contexts(struct check_context *context, const struct workload *workload,
                           context_test *test)
{
    const struct pod_spec *spec = template_of(workload);
    const struct container *container;
    const struct live_container *live;
    if (!spec)
        return NOT_EVALUATED;
    bool failed = test(context, context_or_none(spec->security), NO_CONTAINER);
    LIST_EACH (container, spec->containers)
        if (!is_left_out(workload, container))
            failed |= test(context, context_or_none(container->security), container->name);
    LIST_EACH (live, context->shown->live)
        failed |= test(context, context_or_none(live->container->security), live->container->name);
    return failed ? FAILED : PASSED;
}

const struct security_context *context_or_none(const struct security_context *security)
{
    static const struct security_context none = {
        .run_as_user = NUMBER_ABSENT, .run_as_group = NUMBER_ABSENT, .fs_group = NUMBER_ABSENT};
    return security ? security : &none;
}

int64_t effective_user(const struct pod_spec *spec, const struct container *container)
{
    int64_t user = context_or_none(container->security)->run_as_user;
    return user != NUMBER_ABSENT ? user : context_or_none(spec->security)->run_as_user;
}

int64_t effective_group(const struct pod_spec *spec, const struct container *container)
{
    int64_t group = context_or_none(container->security)->run_as_group;
    return group != NUMBER_ABSENT ? group : context_or_none(spec->security)->run_as_group;
}

enum tri effective_non_root(const struct pod_spec *spec, const struct container *container)
{
    enum tri non_root = context_or_none(container->security)->run_as_non_root;
    return non_root ? non_root : context_or_none(spec->security)->run_as_non_root;
}

static struct str seccomp_type(const struct security_context *security)
{
    return security && security->seccomp ? security->seccomp->type : (struct str){0};
}

struct str effective_seccomp(const struct pod_spec *spec, const struct container *container)
{
    struct str type = seccomp_type(container->security);
    return type.n ? type : seccomp_type(spec->security);
}

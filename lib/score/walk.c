#include "score/walk.h"

#include "kube/manifest.h"
#include "score/view.h"

const struct pod_spec *template_of(const struct workload *workload)
{
    return workload->spec && !workload->spec->partial ? workload->spec : NULL;
}

bool is_known(const struct workload *workload)
{
    return !workload->synthesized && template_of(workload);
}

bool is_windows(const struct pod_spec *spec)
{
    return str_eq(spec->os_name, STR("windows"));
}

bool container_is_injected(const struct container *container)
{
    static const char *const names[] = {
        "istio-proxy",
        "istio-init",
        "istio-validation",
        "linkerd-proxy",
        "linkerd-init",
        "linkerd-network-validator",
        "linkerd-debug",
        "daprd",
        "vault-agent",
        "vault-agent-init",
        "consul-dataplane",
        "consul-connect-inject-init",
        "kuma-sidecar",
        "kuma-init",
        "kuma-validation",
        "osm-init",
        "aws-appmesh-proxyinit",
        "otc-container",
        "azwi-proxy",
        "azwi-proxy-init",
        "gke-gcsfuse-sidecar",
    };
    struct str name = container->name;
    for (size_t i = 0; name.n && i < sizeof names / sizeof *names; i++)
        if (name.p[0] == names[i][0] && str_eq(name, str_of(names[i])))
            return true;
    return str_has_prefix(name, STR("opentelemetry-auto-instrumentation"));
}

/* Of a live pod, and so of a controller that is known from its pods only, nobody can tell what its
 * author wrote and what admission added. */
static bool is_left_out(const struct workload *workload, const struct container *container)
{
    bool live = workload->object.kind == KIND_POD && !is_manifest(&workload->object);
    return (live || workload->synthesized) && container_is_injected(container);
}

static enum verdict walk(struct judge *judge, const struct workload *workload, unsigned roles,
                         container_test *test)
{
    const struct container *container;
    const struct live_container *live;
    bool asked = false, failed = false;
    LIST_EACH (container, workload->spec->containers) {
        if (is_left_out(workload, container))
            continue;
        asked = true;
        if (roles >> container->role & 1)
            failed |= test(judge, (struct place){workload, workload->spec, container});
    }
    LIST_EACH (live, view_workload(judge, workload)->live)
        if (roles >> live->container->role & 1)
            failed |= test(judge, (struct place){workload, live->pod->spec, live->container});
    return failed ? FAILED : asked ? PASSED : NOT_EVALUATED;
}

enum verdict walk_containers(struct judge *judge, const struct workload *workload, unsigned roles,
                             container_test *test)
{
    return template_of(workload) ? walk(judge, workload, roles, test) : NOT_EVALUATED;
}

enum verdict walk_images(struct judge *judge, const struct workload *workload, container_test *test)
{
    return workload->spec ? walk(judge, workload, ROLES_ALL, test) : NOT_EVALUATED;
}

enum verdict walk_contexts(struct judge *judge, const struct workload *workload, context_test *test)
{
    const struct pod_spec *spec = template_of(workload);
    const struct container *container;
    const struct live_container *live;
    if (!spec)
        return NOT_EVALUATED;
    bool failed = test(judge, context_or_none(spec->security), NO_CONTAINER);
    LIST_EACH (container, spec->containers)
        if (!is_left_out(workload, container))
            failed |= test(judge, context_or_none(container->security), container->name);
    LIST_EACH (live, view_workload(judge, workload)->live)
        failed |= test(judge, context_or_none(live->container->security), live->container->name);
    return failed ? FAILED : PASSED;
}

const struct container *container_named(const struct pod_spec *spec, struct str name)
{
    for (uint32_t i = 0; spec && i < spec->containers.n && i < SEARCHED_MAX; i++)
        if (str_eq(spec->containers.items[i].name, name))
            return &spec->containers.items[i];
    return NULL;
}

bool all_pods_have(const struct workload *workload, struct str container,
                   bool (*has)(const struct resource_requirements *resources))
{
    for (uint32_t i = 0; i < workload->pods.n; i++) {
        const struct container *live = container_named(workload->pods.items[i]->spec, container);
        if (!live || !live->resources || !has(live->resources))
            return false;
    }
    return workload->pods.n > 0;
}

const struct security_context *context_or_none(const struct security_context *context)
{
    static const struct security_context none = {
        .run_as_user = NUMBER_ABSENT, .run_as_group = NUMBER_ABSENT, .fs_group = NUMBER_ABSENT};
    return context ? context : &none;
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

static struct str seccomp_type(const struct security_context *context)
{
    return context && context->seccomp ? context->seccomp->type : (struct str){0};
}

struct str effective_seccomp(const struct pod_spec *spec, const struct container *container)
{
    struct str type = seccomp_type(container->security);
    return type.n ? type : seccomp_type(spec->security);
}

#include "kube/containers.h"

#include "kube/manifest.h"
#include "kube/status.h"

const struct pod_spec *template_of(const struct workload *workload)
{
    return workload->spec && !workload->spec->partial ? workload->spec : NULL;
}

/* What its author wrote so far, without a template yet: what it does not say has its default. */
static bool is_skeleton(const struct workload *workload)
{
    bool says = workload->replicas != NUMBER_ABSENT || workload->selector || workload->strategy.n ||
                workload->service_name.n || workload->schedule.n ||
                workload->progress_deadline != NUMBER_ABSENT ||
                workload->revision_history_limit != NUMBER_ABSENT || workload->paused != TRI_ABSENT;
    return says && !workload->spec && is_manifest(&workload->object) &&
           !has_replica_status(workload);
}

bool is_known(const struct workload *workload)
{
    return !workload->synthesized && (template_of(workload) || is_skeleton(workload));
}

enum kind volume_object(const struct volume *volume)
{
    if (volume->source == VOLUME_SECRET)
        return KIND_SECRET;
    return volume->source == VOLUME_CONFIG_MAP ? KIND_CONFIGMAP : KIND_NONE;
}

bool is_windows(const struct pod_spec *spec)
{
    return str_eq(spec->os_name, STR("windows")) || (!spec->os_name.n && spec->windows_nodes);
}

const struct container *container_named(struct effort *effort, const struct pod_spec *spec,
                                        struct str name)
{
    const struct container *found = NULL;
    uint32_t i = 0;
    for (; spec && !found && i < spec->containers.n && i < SEARCHED_MAX; i++)
        if (str_eq(spec->containers.items[i].name, name))
            found = &spec->containers.items[i];
    effort_spend(effort, EFFORT_search, 1 + i / 4);
    return found;
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

bool capability_is(struct str capability, struct str name)
{
    if (str_eq_nocase(str_sub(capability, 0, 4), STR("CAP_")))
        capability = str_sub(capability, 4, capability.n);
    return str_eq_nocase(capability, name);
}

bool all_pods_have(struct effort *effort, const struct workload *workload, struct str container,
                   bool (*has)(const struct resource_requirements *resources))
{
    bool any = false;
    struct pod **pod;
    LIST_EACH (pod, workload->pods) {
        if (pod_has_ended(*pod))
            continue;
        const struct container *live = container_named(effort, (*pod)->spec, container);
        if (!live || !live->resources || !has(live->resources))
            return false;
        any = true;
    }
    return any;
}

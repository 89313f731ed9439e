#include "kube/deployed_by.h"

#include "kube/selector.h"

static struct str named(struct arena *arena, const char *tool, struct str name)
{
    return arena_printf(arena, "%s %" STR_FMT, tool, STR_ARG(name));
}

/* "shop:apps/Deployment:shop/api" is of the application shop. */
static struct str argo_application(const struct object_meta *meta)
{
    struct str name, rest;
    struct str id = pair_value(meta->annotations, STR("argocd.argoproj.io/tracking-id"));
    if (id.n && str_cut(id, ':', &name, &rest))
        return name;
    return pair_value(meta->labels, STR("argocd.argoproj.io/instance"));
}

struct str deployed_by(struct arena *arena, const struct workload *workload)
{
    static const struct {
        const char *tool;
        struct str label;
    } tools[] = {{"Flux kustomization", STR("kustomize.toolkit.fluxcd.io/name")},
                 {"Flux release", STR("helm.toolkit.fluxcd.io/name")}};
    const struct object_meta *meta = &workload->object.meta;
    struct str name = argo_application(meta);
    if (name.n)
        return named(arena, "Argo CD application", name);
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
        if ((name = pair_value(meta->labels, tools[i].label)).n)
            return named(arena, tools[i].tool, name);
    name = pair_value(meta->annotations, STR("meta.helm.sh/release-name"));
    return name.n ? named(arena, "Helm release", name)
                  : pair_value(meta->labels, STR("app.kubernetes.io/managed-by"));
}

struct str deployed_because(const struct workload *workload)
{
    return pair_value(workload->object.meta.annotations, STR("kubernetes.io/change-cause"));
}

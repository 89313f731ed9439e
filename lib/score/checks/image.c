/* Images: which build a reference names, where it comes from, and when it is pulled. */
#include "kube/image_ref.h"
#include "score/checks.h"
#include "score/policy.h"
#include "score/walk.h"

static bool tag_is_mutable(struct check_context *context, struct place at)
{
    struct image_ref ref = image_parse(at.container->image);
    if (!at.container->image.n || !image_is_mutable(ref))
        return false;
    fail(context, at.container->name, "Container %" STR_FMT " runs image %" STR_FMT "%s",
         STR_ARG(at.container->name), STR_ARG(at.container->image),
         ref.tag.n ? ", a tag that can change." : ", which names no version.");
    return true;
}

enum verdict check_image_tag_mutable(struct check_context *context, const struct workload *workload)
{
    return walk_images(context, workload, tag_is_mutable);
}

static bool is_not_pinned(struct check_context *context, struct place at)
{
    struct image_ref ref = image_parse(at.container->image);
    if (!at.container->image.n || ref.digest.n)
        return false;
    fail(context, at.container->name, "Container %" STR_FMT " runs image %" STR_FMT "%s",
         STR_ARG(at.container->name), STR_ARG(at.container->image),
         ref.bad_digest ? ", whose digest is malformed." : " without a digest.");
    return true;
}

enum verdict check_image_not_pinned(struct check_context *context, const struct workload *workload)
{
    return walk_images(context, workload, is_not_pinned);
}

/* ---- pull policy ---- */

static bool may_be_stale(struct check_context *context, struct place at)
{
    struct str policy = at.container->image_pull_policy;
    if (!at.container->image.n || !image_is_mutable(image_parse(at.container->image)) ||
        !(str_eq(policy, STR("IfNotPresent")) || str_eq(policy, STR("Never"))))
        return false;
    fail(context, at.container->name,
         "Container %" STR_FMT " runs whatever build of %" STR_FMT " its node happens to have "
         "(imagePullPolicy: %" STR_FMT ").",
         STR_ARG(at.container->name), STR_ARG(at.container->image), STR_ARG(policy));
    return true;
}

enum verdict check_image_pull_policy_stale(struct check_context *context,
                                           const struct workload *workload)
{
    return walk_containers(context, workload, ROLES_ALL, may_be_stale);
}

static bool is_not_always_pulled(struct check_context *context, struct place at)
{
    struct image_ref ref = image_parse(at.container->image);
    struct str policy = at.container->image_pull_policy;
    if (!policy.n)
        policy = image_is_mutable(ref) ? STR("Always") : STR("IfNotPresent");
    if (!at.container->image.n || ref.digest.n || str_eq(policy, STR("Always")))
        return false;
    fail(context, at.container->name,
         "Container %" STR_FMT " starts a cached copy of %" STR_FMT
         " without asking the registry (imagePullPolicy: %" STR_FMT ").",
         STR_ARG(at.container->name), STR_ARG(at.container->image), STR_ARG(policy));
    return true;
}

enum verdict check_image_pull_policy_not_always(struct check_context *context,
                                                const struct workload *workload)
{
    return walk_containers(context, workload, ROLES_ALL, is_not_always_pulled);
}

/* ---- registries ---- */

/* Is the image below this place: a registry, or a registry and the beginning of a path? */
static bool is_from(struct image_ref ref, struct str place)
{
    struct str registry, path;
    str_cut(place, '/', &registry, &path);
    registry = image_registry(registry);
    if (!str_eq_nocase(ref.registry, registry))
        return false;
    if (str_eq(path, STR("library")) && str_eq(registry, STR("docker.io")) &&
        !str_has(ref.repository, STR("/")))
        return true;
    return !path.n || (str_has_prefix(ref.repository, path) &&
                       (ref.repository.n == path.n || path.p[path.n - 1] == '/' ||
                        ref.repository.p[path.n] == '/'));
}

/* Google keeps copies of a project's images by continent: "eu.gcr.io". */
static struct image_ref without_continent(struct image_ref ref)
{
    static const char *const continents[] = {"asia", "eu", "us", NULL};
    struct str continent, rest;
    if (str_cut(ref.registry, '.', &continent, &rest) && str_eq(rest, STR("gcr.io")) &&
        str_in(continent, continents))
        ref.registry = rest;
    return ref;
}

/* Registries, or parts of them, that get no more updates or are gone. */
static bool is_frozen(struct image_ref ref)
{
    static const char *const places[] = {"k8s.gcr.io",
                                         "gcr.io/google-containers",
                                         "gcr.io/google_containers",
                                         "gcr.io/k8s-artifacts-prod",
                                         "gcr.io/kubernetes-helm",
                                         "gcr.io/kubebuilder",
                                         "docker.pkg.github.com",
                                         "registry.centos.org",
                                         "docker.io/bitnamilegacy"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (is_from(ref, str_of(places[i])))
            return true;
    return str_has_suffix(ref.registry, STR(".bintray.io"));
}

static bool registry_is_deprecated(struct check_context *context, struct place at)
{
    if (!is_frozen(without_continent(image_parse(at.container->image))))
        return false;
    fail(context, at.container->name,
         "Container %" STR_FMT " pulls %" STR_FMT " from a registry that gets no more updates.",
         STR_ARG(at.container->name), STR_ARG(at.container->image));
    return true;
}

enum verdict check_image_registry_deprecated(struct check_context *context,
                                             const struct workload *workload)
{
    return walk_images(context, workload, registry_is_deprecated);
}

static bool registry_is_untrusted(struct check_context *context, struct place at)
{
    struct image_ref ref = image_parse(at.container->image);
    const struct str *place;
    if (!at.container->image.n)
        return false;
    LIST_EACH (place, context->policy->trusted_registries)
        if (is_from(ref, *place))
            return false;
    fail(context, at.container->name,
         "Container %" STR_FMT " pulls %" STR_FMT " from %" STR_FMT
         ", which is not among the trusted registries.",
         STR_ARG(at.container->name), STR_ARG(at.container->image), STR_ARG(ref.registry));
    return true;
}

enum verdict check_image_registry_untrusted(struct check_context *context,
                                            const struct workload *workload)
{
    if (!context->policy->trusted_registries.n)
        return NOT_EVALUATED;
    return walk_images(context, workload, registry_is_untrusted);
}

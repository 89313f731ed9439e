/* API versions that the cluster no longer serves, or will not after its next upgrade. The API
 * server converts what it hands out, so only what the author wrote tells: the last-applied
 * annotation, the field managers, or a manifest that no API server has seen. */
#include "kube/release.h"
#include "kube/manifest.h"
#include "score/checks.h"

/* From the deprecation guide of kubernetes.io; minor: the first 1.x without it. kind "": all. */
static const struct removal {
    const char *api_version, *kind;
    int64_t minor;
    const char *replacement;
} removals[] = {
    {"extensions/v1beta1", "Ingress", 22, "networking.k8s.io/v1"},
    {"extensions/v1beta1", "NetworkPolicy", 16, "networking.k8s.io/v1"},
    {"extensions/v1beta1", "", 16, "apps/v1"},
    {"apps/v1beta1", "", 16, "apps/v1"},
    {"apps/v1beta2", "", 16, "apps/v1"},
    {"scheduling.k8s.io/v1alpha1", "", 17, "scheduling.k8s.io/v1"},
    {"scheduling.k8s.io/v1beta1", "", 22, "scheduling.k8s.io/v1"},
    {"batch/v2alpha1", "", 21, "batch/v1"},
    {"batch/v1beta1", "", 25, "batch/v1"},
    {"networking.k8s.io/v1beta1", "Ingress", 22, "networking.k8s.io/v1"},
    {"rbac.authorization.k8s.io/v1alpha1", "", 22, "rbac.authorization.k8s.io/v1"},
    {"rbac.authorization.k8s.io/v1beta1", "", 22, "rbac.authorization.k8s.io/v1"},
    {"admissionregistration.k8s.io/v1beta1", "MutatingWebhookConfiguration", 22,
     "admissionregistration.k8s.io/v1"},
    {"admissionregistration.k8s.io/v1beta1", "ValidatingWebhookConfiguration", 22,
     "admissionregistration.k8s.io/v1"},
    {"apiregistration.k8s.io/v1beta1", "", 22, "apiregistration.k8s.io/v1"},
    {"storage.k8s.io/v1beta1", "StorageClass", 22, "storage.k8s.io/v1"},
    {"policy/v1beta1", "", 25, "policy/v1"},
    {"autoscaling/v2beta1", "", 25, "autoscaling/v2"},
    {"autoscaling/v2beta2", "", 26, "autoscaling/v2"},
};

static const struct removal *removal_of(struct str api_version, struct str kind, int64_t minor)
{
    for (size_t i = 0; i < sizeof removals / sizeof *removals; i++)
        if (removals[i].minor <= minor && str_eq(api_version, str_of(removals[i].api_version)) &&
            (!*removals[i].kind || str_eq(kind, str_of(removals[i].kind))))
            return &removals[i];
    return NULL;
}

static bool is_inferred(const struct object *object)
{
    return PODS >> object->kind & 1 && ((const struct workload *)object)->synthesized;
}

/* The versions that were written: several only when nothing but field managers tell. */
static str_list written_versions(struct check_context *context, const struct object *object)
{
    str_list one = {.n = 1};
    if (is_inferred(object))
        return (str_list){0};
    if (!object->meta.applied && !is_manifest(object))
        return object->meta.managed_versions;
    one.items = ARENA_NEW(context->arena, struct str);
    one.items[0] = object->meta.applied ? object->meta.applied->api_version : object->api_version;
    return one;
}

enum verdict check_api_version_removed(struct check_context *context, const struct object *object)
{
    struct release server;
    str_list versions = written_versions(context, object);
    const struct str *version;
    if (!versions.n || object->summary || !release_parse(context->cluster->server_version, &server))
        return NOT_EVALUATED;
    LIST_EACH (version, versions) {
        const struct removal *removal = removal_of(*version, object->kind_name, server.minor + 1);
        if (removal)
            return fail(context, NO_CONTAINER,
                        "The %" STR_FMT " was written for %" STR_FMT
                        ", which Kubernetes 1.%lld no longer serves; %s replaces it.",
                        STR_ARG(object->kind_name), STR_ARG(*version), (long long)removal->minor,
                        removal->replacement);
    }
    return PASSED;
}

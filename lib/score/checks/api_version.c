/* API versions that the cluster no longer serves, or will not after its next upgrade. */
#include "kube/api_removal.h"
#include "kube/manifest.h"
#include "score/checks.h"
#include "score/policy.h"

/* The release that has to serve what was written: the one asked for; else the one after the
 * cluster's own, its next upgrade; else the oldest that is still supported. */
static struct release target_of(const struct check_context *context)
{
    struct release release = context->policy->target;
    if (release.major > 0)
        return release;
    if (!release_parse(context->cluster->server_version, &release))
        return release_oldest_supported(context->time);
    release.minor++;
    return release;
}

static enum verdict tell(struct check_context *context, const struct api_removal *removal)
{
    struct str replacement = removal->replacement.n ? removal->replacement : STR("nothing");
    return fail(context, NO_CONTAINER,
                "The %" STR_FMT " was written for %" STR_FMT
                ", which Kubernetes no longer serves from 1.%lld on; %" STR_FMT " replaces it.",
                STR_ARG(removal->kind), STR_ARG(removal->api_version), (long long)removal->removed,
                STR_ARG(replacement));
}

enum verdict check_api_version_removed(struct check_context *context, const struct object *object)
{
    str_list versions = written_versions(context->arena, object);
    const struct str *version;
    if (!versions.n || object->summary)
        return NOT_EVALUATED;
    LIST_EACH (version, versions) {
        const struct api_removal *removal = api_removal_find(*version, object->kind_name);
        if (removal && api_removal_reaches(removal, target_of(context)))
            return tell(context, removal);
    }
    /* Of kinds that are not read, only these are here: no share of them that passes says anything.
     */
    return object->kind == KIND_UNREAD ? NOT_EVALUATED : PASSED;
}

#include "kube/api_removal.h"

#include "kube/kinds.h"

static const struct api_removal removals[] = {
#define REMOVAL(api_version, kind, deprecated, removed, replacement)                               \
    {STR(api_version), STR(kind), deprecated, removed, STR(replacement)},
#include "kube/api_removal.def"
#undef REMOVAL
};

/* Most versions that are asked for are as long as none of them. */
static bool may_be_removed(struct str api_version)
{
    static const uint64_t lengths = 0
#define REMOVAL(api_version, kind, deprecated, removed, replacement)                               \
    | UINT64_C(1) << (sizeof(api_version) - 1)
#include "kube/api_removal.def"
#undef REMOVAL
        ;
    return api_version.n < 64 && lengths >> api_version.n & 1;
}

const struct api_removal *api_removal_find(struct str api_version, struct str kind)
{
    if (!may_be_removed(api_version))
        return NULL;
    for (size_t i = 0; i < sizeof removals / sizeof *removals; i++)
        if (str_eq(removals[i].api_version, api_version) && str_eq(removals[i].kind, kind))
            return &removals[i];
    return NULL;
}

bool api_removal_concerns(struct str api_version, struct str kind)
{
    for (size_t i = 0; i < sizeof removals / sizeof *removals; i++)
        if (str_eq(removals[i].kind, kind) &&
            str_eq(api_group(removals[i].api_version), api_group(api_version)))
            return true;
    return false;
}

size_t api_removals(void)
{
    return sizeof removals / sizeof *removals;
}

size_t api_removal_number(const struct api_removal *removal)
{
    return (size_t)(removal - removals);
}

bool api_removal_reaches(const struct api_removal *removal, struct release release)
{
    return release.major > 1 || (release.major == 1 && release.minor >= removal->removed);
}

#include "score/api_use.h"

#include "kube/manifest.h"
#include "score/judge.h"

/* Of several removals of one object the first. NULL: every release serves what was written. */
static const struct api_removal *first_removal(struct arena *arena, const struct object *object)
{
    const struct api_removal *first = NULL, *removal;
    str_list versions = written_versions(arena, object);
    const struct str *version;
    if (object->summary)
        return NULL;
    LIST_EACH (version, versions) {
        removal = api_removal_find(*version, object->kind_name);
        if (removal && (!first || removal->removed < first->removed))
            first = removal;
    }
    return first;
}

static void count(struct api_use *uses, struct arena *arena, const struct object *object)
{
    const struct api_removal *removal = first_removal(arena, object);
    if (!removal)
        return;
    struct api_use *use = &uses[api_removal_number(removal)];
    use->removal = removal;
    use->sample = use->objects++ ? use->sample : object;
}

api_use_list api_use_of(struct arena *arena, const struct cluster *cluster,
                        const struct score_policy *policy)
{
    struct api_use *uses = ARENA_ARRAY(arena, api_removals(), struct api_use);
    api_use_list list = {0};
#define JUDGED(list, walked, subject, type)                                                        \
    for (uint32_t i = 0; i < cluster->walked.n; i++)                                               \
        if (!judge_leaves_out(policy, &cluster->walked.items[i]->object))                          \
            count(uses, arena, &cluster->walked.items[i]->object);
#include "kube/lists.def"
#undef JUDGED
    for (size_t i = 0; i < api_removals(); i++)
        if (uses[i].objects)
            LIST_ADD(arena, list, uses[i]);
    return list;
}

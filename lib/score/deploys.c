#include "score/deploys.h"

#include "score/policy.h"
#include "score/state.h"

struct deploys deploys_of(const struct check_context *context, const struct workload *workload)
{
    struct deploys deploys = {0, NULL};
    const struct object *object = &workload->object;
    const deployed_list *all = context->policy->deploys;
    const struct deployed *deployed;
    if (!all)
        return deploys;
    deployed_list own = deployed_of(all, object->kind, object->meta.namespace, object->meta.name);
    LIST_EACH (deployed, own) {
        bool before = deployed->at < object->meta.created && object->meta.created != TIME_NONE;
        if (before || deployed->at >= context->time ||
            !age_within(context, deployed->at, DEPLOYED_MS))
            continue;
        deploys.today += age_within(context, deployed->at, CLOCK_DAY);
        deploys.last = deployed;
    }
    return deploys;
}

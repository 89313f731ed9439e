/* Whether Services of type LoadBalancer have got their load balancer. */
#include "kube/manifest.h"
#include "score/checks.h"
#include "score/state.h"

#define BALANCER_GRACE (10 * CLOCK_MINUTE)

/* Whoever makes the load balancer writes its address into the status (k8s.io/api/core/v1,
 * ServiceStatus). */
enum verdict check_service_load_balancer_pending(struct check_context *context,
                                                 const struct service *service)
{
    const struct object_meta *meta = &service->object.meta;
    if (!str_eq(service->type, STR("LoadBalancer")) || is_manifest(&service->object) ||
        meta->created == TIME_NONE || meta->deleted != TIME_NONE || service->external_ips.n)
        return NOT_EVALUATED;
    if (service->has_load_balancer || !age_exceeds(context, meta->created, BALANCER_GRACE))
        return PASSED;
    return fail(context, NO_CONTAINER,
                "The Service has waited %" STR_FMT " for the address of its load balancer.",
                STR_ARG(for_time(context, meta->created)));
}

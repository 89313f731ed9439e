/* Whether Services have somebody to answer. */
#include "score/checks.h"
#include "score/state.h"

static bool has_selector(const struct service *service)
{
    return service->selector.n && !str_eq(service->type, STR("ExternalName"));
}

/* Has nothing ended it yet, although it is being deleted for too long, or its node is dead? */
static bool is_stuck(const struct check_context *context, const struct pod *pod)
{
    return pod_is_on_lost_node(pod) || pod_is_overdue(context, pod);
}

/* Those that could be endpoints; a status of their own is not needed for that. */
static uint32_t lasting_pods(const struct check_context *context, const struct service *service)
{
    uint32_t n = 0;
    struct pod **pod;
    LIST_EACH (pod, service->pods)
        n += !pod_has_ended(*pod) && (!pod_is_terminating(*pod) || is_stuck(context, *pod));
    return n;
}

enum verdict check_service_no_ready_endpoints(struct check_context *context,
                                              const struct service *service)
{
    uint32_t pods = lasting_pods(context, service);
    if (!has_selector(service) || !service->endpoints_known || !pods)
        return NOT_EVALUATED;
    if (service->ready_endpoints)
        return PASSED;
    return fail(context, NO_CONTAINER, "The Service selects %u pod%s, none of them is ready.", pods,
                pods == 1 ? "" : "s");
}

enum verdict check_service_single_endpoint(struct check_context *context,
                                           const struct service *service)
{
    if (!has_selector(service) || !service->endpoints_known || !service->ready_endpoints)
        return NOT_EVALUATED;
    if (service->ready_endpoints > 1)
        return PASSED;
    return fail(context, NO_CONTAINER, "Only one endpoint is ready.");
}

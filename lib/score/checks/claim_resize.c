/* Whether claims that were made larger have become larger. */
#include "score/checks.h"
#include "score/state.h"

#define RESIZE_GRACE CLOCK_HOUR

static enum verdict tell(struct check_context *context, enum severity severity,
                         const struct condition *condition)
{
    struct str message = message_text(condition->message);
    return fail_as(context, severity, NO_CONTAINER,
                   "The claim has been %" STR_FMT " %" STR_FMT "%s%" STR_FMT ".",
                   STR_ARG(condition->type), STR_ARG(for_time(context, condition->last_transition)),
                   message.n ? ": " : "", STR_ARG(message));
}

/* Conditions and states of a resize: k8s.io/api/core/v1, PersistentVolumeClaimConditionType and
 * ClaimResourceStatus. Infeasible was called Failed until 1.31. FileSystemResizePending waits for a
 * pod to be started anew. */
enum verdict check_pvc_resize_failed(struct check_context *context,
                                     const struct persistent_volume_claim *claim)
{
    static const char *const errors[] = {"ControllerResizeError", "NodeResizeError", NULL};
    static const char *const states[] = {"ControllerResizeInfeasible", "ControllerResizeFailed",
                                         "NodeResizeInfeasible", "NodeResizeFailed", NULL};
    const struct condition *condition;
    if (!str_eq(claim->phase, STR("Bound")))
        return NOT_EVALUATED;
    LIST_EACH (condition, claim->conditions) {
        bool is = str_eq(condition->status, STR("True"));
        bool old = age_exceeds(context, condition->last_transition, RESIZE_GRACE);
        if (is && str_in(condition->type, errors))
            return tell(context, context->check->severity, condition);
        if (is && old && str_eq(condition->type, STR("Resizing")))
            return tell(context, context->check->severity, condition);
        if (is && old && str_eq(condition->type, STR("FileSystemResizePending")))
            return tell(context, SEVERITY_LOW, condition);
    }
    if (!str_in(claim->resize, states))
        return PASSED;
    return fail(context, NO_CONTAINER, "The claim cannot be made larger: %" STR_FMT ".",
                STR_ARG(claim->resize));
}

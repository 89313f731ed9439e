/* What node-problem-detector says of nodes. */
#include "score/checks.h"
#include "score/state.h"

/* Conditions that its configuration sets (kubernetes/node-problem-detector, config/), and AKS
 * beside it. Of others nobody knows whether True is good. */
static const char *const problems[] = {
    "ReadonlyFilesystem",
    "KernelDeadlock",
    "XfsShutdown",
    "CorruptDockerOverlay2",
    "KubeletUnhealthy",
    "ContainerRuntimeUnhealthy",
    "KubeletProblem",
    "ContainerRuntimeProblem",
    "FilesystemCorruptionProblem",
    "FrequentKubeletRestart",
    "FrequentDockerRestart",
    "FrequentContainerdRestart",
    "FrequentUnregisterNetDevice",
};

enum verdict check_node_problem_detected(struct check_context *context, const struct node *node)
{
    enum verdict verdict = NOT_EVALUATED;
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
        const struct condition *condition = condition_find(node->conditions, str_of(problems[i]));
        if (!condition || str_eq(condition->status, STR("Unknown")))
            continue;
        if (!str_eq(condition->status, STR("True"))) {
            verdict = verdict == NOT_EVALUATED ? PASSED : verdict;
            continue;
        }
        struct str message = message_text(condition->message);
        verdict = fail(context, NO_CONTAINER, "%s has been True %" STR_FMT "%s%" STR_FMT ".",
                       problems[i], STR_ARG(for_time(context, condition->last_transition)),
                       message.n ? ": " : "", STR_ARG(message));
    }
    return verdict;
}

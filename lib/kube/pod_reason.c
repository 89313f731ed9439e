#include "kube/pod_reason.h"

bool pod_reason_is_pull(struct str reason)
{
    static const char *const words[] = {"ImagePullBackOff",          "ErrImagePull",
                                        "InvalidImageName",          "ErrImageNeverPull",
                                        "RegistryUnavailable",       "ImageInspectError",
                                        "SignatureValidationFailed", NULL};
    return str_in(reason, words);
}

bool pod_reason_is_config(struct str reason)
{
    static const char *const words[] = {"CreateContainerConfigError",
                                        "CreateContainerError",
                                        "RunContainerError",
                                        "PreCreateHookError",
                                        "PreStartHookError",
                                        "PostStartHookError",
                                        NULL};
    return str_in(reason, words);
}

bool pod_reason_is_start(struct str reason)
{
    static const char *const words[] = {"ContainerCannotRun", "StartError", NULL};
    return str_in(reason, words);
}

/* OutOfcpu, OutOfpods and so on name what there was too little of. */
bool pod_reason_is_taken(struct str reason)
{
    static const char *const words[] = {
        "Evicted",      "NodeLost",        "Preempted",  "Preempting",   "UnexpectedAdmissionError",
        "NodeShutdown", "Shutdown",        "Terminated", "NodeAffinity", "NodePorts",
        "NodeName",     "TaintToleration", NULL};
    return str_in(reason, words) || str_has_prefix(reason, STR("OutOf"));
}

/* A pod whose node is lost keeps its phase. */
bool pod_reason_is_end(struct str reason)
{
    static const char *const words[] = {"DeadlineExceeded",
                                        "AppArmor",
                                        "InitContainerRestartPolicyForbidden",
                                        "PodOSNotSupported",
                                        "PodOSSelectorNodeLabelDoesNotMatch",
                                        "SMTAlignmentError",
                                        "SysctlForbidden",
                                        "TopologyAffinityError",
                                        NULL};
    return str_in(reason, words) || (pod_reason_is_taken(reason) && !pod_reason_is_unknown(reason));
}

bool pod_reason_is_unknown(struct str reason)
{
    static const char *const words[] = {"NodeLost", "ContainerStatusUnknown", NULL};
    return str_in(reason, words);
}

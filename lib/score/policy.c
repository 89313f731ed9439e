#include "score/policy.h"

struct score_policy score_policy_default(void)
{
    static struct str names[] = {STR("kube-system"), STR("kube-public"), STR("kube-node-lease"),
                                 STR("loadline")};
    return (struct score_policy){.system_namespaces =
                                     LIST_SLICE(names, sizeof names / sizeof *names)};
}

/* OpenShift's SecurityContextConstraints that let everybody make powerful pods. */
#include "score/checks.h"
#include "kube/selector.h"

/* What the constraints allow that a pod of anybody's should not have; NULL: nothing. The built-in
 * "restricted" allows none of it, and is the only one that everybody may use
 * (docs.openshift.com, "Managing security context constraints"). */
static const char *power_of(const struct security_constraints *constraints, enum severity *severity)
{
    *severity = SEVERITY_CRITICAL;
    if (constraints->privileged == TRI_TRUE)
        return "privileged containers";
    if (constraints->host_pid == TRI_TRUE || constraints->host_ipc == TRI_TRUE)
        return "the processes of the node";
    if (str_list_has(constraints->capabilities, STR("*")) ||
        str_list_has(constraints->capabilities, STR("SYS_ADMIN")))
        return "any capability";
    if (constraints->host_directories == TRI_TRUE)
        return "directories of the node";
    *severity = SEVERITY_HIGH;
    if (constraints->host_network == TRI_TRUE)
        return "the network of the node";
    if (str_eq(constraints->run_as_user, STR("RunAsAny")))
        return "root as user";
    return NULL;
}

static bool is_everybody(struct str group)
{
    static const char *const groups[] = {"system:authenticated", "system:unauthenticated",
                                         "system:authenticated:oauth", "system:serviceaccounts",
                                         NULL};
    return str_in(group, groups);
}

/* The account of a namespace that every pod has which names none. */
static bool is_default_account(struct str user)
{
    return str_has_prefix(user, STR("system:serviceaccount:")) &&
           str_has_suffix(user, STR(":default"));
}

enum verdict check_security_constraints_open(struct check_context *context,
                                             const struct security_constraints *constraints)
{
    enum severity severity;
    enum verdict verdict = PASSED;
    const char *power = power_of(constraints, &severity);
    const struct str *name;
    if (constraints->object.summary)
        return NOT_EVALUATED;
    LIST_EACH (name, constraints->groups)
        if (power && is_everybody(*name))
            verdict = fail_as(context, severity, NO_CONTAINER,
                              "Group %" STR_FMT " may make pods with %s.", STR_ARG(*name), power);
    LIST_EACH (name, constraints->users)
        if (power && is_default_account(*name))
            verdict =
                fail_as(context, SEVERITY_HIGH, NO_CONTAINER,
                        "%" STR_FMT ", so every pod there that names no account, may have %s.",
                        STR_ARG(*name), power);
    return verdict;
}

/* Roles that allow too much. A finding is on the role and names who holds it; bindings of their
 * own fault are in rbac_binding.c. */
#include "kube/selector.h"
#include "score/checks.h"
#include "score/grants.h"
#include "score/role_rights.h"

/* Rules about URLs (nonResourceURLs) name no resources and are none of this. */
static bool has_wildcard(const struct policy_rule *rule)
{
    if (rule->non_resource_urls.n && !rule->resources.n)
        return false;
    return str_list_has(rule->verbs, STR("*")) || str_list_has(rule->resources, STR("*")) ||
           str_list_has(rule->api_groups, STR("*"));
}

enum verdict check_rbac_wildcard(struct check_context *context, const struct role *role)
{
    enum verdict verdict = PASSED;
    const struct policy_rule *rule;
    struct role_standing standing = {0};
    if (!role_is_asked(context, role))
        return NOT_EVALUATED;
    LIST_EACH (rule, role->rules) {
        if (!has_wildcard(rule))
            continue;
        verdict = FAILED;
        role_report_rule(context, role, &standing, rule, context->check->severity,
                         STR("do more than it names"));
    }
    return verdict;
}

/* list and watch show the content of all, whatever the names. */
enum verdict check_rbac_secret_access(struct check_context *context, const struct role *role)
{
    static const struct role_right rights[] = {{"", "secrets", "list watch", SEVERITY_HIGH},
                                               {"", "secrets", "get", SEVERITY_LOW}};
    return ASK_ROLE(context, role, rights);
}

enum verdict check_rbac_workload_create(struct check_context *context, const struct role *role)
{
    static const struct role_right rights[] = {
        {"", "pods replicationcontrollers", "create", SEVERITY_MEDIUM},
        {"apps", "deployments statefulsets daemonsets replicasets", "create", SEVERITY_MEDIUM},
        {"extensions", "deployments daemonsets replicasets", "create", SEVERITY_MEDIUM},
        {"batch", "jobs cronjobs", "create", SEVERITY_MEDIUM},
        {"apps.openshift.io", "deploymentconfigs", "create", SEVERITY_MEDIUM},
        {"argoproj.io", "rollouts", "create", SEVERITY_MEDIUM},
    };
    return ASK_ROLE(context, role, rights);
}

/* exec over a websocket is a get. A container that is added to a running pod runs what its author
 * likes, beside the others (kubernetes.io, "Ephemeral Containers"). */
enum verdict check_rbac_pod_exec(struct check_context *context, const struct role *role)
{
    static const struct role_right rights[] = {
        {"", "pods/exec pods/attach", "create get", SEVERITY_MEDIUM},
        {"", "pods/ephemeralcontainers", "update patch", SEVERITY_MEDIUM}};
    return ASK_ROLE(context, role, rights);
}

/* The API server asks for users, groups, uids and extras without a namespace, so that nothing in
 * one puts it in force; for a service account in the account's
 * (k8s.io/apiserver/pkg/endpoints/filters, "WithImpersonation"). */
enum verdict check_rbac_escalation(struct check_context *context, const struct role *role)
{
    static const struct role_right wide[] = {
        {"rbac.authorization.k8s.io", "roles clusterroles rolebindings clusterrolebindings",
         "escalate bind", SEVERITY_HIGH},
        {"", "users groups serviceaccounts", "impersonate", SEVERITY_HIGH},
        {"authentication.k8s.io", "uids userextras userextras/*", "impersonate", SEVERITY_HIGH},
    };
    static const struct role_right local[] = {
        {"rbac.authorization.k8s.io", "roles clusterroles rolebindings clusterrolebindings",
         "escalate bind", SEVERITY_HIGH},
        {"", "serviceaccounts", "impersonate", SEVERITY_HIGH},
    };
    static const struct role_right beyond[] = {
        {"", "users groups", "impersonate", SEVERITY_LOW},
        {"authentication.k8s.io", "uids userextras userextras/*", "impersonate", SEVERITY_LOW},
    };
    if (!grants_are_local(context, role))
        return ASK_ROLE(context, role, wide);
    enum verdict verdict = ASK_ROLE(context, role, local);
    if (verdict != PASSED)
        return verdict;
    return role_ask(context, role, beyond, sizeof beyond / sizeof *beyond,
                    role_standing_not_in_force());
}

enum verdict check_rbac_node_proxy(struct check_context *context, const struct role *role)
{
    static const struct role_right rights[] = {{"", "nodes/proxy", "get create", SEVERITY_HIGH}};
    return ASK_WIDE_ROLE(context, role, rights);
}

enum verdict check_rbac_csr_approve(struct check_context *context, const struct role *role)
{
    static const struct role_right rights[] = {{"certificates.k8s.io",
                                                "certificatesigningrequests/approval",
                                                "update patch", SEVERITY_HIGH}};
    return ASK_WIDE_ROLE(context, role, rights);
}

enum verdict check_rbac_webhook_write(struct check_context *context, const struct role *role)
{
    static const struct role_right rights[] = {
        {"admissionregistration.k8s.io",
         "validatingwebhookconfigurations mutatingwebhookconfigurations",
         "create update patch delete", SEVERITY_LOW}};
    return ASK_WIDE_ROLE(context, role, rights);
}

enum verdict check_rbac_token_create(struct check_context *context, const struct role *role)
{
    static const struct role_right rights[] = {
        {"", "serviceaccounts/token", "create", SEVERITY_LOW}};
    return ASK_ROLE(context, role, rights);
}

enum verdict check_rbac_pv_create(struct check_context *context, const struct role *role)
{
    static const struct role_right rights[] = {
        {"", "persistentvolumes", "create", SEVERITY_MEDIUM}};
    return ASK_WIDE_ROLE(context, role, rights);
}

/* ---- what changes or ends what runs ---- */

/* Who changes a template runs pods of his own, under its account (kubernetes.io, "RBAC Good
 * Practices: workload creation"); of a running pod only the image can be changed. */
enum verdict check_rbac_workload_change(struct check_context *context, const struct role *role)
{
    static const struct role_right rights[] = {
        {"apps", "deployments statefulsets daemonsets replicasets", "update patch", SEVERITY_LOW},
        {"extensions", "deployments daemonsets replicasets", "update patch", SEVERITY_LOW},
        {"batch", "jobs cronjobs", "update patch", SEVERITY_LOW},
        {"", "pods replicationcontrollers", "update patch", SEVERITY_LOW},
        {"apps.openshift.io", "deploymentconfigs", "update patch", SEVERITY_LOW},
        {"argoproj.io", "rollouts", "update patch", SEVERITY_LOW},
    };
    return ASK_ROLE(context, role, rights);
}

/* Past every network policy. */
enum verdict check_rbac_port_forward(struct check_context *context, const struct role *role)
{
    static const struct role_right rights[] = {
        {"", "pods/portforward", "create get", SEVERITY_LOW}};
    return ASK_ROLE(context, role, rights);
}

/* A namespace takes all that is in it along, and a node its pods. To delete a namespace is asked
 * for in that namespace; nodes, and all namespaces at once, are in none. */
enum verdict check_rbac_destructive_delete(struct check_context *context, const struct role *role)
{
    static const struct role_right wide[] = {
        {"", "namespaces nodes", "delete deletecollection", SEVERITY_LOW}};
    static const struct role_right local[] = {{"", "namespaces", "delete", SEVERITY_LOW}};
    return grants_are_local(context, role) ? ASK_ROLE(context, role, local)
                                           : ASK_ROLE(context, role, wide);
}

/* Who writes a Service's status gives it an address of his choice, and takes its traffic:
 * CVE-2020-8554 (kubernetes/kubernetes issue 97076). */
enum verdict check_rbac_service_status(struct check_context *context, const struct role *role)
{
    static const struct role_right rights[] = {
        {"", "services/status", "update patch", SEVERITY_LOW}};
    return ASK_ROLE(context, role, rights);
}

/* ---- the ConfigMaps that the cluster runs on ---- */

/* coredns decides what names lead to, aws-auth who is who (docs.aws.amazon.com/eks, "Grant IAM
 * users access with a ConfigMap"); the others are kubeadm's. */
static bool names_system_config(str_list names)
{
    static const char *const maps[] = {"coredns",        "coredns-custom", "aws-auth", "kube-proxy",
                                       "kubeadm-config", "kubelet-config", NULL};
    const struct str *name;
    LIST_EACH (name, names)
        if (str_in(*name, maps))
            return true;
    return !names.n;
}

/* A ClusterRole counts where it is in force in the whole cluster or in kube-system. */
static bool reaches_system_namespace(const struct check_context *context, const struct role *role)
{
    struct binding_list bindings = grants_bindings(context, role);
    for (uint32_t i = 0; i < bindings.n; i++)
        if (bindings.items[i]->object.kind == KIND_CLUSTERROLEBINDING ||
            str_eq(bindings.items[i]->object.meta.namespace, STR("kube-system")))
            return true;
    return role->object.kind == KIND_ROLE &&
           str_eq(role->object.meta.namespace, STR("kube-system"));
}

enum verdict check_rbac_system_config(struct check_context *context, const struct role *role)
{
    static const struct role_right right = {"", "configmaps", "update patch delete",
                                            SEVERITY_MEDIUM};
    enum verdict verdict = PASSED;
    const struct policy_rule *rule;
    struct role_standing standing = {0};
    struct str what;
    if (!role_is_asked(context, role) || !reaches_system_namespace(context, role))
        return NOT_EVALUATED;
    LIST_EACH (rule, role->rules)
        if (names_system_config(rule->resource_names) &&
            role_rule_gives(context, rule, &right, &what)) {
            verdict = FAILED;
            role_report_rule(context, role, &standing, rule, context->check->severity, what);
        }
    return verdict;
}

/* Who writes these turns traffic to pods of his own, or lifts the isolation of others'. */
enum verdict check_rbac_network_write(struct check_context *context, const struct role *role)
{
    static const struct role_right rights[] = {
        {"", "services endpoints", "create update patch delete deletecollection", SEVERITY_LOW},
        {"discovery.k8s.io", "endpointslices", "create update patch delete deletecollection",
         SEVERITY_LOW},
        {"networking.k8s.io", "ingresses networkpolicies",
         "create update patch delete deletecollection", SEVERITY_LOW},
        {"extensions", "ingresses networkpolicies", "create update patch delete deletecollection",
         SEVERITY_LOW},
        {"gateway.networking.k8s.io", "gateways httproutes",
         "create update patch delete deletecollection", SEVERITY_LOW},
    };
    return ASK_ROLE(context, role, rights);
}

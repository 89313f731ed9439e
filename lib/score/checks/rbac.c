/* Roles that allow too much. A finding is on the role and names who holds it; bindings of their
 * own fault are in rbac_binding.c. */
#include "kube/rbac_default.h"
#include "kube/selector.h"
#include "score/checks.h"
#include "score/grants.h"
#include "score/model_text.h"

/* Any of the verbs on any of the resources of an API group; lists are separated by blanks. named:
 * how severe it is where resourceNames restrict the rule to some objects. */
struct right {
    const char *group, *resources, *verbs;
    enum severity named;
};

/* ---- which roles are asked ---- */

static bool is_built_in(const struct role *role)
{
    static const char *const names[] = {"cluster-admin", "admin", "edit", "view"};
    if (role->object.kind == KIND_CLUSTERROLE)
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (str_eq(role->object.meta.name, str_of(names[i])))
                return true;
    return false;
}

/* The prefix and the label are reserved for the control plane, but anybody can write them: they
 * excuse a role only as long as nothing but the control plane's own bindings puts it in force. */
static bool is_system(struct check_context *context, const struct role *role)
{
    struct binding_list bindings = grants_bindings(context, role);
    if (!str_has_prefix(role->object.meta.name, STR("system:")) &&
        !rbac_default_label(&role->object))
        return false;
    for (uint32_t i = 0; i < bindings.n; i++)
        if (!rbac_default_binding(bindings.items[i]))
            return false;
    return true;
}

static bool is_asked(struct check_context *context, const struct role *role)
{
    return !role->object.summary && !rbac_default_role(role) && !is_built_in(role) &&
           !is_system(context, role);
}

/* ---- who holds it ---- */

/* A role that nobody holds does no harm yet. */
static bool is_idle(struct check_context *context, const struct role *role)
{
    return !grants_bindings(context, role).n && grants_bindings_complete(context, role) &&
           !grants_built_in_part(role);
}

/* "; ClusterRoleBinding x gives it to Group dev and 2 more subjects" */
static struct str holders_text(struct check_context *context, const struct role *role)
{
    struct binding_list bindings = grants_bindings(context, role);
    uint32_t subjects = 0;
    if (!bindings.n)
        return is_idle(context, role) ? STR("; no binding puts it in force") : STR("");
    const struct role_binding *first = bindings.items[0];
    for (uint32_t i = 0; i < bindings.n; i++)
        subjects += bindings.items[i]->subjects.n;
    struct str subject = subject_text(context->arena, first, &first->subjects.items[0]);
    struct str text = arena_printf(
        context->arena, "; %" STR_FMT " %" STR_FMT " gives it to %" STR_FMT,
        STR_ARG(first->object.kind_name), STR_ARG(first->object.meta.name), STR_ARG(subject));
    if (subjects == 1)
        return text;
    return arena_printf(context->arena, "%" STR_FMT " and %u more", STR_ARG(text), subjects - 1);
}

/* ---- asking ---- */

/* True with what the rule allows first, "get secrets". */
static bool rule_gives(struct check_context *context, const struct policy_rule *rule,
                       const struct right *right, struct str *what)
{
    struct str resources = str_of(right->resources), resource, verb;
    while (str_next_word(&resources, &resource)) {
        struct str verbs = str_of(right->verbs);
        while (str_next_word(&verbs, &verb)) {
            if (!rule_allows(rule, verb, str_of(right->group), resource))
                continue;
            *what = arena_printf(context->arena, "%" STR_FMT " %" STR_FMT, STR_ARG(verb),
                                 STR_ARG(resource));
            return true;
        }
    }
    return false;
}

/* " of API groups apps, batch"; nothing for the group without a name. */
static struct str groups_text(struct check_context *context, const struct policy_rule *rule)
{
    if (rule->api_groups.n == 0 || (rule->api_groups.n == 1 && !rule->api_groups.items[0].n))
        return STR("");
    struct str groups = list_text(context->arena, rule->api_groups);
    return arena_printf(context->arena, " of API group%s %" STR_FMT,
                        rule->api_groups.n == 1 ? "" : "s", STR_ARG(groups));
}

/* What a finding says of the role, whichever of its rules is at fault. */
struct standing {
    bool told, idle;
    struct str holders;
};

static void report_rule(struct check_context *context, const struct role *role,
                        struct standing *standing, const struct policy_rule *rule,
                        enum severity severity, struct str what)
{
    if (!standing->told)
        *standing = (struct standing){true, is_idle(context, role), holders_text(context, role)};
    struct str verbs = list_text(context->arena, rule->verbs);
    struct str resources = list_text(context->arena, rule->resources);
    struct str groups = groups_text(context, rule);
    fail_as(context, standing->idle ? SEVERITY_LOW : severity, NO_CONTAINER,
            "It may %" STR_FMT ": a rule allows %" STR_FMT " on %" STR_FMT "%" STR_FMT "%s%" STR_FMT
            ".",
            STR_ARG(what), STR_ARG(verbs), STR_ARG(resources), STR_ARG(groups),
            rule->resource_names.n ? ", certain names" : "", STR_ARG(standing->holders));
}

/* What a right means in a namespace, and how severe it is at most. */
static const struct {
    const char *what, *means;
    enum severity at_most;
} local_meanings[] = {
    {"impersonate serviceaccounts", "impersonate service accounts of", SEVERITY_HIGH},
    {"delete namespaces", "delete", SEVERITY_CRITICAL},
};

static void report_right(struct check_context *context, const struct role *role,
                         struct standing *standing, const struct policy_rule *rule,
                         enum severity severity, struct str what)
{
    size_t i = 0, n = sizeof local_meanings / sizeof *local_meanings;
    while (i < n && !str_eq(what, str_of(local_meanings[i].what)))
        i++;
    if (i < n && grants_are_local(context, role)) {
        struct str scope = grants_scope_text(context, role);
        what =
            arena_printf(context->arena, "%s %" STR_FMT, local_meanings[i].means, STR_ARG(scope));
        if (severity < local_meanings[i].at_most)
            severity = local_meanings[i].at_most;
    }
    report_rule(context, role, standing, rule, severity, what);
}

/* Of each rule the first right counts that it gives. */
static enum verdict ask_role(struct check_context *context, const struct role *role,
                             const struct right *rights, size_t n, struct standing standing)
{
    enum verdict verdict = PASSED;
    const struct policy_rule *rule;
    struct str what;
    if (!is_asked(context, role))
        return NOT_EVALUATED;
    LIST_EACH (rule, role->rules)
        for (size_t i = 0; i < n; i++) {
            if (!rule_gives(context, rule, &rights[i], &what))
                continue;
            verdict = FAILED;
            report_right(context, role, &standing, rule,
                         rule->resource_names.n ? rights[i].named : context->check->severity, what);
            break;
        }
    return verdict;
}

static struct standing standing_not_in_force(void)
{
    return (struct standing){true, true, STR("; a RoleBinding does not put that in force")};
}

/* What is in no namespace is asked for without one, so no RoleBinding puts a right to it in force
 * (docs/reference/access-authn-authz/rbac.md, "RoleBinding and ClusterRoleBinding"). */
static struct standing standing_beyond_namespaces(struct check_context *context,
                                                  const struct role *role)
{
    if (role->object.kind != KIND_CLUSTERROLE || !grants_are_local(context, role))
        return (struct standing){0};
    return standing_not_in_force();
}

#define ASK_ROLE(context, role, rights)                                                            \
    ask_role((context), (role), (rights), sizeof(rights) / sizeof *(rights), (struct standing){0})

/* The same of rights to what is in no namespace. */
#define ASK_WIDE_ROLE(context, role, rights)                                                       \
    ask_role((context), (role), (rights), sizeof(rights) / sizeof *(rights),                       \
             standing_beyond_namespaces((context), (role)))

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
    struct standing standing = {0};
    if (!is_asked(context, role))
        return NOT_EVALUATED;
    LIST_EACH (rule, role->rules) {
        if (!has_wildcard(rule))
            continue;
        verdict = FAILED;
        report_rule(context, role, &standing, rule, context->check->severity,
                    STR("do more than it names"));
    }
    return verdict;
}

/* list and watch show the content of all, whatever the names. */
enum verdict check_rbac_secret_access(struct check_context *context, const struct role *role)
{
    static const struct right rights[] = {{"", "secrets", "list watch", SEVERITY_HIGH},
                                          {"", "secrets", "get", SEVERITY_LOW}};
    return ASK_ROLE(context, role, rights);
}

enum verdict check_rbac_workload_create(struct check_context *context, const struct role *role)
{
    static const struct right rights[] = {
        {"", "pods replicationcontrollers", "create", SEVERITY_MEDIUM},
        {"apps", "deployments statefulsets daemonsets replicasets", "create", SEVERITY_MEDIUM},
        {"extensions", "deployments daemonsets replicasets", "create", SEVERITY_MEDIUM},
        {"batch", "jobs cronjobs", "create", SEVERITY_MEDIUM},
    };
    return ASK_ROLE(context, role, rights);
}

/* exec over a websocket is a get. A container that is added to a running pod runs what its author
 * likes, beside the others (kubernetes.io, "Ephemeral Containers"). */
enum verdict check_rbac_pod_exec(struct check_context *context, const struct role *role)
{
    static const struct right rights[] = {
        {"", "pods/exec pods/attach", "create get", SEVERITY_MEDIUM},
        {"", "pods/ephemeralcontainers", "update patch", SEVERITY_MEDIUM}};
    return ASK_ROLE(context, role, rights);
}

/* The API server asks for users, groups, uids and extras without a namespace, so that nothing in
 * one puts it in force; for a service account in the account's
 * (k8s.io/apiserver/pkg/endpoints/filters, "WithImpersonation"). */
enum verdict check_rbac_escalation(struct check_context *context, const struct role *role)
{
    static const struct right wide[] = {
        {"rbac.authorization.k8s.io", "roles clusterroles rolebindings clusterrolebindings",
         "escalate bind", SEVERITY_HIGH},
        {"", "users groups serviceaccounts", "impersonate", SEVERITY_HIGH},
        {"authentication.k8s.io", "uids userextras userextras/*", "impersonate", SEVERITY_HIGH},
    };
    static const struct right local[] = {
        {"rbac.authorization.k8s.io", "roles clusterroles rolebindings clusterrolebindings",
         "escalate bind", SEVERITY_HIGH},
        {"", "serviceaccounts", "impersonate", SEVERITY_HIGH},
    };
    static const struct right beyond[] = {
        {"", "users groups", "impersonate", SEVERITY_LOW},
        {"authentication.k8s.io", "uids userextras userextras/*", "impersonate", SEVERITY_LOW},
    };
    if (!grants_are_local(context, role))
        return ASK_ROLE(context, role, wide);
    enum verdict verdict = ASK_ROLE(context, role, local);
    if (verdict != PASSED)
        return verdict;
    return ask_role(context, role, beyond, sizeof beyond / sizeof *beyond, standing_not_in_force());
}

enum verdict check_rbac_node_proxy(struct check_context *context, const struct role *role)
{
    static const struct right rights[] = {{"", "nodes/proxy", "get create", SEVERITY_HIGH}};
    return ASK_WIDE_ROLE(context, role, rights);
}

enum verdict check_rbac_csr_approve(struct check_context *context, const struct role *role)
{
    static const struct right rights[] = {{"certificates.k8s.io",
                                           "certificatesigningrequests/approval", "update patch",
                                           SEVERITY_HIGH}};
    return ASK_WIDE_ROLE(context, role, rights);
}

enum verdict check_rbac_webhook_write(struct check_context *context, const struct role *role)
{
    static const struct right rights[] = {
        {"admissionregistration.k8s.io",
         "validatingwebhookconfigurations mutatingwebhookconfigurations",
         "create update patch delete", SEVERITY_LOW}};
    return ASK_WIDE_ROLE(context, role, rights);
}

enum verdict check_rbac_token_create(struct check_context *context, const struct role *role)
{
    static const struct right rights[] = {{"", "serviceaccounts/token", "create", SEVERITY_LOW}};
    return ASK_ROLE(context, role, rights);
}

enum verdict check_rbac_pv_create(struct check_context *context, const struct role *role)
{
    static const struct right rights[] = {{"", "persistentvolumes", "create", SEVERITY_MEDIUM}};
    return ASK_WIDE_ROLE(context, role, rights);
}

/* ---- what changes or ends what runs ---- */

/* Who changes a template runs pods of his own, under its account (kubernetes.io, "RBAC Good
 * Practices: workload creation"); of a running pod only the image can be changed. */
enum verdict check_rbac_workload_change(struct check_context *context, const struct role *role)
{
    static const struct right rights[] = {
        {"apps", "deployments statefulsets daemonsets replicasets", "update patch", SEVERITY_LOW},
        {"extensions", "deployments daemonsets replicasets", "update patch", SEVERITY_LOW},
        {"batch", "jobs cronjobs", "update patch", SEVERITY_LOW},
        {"", "pods replicationcontrollers", "update patch", SEVERITY_LOW},
    };
    return ASK_ROLE(context, role, rights);
}

/* Past every network policy. */
enum verdict check_rbac_port_forward(struct check_context *context, const struct role *role)
{
    static const struct right rights[] = {{"", "pods/portforward", "create get", SEVERITY_LOW}};
    return ASK_ROLE(context, role, rights);
}

/* A namespace takes all that is in it along, and a node its pods. To delete a namespace is asked
 * for in that namespace; nodes, and all namespaces at once, are in none. */
enum verdict check_rbac_destructive_delete(struct check_context *context, const struct role *role)
{
    static const struct right wide[] = {
        {"", "namespaces nodes", "delete deletecollection", SEVERITY_LOW}};
    static const struct right local[] = {{"", "namespaces", "delete", SEVERITY_LOW}};
    return grants_are_local(context, role) ? ASK_ROLE(context, role, local)
                                           : ASK_ROLE(context, role, wide);
}

/* Who writes a Service's status gives it an address of his choice, and takes its traffic:
 * CVE-2020-8554 (kubernetes/kubernetes issue 97076). */
enum verdict check_rbac_service_status(struct check_context *context, const struct role *role)
{
    static const struct right rights[] = {{"", "services/status", "update patch", SEVERITY_LOW}};
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
    static const struct right right = {"", "configmaps", "update patch delete", SEVERITY_MEDIUM};
    enum verdict verdict = PASSED;
    const struct policy_rule *rule;
    struct standing standing = {0};
    struct str what;
    if (!is_asked(context, role) || !reaches_system_namespace(context, role))
        return NOT_EVALUATED;
    LIST_EACH (rule, role->rules)
        if (names_system_config(rule->resource_names) && rule_gives(context, rule, &right, &what)) {
            verdict = FAILED;
            report_rule(context, role, &standing, rule, context->check->severity, what);
        }
    return verdict;
}

/* Who writes these turns traffic to pods of his own, or lifts the isolation of others'. */
enum verdict check_rbac_network_write(struct check_context *context, const struct role *role)
{
    static const struct right rights[] = {
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

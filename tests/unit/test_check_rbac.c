/* Roles and bindings: what fails, what passes, what cannot be said. */
#include "judge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define RBAC(kind, meta, rest)                                                                     \
    "{'apiVersion':'rbac.authorization.k8s.io/v1','kind':'" kind "','metadata':{" meta "}," rest "}"
#define RULES(rules)          "'rules':[" rules "]"
#define RULE(groups, res, vs) "{'apiGroups':[" groups "],'resources':[" res "],'verbs':[" vs "]}"
#define NAMED(groups, res, vs)                                                                     \
    "{'apiGroups':[" groups "],'resources':[" res "],'verbs':[" vs "],'resourceNames':['n']}"
#define ROLE(rules)         RBAC("Role", "'name':'r','namespace':'shop'", RULES(rules))
#define CLUSTER_ROLE(rules) RBAC("ClusterRole", "'name':'r'", RULES(rules))
#define ROW(name, rule, expected)                                                                  \
    {                                                                                              \
        name, DOCUMENT(CLUSTER_ROLE(rule)), "clusterrole/r", expected                              \
    }

static const struct judge_row rights[] = {
    ROW("nothing", "", "rbac-wildcard=pass rbac-secret-access=pass rbac-escalation=pass"),
    {"no rules at all", DOCUMENT(RBAC("ClusterRole", "'name':'r'", "'rules':null")),
     "clusterrole/r", "rbac-wildcard=pass rbac-node-proxy=pass"},
    ROW("everything", RULE("'*'", "'*'", "'*'"),
        "rbac-wildcard=fail rbac-secret-access=fail rbac-workload-create=fail rbac-pod-exec=fail "
        "rbac-escalation=fail rbac-node-proxy=fail rbac-csr-approve=fail rbac-webhook-write=fail "
        "rbac-token-create=fail rbac-pv-create=fail rbac-network-write=fail"),
    ROW("wildcard verb", RULE("''", "'pods'", "'get','*'"), "rbac-wildcard=fail"),
    ROW("wildcard group", RULE("'*','apps'", "'example'", "'example'"), "rbac-wildcard=fail"),
    ROW("pods/* is no wildcard", RULE("''", "'pods/*'", "'get','create'"),
        "rbac-wildcard=pass rbac-pod-exec=pass"),
    ROW("*/exec is one for exec", RULE("''", "'*/exec'", "'create'"),
        "rbac-wildcard=pass rbac-pod-exec=fail"),
    ROW("URLs are none of this", "{'nonResourceURLs':['*'],'verbs':['*']}", "rbac-wildcard=pass"),
    ROW("secrets", RULE("''", "'secrets'", "'watch'"), "rbac-secret-access=fail"),
    ROW("secrets of another group", RULE("'apps'", "'secrets'", "'get'"),
        "rbac-secret-access=pass"),
    ROW("written only", RULE("''", "'secrets'", "'create','delete'"), "rbac-secret-access=pass"),
    ROW("two rules do not add up",
        RULE("''", "'configmaps'", "'get'") "," RULE("'apps'", "'secrets'", "'get'"),
        "rbac-secret-access=pass"),
    ROW("pods", RULE("''", "'pods'", "'create'"), "rbac-workload-create=fail rbac-pod-exec=pass"),
    ROW("pods of the wrong group", RULE("'rbac.authorization.k8s.io'", "'pods'", "'create'"),
        "rbac-workload-create=pass"),
    ROW("CronJobs", RULE("'batch'", "'cronjobs'", "'create'"), "rbac-workload-create=fail"),
    ROW("DeploymentConfigs", RULE("'apps.openshift.io'", "'deploymentconfigs'", "'create'"),
        "rbac-workload-create=fail rbac-workload-change=pass"),
    ROW("Rollouts", RULE("'argoproj.io'", "'rollouts'", "'create'"),
        "rbac-workload-create=fail rbac-workload-change=pass"),
    ROW("Rollouts of another group", RULE("'apps'", "'rollouts'", "'create','patch'"),
        "rbac-workload-create=pass rbac-workload-change=pass"),
    ROW("patch is not create", RULE("'apps'", "'deployments'", "'patch'"),
        "rbac-workload-create=pass"),
    ROW("exec by websocket", RULE("''", "'pods/exec'", "'get'"), "rbac-pod-exec=fail"),
    ROW("attach", RULE("''", "'pods/attach'", "'create'"), "rbac-pod-exec=fail"),
    ROW("attach, a verb of no use", RULE("''", "'pods/attach'", "'list'"), "rbac-pod-exec=pass"),
    ROW("a container beside the others", RULE("''", "'pods/ephemeralcontainers'", "'patch'"),
        "rbac-pod-exec=fail"),
    ROW("which may be read", RULE("''", "'pods/ephemeralcontainers'", "'get'"),
        "rbac-pod-exec=pass"),
    ROW("Deployments changed", RULE("'apps'", "'deployments'", "'patch'"),
        "rbac-workload-change=fail"),
    ROW("Jobs changed", RULE("'batch'", "'jobs'", "'update'"), "rbac-workload-change=fail"),
    ROW("DeploymentConfigs changed", RULE("'apps.openshift.io'", "'deploymentconfigs'", "'update'"),
        "rbac-workload-change=fail rbac-workload-create=pass"),
    ROW("Rollouts changed", RULE("'argoproj.io'", "'rollouts'", "'patch'"),
        "rbac-workload-change=fail rbac-workload-create=pass"),
    ROW("created is another matter", RULE("'apps'", "'deployments'", "'create','delete'"),
        "rbac-workload-change=pass rbac-workload-create=fail"),
    ROW("their scale", RULE("'apps'", "'deployments/scale'", "'patch'"),
        "rbac-workload-change=pass"),
    ROW("their status", RULE("'apps'", "'deployments/status'", "'patch'"),
        "rbac-workload-change=pass"),
    ROW("Deployments of another group", RULE("'example.com'", "'deployments'", "'patch'"),
        "rbac-workload-change=pass"),
    ROW("port-forward", RULE("''", "'pods/portforward'", "'create'"), "rbac-port-forward=fail"),
    ROW("port-forward by websocket", RULE("''", "'pods/portforward'", "'get'"),
        "rbac-port-forward=fail"),
    ROW("port-forward, a verb of no use", RULE("''", "'pods/portforward'", "'list'"),
        "rbac-port-forward=pass"),
    ROW("namespaces deleted", RULE("''", "'namespaces'", "'delete'"),
        "rbac-destructive-delete=fail"),
    ROW("nodes deleted, all at once", RULE("''", "'nodes'", "'deletecollection'"),
        "rbac-destructive-delete=fail"),
    ROW("pods deleted", RULE("''", "'pods'", "'delete'"), "rbac-destructive-delete=pass"),
    ROW("namespaces made", RULE("''", "'namespaces'", "'create','update'"),
        "rbac-destructive-delete=pass"),
    ROW("status of Services", RULE("''", "'services/status'", "'patch'"),
        "rbac-service-status=fail"),
    ROW("Services", RULE("''", "'services'", "'patch'"), "rbac-service-status=pass"),
    ROW("bind", RULE("'rbac.authorization.k8s.io'", "'clusterroles'", "'bind'"),
        "rbac-escalation=fail"),
    ROW("escalate of another group", RULE("'apps'", "'roles'", "'escalate'"),
        "rbac-escalation=pass"),
    ROW("impersonate", RULE("''", "'groups'", "'impersonate'"), "rbac-escalation=fail"),
    ROW("impersonate extras",
        RULE("'authentication.k8s.io'", "'userextras/reason'", "'impersonate'"),
        "rbac-escalation=fail"),
    ROW("impersonate extras of any resource",
        RULE("'authentication.k8s.io'", "'*/scopes'", "'impersonate'"), "rbac-escalation=fail"),
    ROW("impersonate extras of another resource",
        RULE("'authentication.k8s.io'", "'pods/scopes'", "'impersonate'"), "rbac-escalation=pass"),
    ROW("update of roles is no escalation",
        RULE("'rbac.authorization.k8s.io'", "'roles'", "'update'"), "rbac-escalation=pass"),
    ROW("nodes/proxy", RULE("''", "'nodes/proxy'", "'get'"), "rbac-node-proxy=fail"),
    ROW("nodes", RULE("''", "'nodes','nodes/metrics'", "'get'"), "rbac-node-proxy=pass"),
    ROW("approval",
        RULE("'certificates.k8s.io'", "'certificatesigningrequests/approval'", "'update'"),
        "rbac-csr-approve=fail"),
    ROW("requests", RULE("'certificates.k8s.io'", "'certificatesigningrequests'", "'update'"),
        "rbac-csr-approve=pass"),
    ROW("webhooks",
        RULE("'admissionregistration.k8s.io'", "'mutatingwebhookconfigurations'", "'patch'"),
        "rbac-webhook-write=fail"),
    ROW("webhooks read",
        RULE("'admissionregistration.k8s.io'", "'mutatingwebhookconfigurations'", "'get','list'"),
        "rbac-webhook-write=pass"),
    ROW("tokens", RULE("''", "'serviceaccounts/token'", "'create'"), "rbac-token-create=fail"),
    ROW("accounts, but no tokens of theirs", RULE("''", "'serviceaccounts'", "'create'"),
        "rbac-token-create=pass"),
    ROW("volumes", RULE("''", "'persistentvolumes'", "'create'"), "rbac-pv-create=fail"),
    ROW("network policies", RULE("'networking.k8s.io'", "'networkpolicies'", "'patch'"),
        "rbac-network-write=fail"),
    ROW("endpoints", RULE("''", "'endpoints'", "'update'"), "rbac-network-write=fail"),
    ROW("Services of the wrong group", RULE("'apps'", "'services'", "'create'"),
        "rbac-network-write=pass"),
    ROW("Services read", RULE("''", "'services'", "'get','list','watch'"),
        "rbac-network-write=pass"),
    ROW("status of ingresses", RULE("'networking.k8s.io'", "'ingresses/status'", "'update'"),
        "rbac-network-write=pass"),
    ROW("slices", RULE("'discovery.k8s.io'", "'*'", "'delete'"), "rbac-network-write=fail"),
    ROW("claims", RULE("''", "'persistentvolumeclaims'", "'create'"), "rbac-pv-create=pass"),
    {"a Role cannot reach nodes", DOCUMENT(ROLE(RULE("'*'", "'*'", "'*'"))), "role/r",
     "rbac-wildcard=fail rbac-pod-exec=fail rbac-node-proxy=none rbac-pv-create=none"},
};

#define EXEC RULE("''", "'pods/exec'", "'create'")
#define BINDING_OF(kind, meta, ref_kind, ref, subjects)                                            \
    RBAC(kind, meta,                                                                               \
         "'roleRef':{'apiGroup':'rbac.authorization.k8s.io','kind':'" ref_kind "','name':'" ref    \
         "'},'subjects':[" subjects "]")
#define WIDE(name, ref, subjects)                                                                  \
    BINDING_OF("ClusterRoleBinding", "'name':'" name "'", "ClusterRole", ref, subjects)
#define LOCAL(ref_kind, ref, subjects)                                                             \
    BINDING_OF("RoleBinding", "'name':'b','namespace':'shop'", ref_kind, ref, subjects)
#define USER        "{'kind':'User','name':'jane'}"
#define GROUP(name) "{'kind':'Group','name':'" name "'}"
#define ACCOUNT(n)  "{'kind':'ServiceAccount','name':'" n "','namespace':'shop'}"
#define SYSTEM_ROLE RBAC("ClusterRole", "'name':'system:x'", RULES(EXEC))
#define DEFAULTS    "'labels':{'kubernetes.io/bootstrapping':'rbac-defaults'}"

static const struct judge_row exempt[] = {
    {"made by Kubernetes",
     DOCUMENT(RBAC("ClusterRole", "'name':'system:node'," DEFAULTS, RULES(EXEC))),
     "clusterrole/system:node", "rbac-pod-exec=none"},
    {"of a controller",
     DOCUMENT(RBAC("ClusterRole", "'name':'system:controller:job-controller'," DEFAULTS,
                   RULES(EXEC)) "," WIDE("b", "system:controller:job-controller", USER)),
     "clusterrole/system:controller:job-controller", "rbac-pod-exec=none"},
    {"only the label of it, not in force",
     DOCUMENT(RBAC("ClusterRole", "'name':'r'," DEFAULTS, RULES(EXEC))), "clusterrole/r",
     "rbac-pod-exec=none"},
    {"the label hides nothing that somebody bound",
     DOCUMENT(RBAC("ClusterRole", "'name':'r'," DEFAULTS, RULES(EXEC)) "," WIDE("b", "r", USER)),
     "clusterrole/r", "rbac-pod-exec=fail"},
    {"nor in a namespace",
     DOCUMENT(RBAC("Role", "'name':'r','namespace':'shop'," DEFAULTS,
                   RULES(EXEC)) "," LOCAL("Role", "r", USER)),
     "role/r", "rbac-pod-exec=fail"},
    {"another label",
     DOCUMENT(RBAC("ClusterRole", "'name':'r','labels':{'kubernetes.io/bootstrapping':'x'}",
                   RULES(EXEC))),
     "clusterrole/r", "rbac-pod-exec=fail"},
    {"its name in a namespace of anybody's",
     DOCUMENT(RBAC("Role", "'name':'system:node','namespace':'shop'," DEFAULTS,
                   RULES(EXEC)) "," LOCAL("Role", "system:node", USER)),
     "role/system:node", "rbac-pod-exec=fail"},
    {"built in", DOCUMENT(RBAC("ClusterRole", "'name':'admin'", RULES(EXEC))), "clusterrole/admin",
     "rbac-pod-exec=none"},
    {"a Role of that name is not",
     DOCUMENT(RBAC("Role", "'name':'admin','namespace':'shop'", RULES(EXEC))), "role/admin",
     "rbac-pod-exec=fail"},
    {"the reserved prefix, not in force", DOCUMENT(SYSTEM_ROLE), "clusterrole/system:x",
     "rbac-pod-exec=none"},
    {"the reserved prefix hides nothing that somebody bound",
     DOCUMENT(SYSTEM_ROLE "," WIDE("b", "system:x", USER)), "clusterrole/system:x",
     "rbac-pod-exec=fail"},
    {"not even by a binding with the prefix",
     DOCUMENT(SYSTEM_ROLE "," WIDE("system:b", "system:x", USER)), "clusterrole/system:x",
     "rbac-pod-exec=fail"},
    {"not even by one with the label",
     DOCUMENT(SYSTEM_ROLE "," BINDING_OF("ClusterRoleBinding", "'name':'system:b'," DEFAULTS,
                                         "ClusterRole", "system:x", USER)),
     "clusterrole/system:x", "rbac-pod-exec=fail"},
    {"bound by kubeadm only",
     DOCUMENT(RBAC("ClusterRole", "'name':'system:node-bootstrapper'",
                   RULES(EXEC)) "," WIDE("kubeadm:kubelet-bootstrap", "system:node-bootstrapper",
                                         GROUP("system:bootstrappers:kubeadm:default-node-token"))),
     "clusterrole/system:node-bootstrapper", "rbac-pod-exec=none"},
};

#define MAPS(verbs) RULE("''", "'configmaps'", verbs)
#define MAPS_NAMED(name)                                                                           \
    "{'apiGroups':[''],'resources':['configmaps'],'resourceNames':['" name "'],'verbs':['update']" \
    "}"
#define IN_SYSTEM(rules) RBAC("Role", "'name':'r','namespace':'kube-system'", RULES(rules))

static const struct judge_row system_config[] = {
    {"in kube-system", DOCUMENT(IN_SYSTEM(MAPS("'patch'"))), "role/r", "rbac-system-config=fail"},
    {"read only", DOCUMENT(IN_SYSTEM(MAPS("'get','list'"))), "role/r", "rbac-system-config=pass"},
    {"CoreDNS by name", DOCUMENT(IN_SYSTEM(MAPS_NAMED("coredns"))), "role/r",
     "rbac-system-config=fail"},
    {"one of its own by name", DOCUMENT(IN_SYSTEM(MAPS_NAMED("my-leader"))), "role/r",
     "rbac-system-config=pass"},
    {"in another namespace", DOCUMENT(ROLE(MAPS("'patch'"))), "role/r", "rbac-system-config=none"},
    {"in the whole cluster",
     DOCUMENT(CLUSTER_ROLE(MAPS("'update'")) "," WIDE("b", "r", ACCOUNT("x"))), "clusterrole/r",
     "rbac-system-config=fail"},
    {"of the cluster, and in force in a namespace of somebody's",
     DOCUMENT(CLUSTER_ROLE(MAPS("'update'")) "," LOCAL("ClusterRole", "r", ACCOUNT("x"))),
     "clusterrole/r", "rbac-system-config=none"},
    {"in force nowhere", DOCUMENT(CLUSTER_ROLE(MAPS("'update'"))), "clusterrole/r",
     "rbac-system-config=none"},
};

static const struct judge_row all_accounts[] = {
    {"every account", DOCUMENT(WIDE("b", "r", GROUP("system:serviceaccounts"))),
     "clusterrolebinding/b", "rbac-all-accounts-bound=fail"},
    {"in one namespace", DOCUMENT(LOCAL("ClusterRole", "r", GROUP("system:serviceaccounts"))),
     "rolebinding/b", "rbac-all-accounts-bound=fail"},
    {"those of one namespace", DOCUMENT(WIDE("b", "r", GROUP("system:serviceaccounts:shop"))),
     "clusterrolebinding/b", "rbac-all-accounts-bound=pass"},
    {"a user of that name",
     DOCUMENT(WIDE("b", "r", "{'kind':'User','name':'system:serviceaccounts'}")),
     "clusterrolebinding/b", "rbac-all-accounts-bound=pass"},
};

#define ALL_RULE RULE("'*'", "'*'", "'*'")
#define CRB_B    "clusterrolebinding/b"
#define ADMIN(w) "rbac-cluster-admin=" w

static const struct judge_row admins[] = {
    {"cluster-admin, which is not in the snapshot", DOCUMENT(WIDE("b", "cluster-admin", USER)),
     CRB_B, ADMIN("fail")},
    {"a role like it", DOCUMENT(CLUSTER_ROLE(ALL_RULE) "," WIDE("b", "r", USER)), CRB_B,
     ADMIN("fail")},
    {"all seven verbs by name",
     DOCUMENT(CLUSTER_ROLE(
         RULE("'*'", "'*'",
              "'delete','patch','update','create','watch','list','get'")) "," WIDE("b", "r", USER)),
     CRB_B, ADMIN("fail")},
    {"six verbs",
     DOCUMENT(CLUSTER_ROLE(RULE(
         "'*'", "'*'", "'patch','update','create','watch','list','get'")) "," WIDE("b", "r", USER)),
     CRB_B, ADMIN("pass")},
    {"one group", DOCUMENT(CLUSTER_ROLE(RULE("''", "'*'", "'*'")) "," WIDE("b", "r", USER)), CRB_B,
     ADMIN("pass")},
    {"two rules do not add up",
     DOCUMENT(CLUSTER_ROLE(RULE("'*'", "'pods'", "'*'") "," RULE("'*'", "'*'", "'get'")) "," WIDE(
         "b", "r", USER)),
     CRB_B, ADMIN("pass")},
    {"in one namespace", DOCUMENT(LOCAL("ClusterRole", "cluster-admin", USER)), "rolebinding/b",
     ADMIN("fail")},
    {"a Role like it", DOCUMENT(ROLE(ALL_RULE) "," LOCAL("Role", "r", USER)), "rolebinding/b",
     ADMIN("fail")},
    {"a Role of another namespace",
     DOCUMENT(RBAC("Role", "'name':'r','namespace':'other'", RULES(ALL_RULE)) "," LOCAL("Role", "r",
                                                                                        USER)),
     "rolebinding/b", ADMIN("pass")},
    {"a ClusterRole that names a namespace all the same",
     DOCUMENT(RBAC("ClusterRole", "'name':'r','namespace':'x'", RULES(ALL_RULE)) "," WIDE("b", "r",
                                                                                          USER)),
     CRB_B, ADMIN("fail")},
    {"a Role of that name, which is not in the snapshot",
     DOCUMENT(LOCAL("Role", "cluster-admin", USER)), "rolebinding/b", ADMIN("fail")},
    {"a Role of that name that allows little",
     DOCUMENT(RBAC("Role", "'name':'cluster-admin','namespace':'shop'",
                   RULES(RULE("''", "'pods'", "'get'"))) "," LOCAL("Role", "cluster-admin", USER)),
     "rolebinding/b", ADMIN("pass")},
    {"nobody is bound", DOCUMENT(WIDE("b", "cluster-admin", "")), CRB_B, ADMIN("none")},
    {"the one every cluster has",
     DOCUMENT(WIDE("cluster-admin", "cluster-admin", GROUP("system:masters"))),
     "clusterrolebinding/cluster-admin", ADMIN("none") " rbac-system-masters=none"},
    {"one of that name in a namespace",
     DOCUMENT(BINDING_OF("RoleBinding", "'name':'cluster-admin','namespace':'shop'", "ClusterRole",
                         "cluster-admin", GROUP("system:masters"))),
     "rolebinding/cluster-admin", ADMIN("fail")},
    {"the same with one more",
     DOCUMENT(WIDE("cluster-admin", "cluster-admin", GROUP("system:masters") "," USER)),
     "clusterrolebinding/cluster-admin", ADMIN("fail")},
    {"kubeadm's",
     DOCUMENT(WIDE("kubeadm:cluster-admins", "cluster-admin", GROUP("kubeadm:cluster-admins"))),
     "clusterrolebinding/kubeadm:cluster-admins", ADMIN("none")},
    {"a name that only looks like the control plane's",
     DOCUMENT(WIDE("system:evil", "cluster-admin", USER)), "clusterrolebinding/system:evil",
     ADMIN("fail")},
    {"the label of the control plane's",
     DOCUMENT(BINDING_OF("ClusterRoleBinding", "'name':'b'," DEFAULTS, "ClusterRole",
                         "cluster-admin", USER)),
     CRB_B, ADMIN("fail")},
    {"a shipped name that leads to another role",
     DOCUMENT(WIDE("system:kube-scheduler", "cluster-admin",
                   "{'kind':'User','name':'system:kube-scheduler'}")),
     "clusterrolebinding/system:kube-scheduler", ADMIN("fail")},
    {"a shipped name and another subject",
     DOCUMENT(BINDING_OF("ClusterRoleBinding", "'name':'cluster-admin'," DEFAULTS, "ClusterRole",
                         "cluster-admin", ACCOUNT("x"))),
     "clusterrolebinding/cluster-admin", ADMIN("fail")},
    {"a controller's name and another account",
     DOCUMENT(CLUSTER_ROLE(ALL_RULE) "," BINDING_OF("ClusterRoleBinding",
                                                    "'name':'system:controller:x'," DEFAULTS,
                                                    "ClusterRole", "r", ACCOUNT("x"))),
     "clusterrolebinding/system:controller:x", ADMIN("fail")},
};

static const struct judge_row subjects[] = {
    {"anonymous", DOCUMENT(WIDE("b", "r", "{'kind':'User','name':'system:anonymous'}")), CRB_B,
     "rbac-anonymous-binding=fail"},
    {"a group of that name", DOCUMENT(WIDE("b", "r", GROUP("system:anonymous"))), CRB_B,
     "rbac-anonymous-binding=pass"},
    {"every account", DOCUMENT(WIDE("b", "r", USER "," GROUP("system:authenticated"))), CRB_B,
     "rbac-anonymous-binding=fail"},
    {"discovery",
     DOCUMENT(WIDE("system:discovery", "system:discovery", GROUP("system:authenticated"))),
     "clusterrolebinding/system:discovery", "rbac-anonymous-binding=none"},
    {"discovery in name only",
     DOCUMENT(WIDE("system:discovery", "cluster-admin", GROUP("system:authenticated"))),
     "clusterrolebinding/system:discovery", "rbac-anonymous-binding=fail"},
    {"masters", DOCUMENT(WIDE("b", "r", GROUP("system:masters"))), CRB_B,
     "rbac-system-masters=fail"},
    {"a user of that name", DOCUMENT(WIDE("b", "r", "{'kind':'User','name':'system:masters'}")),
     CRB_B, "rbac-system-masters=pass"},
    {"default account", DOCUMENT(LOCAL("Role", "r", ACCOUNT("default"))), "rolebinding/b",
     "rbac-default-sa-bound=fail"},
    {"default account, called by the name of its user",
     DOCUMENT(LOCAL("Role", "r", "{'kind':'User','name':'system:serviceaccount:app:default'}")),
     "rolebinding/b", "rbac-default-sa-bound=fail"},
    {"another account by the name of its user",
     DOCUMENT(LOCAL("Role", "r", "{'kind':'User','name':'system:serviceaccount:default:app'}")),
     "rolebinding/b", "rbac-default-sa-bound=pass"},
    {"a user called default", DOCUMENT(LOCAL("Role", "r", "{'kind':'User','name':'default'}")),
     "rolebinding/b", "rbac-default-sa-bound=pass"},
    {"made by Kubernetes",
     DOCUMENT(BINDING_OF("ClusterRoleBinding", "'name':'system:public-info-viewer'", "ClusterRole",
                         "system:public-info-viewer",
                         GROUP("system:authenticated") "," GROUP("system:unauthenticated"))),
     "clusterrolebinding/system:public-info-viewer",
     "rbac-anonymous-binding=none rbac-system-masters=none rbac-default-sa-bound=none"},
    {"only the label of it",
     DOCUMENT(BINDING_OF("ClusterRoleBinding", "'name':'b'," DEFAULTS, "ClusterRole", "r",
                         GROUP("system:authenticated"))),
     CRB_B, "rbac-anonymous-binding=fail"},
};

#define BUILT_IN RBAC("ClusterRole", "'name':'cluster-admin'", RULES(ALL_RULE))
#define SA(name)                                                                                   \
    "{'apiVersion':'v1','kind':'ServiceAccount','metadata':{'name':'" name "','namespace':'shop'}" \
    "}"
#define NAMESPACE(n) "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'" n "'}}"

static const struct judge_row dangling[] = {
    {"a role that is not there", DOCUMENT(BUILT_IN "," WIDE("b", "gone", USER)), CRB_B,
     "rbac-dangling-role=fail"},
    {"a role that is there", DOCUMENT(BUILT_IN "," CLUSTER_ROLE("") "," WIDE("b", "r", USER)),
     CRB_B, "rbac-dangling-role=pass"},
    {"a part of the roles says nothing",
     DOCUMENT(CLUSTER_ROLE("") "," BINDING_OF("ClusterRoleBinding", "'name':'b','uid':'1'",
                                              "ClusterRole", "gone", USER)),
     CRB_B, "rbac-dangling-role=none"},
    {"manifests bring their roles along", DOCUMENT(CLUSTER_ROLE("") "," WIDE("b", "gone", USER)),
     CRB_B, "rbac-dangling-role=fail"},
    {"but not those of Kubernetes", DOCUMENT(CLUSTER_ROLE("") "," WIDE("b", "view", USER)), CRB_B,
     "rbac-dangling-role=none"},
    {"no ClusterRole in the snapshot", DOCUMENT(ROLE("") "," WIDE("b", "gone", USER)), CRB_B,
     "rbac-dangling-role=none"},
    {"another Role of the namespace",
     DOCUMENT(ROLE("") "," BINDING_OF("RoleBinding", "'name':'b','namespace':'shop','uid':'1'",
                                      "Role", "gone", USER)),
     "rolebinding/b", "rbac-dangling-role=fail"},
    {"manifests bring the Roles of every namespace along",
     DOCUMENT(
         RBAC("Role", "'name':'r','namespace':'other'", RULES("")) "," LOCAL("Role", "r", USER)),
     "rolebinding/b", "rbac-dangling-role=fail"},
    {"but not the one that Kubernetes has in kube-system",
     DOCUMENT(RBAC("Role", "'name':'r','namespace':'other'", RULES("")) "," BINDING_OF(
         "RoleBinding", "'name':'b','namespace':'kube-system'", "Role",
         "extension-apiserver-authentication-reader", USER)),
     "rolebinding/b", "rbac-dangling-role=none"},
    {"Roles of other namespaces say nothing",
     DOCUMENT(RBAC("Role", "'name':'r','namespace':'other'", RULES("")) "," BINDING_OF(
         "RoleBinding", "'name':'b','namespace':'shop','uid':'1'", "Role", "gone", USER)),
     "rolebinding/b", "rbac-dangling-role=none"},
    {"a Role of that name elsewhere",
     DOCUMENT(BUILT_IN "," RBAC("Role", "'name':'r','namespace':'other'",
                                RULES("")) "," LOCAL("Role", "r", USER)),
     "rolebinding/b", "rbac-dangling-role=fail"},
    {"a ClusterRole is not a Role",
     DOCUMENT(BUILT_IN "," CLUSTER_ROLE("") "," ROLE("") "," LOCAL("ClusterRole", "r", USER)),
     "rolebinding/b", "rbac-dangling-role=pass"},
    {"no Roles in the snapshot", DOCUMENT(BUILT_IN "," LOCAL("Role", "r", USER)), "rolebinding/b",
     "rbac-dangling-role=none"},
    {"an account that is not there", DOCUMENT(SA("default") "," LOCAL("Role", "r", ACCOUNT("x"))),
     "rolebinding/b", "rbac-dangling-subject=fail"},
    {"an account that is there",
     DOCUMENT(SA("default") "," SA("x") "," LOCAL("Role", "r", ACCOUNT("x"))), "rolebinding/b",
     "rbac-dangling-subject=pass"},
    {"a part of the accounts says nothing",
     DOCUMENT(SA("y") "," BINDING_OF("RoleBinding", "'name':'b','namespace':'shop','uid':'1'",
                                     "Role", "r", ACCOUNT("x"))),
     "rolebinding/b", "rbac-dangling-subject=none"},
    {"manifests bring their accounts along", DOCUMENT(SA("y") "," LOCAL("Role", "r", ACCOUNT("x"))),
     "rolebinding/b", "rbac-dangling-subject=fail"},
    {"and bind one of them", DOCUMENT(SA("y") "," LOCAL("Role", "r", ACCOUNT("y"))),
     "rolebinding/b", "rbac-dangling-subject=pass"},
    {"but not those that every namespace has",
     DOCUMENT(SA("y") "," LOCAL("Role", "r", ACCOUNT("default"))), "rolebinding/b",
     "rbac-dangling-subject=none"},
    {"nor those of kube-system",
     DOCUMENT(SA("y") "," LOCAL("Role", "r",
                                "{'kind':'ServiceAccount','name':'x','namespace':"
                                "'kube-system'}")),
     "rolebinding/b", "rbac-dangling-subject=none"},
    {"manifests without any account", LOCAL("Role", "r", ACCOUNT("x")), "rolebinding/b",
     "rbac-dangling-subject=none"},
    {"a namespace that is not there",
     DOCUMENT(
         NAMESPACE("other") ",{'apiVersion':'v1','kind':'ServiceAccount','metadata':{'name':"
                            "'default','namespace':'other'}}," LOCAL("Role", "r", ACCOUNT("x"))),
     "rolebinding/b", "rbac-dangling-subject=fail"},
    {"users and groups are not objects",
     DOCUMENT(SA("default") "," LOCAL("Role", "r", USER "," GROUP("g"))), "rolebinding/b",
     "rbac-dangling-subject=none"},
};

#define ROWS(table)                                                                                \
    static void table##_rows(void **state)                                                         \
    {                                                                                              \
        (void)state;                                                                               \
        judge_rows(table, sizeof table / sizeof *table);                                           \
    }

ROWS(rights)
ROWS(exempt)
ROWS(system_config)
ROWS(all_accounts)
ROWS(admins)
ROWS(subjects)
ROWS(dangling)

struct severity_row {
    const char *name, *document, *check, *resource;
    enum severity severity;
    const char *message; /* has this in it; NULL: anything */
};

#define SECRETS      RULE("''", "'secrets'", "'get'")
#define BOUND(rules) CLUSTER_ROLE(rules) "," WIDE("b", "r", USER) "," LOCAL("Role", "x", USER)
/* What shows that the snapshot holds all bindings. */
#define COMPLETE                                                                                   \
    WIDE("cluster-admin", "cluster-admin", GROUP("system:masters"))                                \
    "," BINDING_OF("RoleBinding",                                                                  \
                   "'name':'system:controller:token-cleaner','namespace':'kube-system'," DEFAULTS, \
                   "Role", "x", USER)
#define IN_SHOP       LOCAL("ClusterRole", "r", USER)
#define SECRET_ACCESS "rbac-secret-access", "clusterrole/r"

static const struct severity_row severities[] = {
    {"in force", DOCUMENT(BOUND(SECRETS)), SECRET_ACCESS, SEVERITY_HIGH,
     "ClusterRoleBinding b gives it to User jane."},
    {"held by three",
     DOCUMENT(CLUSTER_ROLE(SECRETS) "," LOCAL("ClusterRole", "r", ACCOUNT("x")) "," WIDE(
         "b", "r", USER "," GROUP("g"))),
     SECRET_ACCESS, SEVERITY_HIGH, "ClusterRoleBinding b gives it to User jane and 2 more."},
    {"no bindings in the snapshot", DOCUMENT(CLUSTER_ROLE(SECRETS)), SECRET_ACCESS, SEVERITY_HIGH,
     NULL},
    {"held by nobody in a part of the bindings",
     DOCUMENT(CLUSTER_ROLE(SECRETS) "," WIDE("b", "x", USER) "," LOCAL("Role", "x", USER)),
     SECRET_ACCESS, SEVERITY_HIGH, NULL},
    {"held by nobody", DOCUMENT(CLUSTER_ROLE(SECRETS) "," COMPLETE), SECRET_ACCESS, SEVERITY_LOW,
     "no binding puts it in force"},
    {"a part of a built-in role is held by its holders",
     DOCUMENT(RBAC("ClusterRole",
                   "'name':'r','labels':{'rbac.authorization.k8s.io/aggregate-to-edit':'true'}",
                   RULES(SECRETS)) "," COMPLETE),
     SECRET_ACCESS, SEVERITY_HIGH, NULL},
    {"get certain names", DOCUMENT(BOUND(NAMED("''", "'secrets'", "'get'"))), SECRET_ACCESS,
     SEVERITY_LOW, "certain names"},
    {"list shows all, whatever the names",
     DOCUMENT(BOUND(NAMED("''", "'secrets'", "'get','list'"))), SECRET_ACCESS, SEVERITY_HIGH, NULL},
    {"the worst rule speaks", DOCUMENT(BOUND(NAMED("''", "'secrets'", "'get'") "," SECRETS)),
     SECRET_ACCESS, SEVERITY_HIGH, NULL},
    {"nodes, which are in no namespace, by a RoleBinding",
     DOCUMENT(CLUSTER_ROLE(RULE("''", "'nodes/proxy'", "'get'")) "," IN_SHOP), "rbac-node-proxy",
     "clusterrole/r", SEVERITY_LOW, "a RoleBinding does not put that in force"},
    {"and in the cluster",
     DOCUMENT(CLUSTER_ROLE(RULE("''", "'nodes/proxy'", "'get'")) "," IN_SHOP
                                                                 "," WIDE("c", "r", USER)),
     "rbac-node-proxy", "clusterrole/r", SEVERITY_HIGH, "ClusterRoleBinding c gives it"},
    {"requests for certificates by a RoleBinding",
     DOCUMENT(CLUSTER_ROLE(RULE("'certificates.k8s.io'", "'certificatesigningrequests/approval'",
                                "'update'")) "," IN_SHOP),
     "rbac-csr-approve", "clusterrole/r", SEVERITY_LOW, "a RoleBinding does not"},
    {"webhooks by a RoleBinding",
     DOCUMENT(CLUSTER_ROLE(RULE("'admissionregistration.k8s.io'", "'mutatingwebhookconfigurations'",
                                "'update'")) "," IN_SHOP),
     "rbac-webhook-write", "clusterrole/r", SEVERITY_LOW, "a RoleBinding does not"},
    {"volumes by a RoleBinding",
     DOCUMENT(CLUSTER_ROLE(RULE("''", "'persistentvolumes'", "'create'")) "," IN_SHOP),
     "rbac-pv-create", "clusterrole/r", SEVERITY_LOW, "a RoleBinding does not"},
    {"nodes by a RoleBinding, where the other bindings are not shown",
     DOCUMENT(RBAC("ClusterRole", "'name':'r','uid':'r'",
                   RULES(RULE("''", "'nodes/proxy'", "'get'"))) "," IN_SHOP),
     "rbac-node-proxy", "clusterrole/r", SEVERITY_HIGH, NULL},
    {"users by a RoleBinding, where the other bindings are not shown",
     DOCUMENT(RBAC("ClusterRole", "'name':'r','uid':'r'",
                   RULES(RULE("''", "'users'", "'impersonate'"))) "," IN_SHOP),
     "rbac-escalation", "clusterrole/r", SEVERITY_CRITICAL, "impersonate users"},
    {"secrets by a RoleBinding", DOCUMENT(CLUSTER_ROLE(SECRETS) "," IN_SHOP), SECRET_ACCESS,
     SEVERITY_HIGH, "RoleBinding b gives it"},
    {"cluster-admin in the cluster", DOCUMENT(WIDE("b", "cluster-admin", USER)),
     "rbac-cluster-admin", CRB_B, SEVERITY_CRITICAL, "User jane may do everything in the cluster"},
    {"cluster-admin in a namespace", DOCUMENT(LOCAL("ClusterRole", "cluster-admin", ACCOUNT("x"))),
     "rbac-cluster-admin", "rolebinding/b", SEVERITY_HIGH, "ServiceAccount shop/x"},
};

static void severity_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof severities / sizeof *severities; i++) {
        const struct severity_row *row = &severities[i];
        struct judgement judgement = judgement_open(row->document, NULL);
        const struct risk *risk = judgement_risk(&judgement, row->check, row->resource);
        if (!risk || risk->severity != row->severity)
            fail_msg("%s: severity %d", row->name, risk ? (int)risk->severity : -1);
        if (row->message && !str_has(risk->message, str_of(row->message)))
            fail_msg("%s: %" STR_FMT, row->name, STR_ARG(risk->message));
        judgement_close(&judgement);
    }
}

/* A role of wildcards fails sixteen checks, and is one mistake. */
static void a_role_pays_once(void **state)
{
    (void)state;
    struct judgement judgement = judgement_open(DOCUMENT(BOUND(ALL_RULE)), NULL);
    const struct risk *risk;
    uint32_t paying = 0, shown = 0;
    LIST_EACH (risk, judgement.ledger->risks)
        if (str_eq(risk->resource, STR("clusterrole/r"))) {
            shown++;
            paying += risk->impact > 0;
        }
    assert_int_equal(shown, 16);
    assert_int_equal(paying, 1);
    judgement_close(&judgement);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rights_rows),        cmocka_unit_test(exempt_rows),
        cmocka_unit_test(system_config_rows), cmocka_unit_test(all_accounts_rows),
        cmocka_unit_test(admins_rows),        cmocka_unit_test(subjects_rows),
        cmocka_unit_test(dangling_rows),      cmocka_unit_test(severity_rows),
        cmocka_unit_test(a_role_pays_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Which workloads are taken for cluster DNS, the network of pods, ingress and the control plane. */
#include "live.h"
#include "score/component.h"
#include "score/judge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define WORKLOAD(kind, namespace, name, spec)                                                      \
    "{'apiVersion':'apps/v1','kind':'" kind "','metadata':{'name':'" name                          \
    "','namespace':'" namespace "'},'spec':{'template':{'metadata':{'labels':{'app':'x'}},"        \
                                "'spec':{" spec "'containers':[{'name':'c'}]}}}}"
#define POD_OF(namespace, name)                                                                    \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'" name                                    \
    "','namespace':'" namespace "'},'spec':{'containers':[{'name':'c'}]}}"
#define SERVICE(namespace, name, label)                                                            \
    "{'apiVersion':'v1','kind':'Service','metadata':{'name':'" name                                \
    "','namespace':'" namespace "'},'spec':{'selector':{'app':'" label "'}}}"
#define CNI(path)            "'volumes':[{'name':'v','hostPath':{'path':'" path "'}}],"
#define TOLERATES            "'tolerations':[{'operator':'Exists'}],"
#define TOLERATES_SOME(rest) "'tolerations':[{'operator':'Exists'," rest "}],"

struct row {
    const char *name, *document, *word; /* word: of the policy; NULL: none */
    enum component role;
};

/* The first workload of the document, as the policy's words say. */
static enum component role_of(const char *document, const char *word)
{
    struct str words[] = {word ? str_of(word) : STR("dns:x/y")};
    struct score_policy policy = score_policy_default();
    struct judgement judgement = judgement_open(document, &policy);
    policy.components = (str_list)LIST_SLICE(words, 1);
    struct check_context judge = {.arena = judgement.arena,
                                  .cluster = judgement.cluster,
                                  .effort = judgement.cluster->effort,
                                  .policy = &policy};
    judge_prepare(&judge);
    assert_true(judgement.cluster->roots.n > 0);
    enum component role = component_of(&judge, judgement.cluster->roots.items[0]);
    judgement_close(&judgement);
    return role;
}

static void expect_roles(const struct row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        enum component role = role_of(rows[i].document, rows[i].word);
        if (role != rows[i].role)
            fail_msg("%s: is %d, should be %d", rows[i].name, (int)role, (int)rows[i].role);
    }
}

#define EXPECT(rows)               expect_roles((rows), sizeof(rows) / sizeof *(rows))
#define DEPLOY_IN(namespace, name) WORKLOAD("Deployment", namespace, name, "")
#define DAEMON_IN(namespace, name) WORKLOAD("DaemonSet", namespace, name, "")

static void by_name(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"coredns", DEPLOY_IN("kube-system", "coredns"), NULL, COMPONENT_DNS},
        {"a DaemonSet of it", DAEMON_IN("kube-system", "coredns"), NULL, COMPONENT_DNS},
        {"a chart's", DEPLOY_IN("kube-system", "coredns-coredns"), NULL, COMPONENT_DNS},
        {"kube-dns", DEPLOY_IN("kube-system", "kube-dns"), NULL, COMPONENT_DNS},
        {"OpenShift's", DAEMON_IN("openshift-dns", "dns-default"), NULL, COMPONENT_DNS},
        {"RKE2's", DEPLOY_IN("kube-system", "rke2-coredns-rke2-coredns"), NULL, COMPONENT_DNS},
        {"in a namespace of somebody's", DEPLOY_IN("shop", "coredns"), NULL, COMPONENT_NONE},
        {"in no namespace", DEPLOY_IN("", "coredns"), NULL, COMPONENT_NONE},
        {"in one that begins like OpenShift's", DEPLOY_IN("openshift", "coredns"), NULL,
         COMPONENT_NONE},
        {"a StatefulSet", WORKLOAD("StatefulSet", "kube-system", "coredns", ""), NULL,
         COMPONENT_NONE},
        {"a longer word", DEPLOY_IN("kube-system", "corednsx"), NULL, COMPONENT_NONE},
        {"a shorter one", DEPLOY_IN("kube-system", "coredn"), NULL, COMPONENT_NONE},
        {"its autoscaler", DEPLOY_IN("kube-system", "coredns-autoscaler"), NULL, COMPONENT_NONE},
        {"RKE2's autoscaler", DEPLOY_IN("kube-system", "rke2-coredns-rke2-coredns-autoscaler"),
         NULL, COMPONENT_NONE},
        {"kube-dns' autoscaler", DEPLOY_IN("kube-system", "kube-dns-autoscaler"), NULL,
         COMPONENT_NONE},
        {"the cache on each node", DAEMON_IN("kube-system", "node-local-dns"), NULL,
         COMPONENT_NONE},
        {"... of OpenShift", DAEMON_IN("openshift-dns", "node-resolver"), NULL, COMPONENT_NONE},
        {"what tells DNS providers", DEPLOY_IN("kube-system", "external-dns"), NULL,
         COMPONENT_ADDON},

        {"Calico", DAEMON_IN("calico-system", "calico-node"), NULL, COMPONENT_NETWORK},
        {"Calico on Windows", DAEMON_IN("calico-system", "calico-node-windows"), NULL,
         COMPONENT_NETWORK},
        {"Calico's controllers", DEPLOY_IN("calico-system", "calico-kube-controllers"), NULL,
         COMPONENT_ADDON},
        {"Typha", DEPLOY_IN("calico-system", "calico-typha"), NULL, COMPONENT_ADDON},
        {"Cilium", DAEMON_IN("kube-system", "cilium"), NULL, COMPONENT_NETWORK},
        {"Cilium's operator", DEPLOY_IN("kube-system", "cilium-operator"), NULL, COMPONENT_ADDON},
        {"flannel of one architecture", DAEMON_IN("kube-flannel", "kube-flannel-ds-amd64"), NULL,
         COMPONENT_NETWORK},
        {"Amazon's", DAEMON_IN("kube-system", "aws-node"), NULL, COMPONENT_NETWORK},
        {"what tells Amazon's nodes that they end",
         DAEMON_IN("kube-system", "aws-node-termination-handler"), NULL, COMPONENT_NONE},
        {"OpenShift's first", DAEMON_IN("openshift-sdn", "sdn"), NULL, COMPONENT_NETWORK},
        {"... and its controller", DAEMON_IN("openshift-sdn", "sdn-controller"), NULL,
         COMPONENT_NONE},
        {"kube-proxy", DAEMON_IN("kube-system", "kube-proxy"), NULL, COMPONENT_NETWORK},
        {"another kube-proxy", DAEMON_IN("monitoring", "kube-proxy"), NULL, COMPONENT_NONE},

        {"cert-manager", DEPLOY_IN("cert-manager", "cert-manager"), NULL, COMPONENT_ADDON},
        {"... and its webhook, elsewhere", DEPLOY_IN("security", "cert-manager-webhook"), NULL,
         COMPONENT_ADDON},
        {"Argo CD", DEPLOY_IN("argocd", "argocd-repo-server"), NULL, COMPONENT_ADDON},
        {"a CSI driver on nodes", DAEMON_IN("kube-system", "ebs-csi-node"), NULL, COMPONENT_ADDON},
        {"metrics-server", DEPLOY_IN("kube-system", "metrics-server"), NULL, COMPONENT_ADDON},
        {"... of somebody's own name", DEPLOY_IN("shop", "my-metrics-server"), NULL,
         COMPONENT_NONE},
        {"... as a StatefulSet", WORKLOAD("StatefulSet", "kube-system", "metrics-server", ""), NULL,
         COMPONENT_NONE},
        {"an application that begins alike", DEPLOY_IN("shop", "cert-managers"), NULL,
         COMPONENT_NONE},

        {"ingress, in any namespace", DEPLOY_IN("ingress-nginx", "ingress-nginx-controller"), NULL,
         COMPONENT_INGRESS},
        {"Traefik", DAEMON_IN("shop", "traefik"), NULL, COMPONENT_INGRESS},
        {"Istio", DEPLOY_IN("istio-system", "istio-ingressgateway"), NULL, COMPONENT_INGRESS},
        {"OpenShift's router", DEPLOY_IN("openshift-ingress", "router-default"), NULL,
         COMPONENT_INGRESS},
        {"what answers when nobody does",
         DEPLOY_IN("ingress-nginx", "ingress-nginx-defaultbackend"), NULL, COMPONENT_NONE},
        {"an autoscaler of it", DEPLOY_IN("shop", "traefik-autoscaler"), NULL, COMPONENT_NONE},
        {"a pod of that name", POD_OF("shop", "traefik"), NULL, COMPONENT_NONE},
    };
    EXPECT(rows);
}

/* The pods of DNS are what the Service kube-dns selects; an agent of the network is one that goes
 * everywhere and brings plugins. */
static void by_nature(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"DNS by another name",
         DOCUMENT(DEPLOY_IN("kube-system", "names") "," SERVICE("kube-system", "kube-dns", "x")),
         NULL, COMPONENT_DNS},
        {"... a DaemonSet",
         DOCUMENT(DAEMON_IN("kube-system", "names") "," SERVICE("kube-system", "kube-dns", "x")),
         NULL, COMPONENT_DNS},
        {"... outside of the system",
         DOCUMENT(DEPLOY_IN("shop", "names") "," SERVICE("shop", "kube-dns", "x")), NULL,
         COMPONENT_NONE},
        {"... of which the Service is in another namespace",
         DOCUMENT(DEPLOY_IN("kube-system", "names") "," SERVICE("shop", "kube-dns", "x")), NULL,
         COMPONENT_NONE},
        {"... that the Service does not select",
         DOCUMENT(DEPLOY_IN("kube-system", "names") "," SERVICE("kube-system", "kube-dns", "y")),
         NULL, COMPONENT_NONE},
        {"another Service selects it",
         DOCUMENT(DEPLOY_IN("kube-system", "names") "," SERVICE("kube-system", "kube-dns-upstream",
                                                                "x")),
         NULL, COMPONENT_NONE},
        {"a network by another name, wherever it is",
         WORKLOAD("DaemonSet", "net", "wires", TOLERATES CNI("/etc/cni/net.d")), NULL,
         COMPONENT_NETWORK},
        {"... that brings its programs",
         WORKLOAD("DaemonSet", "net", "wires", TOLERATES CNI("/opt/cni/bin")), NULL,
         COMPONENT_NETWORK},
        {"... below another root",
         WORKLOAD("DaemonSet", "net", "wires", TOLERATES CNI("/var/snap/microk8s/cni/net.d")), NULL,
         COMPONENT_NETWORK},
        {"... that does not go everywhere",
         WORKLOAD("DaemonSet", "net", "wires", CNI("/etc/cni/net.d")), NULL, COMPONENT_NONE},
        {"... that goes wherever it is scheduled",
         WORKLOAD("DaemonSet", "net", "wires",
                  TOLERATES_SOME("'effect':'NoSchedule'") CNI("/etc/cni/net.d")),
         NULL, COMPONENT_NETWORK},
        {"... that stays there only",
         WORKLOAD("DaemonSet", "net", "wires",
                  TOLERATES_SOME("'effect':'NoExecute'") CNI("/etc/cni/net.d")),
         NULL, COMPONENT_NONE},
        {"... that goes to masters",
         WORKLOAD("DaemonSet", "net", "wires",
                  TOLERATES_SOME("'key':'node-role.kubernetes.io/master'") CNI("/etc/cni/net.d")),
         NULL, COMPONENT_NONE},
        {"... that brings nothing", WORKLOAD("DaemonSet", "net", "wires", TOLERATES), NULL,
         COMPONENT_NONE},
        {"... that brings something else",
         WORKLOAD("DaemonSet", "net", "wires", TOLERATES CNI("/etc/cni/net.d/x")), NULL,
         COMPONENT_NONE},
        {"... from a claim",
         WORKLOAD("DaemonSet", "net", "wires",
                  TOLERATES "'volumes':[{'name':'/cni/bin','persistentVolumeClaim':{'claimName':"
                            "'/cni/bin'}}],"),
         NULL, COMPONENT_NONE},
        {"... a Deployment",
         WORKLOAD("Deployment", "net", "wires", TOLERATES CNI("/etc/cni/net.d")), NULL,
         COMPONENT_NONE},
    };
    EXPECT(rows);
}

static void by_policy(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"named", DEPLOY_IN("shop", "a"), "dns:shop/a", COMPONENT_DNS},
        {"another role", DEPLOY_IN("shop", "a"), "ingress:shop/a", COMPONENT_INGRESS},
        {"before its name", DAEMON_IN("kube-system", "kube-proxy"),
         "ingress:kube-system/kube-proxy", COMPONENT_INGRESS},
        {"what is excluded by its name", DEPLOY_IN("kube-system", "coredns-autoscaler"),
         "dns:kube-system/coredns-autoscaler", COMPONENT_DNS},
        {"another name", DEPLOY_IN("shop", "ab"), "dns:shop/a", COMPONENT_NONE},
        {"another namespace", DEPLOY_IN("stop", "a"), "dns:shop/a", COMPONENT_NONE},
        {"no such role", DEPLOY_IN("shop", "a"), "DNS:shop/a", COMPONENT_NONE},
        {"no role", DEPLOY_IN("shop", "a"), "shop/a", COMPONENT_NONE},
        {"no namespace", DEPLOY_IN("shop", "a"), "dns:a", COMPONENT_NONE},
        {"nothing", DEPLOY_IN("shop", "a"), "", COMPONENT_NONE},
        {"no name", DEPLOY_IN("shop", "a"), "dns:shop/", COMPONENT_NONE},
    };
    EXPECT(rows);
}

static void the_control_plane(void **state)
{
    (void)state;
    static const struct {
        const char *document, *part;
    } rows[] = {
        {POD_OF("kube-system", "etcd-m1"), "etcd"},
        {POD_OF("kube-system", "kube-apiserver-m1.example.com"), "kube-apiserver"},
        {POD_OF("openshift-kube-scheduler", "kube-scheduler-m1"), "kube-scheduler"},
        {POD_OF("kube-system", "kube-controller-manager-m1"), "kube-controller-manager"},
        {POD_OF("kube-system", "etcd"), ""},
        {POD_OF("kube-system", "etcdx-m1"), ""},
        {POD_OF("shop", "etcd-m1"), ""},
        {POD_OF("openshift-etcd", "etcd-guard-m1"), ""},
        {POD_OF("openshift-kube-apiserver", "kube-apiserver-guard-m1"), ""},
        {DEPLOY_IN("kube-system", "etcd-m1"), ""},
        {DAEMON_IN("kube-system", "kube-apiserver-m1"), ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct judgement judgement = judgement_open(rows[i].document, NULL);
        struct str part = component_control_plane(judgement.cluster->roots.items[0]);
        if (!str_eq(part, str_of(rows[i].part)))
            fail_msg("%s: \"%" STR_FMT "\"", rows[i].document, STR_ARG(part));
        judgement_close(&judgement);
    }
}

static void namespaces_of_the_system(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool system;
    } rows[] = {
        {"kube-system", true},
        {"kube-node-lease", true},
        {"openshift-dns", true},
        {"openshift-", true},
        {"tigera-operator", true},
        {"openshift", false},
        {"kube-system2", false},
        {"kube", false},
        {"my-openshift-dns", false},
        {"openshift-*", true},
        {"*", false},
        {"", false},
        {"ingress-nginx", false},
        {"default", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (is_system_namespace(str_of(rows[i].name)) != rows[i].system)
            fail_msg("%s", rows[i].name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_name),
        cmocka_unit_test(by_nature),
        cmocka_unit_test(by_policy),
        cmocka_unit_test(the_control_plane),
        cmocka_unit_test(namespaces_of_the_system),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

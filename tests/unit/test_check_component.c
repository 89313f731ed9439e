/* What the cluster itself runs on: its DNS, the network of pods, ingress, the control plane. */
#include "live.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define DEPLOYED(namespace, name, wanted, there)                                                   \
    "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'" name                        \
    "','namespace':'" namespace "','generation':1},'spec':{'replicas':" wanted                     \
                                "},'status':{'observedGeneration':1,"                              \
                                "'replicas':" wanted ",'availableReplicas':" there "}}"
#define DAEMON(name, wanted, there)                                                                \
    "{'apiVersion':'apps/v1','kind':'DaemonSet','metadata':{'name':'" name "','namespace':"        \
    "'kube-system'},'spec':{},'status':{'desiredNumberScheduled':" wanted ",'numberReady':" there  \
    ",'numberAvailable':" there "}}"
/* A pod of such a controller, in kube-system. */
#define PART(kind, owner, number, node, created, ready)                                            \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'" owner "-" number "','namespace':"       \
    "'kube-system','creationTimestamp':'2026-03-17T" created "Z','ownerReferences':[{"             \
    "'apiVersion':'apps/v1','kind':'" kind "','name':'" owner "','controller':true}]},'spec':{"    \
    "'nodeName':'" node "','containers':[{'name':'c'}]},'status':{'phase':'Running','conditions':" \
    "[{'type':'Ready','status':'" ready "'}]}}"
#define OF_DNS(number, node, created, ready)                                                       \
    PART("Deployment", "coredns", number, node, created, ready)
#define OF_NET(number, node, created, ready)                                                       \
    PART("DaemonSet", "cilium", number, node, created, ready)
#define OLD   "10:00:00"
#define YOUNG "11:58:00"
#define STATIC(name, meta, status)                                                                 \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'" name "','namespace':'kube-system',"     \
    "'ownerReferences':[{'apiVersion':'v1','kind':'Node','name':'m1','controller':true}]," meta    \
    "},'spec':{'nodeName':'m1','containers':[{'name':'c'}]},'status':{" status "}}"
#define MADE(at)  "'creationTimestamp':'2026-03-17T" at "Z'"
#define IS(ready) "'phase':'Running','conditions':[{'type':'Ready','status':'" ready "'}]"
#define ON_NODE(node)                                                                              \
    "{'apiVersion':'v1','kind':'Node','metadata':{'name':'" node                                   \
    "'},'status':{'conditions':[{'type':'Ready','status':'True'}]}}"

#define DNS_SERVICE                                                                                \
    "{'apiVersion':'v1','kind':'Service','metadata':{'name':'kube-dns','namespace':"               \
    "'kube-system'},'spec':{'selector':{'k8s-app':'kube-dns'}}}"
#define DNS_ENDPOINTS(subsets)                                                                     \
    "{'apiVersion':'v1','kind':'Endpoints','metadata':{'name':'kube-dns','namespace':"             \
    "'kube-system'},'subsets':[" subsets "]}"
#define APP DEPLOYED("shop", "api", "1", "1")

static void no_dns(void **state)
{
    static const struct judge_row rows[] = {
        {"it was deleted", DOCUMENT(DNS_SERVICE "," DNS_ENDPOINTS("") "," APP), "service/kube-dns",
         "cluster-dns-missing=fail service-no-ready-endpoints=none"},
        {"something answers",
         DOCUMENT(DNS_SERVICE "," DNS_ENDPOINTS("{'addresses':[{'ip':'10.0.0.53'}]}") "," APP),
         "service/kube-dns", "cluster-dns-missing=pass"},
        {"it is scaled to zero",
         DOCUMENT(DNS_SERVICE
                  "," DNS_ENDPOINTS("") "," DEPLOYED("kube-system", "coredns", "0", "0")),
         "service/kube-dns", "cluster-dns-missing=pass"},
        {"its endpoints are not shown", DOCUMENT(DNS_SERVICE "," APP), "service/kube-dns",
         "cluster-dns-missing=none"},
    };
    (void)state;
    ROWS(rows);
}

static void dns(void **state)
{
    static const struct judge_row rows[] = {
        {"scaled to zero", DEPLOYED("kube-system", "coredns", "0", "0"), "deployment/coredns",
         "cluster-dns-down=fail"},
        {"... with another one beside it",
         DOCUMENT(DEPLOYED("kube-system", "coredns", "0", "0") "," DAEMON("kube-dns", "2", "2")),
         "deployment/coredns", "cluster-dns-down=pass"},
        {"... that is down itself",
         DOCUMENT(DEPLOYED("kube-system", "coredns", "0", "0") "," DAEMON("kube-dns", "2", "0")),
         "daemonset/kube-dns", "cluster-dns-down=fail"},
        {"none of two", DEPLOYED("kube-system", "coredns", "2", "0"), "deployment/coredns",
         "cluster-dns-down=fail cluster-network-down=none cluster-ingress-down=none "
         "control-plane-down=none"},
        {"one of two", DEPLOYED("kube-system", "coredns", "2", "1"), "deployment/coredns",
         "cluster-dns-down=fail"},
        {"two of two", DEPLOYED("kube-system", "coredns", "2", "2"), "deployment/coredns",
         "cluster-dns-down=pass"},
        {"in another namespace", DEPLOYED("shop", "coredns", "2", "0"), "deployment/coredns",
         "cluster-dns-down=none deployment-unavailable=fail"},
        {"its autoscaler", DEPLOYED("kube-system", "coredns-autoscaler", "2", "0"),
         "deployment/coredns-autoscaler", "cluster-dns-down=none system-workload-unhealthy=fail"},
        {"a manifest",
         "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'coredns','namespace':"
         "'kube-system'},'spec':{'replicas':2}}",
         "deployment/coredns", "cluster-dns-down=none"},
        {"starting for two minutes",
         DOCUMENT(
             DEPLOYED("kube-system", "coredns", "1", "0") "," OF_DNS("1", "n", YOUNG, "False")),
         "deployment/coredns", "cluster-dns-down=pass"},
        {"... and a second",
         DOCUMENT(DEPLOYED("kube-system", "coredns", "1", "0") "," OF_DNS("1", "n", "11:57:59",
                                                                          "False")),
         "deployment/coredns", "cluster-dns-down=fail"},
        {"one is starting, one has been failing",
         DOCUMENT(DEPLOYED("kube-system", "coredns", "2", "0") "," OF_DNS(
             "1", "n", YOUNG, "False") "," OF_DNS("2", "n", OLD, "False")),
         "deployment/coredns", "cluster-dns-down=fail"},
        {"stranded on a dead node, and another serves",
         DOCUMENT(LOST_NODE
                  "," ON_NODE("m") "," DEPLOYED("kube-system", "coredns", "2", "1") "," OF_DNS(
                      "1", "n", OLD, "False") "," OF_DNS("2", "m", OLD, "True")),
         "deployment/coredns", "cluster-dns-down=pass"},
        {"both stranded",
         DOCUMENT(LOST_NODE "," DEPLOYED("kube-system", "coredns", "2", "0") "," OF_DNS(
             "1", "n", OLD, "False") "," OF_DNS("2", "n", OLD, "False")),
         "deployment/coredns", "cluster-dns-down=fail"},
        {"pods without their controller: one of two",
         DOCUMENT(PART("DaemonSet", "dns-default", "1", "n", OLD,
                       "False") "," PART("DaemonSet", "dns-default", "2", "n", OLD, "True")),
         "daemonset/dns-default", "cluster-dns-down=fail"},
        {"... both",
         DOCUMENT(PART("DaemonSet", "dns-default", "1", "n", OLD,
                       "True") "," PART("DaemonSet", "dns-default", "2", "n", OLD, "True")),
         "daemonset/dns-default", "cluster-dns-down=pass"},
        {"a status that nobody wrote since, and no pod is ready",
         DOCUMENT(DEPLOYED("kube-system", "coredns", "2", "2") "," OF_DNS(
             "1", "n", OLD, "False") "," OF_DNS("2", "n", OLD, "False")),
         "deployment/coredns", "cluster-dns-down=fail"},
        {"a summary",
         "{'deployments':[{'name':'coredns','namespace':'kube-system','replicas':2,"
         "'readyReplicas':0}]}",
         "deployment/coredns", "cluster-dns-down=fail"},
        {"nothing of the kind", DEPLOY("'replicas':1,", "'replicas':1"), "deployment/a",
         "cluster-dns-down=none"},
    };
    (void)state;
    ROWS(rows);
}

static void network(void **state)
{
    static const struct judge_row rows[] = {
        {"none of three", DAEMON("cilium", "3", "0"), "daemonset/cilium",
         "cluster-network-down=fail cluster-dns-down=none"},
        {"one lacks", DAEMON("kube-proxy", "3", "2"), "daemonset/kube-proxy",
         "cluster-network-down=fail"},
        {"all there", DAEMON("calico-node", "3", "3"), "daemonset/calico-node",
         "cluster-network-down=pass"},
        {"for no node", DAEMON("kube-proxy", "0", "0"), "daemonset/kube-proxy",
         "cluster-network-down=none"},
        {"what tells nodes that they end", DAEMON("aws-node-termination-handler", "3", "0"),
         "daemonset/aws-node-termination-handler",
         "cluster-network-down=none system-workload-unhealthy=fail"},
        {"a DaemonSet of the system", DAEMON("node-local-dns", "3", "0"),
         "daemonset/node-local-dns", "cluster-network-down=none cluster-dns-down=none"},
        {"a Deployment of that name", DEPLOYED("kube-system", "cilium", "2", "0"),
         "deployment/cilium", "cluster-network-down=none"},
        {"starting", DOCUMENT(DAEMON("cilium", "1", "0") "," OF_NET("1", "n", YOUNG, "False")),
         "daemonset/cilium", "cluster-network-down=pass"},
        {"on the dead node",
         DOCUMENT(LOST_NODE "," ON_NODE("m") "," DAEMON("cilium", "2", "1") "," OF_NET(
             "1", "n", OLD, "False") "," OF_NET("2", "m", OLD, "True")),
         "daemonset/cilium", "cluster-network-down=pass"},
        {"on the dead node, which is the only one",
         DOCUMENT(LOST_NODE "," DAEMON("cilium", "1", "0") "," OF_NET("1", "n", OLD, "False")),
         "daemonset/cilium", "cluster-network-down=pass"},
        {"on the dead node, and on a good one",
         DOCUMENT(LOST_NODE "," ON_NODE("m") "," DAEMON("cilium", "2", "0") "," OF_NET(
             "1", "n", OLD, "False") "," OF_NET("2", "m", OLD, "False")),
         "daemonset/cilium", "cluster-network-down=fail"},
        {"pods without their controller",
         DOCUMENT(OF_NET("1", "n", OLD, "True") "," OF_NET("2", "n", OLD, "False")),
         "daemonset/cilium", "cluster-network-down=fail"},
        {"a manifest",
         "{'apiVersion':'apps/v1','kind':'DaemonSet','metadata':{'name':'cilium','namespace':"
         "'kube-system'},'spec':{}}",
         "daemonset/cilium", "cluster-network-down=none"},
        {"by its nature, in another namespace",
         "{'apiVersion':'apps/v1','kind':'DaemonSet','metadata':{'name':'wires','namespace':"
         "'net'},'spec':{'template':{'spec':{'tolerations':[{'operator':'Exists'}],'volumes':[{"
         "'name':'v','hostPath':{'path':'/etc/cni/net.d'}}],'containers':[{'name':'c'}]}}},"
         "'status':{'desiredNumberScheduled':3,'numberReady':1,'numberAvailable':1}}",
         "daemonset/wires", "cluster-network-down=fail"},
    };
    (void)state;
    ROWS(rows);
}

static void ingress(void **state)
{
    static const struct judge_row rows[] = {
        {"none of two", DEPLOYED("web", "ingress-nginx-controller", "2", "0"),
         "deployment/ingress-nginx-controller", "cluster-ingress-down=fail"},
        {"one of two", DEPLOYED("web", "traefik", "2", "1"), "deployment/traefik",
         "cluster-ingress-down=fail"},
        {"both", DEPLOYED("web", "traefik", "2", "2"), "deployment/traefik",
         "cluster-ingress-down=pass"},
        {"scaled to zero", DEPLOYED("web", "traefik", "0", "0"), "deployment/traefik",
         "cluster-ingress-down=none"},
        {"its default backend", DEPLOYED("web", "ingress-nginx-defaultbackend", "2", "0"),
         "deployment/ingress-nginx-defaultbackend", "cluster-ingress-down=none"},
        {"starting",
         DOCUMENT(DAEMON("traefik", "1", "0") "," PART("DaemonSet", "traefik", "1", "n", YOUNG,
                                                       "False")),
         "daemonset/traefik", "cluster-ingress-down=pass"},
        {"pods without their controller", PART("DaemonSet", "traefik", "1", "n", OLD, "False"),
         "daemonset/traefik", "cluster-ingress-down=fail"},
        {"a manifest",
         "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'traefik','namespace':"
         "'web'},'spec':{}}",
         "deployment/traefik", "cluster-ingress-down=none"},
    };
    (void)state;
    ROWS(rows);
}

static void control_plane(void **state)
{
    static const struct judge_row rows[] = {
        {"not ready", STATIC("etcd-m1", MADE(OLD), IS("False")), "pod/etcd-m1",
         "control-plane-down=fail"},
        {"ready", STATIC("kube-apiserver-m1", MADE(OLD), IS("True")), "pod/kube-apiserver-m1",
         "control-plane-down=pass"},
        {"starting", STATIC("etcd-m1", MADE(YOUNG), IS("False")), "pod/etcd-m1",
         "control-plane-down=pass"},
        {"nobody knows since when", STATIC("etcd-m1", "'uid':'u'", IS("False")), "pod/etcd-m1",
         "control-plane-down=fail"},
        {"it ended", STATIC("etcd-m1", MADE(OLD), "'phase':'Failed'"), "pod/etcd-m1",
         "control-plane-down=none"},
        {"a manifest of one", STATIC("etcd-m1", "'labels':{}", ""), "pod/etcd-m1",
         "control-plane-down=none"},
        {"its guard", STATIC("etcd-guard-m1", MADE(OLD), IS("False")), "pod/etcd-guard-m1",
         "control-plane-down=none"},
        {"a pod of another namespace", LIVE("", "", IS("False")), "pod/a",
         "control-plane-down=none"},
        {"a proxy is none of it", STATIC("kube-proxy-m1", MADE(OLD), IS("False")),
         "pod/kube-proxy-m1", "control-plane-down=none"},
        {"a summary",
         "{'pods':[{'name':'etcd-m1','namespace':'kube-system','status':'CrashLoopBackOff'}]}",
         "pod/etcd-m1", "control-plane-down=fail"},
    };
    (void)state;
    ROWS(rows);
}

/* ---- what they say, and how bad it is ---- */

static void messages(void **state)
{
    (void)state;
    static const struct {
        const char *document, *check, *resource;
        enum severity severity;
        const char *message;
    } rows[] = {
        {DEPLOYED("kube-system", "coredns", "2", "0"), "cluster-dns-down", "deployment/coredns",
         SEVERITY_CRITICAL, "Cluster DNS: 0 of 2 replicas of coredns are ready."},
        {DEPLOYED("kube-system", "coredns", "2", "1"), "cluster-dns-down", "deployment/coredns",
         SEVERITY_HIGH, "Cluster DNS: 1 of 2 replicas of coredns are ready."},
        {DEPLOYED("kube-system", "coredns", "0", "0"), "cluster-dns-down", "deployment/coredns",
         SEVERITY_CRITICAL, "Cluster DNS is scaled to zero."},
        /* the status says 2 of 2, the pods know better */
        {DOCUMENT(DEPLOYED("kube-system", "coredns", "2", "2") "," OF_DNS("1", "n", OLD, "False")),
         "cluster-dns-down", "deployment/coredns", SEVERITY_CRITICAL,
         "Cluster DNS: 0 of 1 replicas of coredns are ready."},
        {DAEMON("cilium", "3", "0"), "cluster-network-down", "daemonset/cilium", SEVERITY_CRITICAL,
         "Network of pods: 0 of 3 replicas of cilium are ready."},
        {DAEMON("cilium", "3", "2"), "cluster-network-down", "daemonset/cilium", SEVERITY_HIGH,
         "Network of pods: 2 of 3 replicas of cilium are ready."},
        {DEPLOYED("web", "traefik", "3", "0"), "cluster-ingress-down", "deployment/traefik",
         SEVERITY_HIGH, "Ingress: 0 of 3 replicas of traefik are ready."},
        {DEPLOYED("web", "traefik", "3", "1"), "cluster-ingress-down", "deployment/traefik",
         SEVERITY_MEDIUM, "Ingress: 1 of 3 replicas of traefik are ready."},
        {STATIC("etcd-m1", MADE(OLD), IS("False")), "control-plane-down", "pod/etcd-m1",
         SEVERITY_CRITICAL, "etcd is not ready on node m1."},
        {"{'pods':[{'name':'etcd-m1','namespace':'kube-system','status':'CrashLoopBackOff'}]}",
         "control-plane-down", "pod/etcd-m1", SEVERITY_CRITICAL,
         "etcd is not ready on node (unknown)."},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct judgement judgement = judgement_open(rows[i].document, NULL);
        const struct risk *risk = judgement_risk(&judgement, rows[i].check, rows[i].resource);
        assert_non_null(risk);
        assert_int_equal(risk->severity, rows[i].severity);
        if (!str_eq(risk->message, str_of(rows[i].message)))
            fail_msg("     got: %" STR_FMT "\nexpected: %s", STR_ARG(risk->message),
                     rows[i].message);
        judgement_close(&judgement);
    }
}

/* ---- what they cost ---- */

static uint32_t impact(const char *document, const char *check, const char *resource)
{
    struct judgement judgement = judgement_open(document, NULL);
    const struct risk *risk = judgement_risk(&judgement, check, resource);
    assert_non_null(risk);
    uint32_t points = risk->impact;
    judgement_close(&judgement);
    return points;
}

#define THREE(a, b, c)                                                                             \
    DOCUMENT(STATIC("etcd-m1", MADE(OLD), IS(a)) "," STATIC(                                       \
        "etcd-m2", MADE(OLD), IS(b)) "," STATIC("etcd-m3", MADE(OLD), IS(c)))

/* Of three members one may be missing, of two none, and without all three there is nothing. */
static void members_of_the_control_plane(void **state)
{
    (void)state;
    uint32_t one = impact(THREE("False", "True", "True"), "control-plane-down", "pod/etcd-m1");
    uint32_t two = impact(THREE("False", "False", "True"), "control-plane-down", "pod/etcd-m1");
    uint32_t three = impact(THREE("False", "False", "False"), "control-plane-down", "pod/etcd-m1");
    assert_true(one > 0 && 2 * two > one && 3 * three > 2 * two);
}

/* What dead nodes explain, these pay. */
static void stranded_dns_is_paid_by_its_node(void **state)
{
    (void)state;
    struct judgement judgement =
        judgement_open(DOCUMENT(LOST_NODE "," ON_NODE("m") "," DEPLOYED(
                           "kube-system", "coredns", "1", "0") "," OF_DNS("1", "n", OLD, "False")),
                       NULL);
    const struct risk *dns = judgement_risk(&judgement, "cluster-dns-down", "deployment/coredns");
    const struct risk *node = judgement_risk(&judgement, "node-not-ready", "node/n");
    assert_true(dns && node);
    assert_int_equal(dns->impact, 0);
    assert_ptr_equal(dns->absorbed_by, node->check);
    assert_true(judgement.ledger->csc_score < SCORE_WARN);
    judgement_close(&judgement);
}

/* Nothing beside it helps: DNS or the network of pods gone is a BLOCK. */
static void pillars_are_not_diluted(void **state)
{
    (void)state;
    static const char *const gone[] = {DEPLOYED("kube-system", "coredns", "2", "0"),
                                       DAEMON("cilium", "2", "0")};
    for (size_t i = 0; i < sizeof gone / sizeof *gone; i++)
        for (uint32_t apps = 1; apps <= 256; apps *= 16) {
            struct arena *arena = arena_new(SIZE_MAX / 2);
            struct str items = str_of(gone[i]);
            for (uint32_t n = 0; n < apps; n++)
                items = arena_printf(arena,
                                     "%" STR_FMT ",{'apiVersion':'apps/v1','kind':'Deployment',"
                                     "'metadata':{'name':'app-%u','namespace':'shop'},'spec':{},"
                                     "'status':{'availableReplicas':1,'updatedReplicas':1}}",
                                     STR_ARG(items), n);
            struct judgement judgement = judgement_open(
                arena_printf(arena, "{'apiVersion':'v1','kind':'List','items':[%" STR_FMT "]}",
                             STR_ARG(items))
                    .p,
                NULL);
            assert_int_equal(judgement.ledger->decision, DECISION_BLOCK);
            judgement_close(&judgement);
            arena_free(arena);
        }
}

/* Add-ons and the cluster's own namespaces are judged once, as what the cluster leans on. */
static void add_ons(void **state)
{
    (void)state;
    static const struct {
        const char *document, *resource;
        const char *expected;
        enum severity severity; /* of system-workload-unhealthy */
    } rows[] = {
        {DEPLOYED("kube-system", "konnectivity-agent", "2", "1"), "deployment/konnectivity-agent",
         "system-workload-unhealthy=fail deployment-unavailable=none", SEVERITY_CRITICAL},
        {DEPLOYED("openshift-console", "console", "2", "0"), "deployment/console",
         "system-workload-unhealthy=fail deployment-unavailable=none", SEVERITY_CRITICAL},
        {DEPLOYED("openshift-console", "console", "2", "1"), "deployment/console",
         "system-workload-unhealthy=fail deployment-unavailable=none", SEVERITY_HIGH},
        {DEPLOYED("cert-manager", "cert-manager-webhook", "1", "0"),
         "deployment/cert-manager-webhook",
         "system-workload-unhealthy=fail deployment-unavailable=none", SEVERITY_HIGH},
        {DEPLOYED("gitops", "argocd-server", "3", "2"), "deployment/argocd-server",
         "system-workload-unhealthy=fail deployment-unavailable=none", SEVERITY_MEDIUM},
    };
    static const struct judge_row well[] = {
        {"all there", DEPLOYED("cert-manager", "cert-manager", "2", "2"), "deployment/cert-manager",
         "system-workload-unhealthy=pass deployment-unavailable=none"},
        {"an application", DEPLOYED("shop", "cart", "2", "0"), "deployment/cart",
         "system-workload-unhealthy=none deployment-unavailable=fail"},
        {"a namespace that begins alike", DEPLOYED("openshiftish", "cart", "2", "0"),
         "deployment/cart", "system-workload-unhealthy=none deployment-unavailable=fail"},
    };
    ROWS(well);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct judge_row row = {rows[i].resource, rows[i].document, rows[i].resource,
                                rows[i].expected};
        judge_rows(&row, 1);
        struct judgement judgement = judgement_open(rows[i].document, NULL);
        assert_int_equal(
            judgement_risk(&judgement, "system-workload-unhealthy", rows[i].resource)->severity,
            rows[i].severity);
        judgement_close(&judgement);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dns),
        cmocka_unit_test(no_dns),
        cmocka_unit_test(network),
        cmocka_unit_test(ingress),
        cmocka_unit_test(control_plane),
        cmocka_unit_test(messages),
        cmocka_unit_test(members_of_the_control_plane),
        cmocka_unit_test(stranded_dns_is_paid_by_its_node),
        cmocka_unit_test(pillars_are_not_diluted),
        cmocka_unit_test(add_ons),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

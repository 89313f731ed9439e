/* The verdict in one sentence. */
#include "live.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define NODE(name, ready)                                                                          \
    "{'apiVersion':'v1','kind':'Node','metadata':{'name':'" name "','uid':'" name                  \
    "'},'status':{'conditions':[{'type':'Ready','status':'" ready "'}]}}"
#define PRESSED(name)                                                                              \
    "{'apiVersion':'v1','kind':'Node','metadata':{'name':'" name "','uid':'" name                  \
    "'},'status':{'conditions':[{'type':'Ready','status':'True'},{'type':"                         \
    "'DiskPressure','status':'True','lastTransitionTime':'2026-03-17T10:00:00Z'}]}}"
#define OWNED_POD(kind, owner, node, status)                                                       \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'" owner                                   \
    "-1','namespace':'shop','uid':'" owner                                                         \
    "-1','creationTimestamp':'2026-03-17T10:00:00Z','ownerReferences':[{'apiVersion':"             \
    "'apps/v1','kind':'" kind "','name':'" owner                                                   \
    "','controller':true}]},'spec':{'nodeName':'" node                                             \
    "','containers':[{'name':'c'}]},'status':{" status "}}"
#define DEPLOYED(namespace, name, wanted, there)                                                   \
    "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'" name                        \
    "','namespace':'" namespace "','uid':'" name                                                   \
                                "','generation':1,'creationTimestamp':'2026-03-10T10:00:00Z'},"    \
                                "'spec':{'replicas':" wanted                                       \
                                ",'template':{'spec':{'containers':[{'name':'c'}]}}},"             \
                                "'status':{'observedGeneration':1,'replicas':" wanted              \
                                ",'updatedReplicas':" wanted ",'availableReplicas':" there "}}"
#define DAEMON(name, wanted, there)                                                                \
    "{'apiVersion':'apps/v1','kind':'DaemonSet','metadata':{'name':'" name "','namespace':"        \
    "'kube-system','uid':'" name "'},'spec':{'template':{'spec':{'containers':[{'name':'c'}]}}},"  \
    "'status':{'updatedNumberScheduled':" wanted ",'desiredNumberScheduled':" wanted               \
    ",'numberReady':" there ",'numberAvailable':" there "}}"
#define OPERATOR(name, type, status)                                                               \
    "{'apiVersion':'config.openshift.io/v1','kind':'ClusterOperator','metadata':{'name':'" name    \
    "'},'status':{'conditions':[{'type':'" type "','status':'" status                              \
    "','lastTransitionTime':'2026-03-17T11:15:00Z','message':'m'}]}}"
/* Of DEPLOYED("shop", owner, ...): in force, and once replaced by another. */
#define TAKEN_UP_AGAIN(owner, wanted)                                                              \
    "{'apiVersion':'apps/v1','kind':'ReplicaSet','metadata':{'name':'" owner                       \
    "-1','namespace':'shop','uid':'" owner                                                         \
    "-1','creationTimestamp':'2026-03-10T10:00:00Z','annotations':{'deployment.kubernetes.io/"     \
    "revision':'3','deployment.kubernetes.io/revision-history':'1'},'ownerReferences':[{"          \
    "'apiVersion':'apps/v1','kind':'Deployment','name':'" owner "','uid':'" owner                  \
    "','controller':true}]},'spec':{'replicas':" wanted                                            \
    ",'template':{'spec':{'containers':[{'name':'c'}]}}},'status':{'replicas':" wanted             \
    ",'readyReplicas':" wanted ",'availableReplicas':" wanted "}}"
#define LOOPS                                                                                      \
    "'phase':'Running','conditions':[{'type':'Ready','status':'False'}],'containerStatuses':"      \
    "[" CONTAINER("'restartCount':9," WAITING("CrashLoopBackOff")) "]"
#define WELL "'phase':'Running','conditions':[{'type':'Ready','status':'True'}]"
#define N    NODE("n", "True")

/* "; policy costs 7 points, health 2" is a matter of another test. */
static struct str without_posture(struct arena *arena, struct str verdict)
{
    static const char *const categories[] = {"policy", "runtime", "history", "health"};
    for (size_t i = 0; i < verdict.n; i++)
        for (size_t c = 0; c < sizeof categories / sizeof *categories; c++) {
            struct str mark = arena_printf(arena, "; %s costs ", categories[c]), more = {0};
            struct str tail = str_sub(verdict, i, verdict.n), word;
            if (!str_has_prefix(tail, mark))
                continue;
            str_cut(str_sub(tail, mark.n, tail.n), ' ', &word, &tail);
            tail = str_sub(tail, str_has_prefix(tail, STR("points")) ? 6 : 5, tail.n);
            while (str_has_prefix(tail, STR(", ")) && str_cut(tail, '.', &more, NULL))
                tail = str_sub(tail, more.n, tail.n);
            return arena_printf(arena, "%" STR_FMT "%" STR_FMT, STR_ARG(str_sub(verdict, 0, i)),
                                STR_ARG(tail));
        }
    return verdict;
}

struct row {
    const char *name, *document;
    bool partial;
    const char *verdict; /* without what posture costs */
};

static void expect(const struct row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct score_policy policy = score_policy_default();
        policy.partial = rows[i].partial;
        struct judgement judgement = judgement_open(rows[i].document, &policy);
        struct str got = without_posture(judgement.arena, judgement.ledger->verdict);
        if (!str_eq(got, str_of(rows[i].verdict)))
            fail_msg("%s\n     got: %" STR_FMT "\nexpected: %s", rows[i].name, STR_ARG(got),
                     rows[i].verdict);
        judgement_close(&judgement);
    }
}

#define EXPECT(rows) expect((rows), sizeof(rows) / sizeof *(rows))

static void nothing_is_down(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"all well", DOCUMENT(N "," DEPLOYED("shop", "a", "1", "1")), false,
         "SAFE: nothing is down (1 workload, 1 node)."},
        {"several",
         DOCUMENT(N "," NODE("m", "True") "," DEPLOYED("shop", "a", "1",
                                                       "1") "," DEPLOYED("shop", "b", "1", "1")),
         false, "SAFE: nothing is down (2 workloads, 2 nodes)."},
        {"what is scaled to zero is no workload",
         DOCUMENT(N "," DEPLOYED("shop", "a", "0", "0") "," DEPLOYED("shop", "b", "1", "1")), false,
         "SAFE: nothing is down (1 workload, 1 node)."},
        {"an agent of some namespaces", DEPLOYED("shop", "a", "1", "1"), true,
         "SAFE: nothing is down (1 workload, 0 nodes) (of the namespaces shown)."},
        {"no Nodes are shown", DEPLOYED("shop", "a", "1", "1"), false, "WARN: not shown: Nodes."},
        {"nothing is shown", POD("'containers':[]"), false,
         "WARN: not shown: Nodes, and Pods or controllers with a status."},
    };
    EXPECT(rows);
}

static void nodes(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"one of three",
         DOCUMENT(
             N "," NODE("m", "True") "," NODE("o", "Unknown") "," DEPLOYED("shop", "a", "1", "1")),
         false, "WARN: 1 of 3 nodes is NotReady."},
        {"all", DOCUMENT(NODE("n", "False") "," NODE("m", "Unknown")), false,
         "BLOCK: 2 of 2 nodes are NotReady."},
        {"the only one", NODE("n", "False"), false, "BLOCK: 1 of 1 node is NotReady."},
        {"a lesser trouble", DOCUMENT(PRESSED("n") "," DEPLOYED("shop", "a", "1", "1")), false,
         "WARN: node/n: DiskPressure has been True for 2 h."},
        {"with what ran on them",
         DOCUMENT(NODE("n", "Unknown") "," NODE("m", "True") "," NODE("o", "True") "," DEPLOYED(
             "shop", "a", "1",
             "0") "," OWNED_POD("Deployment", "a", "n",
                                "'phase':'Running'") "," DEPLOYED("shop", "b", "1",
                                                                  "1") "," DEPLOYED("shop", "c",
                                                                                    "1", "1")),
         false, "BLOCK: 1 of 3 nodes is NotReady; 1 of 3 workloads is unavailable."},
    };
    EXPECT(rows);
}

#define B_C DEPLOYED("shop", "b", "1", "1") "," DEPLOYED("shop", "c", "1", "1")

static void workloads(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"one is gone, and says why",
         DOCUMENT(N "," B_C "," DEPLOYED("shop", "a", "1", "0") "," OWNED_POD("Deployment", "a",
                                                                              "n", LOOPS)),
         false, "BLOCK: 1 of 3 workloads is unavailable (container-crash-loop)."},
        {"two are gone",
         DOCUMENT(N "," B_C
                    "," DEPLOYED("shop", "a", "1", "0") "," DEPLOYED("shop", "d", "1", "0")),
         false, "BLOCK: 2 of 4 workloads are unavailable (deployment-unavailable)."},
        {"one runs and is not ready",
         DOCUMENT(N "," B_C "," DEPLOYED("shop", "a", "1", "0") "," OWNED_POD(
             "Deployment", "a", "n",
             "'phase':'Running','conditions':[{'type':'Ready','status':'False',"
             "'lastTransitionTime':'2026-03-17T11:00:00Z'}]")),
         false, "BLOCK: 1 of 3 workloads is unavailable (pod-not-ready)."},
        {"the only one", DOCUMENT(N "," DEPLOYED("shop", "a", "1", "0")), false,
         "BLOCK: 1 of 1 workload is unavailable (deployment-unavailable)."},
        {"one is gone, one lacks replicas",
         DOCUMENT(N "," B_C
                    "," DEPLOYED("shop", "a", "1", "0") "," DEPLOYED("shop", "d", "2", "1")),
         false,
         "BLOCK: 1 of 4 workloads is unavailable (deployment-unavailable), 1 more "
         "lacks replicas or keeps failing."},
        {"one lacks replicas", DOCUMENT(N "," B_C "," DEPLOYED("shop", "a", "2", "1")), false,
         "SAFE: 1 of 3 workloads lacks replicas or keeps failing (deployment-unavailable)."},
        {"one was rolled back, and serves",
         DOCUMENT(N "," B_C "," DEPLOYED("shop", "a", "2", "2") "," TAKEN_UP_AGAIN("a", "2")),
         false, "SAFE: rollback-detected of deployment/a."},
        {"a Job failed",
         DOCUMENT(N "," B_C ",{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'j',"
                    "'namespace':'shop'},'spec':{},'status':{'failed':1,'conditions':[{'type':"
                    "'Failed','status':'True','lastTransitionTime':'2026-03-17T11:00:00Z'}]}}"),
         false, "WARN: job-failed of job/j."},
        {"a claim is lost",
         DOCUMENT(N "," B_C ",{'apiVersion':'v1','kind':'PersistentVolumeClaim','metadata':{'name':"
                    "'v','namespace':'shop'},'spec':{},'status':{'phase':'Lost'}}"),
         false, "BLOCK: pvc-lost of persistentvolumeclaim/v."},
    };
    EXPECT(rows);
}

static void components(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"DNS is gone", DOCUMENT(N "," B_C "," DEPLOYED("kube-system", "coredns", "2", "0")), false,
         "BLOCK: Cluster DNS: 0 of 2 replicas of coredns are ready; 1 of 3 workloads is "
         "unavailable (system-workload-unhealthy)."},
        {"half of it", DOCUMENT(N "," B_C "," DEPLOYED("kube-system", "coredns", "2", "1")), false,
         "WARN: 1 of 3 workloads lacks replicas or keeps failing (system-workload-unhealthy); "
         "Cluster DNS: 1 of 2 replicas of coredns are ready."},
        {"it was deleted",
         DOCUMENT(N "," B_C ",{'apiVersion':'v1','kind':'Service','metadata':{'name':'kube-dns',"
                    "'namespace':'kube-system'},'spec':{'selector':{'k8s-app':'kube-dns'}}},"
                    "{'apiVersion':'v1','kind':'Endpoints','metadata':{'name':'kube-dns',"
                    "'namespace':'kube-system'}}"),
         false,
         "BLOCK: Cluster DNS: the Service kube-dns has no endpoint, and no workload runs it."},
        {"it is scaled to zero",
         DOCUMENT(N "," B_C "," DEPLOYED("kube-system", "coredns", "0", "0")), false,
         "BLOCK: Cluster DNS is scaled to zero."},
        {"the network", DOCUMENT(N "," B_C "," DAEMON("calico-node", "3", "0")), false,
         "BLOCK: Network of pods: 0 of 3 replicas of calico-node are ready; 1 of 3 workloads is "
         "unavailable (system-workload-unhealthy)."},
        {"ingress", DOCUMENT(N "," B_C "," DEPLOYED("in", "traefik", "2", "0")), false,
         "BLOCK: 1 of 3 workloads is unavailable (deployment-unavailable); Ingress: 0 of 2 "
         "replicas of traefik are ready."},
        {"an operator", DOCUMENT(N "," B_C "," OPERATOR("etcd", "Degraded", "True")), false,
         "WARN: clusteroperator/etcd: Degraded has been True for 45 min: m."},
        {"four of them",
         DOCUMENT(N "," B_C "," OPERATOR("etcd", "Degraded", "True") "," OPERATOR(
             "dns", "Degraded", "True") "," OPERATOR("auth", "Degraded",
                                                     "True") "," OPERATOR("network", "Degraded",
                                                                          "True")),
         false, "BLOCK: 4 cluster operators are degraded, auth among them."},
        {"one of them unavailable",
         DOCUMENT(N "," B_C "," OPERATOR("etcd", "Available",
                                         "False") "," OPERATOR("dns", "Degraded", "True")),
         false, "BLOCK: 2 cluster operators are degraded or unavailable, etcd among them."},
        {"three clauses are enough",
         DOCUMENT(NODE("n", "Unknown") "," DEPLOYED("kube-system", "coredns", "2", "0") "," DAEMON(
             "calico-node", "3", "0") "," OPERATOR("etcd", "Degraded", "True")),
         false,
         "BLOCK: 2 of 2 workloads are unavailable (system-workload-unhealthy); 1 of 1 node is "
         "NotReady; Cluster DNS: 0 of 2 replicas of coredns are ready."},
    };
    EXPECT(rows);
}

/* What names the worst is what costs most, not what changed. */
static void beside_workloads(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"a claim is lost, and a rollout is under way",
         DOCUMENT(N "," DEPLOYED("shop", "b", "1", "1") "," CONTROLLER(
             "Deployment", "'generation':2,", "'replicas':1,",
             "'observedGeneration':2,'replicas':2,'updatedReplicas':1,"
             "'availableReplicas':1") ",{'apiVersion':'v1','kind':"
                                      "'PersistentVolumeClaim','metadata':{'name':'v','namespace':'"
                                      "shop'},'spec':{},"
                                      "'status':{'phase':'Lost'}}"),
         false, "BLOCK: pvc-lost of persistentvolumeclaim/v."},
        {"the rollout alone",
         DOCUMENT(N "," DEPLOYED("shop", "b", "1", "1") "," CONTROLLER(
             "Deployment", "'generation':2,", "'replicas':1,",
             "'observedGeneration':2,'replicas':2,'updatedReplicas':1,"
             "'availableReplicas':1")),
         false, "SAFE: rollout-in-progress of deployment/a."},
    };
    EXPECT(rows);
}

/* Who names objects does not write the sentence. */
static void hostile_names(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"a node",
         DOCUMENT(PRESSED("n\\n\\u001b[2JSAFE\\u0085\\u007f") "," DEPLOYED("shop", "a", "1", "1")),
         false, "WARN: node/n  [2JSAFE  : DiskPressure has been True for 2 h."},
        {"a message",
         DOCUMENT(N "," B_C ",{'apiVersion':'config.openshift.io/v1','kind':'ClusterOperator',"
                    "'metadata':{'name':'%s'},'status':{'conditions':[{'type':'Degraded',"
                    "'status':'True','reason':'a\\tb\\rc','message':'\\u202eevil'}]}}"),
         false, "WARN: clusteroperator/%s: Degraded has been True for some time: a b c,  evil."},
    };
    EXPECT(rows);
}

/* What posture costs is told by category in whole points, where nothing is down those that each has
 * lost, and not at all when there are none. */
static void posture(void **state)
{
    (void)state;
    static const struct {
        const char *document, *head;
        int categories;
    } rows[] = {
        {DOCUMENT(N "," DEPLOYED("shop", "a", "1", "1")),
         "SAFE: nothing is down (1 workload, 1 node)", 2},
        {DOCUMENT(NODE("n", "True") "," NODE("m", "True") "," DEPLOYED("shop", "a", "1", "1")),
         "SAFE: nothing is down (1 workload, 2 nodes)", 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct judgement judgement = judgement_open(rows[i].document, NULL);
        struct str expected = str_of(rows[i].head);
        int told = 0;
        for (int c = 0; c < CATEGORY_COUNT; c++) {
            uint32_t points = (judgement.ledger->categories[c].lost + 50) / 100;
            struct str name = category_name((enum category)c);
            if (points)
                expected = arena_printf(judgement.arena,
                                        told ? "%" STR_FMT ", %" STR_FMT " %u%s"
                                             : "%" STR_FMT "; %" STR_FMT " costs %u point%s",
                                        STR_ARG(expected), STR_ARG(name), points,
                                        told || points == 1 ? "" : "s");
            told += points > 0;
        }
        expected = arena_printf(judgement.arena, "%" STR_FMT ".", STR_ARG(expected));
        assert_int_equal(told, rows[i].categories);
        if (!str_eq(judgement.ledger->verdict, expected))
            fail_msg("%" STR_FMT "\n%" STR_FMT, STR_ARG(judgement.ledger->verdict),
                     STR_ARG(expected));
        judgement_close(&judgement);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_down),  cmocka_unit_test(nodes),
        cmocka_unit_test(workloads),        cmocka_unit_test(components),
        cmocka_unit_test(beside_workloads), cmocka_unit_test(hostile_names),
        cmocka_unit_test(posture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

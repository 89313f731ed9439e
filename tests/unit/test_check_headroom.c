/* Whether there is room for the pods of a node that is lost, cordoned or tainted. */
#include "live_nodes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define BIG(name, spec) NODE(name, "", spec, ROOM("4", "8Gi", "110"))
#define OF_DAEMON                                                                                  \
    "'ownerReferences':[{'apiVersion':'apps/"                                                      \
    "v1','kind':'DaemonSet','name':'d','uid':'d','controller':true}],"
#define CORDON       "'unschedulable':true"
#define CORDON_TAINT "'taints':[{'key':'node.kubernetes.io/unschedulable','effect':'NoSchedule'}]"
#define TAINT        "'taints':[{'key':'node-role.kubernetes.io/control-plane','effect':'NoSchedule'}]"

static void headroom(void **state)
{
    static const struct judge_row rows[] = {
        {"half and half",
         DOCUMENT(BIG("n", "") "," BIG("m", "") "," RUNS_ON("p", "n", "2", "1Gi") "," RUNS_ON(
             "q", "m", "2", "1Gi")),
         "cluster/cluster", "cluster-headroom-low=pass"},
        {"more than half of CPU",
         DOCUMENT(BIG("n", "") "," BIG("m", "") "," RUNS_ON("p", "n", "2", "1Gi") "," RUNS_ON(
             "q", "m", "2100m", "1Gi")),
         "cluster/cluster", "cluster-headroom-low=fail"},
        {"more than half of memory",
         DOCUMENT(BIG("n", "") "," BIG("m", "") "," RUNS_ON("p", "n", "1", "5Gi") "," RUNS_ON(
             "q", "m", "1", "4Gi")),
         "cluster/cluster", "cluster-headroom-low=fail"},
        {"DaemonSets go with their node",
         DOCUMENT(BIG("n", "") "," BIG("m", "") "," RUNS_ON("p", "n", "2", "1Gi") "," RUNS_ON(
             "q", "m", "1500m", "1Gi") "," ON("d1", "n", OF_DAEMON, "Running", "500m", "1Gi",
                                              "") "," ON("d2", "m", OF_DAEMON, "Running", "500m",
                                                         "1Gi", "")),
         "cluster/cluster", "cluster-headroom-low=pass"},
        {"a cordoned node is no room",
         DOCUMENT(BIG("n", "") "," BIG("m", "") "," BIG("o", "'unschedulable':true") "," RUNS_ON(
             "p", "n", "3", "1Gi") "," RUNS_ON("q", "m", "2", "1Gi")),
         "cluster/cluster", "cluster-headroom-low=fail"},
        {"a control plane is no room",
         DOCUMENT(BIG("n", "") "," BIG("m", "") "," BIG("o", TAINT) "," RUNS_ON(
             "p", "n", "3", "1Gi") "," RUNS_ON("q", "m", "2", "1Gi")),
         "cluster/cluster", "cluster-headroom-low=fail"},
        {"what a control plane runs does not move",
         DOCUMENT(BIG("n", "") "," BIG("m", "") "," BIG("o", TAINT) "," RUNS_ON(
             "p", "o", "4", "1Gi") "," RUNS_ON("q", "m", "2", "1Gi")),
         "cluster/cluster", "cluster-headroom-low=pass"},
        {"the pods of a dead node move",
         DOCUMENT(BIG("n", "") "," BIG("m", "") "," NODE(
             "o", "", "",
             CONDITIONS(IS("Ready", "Unknown")) ",'allocatable':{'cpu':'4','memory':'8Gi'"
                                                "}") "," RUNS_ON("p", "o", "4",
                                                                 "1Gi") "," RUNS_ON("q", "m", "2",
                                                                                    "1G"
                                                                                    "i")),
         "cluster/cluster", "cluster-headroom-low=fail"},
        {"one node is another matter", DOCUMENT(BIG("n", "") "," RUNS_ON("p", "n", "2", "1Gi")),
         "cluster/cluster", "cluster-headroom-low=none single-zone-or-node=fail"},
    };
    (void)state;
    ROWS(rows);
}

#define OWN_TAINT "'taints':[{'key':'x','value':'y','effect':'NoSchedule'}]"
#define TOLERATES(rest)                                                                            \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'t','namespace':'shop'},'spec':{"          \
    "'nodeName':'m','tolerations':[{" rest                                                         \
    "}],'containers':[{'name':'c','resources':{'requests':{'cpu':'3'}}}]},"                        \
    "'status':{'phase':'Running'}}"
#define TAINTED(toleration)                                                                        \
    DOCUMENT(BIG("n", "") "," BIG("k", "") "," BIG("m", OWN_TAINT) "," RUNS_ON(                    \
        "p", "n", "3", "1Gi") "," TOLERATES(toleration))
#define ON_EACH(n, m)                                                                              \
    DOCUMENT(BIG("n", n) "," BIG("m", m) "," RUNS_ON("p", "n", "3",                                \
                                                     "1Gi") "," RUNS_ON("q", "m", "3", "1Gi"))

/* Nor does a taint: who was there before it has to move. A pool keeps its own pods. */
static void headroom_of_tainted(void **state)
{
    static const struct judge_row rows[] = {
        {"one open node is left", ON_EACH("", OWN_TAINT), "cluster/cluster",
         "cluster-headroom-low=fail"},
        {"... where nothing is on the other",
         DOCUMENT(BIG("n", "") "," BIG("m", OWN_TAINT) "," RUNS_ON("p", "n", "1", "1Gi")),
         "cluster/cluster", "cluster-headroom-low=fail"},
        {"all have the taint", ON_EACH(OWN_TAINT, OWN_TAINT), "cluster/cluster",
         "cluster-headroom-low=fail"},
        {"one is cordoned, one has the taint", ON_EACH(CORDON, OWN_TAINT), "cluster/cluster",
         "cluster-headroom-low=fail"},
        {"one is both", ON_EACH("", CORDON "," OWN_TAINT), "cluster/cluster",
         "cluster-headroom-low=fail"},
        {"all are pools of their own pods",
         DOCUMENT(BIG("n", OWN_TAINT) "," BIG("m", OWN_TAINT) "," TOLERATES("'operator':'Exists'")),
         "cluster/cluster", "cluster-headroom-low=none"},
        {"a control plane keeps its taint", ON_EACH("", TAINT), "cluster/cluster",
         "cluster-headroom-low=none"},
        {"PreferNoSchedule keeps nobody off",
         ON_EACH("", "'taints':[{'key':'x','effect':'PreferNoSchedule'}]"), "cluster/cluster",
         "cluster-headroom-low=fail"},
        {"the pod tolerates the taint",
         TAINTED("'key':'x','operator':'Equal','value':'y','effect':'NoSchedule'"),
         "cluster/cluster", "cluster-headroom-low=pass"},
        {"... by its key", TAINTED("'key':'x','operator':'Exists'"), "cluster/cluster",
         "cluster-headroom-low=pass"},
        {"... without an operator, which is Equal", TAINTED("'key':'x','value':'y'"),
         "cluster/cluster", "cluster-headroom-low=pass"},
        {"... as every taint", TAINTED("'operator':'Exists'"), "cluster/cluster",
         "cluster-headroom-low=pass"},
        {"another value", TAINTED("'key':'x','value':'z'"), "cluster/cluster",
         "cluster-headroom-low=fail"},
        {"another key", TAINTED("'key':'z','operator':'Exists'"), "cluster/cluster",
         "cluster-headroom-low=fail"},
        {"another effect", TAINTED("'key':'x','operator':'Exists','effect':'NoExecute'"),
         "cluster/cluster", "cluster-headroom-low=fail"},
        {"neither key nor Exists", TAINTED("'value':'y'"), "cluster/cluster",
         "cluster-headroom-low=fail"},
        {"the node went away with the taint that tells it",
         DOCUMENT(BIG("n", "") "," BIG("k", "") "," NODE(
             "m", "", "'taints':[{'key':'node.kubernetes.io/unreachable','effect':'NoExecute'}]",
             CONDITIONS(IS("Ready", "Unknown"))) "," RUNS_ON("p", "n", "3",
                                                             "1Gi") "," RUNS_ON("q", "m", "3",
                                                                                "1Gi")),
         "cluster/cluster", "cluster-headroom-low=fail"},
    };
    (void)state;
    ROWS(rows);
}

/* Cordoning makes no room: what is on a cordoned node has to move. */
static void headroom_of_cordoned(void **state)
{
    static const struct judge_row rows[] = {
        {"the pods of a cordoned node will have to move",
         DOCUMENT(BIG("n", "") "," BIG("m", "") "," BIG("o", CORDON) "," RUNS_ON(
             "p", "o", "3", "1Gi") "," RUNS_ON("q", "m", "2", "1Gi")),
         "cluster/cluster", "cluster-headroom-low=fail"},
        {"... those of DaemonSets will not",
         DOCUMENT(BIG("n", "") "," BIG("m", "") "," BIG("o", CORDON) "," ON(
             "d", "o", OF_DAEMON, "Running", "4", "1Gi", "") "," RUNS_ON("q", "m", "2", "1Gi")),
         "cluster/cluster", "cluster-headroom-low=pass"},
        {"one open node is left",
         DOCUMENT(BIG("n", "") "," BIG("m", CORDON) "," RUNS_ON("p", "n", "1", "1Gi")),
         "cluster/cluster", "cluster-headroom-low=fail"},
        {"... and nothing is on either",
         DOCUMENT(BIG("n", "") "," BIG("m", CORDON) "," ON("d", "n", OF_DAEMON, "Running", "1",
                                                           "1Gi", "")),
         "cluster/cluster", "cluster-headroom-low=pass"},
        {"all are cordoned",
         DOCUMENT(BIG("n", CORDON) "," BIG("m", CORDON) "," RUNS_ON("p", "n", "1", "1Gi")),
         "cluster/cluster", "cluster-headroom-low=fail"},
        {"... with the taint that comes of it",
         DOCUMENT(BIG("n", CORDON "," CORDON_TAINT) "," BIG(
             "m", CORDON "," CORDON_TAINT) "," RUNS_ON("p", "n", "1", "1Gi")),
         "cluster/cluster", "cluster-headroom-low=fail"},
        {"a cordoned control plane is as it was",
         DOCUMENT(BIG("n", "") "," BIG("m", "") "," BIG("o", CORDON "," TAINT) "," RUNS_ON(
             "p", "o", "4", "1Gi") "," RUNS_ON("q", "m", "2", "1Gi")),
         "cluster/cluster", "cluster-headroom-low=pass"},
        {"a cordoned node that is dead, too",
         DOCUMENT(BIG("n", "") "," BIG("m", "") "," NODE(
             "o", "", CORDON,
             CONDITIONS(IS("Ready", "False")) ",'allocatable':{'cpu':'4','memory':'8Gi'"
                                              "}") "," RUNS_ON("p", "o", "3",
                                                               "1Gi") "," RUNS_ON("q", "m", "2",
                                                                                  "1G"
                                                                                  "i")),
         "cluster/cluster", "cluster-headroom-low=fail"},
        {"the only one that is not dead",
         DOCUMENT(BIG("n", CORDON) "," NODE(
             "o", "", "", CONDITIONS(IS("Ready", "Unknown"))) "," RUNS_ON("p", "n", "2", "1Gi")),
         "cluster/cluster", "cluster-headroom-low=fail single-zone-or-node=fail"},
        {"the only node, cordoned", DOCUMENT(BIG("n", CORDON) "," RUNS_ON("p", "n", "2", "1Gi")),
         "cluster/cluster", "cluster-headroom-low=none single-zone-or-node=fail"},
    };
    (void)state;
    ROWS(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headroom),
        cmocka_unit_test(headroom_of_cordoned),
        cmocka_unit_test(headroom_of_tainted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

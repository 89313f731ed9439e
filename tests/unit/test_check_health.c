#include "live_nodes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define ALONE(conditions) NODE("n", "", "", CONDITIONS(conditions))

static void conditions(void **state)
{
    static const struct judge_row rows[] = {
        {"ready",
         ALONE(IS("Ready", "True") "," IS("MemoryPressure", "False") "," IS(
             "DiskPressure", "False") "," IS("PIDPressure", "False") "," IS("NetworkUnavailable",
                                                                            "False")),
         "node/n",
         "node-not-ready=pass node-memory-pressure=pass node-disk-pressure=pass "
         "node-pid-pressure=pass node-network-unavailable=pass node-heartbeat-stale=pass "
         "node-flapping=pass node-cordoned=pass"},
        {"not ready", ALONE(IS("Ready", "False") "," IS("MemoryPressure", "False")), "node/n",
         "node-not-ready=fail node-memory-pressure=pass node-heartbeat-stale=none"},
        {"all Unknown: one finding",
         ALONE(IS("Ready", "Unknown") "," IS("MemoryPressure", "Unknown") "," IS(
             "DiskPressure", "Unknown") "," IS("PIDPressure",
                                               "Unknown") "," IS("NetworkUnavailable", "Unknown")),
         "node/n",
         "node-not-ready=fail node-memory-pressure=none node-disk-pressure=none "
         "node-pid-pressure=none node-network-unavailable=none node-heartbeat-stale=none "
         "node-flapping=none"},
        {"no Ready condition", ALONE(IS("MemoryPressure", "True")), "node/n",
         "node-not-ready=fail node-memory-pressure=fail"},
        {"disk", ALONE(IS("Ready", "True") "," IS("DiskPressure", "True")), "node/n",
         "node-not-ready=pass node-disk-pressure=fail"},
        {"processes", ALONE(IS("Ready", "True") "," IS("PIDPressure", "True")), "node/n",
         "node-pid-pressure=fail"},
        {"network", ALONE(IS("Ready", "True") "," IS("NetworkUnavailable", "True")), "node/n",
         "node-network-unavailable=fail"},
        {"cordoned", NODE("n", "", "'unschedulable':true", GOOD), "node/n", "node-cordoned=fail"},
    };
    (void)state;
    ROWS(rows);
}

#define LEASE_OF(name, renewed)                                                                    \
    "{'apiVersion':'coordination.k8s.io/v1','kind':'Lease','metadata':{'name':'" name              \
    "','namespace':'kube-node-lease'},'spec':{'renewTime':'2026-03-17T" renewed "Z'}}"
#define LEASE(renewed) LEASE_OF("n", renewed)
/* Two nodes with their leases. */
#define LEASES(one, other)                                                                         \
    DOCUMENT(ALONE(IS("Ready", "True")) "," NODE("m", "", "",                                      \
                                                 GOOD) "," LEASE(one) "," LEASE_OF("m", other))
#define TURNED(at, made, heartbeat)                                                                \
    "{'apiVersion':'v1','kind':'Node','metadata':{'name':'n','creationTimestamp':'2026-03-"        \
    "17T" made "Z'},'status':{'conditions':[{'type':'Ready','status':'True','lastTransitionTime':" \
    "'2026-03-17T" at "Z','lastHeartbeatTime':'2026-03-17T" heartbeat "Z'}]}}"
#define NOT_READY_EVENTS(count, last)                                                              \
    "{'apiVersion':'v1','kind':'Event','metadata':{'name':'n.1','namespace':'default','uid':'e'}," \
    "'involvedObject':{'kind':'Node','name':'n'},'type':'Normal','reason':'NodeNotReady','count'"  \
    ":" count ",'lastTimestamp':'2026-03-" last "Z'}"

#define BEAT(time)                                                                                 \
    "{'type':'Ready','status':'True','lastTransitionTime':'2026-03-10T00:00:00Z',"                 \
    "'lastHeartbeatTime':'2026-03-17T" time "Z'}"
static void liveness(void **state)
{
    static const struct judge_row rows[] = {
        {"the lease is renewed", DOCUMENT(ALONE(IS("Ready", "True")) "," LEASE("11:59:20.000000")),
         "node/n", "node-heartbeat-stale=pass"},
        {"the only lease is old: so is the snapshot",
         DOCUMENT(ALONE(IS("Ready", "True")) "," LEASE("11:59:19.999000")), "node/n",
         "node-heartbeat-stale=pass"},
        {"... nearly six minutes",
         DOCUMENT(ALONE(IS("Ready", "True")) "," LEASE("11:54:20.000000")), "node/n",
         "node-heartbeat-stale=pass"},
        {"... and two minutes more, as the only one",
         DOCUMENT(ALONE(IS("Ready", "True")) "," LEASE("11:52:00.000000")), "node/n",
         "node-heartbeat-stale=pass"},
        {"forty seconds behind another's", LEASES("11:58:00.000000", "11:58:40.000000"), "node/n",
         "node-heartbeat-stale=pass"},
        {"... and a little more", LEASES("11:58:00.000000", "11:58:40.001000"), "node/n",
         "node-heartbeat-stale=fail"},
        {"that other one", LEASES("11:58:00.000000", "11:58:40.001000"), "node/m",
         "node-heartbeat-stale=pass"},
        {"another's that is yet to come: its clock is off",
         LEASES("11:59:50.000000", "12:00:31.000000"), "node/n", "node-heartbeat-stale=pass"},
        {"one that is yet to come", LEASES("12:00:31.000000", "11:59:50.000000"), "node/n",
         "node-heartbeat-stale=pass"},
        {"leases of yesterday, apart: the snapshot is old",
         LEASES("10:00:00.000000", "10:00:30.000000"), "node/n", "node-heartbeat-stale=pass"},
        {"no lease of its own, and another's",
         DOCUMENT(TURNED("00:00:00", "00:00:00", "11:56:00") "," NODE(
             "m", "", "", GOOD) "," LEASE_OF("m", "11:59:59.000000")),
         "node/n", "node-heartbeat-stale=pass"},
        {"no lease, and a status of nearly six minutes", TURNED("00:00:00", "00:00:00", "11:54:20"),
         "node/n", "node-heartbeat-stale=pass"},
        {"no lease, an older status, and another node's of just now",
         DOCUMENT(TURNED("00:00:00", "00:00:00", "11:49:00") "," NODE("m", "", "", GOOD)), "node/n",
         "node-heartbeat-stale=fail"},
        {"that other one",
         DOCUMENT(TURNED("00:00:00", "00:00:00", "11:49:00") "," NODE("m", "", "", GOOD)), "node/m",
         "node-heartbeat-stale=pass"},
        {"all lag alike: the snapshot is old, said once",
         DOCUMENT(TURNED("00:00:00", "00:00:00",
                         "09:49:00") "," NODE("m", "", "", CONDITIONS(BEAT("09:49:30")))),
         "cluster/cluster", "node-heartbeat-stale=pass snapshot-old=fail"},
        {"a snapshot of just now", ALONE(IS("Ready", "True")), "cluster/cluster",
         "snapshot-old=pass"},
        {"nodes that are not ready tell nothing of it",
         NODE("n", "", "", CONDITIONS(IS("Ready", "False"))), "cluster/cluster",
         "snapshot-old=none"},
        {"nobody heard of within the hour: the snapshot is old",
         TURNED("00:00:00", "00:00:00", "10:59:59"), "node/n", "node-heartbeat-stale=pass"},
        {"... an hour to the second", TURNED("00:00:00", "00:00:00", "11:00:00"), "node/n",
         "node-heartbeat-stale=pass"},
        {"ready for less than an hour", TURNED("11:00:01", "00:00:00", "11:59:00"), "node/n",
         "node-flapping=fail"},
        {"ready for more than an hour", TURNED("10:59:59", "00:00:00", "11:59:00"), "node/n",
         "node-flapping=pass"},
        {"ready since a time to come: some clock is wrong",
         TURNED("12:00:01", "00:00:00", "12:00:01"), "node/n", "node-flapping=none"},
        {"joined within the hour", TURNED("11:30:30", "11:30:00", "11:59:00"), "node/n",
         "node-flapping=pass"},
        {"gone three times today",
         DOCUMENT(ALONE(IS("Ready", "True")) "," NOT_READY_EVENTS("3", "16T13:00:00")), "node/n",
         "node-flapping=fail"},
        {"gone three times today, and just now",
         DOCUMENT(ALONE(IS("Ready", "False")) "," NOT_READY_EVENTS("3", "16T13:00:00")), "node/n",
         "node-flapping=fail node-not-ready=fail"},
        {"gone twice today, and just now",
         DOCUMENT(ALONE(IS("Ready", "False")) "," NOT_READY_EVENTS("2", "16T13:00:00")), "node/n",
         "node-flapping=none node-not-ready=fail"},
        {"gone three times today, and nobody hears of it",
         DOCUMENT(ALONE(IS("Ready", "Unknown")) "," NOT_READY_EVENTS("3", "16T13:00:00")), "node/n",
         "node-flapping=none node-not-ready=fail"},
        {"gone twice today",
         DOCUMENT(ALONE(IS("Ready", "True")) "," NOT_READY_EVENTS("2", "17T11:00:00")), "node/n",
         "node-flapping=pass"},
        {"gone three times the day before",
         DOCUMENT(ALONE(IS("Ready", "True")) "," NOT_READY_EVENTS("3", "16T11:00:00")), "node/n",
         "node-flapping=pass"},
        {"summary", "{'nodes':[{'name':'n'}]}", "node/n",
         "node-not-ready=none node-cordoned=none node-heartbeat-stale=none"},
    };
    (void)state;
    ROWS(rows);
}

static void one_trouble_is_paid_once(void **state)
{
    struct judgement judgement =
        judgement_open(ALONE(IS("Ready", "False") "," IS("DiskPressure", "True")), NULL);
    const struct risk *gone = judgement_risk(&judgement, "node-not-ready", "node/n");
    const struct risk *disk = judgement_risk(&judgement, "node-disk-pressure", "node/n");
    (void)state;
    assert_true(gone && disk && gone->impact > 0);
    assert_int_equal(disk->impact, 0);
    assert_ptr_equal(disk->absorbed_by, gone->check);
    judgement_close(&judgement);
}

#define RUNS(name, kubelet, runtime)                                                               \
    NODE(name, "", "",                                                                             \
         GOOD ",'nodeInfo':{'kubeletVersion':'" kubelet "','containerRuntimeVersion':'" runtime    \
              "'}")

static void versions(void **state)
{
    static const struct judge_row rows[] = {
        {"supported", RUNS("n", "v1.34.1", "containerd://2.1.0"), "node/n",
         "node-version-skew=pass node-runtime-deprecated=pass"},
        {"newer than this program knows", RUNS("n", "v1.60.0", "cri-o://1.60.0"), "node/n",
         "node-version-skew=pass node-runtime-deprecated=pass"},
        {"out of support", RUNS("n", "v1.32.0-eks-1", "containerd://1.7.27"), "node/n",
         "node-version-skew=fail node-runtime-deprecated=pass"},
        {"older than another",
         DOCUMENT(RUNS("n", "v1.33.9", "containerd://2.1.0") "," RUNS("m", "v1.34.1",
                                                                      "containerd://2.1.0")),
         "node/n", "node-version-skew=fail"},
        {"a patch older",
         DOCUMENT(RUNS("n", "v1.34.0", "containerd://2.1.0") "," RUNS("m", "v1.34.1",
                                                                      "containerd://2.1.0")),
         "node/n", "node-version-skew=pass"},
        {"docker", RUNS("n", "v1.34.1", "docker://27.3.1"), "node/n",
         "node-runtime-deprecated=fail"},
        {"docker behind cri-dockerd",
         "{'apiVersion':'v1','kind':'Node','metadata':{'name':'n','annotations':{"
         "'kubeadm.alpha.kubernetes.io/cri-socket':'unix:///var/run/cri-dockerd.sock'}},'status':{"
         "'nodeInfo':{'kubeletVersion':'v1.34.1','containerRuntimeVersion':'docker://27.3.1'}}}",
         "node/n", "node-runtime-deprecated=pass"},
        {"docker, deprecated but not gone yet", RUNS("n", "v1.23.17", "docker://20.10.24"),
         "node/n", "node-runtime-deprecated=fail"},
        {"containerd 1 after 1.35", RUNS("n", "v1.36.0", "containerd://1.7.27"), "node/n",
         "node-runtime-deprecated=fail"},
        {"containerd 1 with 1.35", RUNS("n", "v1.35.0", "containerd://1.7.27"), "node/n",
         "node-runtime-deprecated=pass"},
        {"containerd 1.5 with 1.26", RUNS("n", "v1.26.0", "containerd://1.5.9-k3s1"), "node/n",
         "node-runtime-deprecated=fail"},
        {"containerd 1.5 with 1.24", RUNS("n", "v1.24.0", "containerd://1.5.9-k3s1"), "node/n",
         "node-runtime-deprecated=pass"},
        {"nothing said", ALONE(IS("Ready", "True")), "node/n",
         "node-version-skew=none node-runtime-deprecated=none"},
        {"nonsense", RUNS("n", "unknown", "none"), "node/n",
         "node-version-skew=none node-runtime-deprecated=pass"},
    };
    (void)state;
    ROWS(rows);
}

static void reservations(void **state)
{
    static const struct judge_row rows[] = {
        {"nine tenths",
         DOCUMENT(
             NODE("n", "", "", ROOM("4", "10Gi", "110")) "," RUNS_ON("p", "n", "3600m", "1Gi")),
         "node/n",
         "node-cpu-overcommitted=fail node-memory-overcommitted=pass node-pod-capacity=pass"},
        {"just below",
         DOCUMENT(
             NODE("n", "", "", ROOM("4", "10Gi", "110")) "," RUNS_ON("p", "n", "3599m", "9215Mi")),
         "node/n", "node-cpu-overcommitted=pass node-memory-overcommitted=pass"},
        {"memory",
         DOCUMENT(NODE("n", "", "", ROOM("4", "10Gi", "110")) "," RUNS_ON(
             "p", "n", "1", "5Gi") "," RUNS_ON("q", "n", "1", "4Gi")),
         "node/n", "node-memory-overcommitted=fail node-cpu-overcommitted=pass"},
        {"pods that ended reserve nothing",
         DOCUMENT(NODE("n", "", "", ROOM("4", "10Gi", "110")) "," ON(
             "p", "n", "", "Succeeded", "4", "10Gi", "") "," ON("q", "n", "", "Failed", "4", "10Gi",
                                                                "")),
         "node/n", "node-cpu-overcommitted=pass node-memory-overcommitted=pass"},
        {"terminating pods still do",
         DOCUMENT(NODE("n", "", "", ROOM("4", "10Gi", "110")) "," ON(
             "p", "n", "'deletionTimestamp':'2026-03-17T11:59:00Z',", "Running", "4", "1Gi", "")),
         "node/n", "node-cpu-overcommitted=fail"},
        {"overhead counts",
         DOCUMENT(NODE("n", "", "", ROOM("4", "10Gi", "110")) "," ON(
             "p", "n", "", "Running", "3", "1Gi", "'overhead':{'cpu':'600m'},")),
         "node/n", "node-cpu-overcommitted=fail"},
        {"sidecars count",
         DOCUMENT(NODE("n", "", "", ROOM("4", "10Gi", "110")) "," ON(
             "p", "n", "", "Running", "3", "1Gi",
             "'initContainers':[{'name':'s','restartPolicy':'Always','resources':{'requests':{'cpu'"
             ":'600m'}}}],")),
         "node/n", "node-cpu-overcommitted=fail"},
        {"init containers only raise",
         DOCUMENT(NODE("n", "", "", ROOM("4", "10Gi", "110")) "," ON(
             "p", "n", "", "Running", "3", "1Gi",
             "'initContainers':[{'name':'i','resources':{'requests':{'cpu':'3'}}}],")),
         "node/n", "node-cpu-overcommitted=pass"},
        {"nine pods of ten",
         DOCUMENT(NODE("n", "", "", ROOM("4", "10Gi", "2")) "," RUNS_ON(
             "p", "n", "1m", "1Mi") "," RUNS_ON("q", "n", "1m", "1Mi")),
         "node/n", "node-pod-capacity=fail"},
        {"a node that is not ready",
         DOCUMENT(
             NODE("n", "", "",
                  CONDITIONS(IS("Ready", "False")) ",'allocatable':{'cpu':'4','memory':'1Gi','pods'"
                                                   ":'1'}") "," RUNS_ON("p", "n", "4", "1Gi")),
         "node/n",
         "node-cpu-overcommitted=none node-memory-overcommitted=none node-pod-capacity=none"},
        {"a node that does not tell its state",
         DOCUMENT("{'apiVersion':'v1','kind':'Node','metadata':{'name':'n'},'status':{'allocatable'"
                  ":{'cpu':'4','memory':'1Gi','pods':'1'}}}," RUNS_ON("p", "n", "4", "1Gi")),
         "node/n",
         "node-cpu-overcommitted=fail node-memory-overcommitted=fail node-pod-capacity=fail "
         "node-not-ready=fail"},
        {"no allocatable", DOCUMENT(ALONE(IS("Ready", "True")) "," RUNS_ON("p", "n", "4", "1Gi")),
         "node/n", "node-cpu-overcommitted=none node-pod-capacity=none"},
        {"no pods in the snapshot", NODE("n", "", "", ROOM("4", "10Gi", "110")), "node/n",
         "node-cpu-overcommitted=none cluster-headroom-low=none"},
        {"a summary of pods",
         "{'nodes':[" NODE("n", "", "",
                           ROOM("4", "10Gi", "110")) "],'pods':[{'name':'p','namespace':'shop','"
                                                     "node':'n','status':'Running'}]}",
         "node/n", "node-cpu-overcommitted=none"},
    };
    (void)state;
    ROWS(rows);
}

#define CORDON                    "'unschedulable':true"
#define TAINT                     "'taints':[{'key':'node-role.kubernetes.io/control-plane','effect':'NoSchedule'}]"
#define ZONE(zone)                "'topology.kubernetes.io/zone':'" zone "'"
#define CONTROL                   "'node-role.kubernetes.io/control-plane':''"
#define PLAIN(name, labels, spec) NODE(name, labels, spec, GOOD)

#define LOST(container)                                                                            \
    "{'name':'" container "','ready':true,'restartCount':9,'state':{'running':{'startedAt':"       \
    "'2026-03-17T11:57:30Z'}},'lastState':" ENDED("Unknown", "255", "15T10:00:00",                 \
                                                  "17T11:57:00") "}"
#define OF_NODE(name, statuses)                                                                    \
    ",{'apiVersion':'v1','kind':'Pod','metadata':{'name':'" name                                   \
    "','namespace':'shop','uid':'" name                                                            \
    "','creationTimestamp':'2026-03-10T10:00:00Z'},'spec':{'nodeName':'n','containers':["          \
    "]},'status':{'phase':'Running','containerStatuses':[" statuses "]}}"
#define WELL_OFF                                                                                   \
    "{'name':'d','ready':true,'restartCount':0,'state':{'running':{'startedAt':"                   \
    "'2026-03-10T11:59:00Z'}}}"
#define FAILING                                                                                    \
    "{'name':'e','ready':false,'restartCount':9,'state':{'waiting':{'reason':'CrashLoopBackOff'}}" \
    ",'lastState':" ENDED("Error", "1", "17T11:56:00", "17T11:58:00") "}"
#define NODE_WITH(pods) DOCUMENT(NODE("n", "", "", GOOD) pods)

static void restarts_of_a_node(void **state)
{
    static const struct judge_row rows[] = {
        {"said once, of the node", NODE_WITH(OF_NODE("p", LOST("c")) OF_NODE("q", LOST("c"))),
         "node/n", "node-restarted=fail container-restarts-high=pass container-crash-loop=pass"},
        {"half of its containers",
         NODE_WITH(OF_NODE("p", LOST("c") "," LOST("b")) OF_NODE("q", WELL_OFF "," WELL_OFF)),
         "node/n", "node-restarted=fail"},
        {"less than half",
         NODE_WITH(OF_NODE("p", LOST("c") "," LOST("b"))
                       OF_NODE("q", WELL_OFF "," WELL_OFF "," WELL_OFF)),
         "node/n", "node-restarted=pass"},
        {"one container is no node", NODE_WITH(OF_NODE("p", LOST("c"))), "node/n",
         "node-restarted=pass"},
        {"which then pays for itself", NODE_WITH(OF_NODE("p", LOST("c"))), "pod/p",
         "container-restarts-high=fail"},
        {"what fails by itself beside it",
         NODE_WITH(OF_NODE("p", LOST("c")) OF_NODE("q", LOST("c")) OF_NODE("r", FAILING)), "pod/r",
         "container-crash-loop=fail container-restarts-high=fail"},
        {"no pods", NODE_WITH(""), "node/n", "node-restarted=none"},
    };
    (void)state;
    ROWS(rows);
    struct judgement judgement =
        judgement_open(NODE_WITH(OF_NODE("p", LOST("c")) OF_NODE("q", LOST("c"))), NULL);
    const struct risk *risk = judgement_risk(&judgement, "node-restarted", "node/n");
    assert_string_equal(arena_str(judgement.arena, risk->message).p,
                        "The node, or its container runtime, restarted 3 min ago, at "
                        "2026-03-17T11:57:00Z: 2 of its 2 containers ended within a minute.");
    assert_int_equal(risk->impact, 0);
    judgement_close(&judgement);
}

static void layouts_in_words(void **state)
{
    static const struct {
        const char *document, *message;
    } rows[] = {
        {DOCUMENT(PLAIN("n", "", "")), "All workloads share the cluster's one node, n."},
        {DOCUMENT(PLAIN("n", "", "") "," PLAIN("m", "", CORDON) "," PLAIN("o", "", CORDON)),
         "Of 3 nodes only n takes new pods; others are cordoned."},
        {DOCUMENT(PLAIN("n", "", "") "," PLAIN("m", CONTROL, TAINT) "," PLAIN("o", CONTROL, TAINT)),
         "Of 3 nodes only n takes new pods; others are kept for the control plane."},
        {DOCUMENT(PLAIN("n", "", "") "," PLAIN("m", "", CORDON) "," PLAIN("o", CONTROL, TAINT)),
         "Of 3 nodes only n takes new pods; others are cordoned; others are kept for the control "
         "plane."},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct judgement judgement = judgement_open(rows[i].document, NULL);
        const struct risk *risk =
            judgement_risk(&judgement, "single-zone-or-node", "cluster/cluster");
        assert_non_null(risk);
        if (!str_eq(risk->message, str_of(rows[i].message)))
            fail_msg("%" STR_FMT, STR_ARG(risk->message));
        judgement_close(&judgement);
    }
}

static void layout(void **state)
{
    static const struct judge_row rows[] = {
        {"two zones", DOCUMENT(PLAIN("n", ZONE("a"), "") "," PLAIN("m", ZONE("b"), "")),
         "cluster/cluster", "single-zone-or-node=pass"},
        {"one zone", DOCUMENT(PLAIN("n", ZONE("a"), "") "," PLAIN("m", ZONE("a"), "")),
         "cluster/cluster", "single-zone-or-node=fail"},
        {"the old label",
         DOCUMENT(PLAIN("n", "'failure-domain.beta.kubernetes.io/zone':'a'",
                        "") "," PLAIN("m", "'failure-domain.beta.kubernetes.io/zone':'a'", "")),
         "cluster/cluster", "single-zone-or-node=fail"},
        {"zones are not known", DOCUMENT(PLAIN("n", "", "") "," PLAIN("m", "", "")),
         "cluster/cluster", "single-zone-or-node=pass"},
        {"one worker beside the control plane",
         DOCUMENT(PLAIN("n", "", "") "," PLAIN("m", CONTROL, TAINT) "," PLAIN(
             "o", CONTROL, TAINT) "," PLAIN("p", CONTROL, TAINT)),
         "cluster/cluster", "single-zone-or-node=fail"},
        {"one worker left, the other cordoned",
         DOCUMENT(PLAIN("n", "", "") "," PLAIN("m", "", "'unschedulable':true")), "cluster/cluster",
         "single-zone-or-node=fail"},
        {"all workers are cordoned",
         DOCUMENT(PLAIN("n", ZONE("a"), CORDON) "," PLAIN("m", ZONE("b"), CORDON)),
         "cluster/cluster", "single-zone-or-node=fail"},
        {"... beside a control plane",
         DOCUMENT(PLAIN("n", ZONE("a"), CORDON) "," PLAIN("m", CONTROL, TAINT) "," PLAIN(
             "o", CONTROL, TAINT) "," PLAIN("p", CONTROL, TAINT)),
         "cluster/cluster", "single-zone-or-node=fail"},
        {"a cordoned one in another zone",
         DOCUMENT(PLAIN("n", ZONE("a"), "") "," PLAIN("m", ZONE("a"), "") "," PLAIN("o", ZONE("b"),
                                                                                    CORDON)),
         "cluster/cluster", "single-zone-or-node=fail"},
        {"a cordoned one whose zone is not known",
         DOCUMENT(
             PLAIN("n", ZONE("a"), "") "," PLAIN("m", ZONE("b"), "") "," PLAIN("o", "", CORDON)),
         "cluster/cluster", "single-zone-or-node=pass"},
        {"one control-plane node",
         DOCUMENT(PLAIN("n", "", "") "," PLAIN("m", "", "") "," PLAIN("o", CONTROL, TAINT)),
         "cluster/cluster", "single-zone-or-node=fail"},
        {"three that do both",
         DOCUMENT(PLAIN("n", CONTROL, "") "," PLAIN("m", CONTROL, "") "," PLAIN("o", CONTROL, "")),
         "cluster/cluster", "single-zone-or-node=pass"},
        {"summary", "{'nodes':[{'name':'n','status':'Ready'}]}", "cluster/cluster",
         "single-zone-or-node=none"},
    };
    (void)state;
    ROWS(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conditions),
        cmocka_unit_test(liveness),
        cmocka_unit_test(one_trouble_is_paid_once),
        cmocka_unit_test(versions),
        cmocka_unit_test(reservations),
        cmocka_unit_test(layout),
        cmocka_unit_test(layouts_in_words),
        cmocka_unit_test(restarts_of_a_node),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

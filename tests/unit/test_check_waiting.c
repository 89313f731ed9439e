/* What waits for somebody: load balancers, claims that grow, autoscalers without metrics; and what
 * node-problem-detector says. */
#include "live.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define SERVICE(meta, spec, status)                                                                \
    "{'apiVersion':'v1','kind':'Service','metadata':{'name':'a','namespace':'shop'" meta           \
    "},'spec':{" spec "},'status':{" status "}}"
#define OLD      ",'uid':'u','creationTimestamp':'2026-03-17T10:00:00Z'"
#define YOUNG    ",'uid':'u','creationTimestamp':'2026-03-17T11:55:00Z'"
#define BALANCER "'type':'LoadBalancer'"

static void load_balancers(void **state)
{
#define WAITS(expected) "service/a", "service-load-balancer-pending=" expected
    static const struct judge_row rows[] = {
        {"it has an address",
         SERVICE(OLD, BALANCER, "'loadBalancer':{'ingress':[{'ip':'192.0.2.1'}]}"), WAITS("pass")},
        {"it has a name",
         SERVICE(OLD, BALANCER, "'loadBalancer':{'ingress':[{'hostname':'a.example'}]}"),
         WAITS("pass")},
        {"it has none", SERVICE(OLD, BALANCER, "'loadBalancer':{}"), WAITS("fail")},
        {"an empty list", SERVICE(OLD, BALANCER, "'loadBalancer':{'ingress':[]}"), WAITS("fail")},
        {"it is five minutes old", SERVICE(YOUNG, BALANCER, "'loadBalancer':{}"), WAITS("pass")},
        {"of another type", SERVICE(OLD, "'type':'ClusterIP'", "'loadBalancer':{}"), WAITS("none")},
        {"a manifest", SERVICE("", BALANCER, ""), WAITS("none")},
        {"it is being deleted",
         SERVICE(OLD ",'deletionTimestamp':'2026-03-17T11:00:00Z'", BALANCER, ""), WAITS("none")},
        {"somebody gave it addresses", SERVICE(OLD, BALANCER ",'externalIPs':['192.0.2.7']", ""),
         WAITS("none")},
    };
#undef WAITS
    (void)state;
    ROWS(rows);
}

#define CLAIM(status)                                                                              \
    "{'apiVersion':'v1','kind':'PersistentVolumeClaim','metadata':{'name':'a','namespace':"        \
    "'shop'},'status':{" status "}}"
#define BOUND "'phase':'Bound'"
#define SAYS(type, status, since)                                                                  \
    ",'conditions':[{'type':'" type "','status':'" status                                          \
    "','lastTransitionTime':'2026-03-17T" since "Z','message':'m'}]"
#define STATE(state) ",'allocatedResourceStatuses':{'storage':'" state "'}"

static void claims(void **state)
{
#define GROWS(expected) "persistentvolumeclaim/a", "pvc-resize-failed=" expected
    static const struct judge_row rows[] = {
        {"nothing said", CLAIM(""), GROWS("none")},
        {"it waits for its volume", CLAIM("'phase':'Pending'"), GROWS("none")},
        {"it does not grow", CLAIM(BOUND), GROWS("pass")},
        {"the driver says no", CLAIM(BOUND SAYS("ControllerResizeError", "True", "11:59:00")),
         GROWS("fail")},
        {"the node says no", CLAIM(BOUND SAYS("NodeResizeError", "True", "11:59:00")),
         GROWS("fail")},
        {"an error that is over", CLAIM(BOUND SAYS("NodeResizeError", "False", "11:59:00")),
         GROWS("pass")},
        {"it has just begun", CLAIM(BOUND SAYS("Resizing", "True", "11:30:00")), GROWS("pass")},
        {"it takes two hours", CLAIM(BOUND SAYS("Resizing", "True", "10:00:00")), GROWS("fail")},
        {"it waits for a restart", CLAIM(BOUND SAYS("FileSystemResizePending", "True", "10:00:00")),
         GROWS("fail")},
        {"it has just begun to wait",
         CLAIM(BOUND SAYS("FileSystemResizePending", "True", "11:50:00")), GROWS("pass")},
        {"infeasible", CLAIM(BOUND STATE("ControllerResizeInfeasible")), GROWS("fail")},
        {"failed, as before 1.31", CLAIM(BOUND STATE("NodeResizeFailed")), GROWS("fail")},
        {"in progress", CLAIM(BOUND STATE("NodeResizeInProgress")), GROWS("pass")},
        {"attributes that change", CLAIM(BOUND SAYS("ModifyingVolume", "True", "10:00:00")),
         GROWS("pass")},
    };
#undef GROWS
    (void)state;
    ROWS(rows);
}

#define NODE_SAYS(conditions)                                                                      \
    "{'apiVersion':'v1','kind':'Node','metadata':{'name':'n'},'status':{'conditions':["            \
    "{'type':'Ready','status':'True'}" conditions "]}}"
#define IS(type, status) ",{'type':'" type "','status':'" status "'}"

static void node_problems(void **state)
{
#define PROBLEM(expected) "node/n", "node-problem-detected=" expected
    static const struct judge_row rows[] = {
        {"no detector", NODE_SAYS(""), PROBLEM("none")},
        {"no problem", NODE_SAYS(IS("KernelDeadlock", "False") IS("ReadonlyFilesystem", "False")),
         PROBLEM("pass")},
        {"a deadlock", NODE_SAYS(IS("KernelDeadlock", "True")), PROBLEM("fail")},
        {"a file system that cannot be written",
         NODE_SAYS(IS("KernelDeadlock", "False") IS("ReadonlyFilesystem", "True")),
         PROBLEM("fail")},
        {"restarts", NODE_SAYS(IS("FrequentKubeletRestart", "True")), PROBLEM("fail")},
        {"nobody knows", NODE_SAYS(IS("KernelDeadlock", "Unknown")), PROBLEM("none")},
        {"somebody's own, of which nobody knows what it means",
         NODE_SAYS(IS("EtcdIsVoter", "True") IS("VMEventScheduled", "True")), PROBLEM("none")},
        {"the kubelet's own", NODE_SAYS(IS("DiskPressure", "True")), PROBLEM("none")},
    };
#undef PROBLEM
    (void)state;
    ROWS(rows);
}

#define SCALER(spec, status)                                                                       \
    "{'apiVersion':'autoscaling/v2','kind':'HorizontalPodAutoscaler','metadata':{'name':'a',"      \
    "'namespace':'shop','uid':'u'},'spec':{'maxReplicas':3" spec "},'status':{" status "}}"
#define METRICS(type)                                                                              \
    ",'metrics':[{'type':'" type "','resource':{'name':'cpu','target':{'type':'Utilization'}}}]"
#define API(name)                                                                                  \
    "{'apiVersion':'apiregistration.k8s.io/v1','kind':'APIService','metadata':{'name':'" name      \
    "','uid':'" name "'}}"

static void metrics(void **state)
{
#define MISSING(expected) "cluster/cluster", "metrics-api-missing=" expected
    static const struct judge_row rows[] = {
        {"by CPU, and nobody measures", SCALER(METRICS("Resource"), "") API("v1.apps"),
         MISSING("fail")},
        {"as autoscaling/v1 says it",
         SCALER(",'targetCPUUtilizationPercentage':80", "") API("v1.apps"), MISSING("fail")},
        {"of one container", SCALER(METRICS("ContainerResource"), "") API("v1.apps"),
         MISSING("fail")},
        {"there is metrics-server",
         SCALER(METRICS("Resource"), "") API("v1.apps") API("v1beta1.metrics.k8s.io"),
         MISSING("pass")},
        {"by something else", SCALER(METRICS("External"), "") API("v1.apps"), MISSING("none")},
        {"by nothing that is said", SCALER("", "") API("v1.apps"), MISSING("none")},
        {"not all of the APIs are shown",
         SCALER(METRICS("Resource"), "") API("v1.route.openshift.io"), MISSING("none")},
        {"no APIs are shown", SCALER(METRICS("Resource"), ""), MISSING("none")},
        {"it works all the same",
         SCALER(METRICS("Resource"), "'conditions':[{'type':'ScalingActive','status':'True'}]")
             API("v1.apps"),
         MISSING("pass")},
        {"no autoscaler", API("v1.apps"), MISSING("none")},
    };
#undef MISSING
    (void)state;
    ROWS(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(load_balancers),
        cmocka_unit_test(claims),
        cmocka_unit_test(node_problems),
        cmocka_unit_test(metrics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

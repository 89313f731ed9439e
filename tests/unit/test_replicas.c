/* How many replicas a workload wants and has, by its status and by its pods. */
#include "live.h"
#include "kube/replicas.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define NODE(name, ready)                                                                          \
    "{'apiVersion':'v1','kind':'Node','metadata':{'name':'" name                                   \
    "'},'status':{'conditions':[{'type':'Ready','status':'" ready "'}]}}"
#define NODES NODE("good", "True") "," NODE("dead", "Unknown")
/* A pod of a controller of that kind called "a". */
#define PART(kind, name, node, status) PART_OF("apps/v1", kind, name, node, status)
#define PART_OF(version, kind, name, node, status)                                                 \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'" name                                    \
    "','namespace':'shop','ownerReferences':[{'apiVersion':'" version "','kind':'" kind            \
    "','name':'a','controller':true}]},'spec':{'nodeName':'" node                                  \
    "','containers':[{'name':'c'}]},'status':{" status "}}"
/* A pod that should have gone an hour ago, of a StatefulSet called "a". */
#define LEAVING(name, spec)                                                                        \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'" name                                    \
    "','namespace':'shop','deletionTimestamp':'2026-03-17T11:00:00Z','ownerReferences':"           \
    "[{'apiVersion':'apps/v1','kind':'StatefulSet','name':'a','controller':true}]},'spec':{" spec  \
    "'containers':[{'name':'c'}]},'status':{" DOWN_POD "}}"
#define IS(type, status) "'conditions':[{'type':'" type "','status':'" status "'}]"
#define UP_POD           "'phase':'Running'," IS("Ready", "True")
#define DOWN_POD         "'phase':'Running'," IS("Ready", "False")
#define BATCH(kind, spec, status)                                                                  \
    "{'apiVersion':'batch/v1','kind':'" kind "','metadata':{'name':'a','namespace':'shop'},"       \
    "'spec':{" spec "},'status':{" status "}}"
#define REPLICA_SET(status) CONTROLLER("ReplicaSet", "", "'replicas':2,", "'replicas':2" status)

/* expected: counts, current, wanted, available, pods, ready, stranded, leaving.
 * missing: the share that does not serve, in hundredths. */
static const struct row {
    const char *name, *document, *resource;
    struct replicas expected;
    int missing;
    bool stranded;
} rows[] = {
    /* Deployments */
    {"all there",
     DEPLOY("'replicas':2,", "'availableReplicas':2"),
     "deployment/a",
     {true, true, 2, 2, 0, 0, 0, false},
     0,
     false},
    {"one of two",
     DEPLOY("'replicas':2,", "'availableReplicas':1"),
     "deployment/a",
     {true, true, 2, 1, 0, 0, 0, false},
     50,
     false},
    {"none: the API leaves out zeros",
     DEPLOY("'replicas':2,", "'replicas':2"),
     "deployment/a",
     {true, true, 2, 0, 0, 0, 0, false},
     100,
     false},
    {"ready, and not available for long enough",
     DEPLOY("'replicas':2,", "'readyReplicas':2,'availableReplicas':1"),
     "deployment/a",
     {true, true, 2, 1, 0, 0, 0, false},
     50,
     false},
    {"a status that does not tell of availability",
     DEPLOY("'replicas':2,", "'readyReplicas':2"),
     "deployment/a",
     {true, true, 2, 2, 0, 0, 0, false},
     0,
     false},
    {"more than wanted",
     DEPLOY("'replicas':2,", "'availableReplicas':3"),
     "deployment/a",
     {true, true, 2, 3, 0, 0, 0, false},
     0,
     false},
    {"replicas left out are one",
     DEPLOY("", "'availableReplicas':1"),
     "deployment/a",
     {true, true, 1, 1, 0, 0, 0, false},
     0,
     false},
    {"a negative number",
     DEPLOY("'replicas':2,", "'availableReplicas':-1"),
     "deployment/a",
     {true, true, 2, 0, 0, 0, 0, false},
     100,
     false},
    {"scaled to zero",
     DEPLOY("'replicas':0,", "'replicas':1"),
     "deployment/a",
     {false, true, 0, 0, 0, 0, 0, false},
     0,
     false},
    {"a manifest",
     CONTROLLER("Deployment", "", "'replicas':2,", ""),
     "deployment/a",
     {true, false, 2, 0, 0, 0, 0, false},
     0,
     false},
    {"a status older than its spec",
     CONTROLLER("Deployment", "'generation':3,", "'replicas':2,",
                "'observedGeneration':2,'replicas':2"),
     "deployment/a",
     {true, false, 2, 0, 0, 0, 0, false},
     0,
     false},
    {"... its pods tell, then",
     DOCUMENT(CONTROLLER(
         "Deployment", "'generation':3,", "'replicas':2,",
         "'observedGeneration':2,'replicas':2,'availableReplicas':2") "," PART("Deployment", "p",
                                                                               "good",
                                                                               DOWN_POD) "," PART("Deployment",
                                                                                                  "q",
                                                                                                  "good",
                                                                                                  UP_POD)),
     "deployment/a",
     {true, false, 2, 2, 2, 1, 0, false},
     50,
     false},
    {"pods say less than the status",
     DOCUMENT(DEPLOY("'replicas':2,", "'availableReplicas':2") "," PART(
         "Deployment", "p", "good", DOWN_POD) "," PART("Deployment", "q", "good", DOWN_POD)),
     "deployment/a",
     {true, true, 2, 2, 2, 0, 0, false},
     100,
     false},
    {"... as long as one is ready, the status counts",
     DOCUMENT(DEPLOY("'replicas':2,", "'availableReplicas':2") "," PART(
         "Deployment", "p", "good", UP_POD) "," PART("Deployment", "q", "good", DOWN_POD)),
     "deployment/a",
     {true, true, 2, 2, 2, 1, 0, false},
     0,
     false},
    {"pods say more than the status: one that others do not see",
     DOCUMENT(DEPLOY("'replicas':2,", "'availableReplicas':0") "," PART("Deployment", "p", "good",
                                                                        UP_POD)),
     "deployment/a",
     {true, true, 2, 0, 1, 1, 0, false},
     100,
     false},
    {"pods that ended or are being deleted do not count",
     DOCUMENT(DEPLOY("'replicas':1,", "'availableReplicas':1") "," PART(
         "Deployment", "p", "good",
         "'phase':'Failed','reason':'Evicted'") "," PART("Deployment", "q", "good",
                                                         "'phase':'Succeeded'") ","
                                                                                "{'apiVersion':'v1'"
                                                                                ",'kind':'Pod','"
                                                                                "metadata':{'name':"
                                                                                "'r','namespace':'"
                                                                                "shop',"
                                                                                "'deletionTimestamp"
                                                                                "':'2026-03-17T11:"
                                                                                "00:00Z','"
                                                                                "ownerReferences':["
                                                                                "{'apiVersion':"
                                                                                "'apps/"
                                                                                "v1','kind':'"
                                                                                "Deployment','name'"
                                                                                ":'a','controller':"
                                                                                "true}]},'status':"
                                                                                "{" DOWN_POD "}}"),
     "deployment/a",
     {true, true, 1, 1, 0, 0, 0, false},
     0,
     false},

    /* nodes that are not ready */
    {"one of two is on a dead node, the other serves",
     DOCUMENT(NODES "," DEPLOY("'replicas':2,", "'availableReplicas':1") "," PART(
         "Deployment", "p", "dead", DOWN_POD) "," PART("Deployment", "q", "good", UP_POD)),
     "deployment/a",
     {true, true, 2, 1, 2, 1, 1, false},
     0,
     true},
    {"both are",
     DOCUMENT(NODES "," DEPLOY("'replicas':2,", "'replicas':2") "," PART(
         "Deployment", "p", "dead", DOWN_POD) "," PART("Deployment", "q", "dead", DOWN_POD)),
     "deployment/a",
     {true, true, 2, 0, 2, 0, 2, false},
     100,
     true},
    {"one is, and the other fails by itself",
     DOCUMENT(NODES "," DEPLOY("'replicas':2,", "'replicas':2") "," PART(
         "Deployment", "p", "dead", DOWN_POD) "," PART("Deployment", "q", "good", DOWN_POD)),
     "deployment/a",
     {true, true, 2, 0, 2, 0, 1, false},
     100,
     false},
    {"of three, one is, one fails, one serves",
     DOCUMENT(NODES "," DEPLOY("'replicas':3,", "'availableReplicas':1") "," PART(
         "Deployment", "p", "dead", DOWN_POD) "," PART("Deployment", "q", "good",
                                                       DOWN_POD) "," PART("Deployment", "r", "good",
                                                                          UP_POD)),
     "deployment/a",
     {true, true, 3, 1, 3, 1, 1, false},
     50,
     false},
    {"nobody looked at it since: still said to be ready",
     DOCUMENT(NODES "," DEPLOY("'replicas':1,", "'availableReplicas':1") "," PART("Deployment", "p",
                                                                                  "dead", UP_POD)),
     "deployment/a",
     {true, true, 1, 1, 1, 1, 0, false},
     0,
     false},
    {"... and its death explains none of those that are missing besides",
     DOCUMENT(NODES "," DEPLOY("'replicas':4,", "'availableReplicas':2") "," PART("Deployment", "p",
                                                                                  "dead", UP_POD)),
     "deployment/a",
     {true, true, 4, 2, 1, 1, 0, false},
     50,
     false},

    /* the other controllers */
    {"a StatefulSet counts who is ready",
     CONTROLLER("StatefulSet", "", "'replicas':3,", "'replicas':3,'readyReplicas':2"),
     "statefulset/a",
     {true, true, 3, 2, 0, 0, 0, false},
     33,
     false},
    {"a ReplicaSet",
     REPLICA_SET(",'readyReplicas':2,'availableReplicas':1"),
     "replicaset/a",
     {true, true, 2, 1, 0, 0, 0, false},
     50,
     false},
    {"a ReplicaSet of an old API",
     REPLICA_SET(",'readyReplicas':2"),
     "replicaset/a",
     {true, true, 2, 2, 0, 0, 0, false},
     0,
     false},
    {"a DaemonSet",
     CONTROLLER("DaemonSet", "", "",
                "'desiredNumberScheduled':4,'numberAvailable':3,'numberReady':"
                "3,'numberUnavailable':1"),
     "daemonset/a",
     {true, true, 4, 3, 0, 0, 0, false},
     25,
     false},
    {"... that tells of numberReady alone",
     CONTROLLER("DaemonSet", "", "", "'desiredNumberScheduled':4,'numberReady':4"),
     "daemonset/a",
     {true, true, 4, 4, 0, 0, 0, false},
     0,
     false},
    {"... of which all are unavailable",
     CONTROLLER("DaemonSet", "", "", "'desiredNumberScheduled':4,'numberUnavailable':4"),
     "daemonset/a",
     {true, true, 4, 0, 0, 0, 0, false},
     100,
     false},
    {"... for which there is no node",
     CONTROLLER("DaemonSet", "", "", "'desiredNumberScheduled':0,'observedGeneration':1"),
     "daemonset/a",
     {false, true, 0, 0, 0, 0, 0, false},
     0,
     false},
    {"... that nobody has looked at yet, although it has a pod",
     DOCUMENT(CONTROLLER("DaemonSet", "'generation':1,", "", "'desiredNumberScheduled':0") "," PART(
         "DaemonSet", "p", "good", DOWN_POD)),
     "daemonset/a",
     {true, false, 0, 0, 1, 0, 0, false},
     100,
     false},
    {"... that has neither a status nor a pod",
     CONTROLLER("DaemonSet", "", "", ""),
     "daemonset/a",
     {false, false, 0, 0, 0, 0, 0, false},
     0,
     false},
    {"... with an agent on the dead node",
     DOCUMENT(NODES "," CONTROLLER(
         "DaemonSet", "", "",
         "'desiredNumberScheduled':2,'numberAvailable':1,"
         "'numberReady':1,'numberUnavailable':1") "," PART("DaemonSet", "p", "dead",
                                                           DOWN_POD) "," PART("DaemonSet", "q",
                                                                              "good", UP_POD)),
     "daemonset/a",
     {true, true, 2, 1, 2, 1, 1, false},
     0,
     true},

    /* Jobs and CronJobs: there is one, and it works until a check says otherwise */
    {"a Job at work",
     BATCH("Job", "", "'active':1"),
     "job/a",
     {true, true, 1, 1, 0, 0, 0, false},
     0,
     false},
    {"a Job that failed",
     BATCH("Job", "", "'failed':1," IS("Failed", "True")),
     "job/a",
     {true, true, 1, 1, 0, 0, 0, false},
     0,
     false},
    {"a Job that is through",
     BATCH("Job", "", "'succeeded':1," IS("Complete", "True")),
     "job/a",
     {false, true, 0, 1, 0, 0, 0, false},
     0,
     false},
    {"... and says so by a number only",
     BATCH("Job", "", "'succeeded':1"),
     "job/a",
     {false, true, 0, 1, 0, 0, 0, false},
     0,
     false},
    {"... and wants more of them",
     BATCH("Job", "'completions':10", "'succeeded':1,'active':3"),
     "job/a",
     {true, true, 1, 1, 0, 0, 0, false},
     0,
     false},
    {"... of all that it wants",
     BATCH("Job", "'completions':10", "'succeeded':10"),
     "job/a",
     {false, true, 0, 1, 0, 0, 0, false},
     0,
     false},
    {"a Job that failed after some pods succeeded",
     BATCH("Job", "'completions':3", "'succeeded':1," IS("Failed", "True")),
     "job/a",
     {true, true, 1, 1, 0, 0, 0, false},
     0,
     false},
    {"a suspended Job",
     BATCH("Job", "'suspend':true", ""),
     "job/a",
     {false, true, 0, 1, 0, 0, 0, false},
     0,
     false},
    {"a CronJob",
     BATCH("CronJob", "'schedule':'* * * * *'", ""),
     "cronjob/a",
     {true, true, 1, 1, 0, 0, 0, false},
     0,
     false},
    {"a suspended CronJob",
     BATCH("CronJob", "'suspend':true", ""),
     "cronjob/a",
     {false, true, 0, 1, 0, 0, 0, false},
     0,
     false},
    {"the pod of a Job that waits",
     DOCUMENT(BATCH("Job", "", "'active':1") "," PART_OF("batch/v1", "Job", "p", "good", DOWN_POD)),
     "job/a",
     {true, true, 1, 1, 1, 0, 0, false},
     100,
     false},

    /* pods */
    {"a pod", LIVE("", "", UP_POD), "pod/a", {true, false, 0, 0, 1, 1, 0, false}, 0, false},
    {"a pod that is not ready",
     LIVE("", "", DOWN_POD),
     "pod/a",
     {true, false, 0, 0, 1, 0, 0, false},
     100,
     false},
    {"a pod that ended",
     LIVE("", "", "'phase':'Succeeded'"),
     "pod/a",
     {false, false, 0, 0, 0, 0, 0, false},
     0,
     false},
    {"a pod's manifest",
     POD("'containers':[]"),
     "pod/a",
     {false, false, 0, 0, 0, 0, 0, false},
     0,
     false},
    {"a pod on the dead node",
     DOCUMENT(NODES "," LIVE("", "'nodeName':'dead',", DOWN_POD)),
     "pod/a",
     {true, false, 0, 0, 1, 0, 1, false},
     100,
     true},
    {"a pod on a node that is not shown",
     LIVE("", "'nodeName':'dead',", DOWN_POD),
     "pod/a",
     {true, false, 0, 0, 1, 0, 0, false},
     100,
     false},

    /* a controller that is known from its pods */
    {"two pods of a DaemonSet that is not shown",
     DOCUMENT(PART("DaemonSet", "p", "good", DOWN_POD) "," PART("DaemonSet", "q", "good", UP_POD)),
     "daemonset/a",
     {true, false, 0, 0, 2, 1, 0, false},
     50,
     false},
    {"... all of which ended",
     DOCUMENT(PART("StatefulSet", "p", "good", "'phase':'Failed'")),
     "statefulset/a",
     {false, false, 0, 0, 0, 0, 0, false},
     0,
     false},
    {"... all of which are being deleted",
     DOCUMENT(NODES "," LEAVING("p", "'nodeName':'good',")),
     "statefulset/a",
     {true, false, 0, 0, 0, 0, 0, true},
     0,
     false},
    {"... since their node is dead",
     DOCUMENT(NODES "," LEAVING("p", "'nodeName':'dead',")),
     "statefulset/a",
     {true, false, 0, 0, 1, 0, 1, true},
     100,
     true},
    {"... although the cluster needs them",
     DOCUMENT(NODES
              "," LEAVING("p", "'nodeName':'good','priorityClassName':'system-cluster-critical',")),
     "statefulset/a",
     {true, false, 0, 0, 1, 0, 0, true},
     100,
     false},
    {"one of which is being deleted",
     DOCUMENT(NODES
              "," LEAVING("p", "'nodeName':'dead',") "," PART("StatefulSet", "q", "good", UP_POD)),
     "statefulset/a",
     {true, false, 0, 0, 1, 1, 0, false},
     0,
     false},
    {"a custom resource's pods are a pod each",
     PART_OF("acid.zalan.do/v1", "Postgres", "p", "good", UP_POD),
     "postgres/a",
     {true, false, 0, 0, 1, 1, 0, false},
     0,
     false},

    /* summary items */
    {"a summary",
     "{'deployments':[{'name':'a','namespace':'shop','replicas':3,"
     "'readyReplicas':1}]}",
     "deployment/a",
     {true, true, 3, 1, 0, 0, 0, false},
     66,
     false},
    {"a summary without a number of replicas",
     "{'deployments':[{'name':'a','namespace':'shop','readyReplicas':1}]}",
     "deployment/a",
     {true, false, 1, 1, 0, 0, 0, false},
     0,
     false},
    {"a pod in a summary",
     "{'pods':[{'name':'a','namespace':'shop','status':'CrashLoopBackOff'}]}",
     "pod/a",
     {true, false, 0, 0, 1, 0, 0, false},
     100,
     false},
    {"... that is completed",
     "{'pods':[{'name':'a','namespace':'shop','status':'Completed'}]}",
     "pod/a",
     {false, false, 0, 0, 0, 0, 0, false},
     0,
     false},
    {"... on a node that the summary says is dead",
     "{'nodes':[{'name':'n','status':'NotReady'}],'pods':[{'name':'a','namespace':'shop','node':'n'"
     ",'status':'Running','ready':false}]}",
     "pod/a",
     {true, false, 0, 0, 1, 0, 1, false},
     100,
     true},
};

static const struct workload *top_called(const struct judgement *judgement, const char *resource)
{
    struct workload **root;
    LIST_EACH (root, judgement->cluster->roots)
        if (str_eq(resource_name(judgement->arena, &(*root)->object), str_of(resource)))
            return *root;
    fail_msg("there is no %s", resource);
    return NULL;
}

static bool same(const struct replicas *x, const struct replicas *y)
{
    return x->counts == y->counts && x->current == y->current && x->wanted == y->wanted &&
           x->available == y->available && x->pods == y->pods && x->ready == y->ready &&
           x->stranded == y->stranded && x->leaving == y->leaving;
}

static void replicas(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct judgement judgement = judgement_open(rows[i].document, NULL);
        struct replicas got = replicas_of(top_called(&judgement, rows[i].resource));
        int missing = (int)(100 * replicas_missing(&got));
        if (!same(&got, &rows[i].expected))
            fail_msg("%s: {%d, %d, %lld, %lld, %u, %u, %u}", rows[i].name, got.counts, got.current,
                     (long long)got.wanted, (long long)got.available, got.pods, got.ready,
                     got.stranded);
        if (missing != rows[i].missing)
            fail_msg("%s: misses %d", rows[i].name, missing);
        assert_int_equal(replicas_are_stranded(&got), rows[i].stranded);
        judgement_close(&judgement);
    }
}

static void who_has_ended(void **state)
{
    (void)state;
    static const struct {
        const char *document, *resource;
        bool ended;
    } table[] = {
        {LIVE("", "", "'phase':'Succeeded'"), "pod/a", true},
        {LIVE("", "", "'phase':'Failed'"), "pod/a", true},
        {LIVE("", "", "'phase':'Running'"), "pod/a", false},
        {LIVE("'deletionTimestamp':'2026-03-17T11:59:00Z',", "", "'phase':'Running'"), "pod/a",
         false},
        {POD("'containers':[]"), "pod/a", false},
        {PART("DaemonSet", "p", "good", "'phase':'Failed'"), "daemonset/a", true},
        {DOCUMENT(PART("DaemonSet", "p", "good",
                       "'phase':'Failed'") "," PART("DaemonSet", "q", "good", "'phase':'Running'")),
         "daemonset/a", false},
        {DOCUMENT(DEPLOY("'replicas':1,", "'replicas':1") "," PART("Deployment", "p", "good",
                                                                   "'phase':'Failed'")),
         "deployment/a", false},
        {DEPLOY("'replicas':0,", "'replicas':0"), "deployment/a", false},
        {BATCH("Job", "", "'succeeded':1"), "job/a", false},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct judgement judgement = judgement_open(table[i].document, NULL);
        if (workload_has_ended(top_called(&judgement, table[i].resource)) != table[i].ended)
            fail_msg("%s", table[i].document);
        judgement_close(&judgement);
    }
}

#define OF_CLASS(class) LIVE("", "'priorityClassName':'" class "',", UP_POD)

static void who_is_critical(void **state)
{
    (void)state;
    static const struct {
        const char *document, *resource;
        bool critical;
    } table[] = {
        {OF_CLASS("system-cluster-critical"), "pod/a", true},
        {OF_CLASS("system-node-critical"), "pod/a", true},
        {OF_CLASS("system-node-critical-not"), "pod/a", false},
        {OF_CLASS("high"), "pod/a", false},
        {LIVE("", "", UP_POD), "pod/a", false},
        {DEPLOYMENT("'priorityClassName':'system-cluster-critical','containers':[]"),
         "deployment/a", true},
        {"{'deployments':[{'name':'a','namespace':'shop'}]}", "deployment/a", false},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct judgement judgement = judgement_open(table[i].document, NULL);
        if (workload_is_critical(top_called(&judgement, table[i].resource)) != table[i].critical)
            fail_msg("%s", table[i].document);
        judgement_close(&judgement);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replicas),
        cmocka_unit_test(who_has_ended),
        cmocka_unit_test(who_is_critical),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

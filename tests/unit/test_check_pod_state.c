#include "live.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define SCHEDULED(status, reason, since)                                                           \
    "'phase':'Pending','conditions':[{'type':'PodScheduled','status':'" status                     \
    "','reason':'" reason                                                                          \
    "','message':'0/3 nodes are available.','lastTransitionTime':'2026-03-17T" since "Z'}]"

static void waits(void **state)
{
    static const struct judge_row rows[] = {
        {"unschedulable", LIVE("", "", SCHEDULED("False", "Unschedulable", "11:57:59")), "pod/a",
         "pod-unschedulable=fail pod-pending=pass"},
        {"for two minutes only", LIVE("", "", SCHEDULED("False", "Unschedulable", "11:58:00")),
         "pod/a", "pod-unschedulable=pass pod-pending=pass"},
        {"gated on purpose",
         LIVE("", "'schedulingGates':[{'name':'g'}],",
              SCHEDULED("False", "SchedulingGated", "10:00:00")),
         "pod/a", "pod-unschedulable=pass pod-pending=pass"},
        {"scheduled, nothing happens",
         LIVE("", "'nodeName':'n',", SCHEDULED("True", "", "11:54:00")), "pod/a",
         "pod-unschedulable=pass pod-pending=fail"},
        {"scheduled a moment ago", LIVE("", "'nodeName':'n',", SCHEDULED("True", "", "11:56:00")),
         "pod/a", "pod-pending=pass"},
        {"no scheduler", LIVE("", "", "'phase':'Pending'"), "pod/a",
         "pod-pending=fail pod-unschedulable=pass"},
        {"no scheduler, gated", LIVE("", "'schedulingGates':[{'name':'g'}],", "'phase':'Pending'"),
         "pod/a", "pod-pending=pass"},
        {"a manifest has no state", POD("'containers':[{'name':'c','image':'x'}]"), "pod/a",
         "pod-unschedulable=none pod-pending=none"},
        {"a summary says unschedulable",
         "{'pods':[{'name':'a','namespace':'shop','status':'Pending','reason':'Unschedulable'}]}",
         "pod/a", "pod-unschedulable=fail"},
        {"a summary without times",
         "{'pods':[{'name':'a','namespace':'shop','status':'Pending','node':'n'}]}", "pod/a",
         "pod-pending=none"},
    };
    (void)state;
    ROWS(rows);
}

#define PROBED                                                                                     \
    "'containers':[{'name':'d','readinessProbe':{'initialDelaySeconds':120,'tcpSocket':{'port':1}" \
    "}}],"
static void readiness(void **state)
{
    static const struct judge_row rows[] = {
        {"not ready for a while", LIVE("", "", READY("False", "11:58:59", "")), "pod/a",
         "pod-not-ready=fail"},
        {"not ready for a minute", LIVE("", "", READY("False", "11:59:00", "")), "pod/a",
         "pod-not-ready=pass"},
        {"the initial delay is waited for",
         "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'a','namespace':'shop'},'spec':"
         "{" PROBED "'nodeName':'n'},'status':{" READY("False", "11:57:30", "") "}}",
         "pod/a", "pod-not-ready=pass"},
        {"and then no longer",
         "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'a','namespace':'shop'},'spec':"
         "{" PROBED "'nodeName':'n'},'status':{" READY("False", "11:56:59", "") "}}",
         "pod/a", "pod-not-ready=fail"},
        {"ready", LIVE("", "", READY("True", "10:00:00", "")), "pod/a", "pod-not-ready=pass"},
        {"completed", LIVE("", "", READY("False", "10:00:00", ",'reason':'PodCompleted'")), "pod/a",
         "pod-not-ready=pass"},
        {"the node is gone, not the pod",
         DOCUMENT(LIVE("", "'nodeName':'n',", READY("False", "11:00:00", "")) "," LOST_NODE),
         "pod/a", "pod-not-ready=none pod-pending=none pod-status-unknown=none"},
        {"its node does not tell its state",
         DOCUMENT(LIVE("", "'nodeName':'n',", READY("False", "11:00:00", "")) ",{'apiVersion':'v1',"
                                                                              "'kind':'Node','metad"
                                                                              "ata':{'name':'n'}}"),
         "pod/a", "pod-not-ready=fail"},
        {"a summary says it is not",
         "{'pods':[{'name':'a','namespace':'shop','phase':'Running','ready':false}]}", "pod/a",
         "pod-not-ready=fail"},
        {"phase Unknown", LIVE("", "", "'phase':'Unknown'"), "pod/a",
         "pod-status-unknown=fail pod-not-ready=pass"},
        {"node lost", LIVE("", "", READY("False", "11:00:00", ",'reason':'NodeLost'")), "pod/a",
         "pod-status-unknown=fail"},
        {"container status unknown",
         RUNNING(CONTAINER(
             "'state':" ENDED("ContainerStatusUnknown", "137", "17T10:00:00", "17T11:00:00"))),
         "pod/a", "pod-status-unknown=fail"},
        {"known", LIVE("", "", READY("True", "10:00:00", "")), "pod/a", "pod-status-unknown=pass"},
    };
    (void)state;
    ROWS(rows);
}

#define OF_BATCH                                                                                   \
    "'ownerReferences':[{'apiVersion':'batch/v1','kind':'Job','name':'o','uid':'u','controller':"  \
    "true}],"

static void ends(void **state)
{
    static const struct judge_row rows[] = {
        {"a pod of its own", LIVE("", "", "'phase':'Failed'"), "pod/a", "pod-failed=fail"},
        {"of a Job that is not in the snapshot", LIVE(OWNED("Job"), "", "'phase':'Failed'"),
         "job/o", "pod-failed=fail"},
        {"of one that got there with another pod",
         DOCUMENT(LIVE(
             OWNED("Job"), "",
             "'phase':'Failed'") ",{'apiVersion':'v1','kind':'Pod',"
                                 "'metadata':{" OWNED(
                                     "Job") "'name':'b','namespace':'shop','uid':'2'},'status':{"
                                            "'phase':'Succeeded'}}"),
         "job/o", "pod-failed=none"},
        {"of a Job that tells itself",
         DOCUMENT(LIVE(OF_BATCH, "",
                       "'phase':'Failed'") ",{'apiVersion':'batch/v1','kind':"
                                           "'Job','metadata':{'name':'o','namespace':'shop','uid':'"
                                           "u'},'status':{'failed':1,"
                                           "'conditions':[{'type':'Failed','status':'True'}]}}"),
         "job/o", "pod-failed=none job-failed=fail"},
        {"of a Job that tells itself, by a reference without the mark",
         DOCUMENT(LIVE("'ownerReferences':[{'apiVersion':'batch/v1','kind':'Job','name':'o'}],", "",
                       "'phase':'Failed'") ",{'apiVersion':'batch/v1','kind':"
                                           "'Job','metadata':{'name':'o','namespace':'shop','uid':'"
                                           "u'},'status':{'failed':1}}"),
         "job/o", "pod-failed=none"},
        {"of a Job that does not control it",
         DOCUMENT(LIVE("'ownerReferences':[{'apiVersion':'batch/v1','kind':'Job','name':'o',"
                       "'controller':false}],",
                       "", "'phase':'Failed'")),
         "pod/a", "pod-failed=fail"},
        {"evicted, replaced by its set",
         LIVE(OWNED("ReplicaSet"), "", "'phase':'Failed','reason':'Evicted'"), "replicaset/o",
         "pod-failed=fail"},
        {"running", LIVE("", "", "'phase':'Running'"), "pod/a", "pod-failed=pass"},
        {"a summary", "{'pods':[{'name':'a','namespace':'shop','status':'Evicted'}]}", "pod/a",
         "pod-failed=fail"},
        {"a summary of an error", "{'pods':[{'name':'a','namespace':'shop','status':'Error'}]}",
         "pod/a", "pod-failed=fail"},
        {"a summary of an end",
         "{'pods':[{'name':'a','namespace':'shop','status':'Completed','restarts':30}]}", "pod/a",
         "container-restarts-high=none"},
        {"a summary of a departure",
         "{'pods':[{'name':'a','namespace':'shop','status':'Terminating','restarts':30}]}", "pod/a",
         "pod-failed=none container-restarts-high=none"},
    };
    (void)state;
    ROWS(rows);
}

static void leaves(void **state)
{
    static const struct judge_row rows[] = {
        {"stuck on its way out",
         LIVE("'deletionTimestamp':'2026-03-17T11:54:29Z','deletionGracePeriodSeconds':30,", "",
              "'phase':'Running'"),
         "pod/a", "pod-stuck-terminating=fail pod-failed=none"},
        {"its grace period and five minutes are over just now",
         LIVE("'deletionTimestamp':'2026-03-17T11:54:30Z','deletionGracePeriodSeconds':30,", "",
              "'phase':'Running'"),
         "pod/a", "pod-stuck-terminating=pass"},
        {"a grace period that is not told",
         LIVE("'deletionTimestamp':'2026-03-17T11:54:29Z',", "", "'phase':'Running'"), "pod/a",
         "pod-stuck-terminating=fail"},
        {"no phase", LIVE("'deletionTimestamp':'2026-03-17T11:00:00Z',", "", ""), "pod/a",
         "pod-stuck-terminating=fail"},
        {"neither", LIVE("", "", ""), "pod/a", "pod-stuck-terminating=none"},
        {"an hour of grace",
         LIVE("'deletionTimestamp':'2026-03-17T10:55:00Z','deletionGracePeriodSeconds':3600,", "",
              "'phase':'Running'"),
         "pod/a", "pod-stuck-terminating=pass"},
        {"an hour of grace, and more",
         LIVE("'deletionTimestamp':'2026-03-17T10:54:59Z','deletionGracePeriodSeconds':3600,", "",
              "'phase':'Running'"),
         "pod/a", "pod-stuck-terminating=fail"},
        {"and not before",
         LIVE("'deletionTimestamp':'2026-03-17T12:30:00Z','deletionGracePeriodSeconds':3600,", "",
              "'phase':'Running'"),
         "pod/a", "pod-stuck-terminating=pass"},
        {"forced",
         LIVE("'deletionTimestamp':'2026-03-17T11:54:59Z','deletionGracePeriodSeconds':0,", "",
              "'phase':'Running'"),
         "pod/a", "pod-stuck-terminating=fail"},
        {"the node is gone",
         DOCUMENT(LIVE("'deletionTimestamp':'2026-03-17T11:00:00Z',", "'nodeName':'n',",
                       "'phase':'Running'") "," LOST_NODE),
         "pod/a", "pod-stuck-terminating=none"},
    };
    (void)state;
    ROWS(rows);
}

static void an_eviction_weighs_less(void **state)
{
    static const struct {
        const char *document, *resource;
        enum severity severity;
    } rows[] = {
        {LIVE(OWNED("ReplicaSet"), "", "'phase':'Failed','reason':'Evicted'"), "replicaset/o",
         SEVERITY_LOW},
        {LIVE(OWNED("ReplicaSet"), "", "'phase':'Failed','reason':'Error'"), "replicaset/o",
         SEVERITY_MEDIUM},
        {LIVE(OWNED("ReplicaSet"), "", "'phase':'Failed','reason':'NodePorts'"), "replicaset/o",
         SEVERITY_LOW},
        {LIVE(OWNED("ReplicaSet"), "", "'phase':'Failed','reason':'OutOfephemeral-storage'"),
         "replicaset/o", SEVERITY_LOW},
        {LIVE(OWNED("ReplicaSet"), "",
              "'phase':'Failed','conditions':[{'type':'DisruptionTarget','status':'True',"
              "'reason':'PreemptionByScheduler'}]"),
         "replicaset/o", SEVERITY_LOW},
        {LIVE(OWNED("ReplicaSet"), "",
              "'phase':'Failed','conditions':[{'type':'DisruptionTarget','status':'False'}]"),
         "replicaset/o", SEVERITY_MEDIUM},
        {LIVE("", "", "'phase':'Failed','reason':'Evicted'"), "pod/a", SEVERITY_MEDIUM},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct judgement judgement = judgement_open(rows[i].document, NULL);
        const struct risk *risk = judgement_risk(&judgement, "pod-failed", rows[i].resource);
        assert_non_null(risk);
        assert_int_equal(risk->severity, rows[i].severity);
        judgement_close(&judgement);
    }
}

static void pod_events(void **state)
{
    static const struct judge_row rows[] = {
        {"three failures",
         DOCUMENT(LIVE("", "", "'phase':'Running'") "," WARNING("Pod", "a", "Unhealthy", "3",
                                                                "11:50:00")),
         "pod/a", "probe-failing=fail"},
        {"before it became ready",
         DOCUMENT(LIVE("", "", READY("True", "11:50:01", "")) "," WARNING("Pod", "a", "Unhealthy",
                                                                          "3", "11:50:00")),
         "pod/a", "probe-failing=pass"},
        {"though it is ready",
         DOCUMENT(LIVE("", "", READY("True", "11:49:59", "")) "," WARNING("Pod", "a", "Unhealthy",
                                                                          "3", "11:50:00")),
         "pod/a", "probe-failing=fail"},
        {"two failures",
         DOCUMENT(LIVE("", "", "'phase':'Running'") "," WARNING("Pod", "a", "Unhealthy", "2",
                                                                "11:50:00")),
         "pod/a", "probe-failing=pass"},
        {"more than an hour ago",
         DOCUMENT(LIVE("", "", "'phase':'Running'") "," WARNING("Pod", "a", "Unhealthy", "30",
                                                                "10:59:59")),
         "pod/a", "probe-failing=pass"},
        {"another pod's",
         DOCUMENT(LIVE("", "", "'phase':'Running'") "," WARNING("Pod", "b", "Unhealthy", "30",
                                                                "11:50:00")),
         "pod/a", "probe-failing=pass"},
        {"of the pod that had the name before",
         DOCUMENT(LIVE("", "", "'phase':'Running'") "," EVENT(
             "Pod", "a", "x") "'type':'Warning','reason':'Unhealthy','count':9,'lastTimestamp':'"
                              "2026-03-17T09:59:00Z'}"),
         "pod/a", "probe-failing=pass"},
        {"a normal event",
         DOCUMENT(LIVE("", "", "'phase':'Running'") "," EVENT(
             "Pod", "a", "x") "'type':'Normal','reason':'Unhealthy','count':9,'lastTimestamp':'"
                              "2026-03-17T11:59:00Z'}"),
         "pod/a", "probe-failing=pass"},
        {"a series of the new API",
         DOCUMENT(LIVE(
             "", "",
             "'phase':'Running'") ",{'apiVersion':'events.k8s.io/"
                                  "v1','kind':'Event','metadata':{'name':'e','namespace':'shop','"
                                  "uid':'e'},'regarding':{'kind':'Pod','namespace':'shop','name':'"
                                  "a'},'type':'Warning','reason':'Unhealthy','note':'m','eventTime'"
                                  ":'2026-03-17T11:00:00.000000Z','series':{'count':3,'"
                                  "lastObservedTime':'2026-03-17T11:58:00.000000Z'}}"),
         "pod/a", "probe-failing=fail"},
        {"the same event from both APIs",
         DOCUMENT(LIVE("", "", "'phase':'Running'") "," WARNING(
             "Pod", "a", "Unhealthy", "2",
             "11:50:00") ",{'apiVersion':'events.k8s.io/"
                         "v1','kind':'Event','metadata':{'name':'a.Unhealthy211:50:00','namespace':"
                         "'shop','uid':'"
                         "aUnhealthy211:50:00'},'regarding':{'kind':'Pod','namespace':'shop','name'"
                         ":'a'},'type':'Warning','reason':'Unhealthy','deprecatedCount':2,'"
                         "deprecatedLastTimestamp':'2026-03-17T11:50:00Z'}"),
         "pod/a", "probe-failing=pass"},
        {"no events in the snapshot", LIVE("", "", "'phase':'Running'"), "pod/a",
         "probe-failing=none volume-mount-failure=none warning-event-storm=none"},
    };
    (void)state;
    ROWS(rows);
}

static void mounts_and_storms(void **state)
{
    static const struct judge_row rows[] = {
        {"cannot be mounted",
         DOCUMENT(LIVE("", "", "'phase':'Pending'") "," WARNING("Pod", "a", "FailedMount", "1",
                                                                "11:50:00")),
         "pod/a", "volume-mount-failure=fail"},
        {"cannot be attached",
         DOCUMENT(LIVE("", "", "'phase':'Pending'") "," WARNING("Pod", "a", "FailedAttachVolume",
                                                                "1", "11:50:00")),
         "pod/a", "volume-mount-failure=fail"},
        {"was mounted in the end",
         DOCUMENT(LIVE("", "", READY("True", "11:51:00", "")) "," WARNING("Pod", "a", "FailedMount",
                                                                          "4", "11:50:00")),
         "pod/a", "volume-mount-failure=pass"},
        {"of no type: the reason tells",
         DOCUMENT(LIVE("", "", "'phase':'Pending'") "," EVENT(
             "Pod", "a", "x") "'reason':'FailedMount','lastTimestamp':'2026-03-17T11:50:00Z'}"),
         "pod/a", "volume-mount-failure=fail"},
        {"about a pod of its own namespace, which it does not repeat",
         DOCUMENT(LIVE("", "",
                       "'phase':'Pending'") ",{'apiVersion':'v1','kind':'Event','metadata':{'name':"
                                            "'e','namespace':'shop'},'involvedObject':{'kind':'Pod'"
                                            ",'name':'a'},'type':'Warning','reason':'FailedMount',"
                                            "'lastTimestamp':'2026-03-17T11:50:00Z'}"),
         "pod/a", "volume-mount-failure=fail"},
        {"a storm of no type",
         DOCUMENT(LIVE("", "", "'phase':'Running'") "," EVENT(
             "Pod", "a", "x") "'reason':'BackOff','count':51,'lastTimestamp':'"
                              "2026-03-17T11:50:00Z'}"),
         "pod/a", "warning-event-storm=pass"},
        {"about an ingress",
         DOCUMENT(
             "{'apiVersion':'networking.k8s.io/v1','kind':'Ingress','metadata':{'name':'a','"
             "namespace':'shop'},'spec':{}}," WARNING("Ingress", "a", "Sync", "51", "11:50:00")),
         "ingress/a", "warning-event-storm=fail"},
        {"a storm",
         DOCUMENT(LIVE("", "", "'phase':'Running'") "," WARNING("Pod", "a", "BackOff", "51",
                                                                "11:50:00")),
         "pod/a", "warning-event-storm=fail"},
        {"a breeze",
         DOCUMENT(LIVE("", "", "'phase':'Running'") "," WARNING("Pod", "a", "BackOff", "50",
                                                                "11:50:00")),
         "pod/a", "warning-event-storm=pass"},
        {"a storm in parts",
         DOCUMENT(LIVE("", "", "'phase':'Running'") "," WARNING(
             "Pod", "a", "BackOff", "30", "11:50:00") "," WARNING("Pod", "a", "Failed", "30",
                                                                  "11:51:00")),
         "pod/a", "warning-event-storm=fail"},
        {"many over days",
         DOCUMENT(LIVE("", "", "'phase':'Running'") "," EVENT(
             "Pod", "a", "x") "'type':'Warning','reason':'BackOff','count':90,'firstTimestamp':'"
                              "2026-03-07T11:00:00Z','lastTimestamp':'2026-03-17T11:59:00Z'}"),
         "pod/a", "warning-event-storm=pass"},
        {"about a claim",
         DOCUMENT("{'apiVersion':'v1','kind':'PersistentVolumeClaim','metadata':{'name':'a','"
                  "namespace':'shop'},'status':{'phase':'Bound'}}," WARNING(
                      "PersistentVolumeClaim", "a", "ProvisioningFailed", "60", "11:50:00")),
         "persistentvolumeclaim/a", "warning-event-storm=fail"},
    };
    (void)state;
    ROWS(rows);
}

static void says_why(void **state)
{
    static const struct {
        const char *document, *check, *resource, *message;
    } rows[] = {
        {LIVE("", "",
              "'phase':'Failed','containerStatuses':[" CONTAINER("'restartCount':0,'state':" ENDED(
                  "Error", "42", "17T10:00:00", "17T11:48:00")) "]"),
         "pod-failed", "pod/a",
         "Pod a has failed: Failed, container c ended with exit code 42 (Error)."},
        {LIVE(OWNED("Job"), "",
              "'phase':'Failed','containerStatuses':[" CONTAINER("'state':{'terminated':{"
                                                                 "'exitCode':42}}") "]"),
         "pod-failed", "job/o", "Pod a has failed: Failed, container c ended with exit code 42."},
        {RUNNING(CONTAINER("'state':{'waiting':{'reason':'ImagePullBackOff','message':'Back-off "
                           "pulling image \\'shop/c:1\\': ErrImagePull: manifest unknown'}}")),
         "image-pull-failure", "pod/a",
         "Container c of pod a cannot get shop/c:1: ImagePullBackOff, Back-off pulling image "
         "\"shop/c:1\": ErrImagePull: manifest unknown."},
        {DOCUMENT(RUNNING(CONTAINER(
             "'state':{'waiting':{'reason':'ImagePullBackOff','message':"
             "'Back-off pulling image'}}")) "," EVENT("Pod", "a",
                                                      "x") "'type':'Warning','reason':'Failed','"
                                                           "lastTimestamp':'2026-03-17T11:59:00Z',"
                                                           "'message':'Failed to pull image: not "
                                                           "found'}"),
         "image-pull-failure", "pod/a",
         "Container c of pod a cannot get shop/c:1: ImagePullBackOff, Failed to pull image: not "
         "found."},
        {DOCUMENT(RUNNING(CONTAINER(WAITING("ErrImagePull"))) "," EVENT(
             "Pod", "a",
             "x") "'type':'Warning','reason':'Failed','lastTimestamp':'2026-03-17T11:59:00Z',"
                  "'message':'Error: ImagePullBackOff'}"),
         "image-pull-failure", "pod/a", "Container c of pod a cannot get shop/c:1: ErrImagePull."},
        {RUNNING(CONTAINER("'state':{'waiting':{'reason':'CreateContainerConfigError','message':"
                           "'configmap \\'m\\' not found'}}")),
         "container-config-error", "pod/a",
         "Container c of pod a cannot start: CreateContainerConfigError, configmap \"m\" not "
         "found."},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct judgement judgement = judgement_open(rows[i].document, NULL);
        const struct risk *risk = judgement_risk(&judgement, rows[i].check, rows[i].resource);
        if (!risk || !str_eq(risk->message, str_of(rows[i].message)))
            fail_msg("%s: %" STR_FMT, rows[i].message,
                     STR_ARG(risk ? risk->message : STR("nothing")));
        judgement_close(&judgement);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waits),      cmocka_unit_test(readiness),
        cmocka_unit_test(ends),       cmocka_unit_test(leaves),
        cmocka_unit_test(says_why),   cmocka_unit_test(an_eviction_weighs_less),
        cmocka_unit_test(pod_events), cmocka_unit_test(mounts_and_storms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "live.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define AVAILABLE(status)                                                                          \
    "'conditions':[{'type':'Available','status':'" status                                          \
    "','lastTransitionTime':'2026-03-17T11:00:00Z'}]"

static void deployments(void **state)
{
    static const struct judge_row rows[] = {
        {"none available", DEPLOY("'replicas':3,", "'replicas':3,'unavailableReplicas':3"),
         "deployment/a", "deployment-unavailable=fail"},
        {"as the condition says",
         DEPLOY("'replicas':3,", "'replicas':3,'availableReplicas':2," AVAILABLE("False")),
         "deployment/a", "deployment-unavailable=fail"},
        {"all there",
         DEPLOY("'replicas':3,", "'replicas':3,'availableReplicas':3," AVAILABLE("True")),
         "deployment/a", "deployment-unavailable=pass"},
        {"a quarter of four may be missing",
         DEPLOY("'replicas':4,", "'replicas':4,'availableReplicas':3"), "deployment/a",
         "deployment-unavailable=pass"},
        {"a quarter of three is none",
         DEPLOY("'replicas':3,", "'replicas':3,'availableReplicas':2"), "deployment/a",
         "deployment-unavailable=fail"},
        {"two may be missing",
         DEPLOY("'replicas':3,'strategy':{'type':'RollingUpdate','rollingUpdate':{'maxUnavailable':"
                "2}},",
                "'replicas':3,'availableReplicas':1"),
         "deployment/a", "deployment-unavailable=pass"},
        {"neither surge nor missing counts as one missing",
         DEPLOY("'replicas':3,'strategy':{'rollingUpdate':{'maxUnavailable':0,'maxSurge':0}},",
                "'replicas':3,'availableReplicas':2"),
         "deployment/a", "deployment-unavailable=pass"},
        {"Recreate forgives nothing",
         DEPLOY("'replicas':4,'strategy':{'type':'Recreate'},",
                "'replicas':4,'availableReplicas':3"),
         "deployment/a", "deployment-unavailable=fail"},
        {"a surge",
         DEPLOY("'replicas':3,", "'replicas':4,'updatedReplicas':1,'availableReplicas':3"),
         "deployment/a", "deployment-unavailable=pass"},
        {"scaled to nothing", DEPLOY("'replicas':0,", "'observedGeneration':2"), "deployment/a",
         "deployment-unavailable=pass"},
        {"replicas absent is one", DEPLOY("", "'replicas':1,'unavailableReplicas':1"),
         "deployment/a", "deployment-unavailable=fail"},
        {"numbers of an older generation",
         CONTROLLER("Deployment", "'generation':3,", "'replicas':3,",
                    "'observedGeneration':2,'unavailableReplicas':3"),
         "deployment/a", "deployment-unavailable=none"},
        {"a manifest", CONTROLLER("Deployment", "", "'replicas':3,", ""), "deployment/a",
         "deployment-unavailable=none"},
        {"a summary",
         "{'deployments':[{'name':'a','namespace':'shop','replicas':2,'readyReplicas':0}]}",
         "deployment/a", "deployment-unavailable=fail"},
        {"the ends of numbers",
         DEPLOY("'replicas':9223372036854775807,'strategy':{'rollingUpdate':{'maxUnavailable':'-"
                "9223372036854775807%','maxSurge':'9223372036854775807'}},",
                "'replicas':9223372036854775807,'availableReplicas':-9223372036854775807"),
         "deployment/a", "deployment-unavailable=fail rollout-in-progress=fail"},
        {"less than no replicas",
         DEPLOY("'replicas':-9223372036854775807,",
                "'replicas':-9,'availableReplicas':-9223372036854775807"),
         "deployment/a", "deployment-unavailable=pass"},
        {"a summary without numbers",
         "{'deployments':[{'name':'a','namespace':'shop','replicas':2}]}", "deployment/a",
         "deployment-unavailable=none"},
    };
    (void)state;
    ROWS(rows);
}

static void nothing_available_is_critical(void **state)
{
    static const struct {
        const char *document;
        enum severity severity;
    } rows[] = {
        {DEPLOY("'replicas':3,", "'replicas':3,'unavailableReplicas':3"), SEVERITY_CRITICAL},
        {DEPLOY("'replicas':3,", "'replicas':3,'availableReplicas':1"), SEVERITY_HIGH},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct judgement judgement = judgement_open(rows[i].document, NULL);
        const struct risk *risk =
            judgement_risk(&judgement, "deployment-unavailable", "deployment/a");
        assert_non_null(risk);
        assert_int_equal(risk->severity, rows[i].severity);
        judgement_close(&judgement);
    }
}

#define SET_POD(kind, created, ready)                                                              \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'a-0','namespace':'shop',"                 \
    "'creationTimestamp':'2026-03-17T" created "Z','ownerReferences':[{'apiVersion':'apps/v1',"    \
    "'kind':'" kind "','name':'a','uid':'u','controller':true}]},'spec':{'nodeName':'n',"          \
    "'containers':[{'name':'c'}]},'status':{'phase':'Running','conditions':[{'type':'Ready',"      \
    "'status':'" ready "','lastTransitionTime':'2026-03-17T" created "Z'}]}}"

static void sets(void **state)
{
    static const struct judge_row rows[] = {
        {"one is missing",
         CONTROLLER("StatefulSet", "", "'replicas':3,",
                    "'observedGeneration':1,'replicas':3,'readyReplicas':2"),
         "statefulset/a", "statefulset-unready=fail"},
        {"all ready",
         CONTROLLER("StatefulSet", "", "'replicas':3,",
                    "'observedGeneration':1,'replicas':3,'readyReplicas':3"),
         "statefulset/a", "statefulset-unready=pass"},
        {"the missing one starts",
         DOCUMENT(CONTROLLER("StatefulSet", "'uid':'u',", "'replicas':1,",
                             "'replicas':1") "," SET_POD("StatefulSet", "11:58:30", "False")),
         "statefulset/a", "statefulset-unready=pass"},
        {"the missing one has had its time",
         DOCUMENT(CONTROLLER("StatefulSet", "'uid':'u',", "'replicas':1,",
                             "'replicas':1") "," SET_POD("StatefulSet", "11:57:30", "False")),
         "statefulset/a", "statefulset-unready=fail"},
        {"no status", CONTROLLER("StatefulSet", "", "'replicas':3,", ""), "statefulset/a",
         "statefulset-unready=none"},
        {"a node without a ready pod",
         CONTROLLER("DaemonSet", "", "",
                    "'desiredNumberScheduled':3,'currentNumberScheduled':3,'numberReady':2"),
         "daemonset/a", "daemonset-unready=fail"},
        {"where it should not be",
         CONTROLLER("DaemonSet", "", "",
                    "'desiredNumberScheduled':3,'numberReady':3,'numberMisscheduled':1"),
         "daemonset/a", "daemonset-unready=fail"},
        {"everywhere",
         CONTROLLER("DaemonSet", "", "",
                    "'desiredNumberScheduled':3,'numberReady':3,'numberMisscheduled':0"),
         "daemonset/a", "daemonset-unready=pass"},
        {"no node to run on",
         CONTROLLER("DaemonSet", "", "", "'desiredNumberScheduled':0,'numberReady':0"),
         "daemonset/a", "daemonset-unready=pass"},
        {"the node is gone, not the pod",
         DOCUMENT(CONTROLLER(
             "DaemonSet", "'uid':'u',", "",
             "'desiredNumberScheduled':1,'numberReady':0") "," SET_POD("DaemonSet", "10:00:00",
                                                                       "False") "," LOST_NODE),
         "daemonset/a", "daemonset-unready=pass"},
        {"the ends of numbers",
         DOCUMENT(CONTROLLER(
             "DaemonSet", "'uid':'u',", "",
             "'desiredNumberScheduled':-9223372036854775807,'numberReady':9223372036854775807,'"
             "numberMisscheduled':-1") "," SET_POD("DaemonSet", "10:00:00", "False") "," LOST_NODE),
         "daemonset/a", "daemonset-unready=pass"},
        {"stale numbers",
         CONTROLLER("DaemonSet", "'generation':3,", "",
                    "'observedGeneration':2,'desiredNumberScheduled':3,'numberReady':0"),
         "daemonset/a", "daemonset-unready=none"},
        {"a set of its own",
         CONTROLLER("ReplicaSet", "", "'replicas':2,", "'replicas':2,'readyReplicas':1"),
         "replicaset/a", "replicaset-unready=fail"},
        {"a full one",
         CONTROLLER("ReplicaSet", "", "'replicas':2,", "'replicas':2,'readyReplicas':2"),
         "replicaset/a", "replicaset-unready=pass"},
    };
    (void)state;
    ROWS(rows);
}

#define REPLICA_SET(name, revision, replicas, ready)                                               \
    "{'apiVersion':'apps/v1','kind':'ReplicaSet','metadata':{'name':'" name                        \
    "','namespace':'shop',"                                                                        \
    "'creationTimestamp':'2026-03-10T10:00:00Z','annotations':{'deployment.kubernetes.io/"         \
    "revision':'" revision "'},"                                                                   \
    "'ownerReferences':[{'apiVersion':'apps/"                                                      \
    "v1','kind':'Deployment','name':'a','uid':'u','controller':true}]},"                           \
    "'spec':{'replicas':" replicas "},'status':{'replicas':" replicas ",'readyReplicas':" ready    \
    "}}"

static void replica_sets_of_a_deployment(void **state)
{
    static const struct judge_row rows[] = {
        {"the set in force lacks one",
         DOCUMENT(CONTROLLER(
             "Deployment", "'uid':'u',", "'replicas':4,",
             "'replicas':4,'availableReplicas':3") "," REPLICA_SET("a-1", "1", "0",
                                                                   "0") "," REPLICA_SET("a-2", "2",
                                                                                        "4", "3")),
         "deployment/a", "replicaset-unready=fail deployment-unavailable=pass"},
        {"old sets do not matter",
         DOCUMENT(CONTROLLER(
             "Deployment", "'uid':'u',", "'replicas':1,",
             "'replicas':2,'availableReplicas':1") "," REPLICA_SET("a-1", "1", "1",
                                                                   "0") "," REPLICA_SET("a-2", "2",
                                                                                        "1", "1")),
         "deployment/a", "replicaset-unready=pass"},
        {"ten is newer than nine",
         DOCUMENT(CONTROLLER(
             "Deployment", "'uid':'u',", "'replicas':1,",
             "'replicas':1,'availableReplicas':1") "," REPLICA_SET("a-1", "10", "1",
                                                                   "1") "," REPLICA_SET("a-2", "9",
                                                                                        "1", "0")),
         "deployment/a", "replicaset-unready=pass"},
        {"no set in the snapshot",
         CONTROLLER("Deployment", "'uid':'u',", "'replicas':1,", "'replicas':1"), "deployment/a",
         "replicaset-unready=none"},
    };
    (void)state;
    ROWS(rows);
}

static void creation(void **state)
{
    static const struct judge_row rows[] = {
        {"the condition says so",
         DEPLOY("'replicas':1,", "'conditions':[{'type':'ReplicaFailure','status':'True','reason':'"
                                 "FailedCreate','message':'exceeded quota'}]"),
         "deployment/a", "controller-create-failure=fail"},
        {"an event says so",
         DOCUMENT(CONTROLLER("StatefulSet", "", "'replicas':2,", "'replicas':1") "," WARNING(
             "StatefulSet", "a", "FailedCreate", "5", "11:50:00")),
         "statefulset/a", "controller-create-failure=fail"},
        {"but it worked in the end",
         DOCUMENT(CONTROLLER("StatefulSet", "", "'replicas':2,", "'replicas':2") "," WARNING(
             "StatefulSet", "a", "FailedCreate", "5", "11:50:00")),
         "statefulset/a", "controller-create-failure=pass"},
        {"long ago",
         DOCUMENT(CONTROLLER("StatefulSet", "", "'replicas':2,", "'replicas':1") "," WARNING(
             "StatefulSet", "a", "FailedCreate", "5", "10:50:00")),
         "statefulset/a", "controller-create-failure=pass"},
        {"of its ReplicaSet",
         DOCUMENT(CONTROLLER(
             "Deployment", "'uid':'u',", "'replicas':2,",
             "'replicas':1") ","
                             "{'apiVersion':'apps/"
                             "v1','kind':'ReplicaSet','metadata':{'name':'a-1','namespace':'shop','"
                             "ownerReferences':[{'apiVersion':'apps/"
                             "v1','kind':'Deployment','name':'a','uid':'u','controller':true}]},'"
                             "spec':{'replicas':2},'status':{'replicas':1}}," WARNING(
                                 "ReplicaSet", "a-1", "FailedCreate", "5", "11:50:00")),
         "deployment/a", "controller-create-failure=fail"},
        {"a ReplicaSet says so whose Deployment is not in the snapshot",
         "{'apiVersion':'apps/v1','kind':'ReplicaSet','metadata':{'name':'a-1','namespace':'shop',"
         "'ownerReferences':[{'apiVersion':'apps/v1','kind':'Deployment','name':'a','uid':'u',"
         "'controller':true}]},'spec':{'replicas':2},'status':{'conditions':[{'type':"
         "'ReplicaFailure','status':'True','reason':'FailedCreate'}]}}",
         "deployment/a", "controller-create-failure=fail"},
        {"a ReplicaSet that does not tell its revision is short of pods",
         DOCUMENT(DEPLOY(
             "'replicas':2,",
             "'replicas':2,'availableReplicas':2") ","
                                                   "{'apiVersion':'apps/"
                                                   "v1','kind':'ReplicaSet','metadata':{'name':'a-"
                                                   "1',"
                                                   "'namespace':'shop','ownerReferences':[{'"
                                                   "apiVersion':'apps/v1','kind':"
                                                   "'Deployment','name':'a','uid':'u','controller':"
                                                   "true}]},'spec':{'replicas':2},"
                                                   "'status':{'replicas':2,'readyReplicas':1}}"),
         "deployment/a", "replicaset-unready=fail"},
        {"nothing the matter",
         DEPLOY("'replicas':1,",
                "'replicas':1,'conditions':[{'type':'Available','status':'True'}]"),
         "deployment/a", "controller-create-failure=pass"},
        {"no conditions and no events", DEPLOY("'replicas':1,", "'replicas':1"), "deployment/a",
         "controller-create-failure=none"},
        {"a StatefulSet has no such condition",
         CONTROLLER("StatefulSet", "", "'replicas':2,", "'replicas':2"), "statefulset/a",
         "controller-create-failure=none"},
    };
    (void)state;
    ROWS(rows);
}

#define JOB_OBJECT(meta, status)                                                                   \
    "{'apiVersion':'batch/v1','kind':'Job','metadata':{'namespace':'shop'," meta                   \
    "},'spec':{'template':{'spec':{'containers':[{'name':'c'}]}}},'status':{" status "}}"
#define JOB_FAILED                                                                                 \
    "'failed':1,'conditions':[{'type':'Failed','status':'True','reason':'BackoffLimitExceeded','"  \
    "message':'m','lastTransitionTime':'2026-03-17T11:00:00Z'}]"
#define JOB_DONE(at)                                                                               \
    "'succeeded':1,'completionTime':'2026-03-" at                                                  \
    "Z','conditions':[{'type':'Complete','status':'True'}]"
#define CRON(spec, status)                                                                         \
    "{'apiVersion':'batch/"                                                                        \
    "v1','kind':'CronJob','metadata':{'name':'a','namespace':'shop','uid':'u',"                    \
    "'creationTimestamp':'2026-03-01T00:00:00Z'},'spec':{" spec                                    \
    "'jobTemplate':{'spec':{'template':{'spec':{"                                                  \
    "'containers':[{'name':'c'}]}}}}},'status':{" status "}}"
#define OF_CRON(name, created)                                                                     \
    "'name':'" name "','creationTimestamp':'2026-03-" created                                      \
    "Z','ownerReferences':[{'apiVersion':'batch/"                                                  \
    "v1','kind':'CronJob','name':'a','uid':'u','controller':true}]"
#define RAN "'lastScheduleTime':'2026-03-17T03:00:00Z',"

static void jobs(void **state)
{
    static const struct judge_row rows[] = {
        {"failed", JOB_OBJECT("'name':'a'", JOB_FAILED), "job/a", "job-failed=fail"},
        {"done", JOB_OBJECT("'name':'a'", JOB_DONE("17T11:00:00")), "job/a", "job-failed=pass"},
        {"at work", JOB_OBJECT("'name':'a'", "'active':1,'failed':2"), "job/a", "job-failed=pass"},
        {"a manifest", JOB_OBJECT("'name':'a'", ""), "job/a", "job-failed=none"},
        {"the latest of a CronJob failed",
         DOCUMENT(CRON(
             "'schedule':'0 3 * * *',", RAN
             "'lastSuccessfulTime':'2026-03-16T03:01:"
             "00Z'") "," JOB_OBJECT(OF_CRON("a-1", "16T03:00:00"),
                                    JOB_DONE("16T03:01:00")) "," JOB_OBJECT(OF_CRON("a-2",
                                                                                    "17T03:00:00"),
                                                                            JOB_FAILED)),
         "cronjob/a", "job-failed=fail cronjob-not-running=pass"},
        {"an earlier one failed",
         DOCUMENT(
             CRON("'schedule':'0 3 * * *',", RAN
                  "'lastSuccessfulTime':'2026-03-17T03:01:"
                  "00Z'") "," JOB_OBJECT(OF_CRON("a-1", "16T03:00:00"),
                                         JOB_FAILED) "," JOB_OBJECT(OF_CRON("a-2", "17T03:00:00"),
                                                                    JOB_DONE("17T03:01:00"))),
         "cronjob/a", "job-failed=pass"},
    };
    (void)state;
    ROWS(rows);
}

static void cron_jobs(void **state)
{
    static const struct judge_row rows[] = {
        {"a Job that another kind controls",
         "{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'a-1','namespace':'shop',"
         "'creationTimestamp':'2026-03-17T03:00:00Z','ownerReferences':[{'apiVersion':"
         "'jobset.x-k8s.io/v1alpha2','kind':'JobSet','name':'a','uid':'u','controller':true}]},"
         "'spec':{'template':{'spec':{'containers':[{'name':'c'}]}}},'status':{'conditions':[{"
         "'type':'Failed','status':'True','reason':'BackoffLimitExceeded'}]}}",
         "jobset/a", "job-failed=fail job-ttl-missing=none"},
        {"suspended", CRON("'schedule':'0 3 * * *','suspend':true,", ""), "cronjob/a",
         "cronjob-not-running=fail"},
        {"never scheduled", CRON("'schedule':'0 3 * * *',", ""), "cronjob/a",
         "cronjob-not-running=fail"},
        {"never scheduled, and made at an unknown time",
         "{'apiVersion':'batch/v1','kind':'CronJob','metadata':{'name':'a','namespace':'shop','uid'"
         ":'u'},'spec':{'schedule':'0 3 * * *','jobTemplate':{'spec':{'template':{'spec':{"
         "'containers':[{'name':'c'}]}}}}}}",
         "cronjob/a", "cronjob-not-running=fail"},
        {"a manifest is not scheduled yet",
         "{'apiVersion':'batch/v1','kind':'CronJob','metadata':{'name':'a','namespace':'shop'},"
         "'spec':{'schedule':'0 3 * * *','jobTemplate':{'spec':{'template':{'spec':{"
         "'containers':[{'name':'c'}]}}}}}}",
         "cronjob/a", "cronjob-not-running=none"},
        {"not yet due", CRON("'schedule':'0 3 1 * *',", ""), "cronjob/a",
         "cronjob-not-running=pass"},
        {"three days without success",
         CRON("'schedule':'0 3 * * *',", RAN "'lastSuccessfulTime':'2026-03-14T11:59:00Z'"),
         "cronjob/a", "cronjob-not-running=fail"},
        {"not quite three",
         CRON("'schedule':'0 3 * * *',", RAN "'lastSuccessfulTime':'2026-03-14T12:01:00Z'"),
         "cronjob/a", "cronjob-not-running=pass"},
        {"a week-end is no failure",
         CRON("'schedule':'*/10 9-17 * * 1-5',", RAN "'lastSuccessfulTime':'2026-03-13T17:50:00Z'"),
         "cronjob/a", "cronjob-not-running=pass"},
        {"never a success", CRON("'schedule':'0 3 * * *',", RAN "'active':[]"), "cronjob/a",
         "cronjob-not-running=fail"},
        {"an old server, a Job tells",
         DOCUMENT(CRON("'schedule':'0 3 * * *',", RAN "'active':[]") "," JOB_OBJECT(
             OF_CRON("a-1", "17T03:00:00"), JOB_DONE("17T03:01:00"))),
         "cronjob/a", "cronjob-not-running=pass"},
        {"a schedule nobody understands", CRON("'schedule':'whenever',", ""), "cronjob/a",
         "cronjob-not-running=none"},
    };
    (void)state;
    ROWS(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deployments), cmocka_unit_test(nothing_available_is_critical),
        cmocka_unit_test(sets),        cmocka_unit_test(replica_sets_of_a_deployment),
        cmocka_unit_test(creation),    cmocka_unit_test(jobs),
        cmocka_unit_test(cron_jobs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

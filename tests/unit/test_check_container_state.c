#include "live.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void crash_loops(void **state)
{
    static const struct judge_row rows[] = {
        {"in back-off", RUNNING(CONTAINER(WAITING("CrashLoopBackOff") ",'restartCount':9")),
         "pod/a", "container-crash-loop=fail"},
        {"running between two back-offs",
         RUNNING(CONTAINER(UP ",'restartCount':4,'lastState':" ENDED("Error", "1", "17T11:56:00",
                                                                     "17T11:56:20"))),
         "pod/a", "container-crash-loop=fail"},
        {"ended, not yet in back-off",
         RUNNING(CONTAINER(
             "'restartCount':4,'state':" ENDED("Error", "1", "17T11:59:00", "17T11:59:20"))),
         "pod/a", "container-crash-loop=fail"},
        {"ends well, again and again",
         RUNNING(CONTAINER(UP ",'restartCount':4,'lastState':" ENDED(
             "Completed", "0", "17T11:56:00", "17T11:56:20"))),
         "pod/a", "container-crash-loop=fail"},
        {"ready after two false starts",
         RUNNING("{'name':'c','ready':true," UP ",'restartCount':3,'lastState':" ENDED(
             "Error", "1", "17T11:56:00", "17T11:56:20") "}"),
         "pod/a", "container-crash-loop=pass"},
        {"ready between short runs",
         RUNNING("{'name':'c','ready':true," UP ",'restartCount':6,'lastState':" ENDED(
             "Error", "1", "17T11:56:00", "17T11:56:20") "}"),
         "pod/a", "container-crash-loop=fail"},
        {"ready, and its restarts are spread over weeks",
         "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'a','namespace':'shop',"
         "'creationTimestamp':'2026-02-17T10:00:00Z'},'status':{'phase':'Running',"
         "'containerStatuses':[{'name':'c','ready':true," UP
         ",'restartCount':6,'lastState':" ENDED("Error", "1", "17T11:56:00", "17T11:56:20") "}]}}",
         "pod/a", "container-crash-loop=pass"},
        {"ready after two false starts, since nobody says when",
         RUNNING("{'name':'c','ready':true,'state':{'running':{}},'restartCount':3,"
                 "'lastState':" ENDED("StartError", "128", "17T11:56:00", "17T11:56:20") "}"),
         "pod/a", "container-crash-loop=pass container-config-error=pass"},
        {"ready between short runs, of a pod that does not tell its age",
         "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'a','namespace':'shop','uid':'u'},"
         "'status':{'phase':'Running','containerStatuses':[{'name':'c','ready':true," UP
         ",'restartCount':6,'lastState':" ENDED("Error", "1", "17T11:56:00", "17T11:56:20") "}]}}",
         "pod/a", "container-crash-loop=fail"},
        {"ready, and its restarts are spread over the weeks since it started",
         "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'a','namespace':'shop','uid':'u'},"
         "'status':{'phase':'Running','startTime':'2026-02-17T10:00:00Z',"
         "'containerStatuses':[{'name':'c','ready':true," UP
         ",'restartCount':6,'lastState':" ENDED("Error", "1", "17T11:56:00", "17T11:56:20") "}]}}",
         "pod/a", "container-crash-loop=pass"},
        {"up, but not ready",
         RUNNING(CONTAINER(UP ",'restartCount':2,'lastState':" ENDED("Error", "1", "17T11:56:00",
                                                                     "17T11:56:20"))),
         "pod/a", "container-crash-loop=fail"},
        {"one restart is no loop",
         RUNNING(CONTAINER(UP ",'restartCount':1,'lastState':" ENDED("Error", "1", "17T11:56:00",
                                                                     "17T11:56:20"))),
         "pod/a", "container-crash-loop=pass"},
        {"a loop that is over",
         RUNNING(CONTAINER("'state':{'running':{'startedAt':'2026-03-17T11:40:00Z'}},'restartCount'"
                           ":40,'lastState':" ENDED("Error", "1", "17T11:34:00", "17T11:34:20"))),
         "pod/a", "container-crash-loop=pass"},
        {"the end of a long run",
         RUNNING(CONTAINER(UP ",'restartCount':4,'lastState':" ENDED("Error", "1", "16T11:56:00",
                                                                     "17T11:56:20"))),
         "pod/a", "container-crash-loop=pass"},
    };
    (void)state;
    ROWS(rows);
}

static void what_ends_or_is_told_in_summary(void **state)
{
    static const struct judge_row rows[] = {
        {"a task that is done",
         LIVE("", "'restartPolicy':'OnFailure',",
              "'phase':'Running','containerStatuses':[" CONTAINER("'restartCount':2,'state':" ENDED(
                  "Completed", "0", "17T11:59:00", "17T11:59:20")) "]"),
         "pod/a", "container-crash-loop=pass"},
        {"an init container that ran again",
         LIVE("", "'initContainers':[{'name':'i','image':'i:1'}],",
              "'phase':'Running','initContainerStatuses':[{'name':'i','restartCount':3,'state'"
              ":" ENDED("Completed", "0", "17T11:59:00", "17T11:59:20") "}]"),
         "pod/a", "container-crash-loop=pass init-container-failing=pass"},
        {"an init container that fails as Windows says it",
         LIVE("", "'initContainers':[{'name':'i','image':'i:1'}],",
              "'phase':'Pending','initContainerStatuses':[{'name':'i','restartCount':0,'state'"
              ":" ENDED("Error", "-1073741510", "17T11:59:00", "17T11:59:20") "}]"),
         "pod/a", "init-container-failing=fail"},
        {"an init container in back-off",
         LIVE("", "'initContainers':[{'name':'i','image':'i:1'}],",
              "'phase':'Pending','initContainerStatuses':[{'name':'i','restartCount':3," WAITING(
                  "CrashLoopBackOff") "}]"),
         "pod/a", "container-crash-loop=fail init-container-failing=fail"},
        {"an ended Job's pod",
         LIVE("", "",
              "'phase':'Succeeded','containerStatuses':[" CONTAINER(
                  "'restartCount':4,'state':" ENDED("Completed", "0", "17T11:59:00",
                                                    "17T11:59:20")) "]"),
         "pod/a",
         "container-crash-loop=none container-restarts-high=none pod-not-ready=none "
         "pod-failed=pass"},
        {"on its way out",
         LIVE("'deletionTimestamp':'2026-03-17T11:59:50Z',", "",
              "'phase':'Running','containerStatuses':[" CONTAINER(
                  WAITING("CrashLoopBackOff") ",'restartCount':9") "]"),
         "pod/a", "container-crash-loop=none pod-not-ready=none pod-stuck-terminating=pass"},
        {"a manifest", POD("'containers':[{'name':'c','image':'x'}]"), "pod/a",
         "container-crash-loop=none image-pull-failure=none pod-pending=none pod-failed=none "
         "pod-status-unknown=none"},
        {"a summary that says so",
         "{'pods':[{'name':'a','namespace':'shop','status':'CrashLoopBackOff','restarts':12}]}",
         "pod/a",
         "container-crash-loop=fail container-restarts-high=fail container-oom-killed=pass"},
        {"a summary that is well",
         "{'pods':[{'name':'a','namespace':'shop','status':'Running','ready':true,'restarts':0}]}",
         "pod/a",
         "container-crash-loop=pass container-restarts-high=pass pod-not-ready=pass "
         "image-pull-failure=pass"},
        {"a summary that says little", "{'pods':[{'name':'a','namespace':'shop'}]}", "pod/a",
         "container-crash-loop=none container-restarts-high=none pod-not-ready=none"},
    };
    (void)state;
    ROWS(rows);
}

static void memory_kills(void **state)
{
    static const struct judge_row rows[] = {
        {"in lastState only",
         RUNNING(CONTAINER(UP ",'restartCount':1,'lastState':" ENDED(
             "OOMKilled", "137", "17T10:00:00", "17T11:48:00"))),
         "pod/a", "container-oom-killed=fail container-crash-loop=pass"},
        {"in state",
         RUNNING(CONTAINER(
             "'restartCount':0,'state':" ENDED("OOMKilled", "137", "17T10:00:00", "17T11:48:00"))),
         "pod/a", "container-oom-killed=fail"},
        {"in a pod that failed",
         LIVE("", "",
              "'phase':'Failed','containerStatuses':[" CONTAINER("'restartCount':0,'state':" ENDED(
                  "OOMKilled", "137", "17T10:00:00", "17T11:48:00")) "]"),
         "pod/a", "container-oom-killed=fail pod-failed=fail"},
        {"137 alone is any SIGKILL",
         RUNNING(CONTAINER(UP ",'restartCount':1,'lastState':" ENDED("Error", "137", "17T10:00:00",
                                                                     "17T11:48:00"))),
         "pod/a", "container-oom-killed=pass"},
        {"a day and a minute ago",
         RUNNING(CONTAINER(UP ",'restartCount':1,'lastState':" ENDED(
             "OOMKilled", "137", "16T10:00:00", "16T11:59:00"))),
         "pod/a", "container-oom-killed=pass"},
        {"just within the day",
         RUNNING(CONTAINER(UP ",'restartCount':1,'lastState':" ENDED(
             "OOMKilled", "137", "16T10:00:00", "16T12:00:00"))),
         "pod/a", "container-oom-killed=fail"},
        {"nothing known of containers", LIVE("", "", "'phase':'Pending'"), "pod/a",
         "container-oom-killed=none"},
    };
    (void)state;
    ROWS(rows);
}

static void memory_kill_says_what_it_saw(void **state)
{
    struct judgement judgement =
        judgement_open(RUNNING(CONTAINER(UP ",'restartCount':3,'lastState':" ENDED(
                           "OOMKilled", "137", "17T10:00:00", "17T11:48:00"))),
                       NULL);
    const struct risk *risk = judgement_risk(&judgement, "container-oom-killed", "pod/a");
    (void)state;
    assert_non_null(risk);
    assert_string_equal(
        risk->message.p,
        "Container c of pod a was OOMKilled (limit 256Mi), 3 restarts, last 12 min ago.");
    assert_string_equal(arena_str(judgement.arena, risk->container).p, "c");
    judgement_close(&judgement);
}

#define AGED(created, statuses)                                                                    \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'a','namespace':'shop',"                   \
    "'creationTimestamp':'" created "T12:00:00Z'},'spec':{'containers':[{'name':'c'}],"            \
    "'initContainers':[{'name':'i'},{'name':'s','restartPolicy':'Always'}]},"                      \
    "'status':{'phase':'Running'," statuses "}}"
#define RESTARTED(n, finished)                                                                     \
    "'containerStatuses':[{'name':'c'," UP ",'restartCount':" n                                    \
    ",'lastState':" ENDED("Error", "1", "01T00:00:00", finished) "}]"

static void restarts(void **state)
{
    static const struct judge_row rows[] = {
        {"five within a day", AGED("2026-03-16", RESTARTED("5", "17T08:00:00")), "pod/a",
         "container-restarts-high=fail"},
        {"four within a day", AGED("2026-03-16", RESTARTED("4", "17T08:00:00")), "pod/a",
         "container-restarts-high=pass"},
        {"nine in days, none today", AGED("2026-03-12", RESTARTED("9", "15T08:00:00")), "pod/a",
         "container-restarts-high=pass"},
        {"ten in days, none today", AGED("2026-03-12", RESTARTED("10", "15T08:00:00")), "pod/a",
         "container-restarts-high=fail"},
        {"many, but over for a week", AGED("2026-03-01", RESTARTED("90", "09T08:00:00")), "pod/a",
         "container-restarts-high=pass"},
        {"a dozen in a year", AGED("2025-03-17", RESTARTED("12", "17T08:00:00")), "pod/a",
         "container-restarts-high=pass"},
        {"a hundred in a year", AGED("2025-03-17", RESTARTED("100", "17T08:00:00")), "pod/a",
         "container-restarts-high=fail"},
        {"no last state at all",
         AGED("2026-03-16", "'containerStatuses':[{'name':'c'," UP ",'restartCount':10}]"), "pod/a",
         "container-restarts-high=fail"},
        {"nine and no last state",
         AGED("2026-03-16", "'containerStatuses':[{'name':'c'," UP ",'restartCount':9}]"), "pod/a",
         "container-restarts-high=pass"},
        {"more than can be",
         AGED("2026-03-16",
              "'containerStatuses':[{'name':'c','restartCount':9223372036854775807," UP
              "},{'name':'d','restartCount':9223372036854775807}]"),
         "pod/a", "container-restarts-high=fail"},
        {"of a run-once init container",
         AGED("2026-03-16", "'initContainerStatuses':[{'name':'i','restartCount':50," UP "}]"),
         "pod/a", "container-restarts-high=pass"},
        {"of a sidecar",
         AGED("2026-03-16", "'initContainerStatuses':[{'name':'s','restartCount':50," UP "}]"),
         "pod/a", "container-restarts-high=fail"},
    };
    (void)state;
    ROWS(rows);
}

static void starts(void **state)
{
    static const struct judge_row rows[] = {
        {"pull in back-off",
         LIVE("", "",
              "'phase':'Pending','containerStatuses':[" CONTAINER(WAITING("ImagePullBackOff")) "]"),
         "pod/a", "image-pull-failure=fail container-crash-loop=pass container-config-error=pass"},
        {"bad name, init container",
         LIVE("", "'initContainers':[{'name':'i'}],",
              "'phase':'Pending','initContainerStatuses':[{'name':'i'," WAITING(
                  "InvalidImageName") "}]"),
         "pod/a", "image-pull-failure=fail"},
        {"being made",
         LIVE(
             "", "",
             "'phase':'Pending','containerStatuses':[" CONTAINER(WAITING("ContainerCreating")) "]"),
         "pod/a", "image-pull-failure=pass container-config-error=pass"},
        {"a missing key",
         LIVE("", "",
              "'phase':'Pending','containerStatuses':[" CONTAINER(
                  WAITING("CreateContainerConfigError")) "]"),
         "pod/a", "container-config-error=fail"},
        {"a missing command",
         RUNNING(CONTAINER(WAITING("CrashLoopBackOff") ",'restartCount':3,'lastState':" ENDED(
             "StartError", "128", "17T11:58:00", "17T11:58:00"))),
         "pod/a", "container-config-error=fail container-crash-loop=fail"},
        {"a missing command, mended",
         RUNNING(CONTAINER(UP ",'restartCount':1,'lastState':" ENDED(
             "StartError", "128", "17T11:58:00", "17T11:58:00"))),
         "pod/a", "container-config-error=pass"},
        {"a manifest has no state", POD("'containers':[{'name':'c','image':'x'}]"), "pod/a",
         "image-pull-failure=none container-config-error=none init-container-failing=none"},
        {"on its way out",
         LIVE("'deletionTimestamp':'2026-03-17T11:59:00Z',", "",
              "'phase':'Pending','containerStatuses':[" CONTAINER(
                  WAITING("CreateContainerConfigError")) "]"),
         "pod/a", "container-config-error=none"},
        {"init container failed",
         LIVE("", "'initContainers':[{'name':'i'}],",
              "'phase':'Pending','initContainerStatuses':[{'name':'i','state':" ENDED(
                  "Error", "2", "17T11:50:00", "17T11:51:00") "}]"),
         "pod/a", "init-container-failing=fail"},
        {"init container runs",
         LIVE("", "'initContainers':[{'name':'i'}],",
              "'phase':'Pending','initContainerStatuses':[{'name':'i'," UP "}]"),
         "pod/a", "init-container-failing=pass"},
        {"init container runs again after a failure",
         LIVE("", "'initContainers':[{'name':'i'}],",
              "'phase':'Pending','initContainerStatuses':[{'name':'i'," UP
              ",'restartCount':1,'lastState':" ENDED("Error", "2", "17T11:57:00",
                                                     "17T11:58:00") "}]"),
         "pod/a", "init-container-failing=fail"},
        {"a sidecar ended by a signal",
         LIVE("", "'initContainers':[{'name':'s','restartPolicy':'Always'}],",
              "'phase':'Pending','initContainerStatuses':[{'name':'s','state':" ENDED(
                  "Error", "143", "17T11:50:00", "17T11:51:00") "}]"),
         "pod/a", "init-container-failing=pass"},
    };
    (void)state;
    ROWS(rows);
}

/* Two pods of one set loop: one finding on the set, counted twice; what else is wrong with them is
 * shown and costs nothing more. */
static void one_trouble_is_paid_once(void **state)
{
#define LOOPING(name)                                                                              \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'" name                                    \
    "','namespace':'shop','creationTimestamp':'2026-03-17T10:00:00Z'," OWNED(                      \
        "ReplicaSet") "'labe"                                                                      \
                      "ls':{"                                                                      \
                      "}},'"                                                                       \
                      "spec'"                                                                      \
                      ":{'"                                                                        \
                      "conta"                                                                      \
                      "iners"                                                                      \
                      "':[{'"                                                                      \
                      "name'"                                                                      \
                      ":'c'}"                                                                      \
                      "]},'"                                                                       \
                      "statu"                                                                      \
                      "s':"                                                                        \
                      "{" READY("False", "10:00:00", "") ",'containerStatuses':[" CONTAINER(       \
                          WAITING("CrashLoopBackOff") ",'restartCount':9,'lastState':" ENDED(      \
                              "OOMKilled", "137", "17T11:48:00", "17T11:58:00")) "]}}"
    struct judgement judgement = judgement_open(DOCUMENT(LOOPING("a") "," LOOPING("b")), NULL);
    const struct risk *loop = judgement_risk(&judgement, "container-crash-loop", "replicaset/o");
    const struct risk *oom = judgement_risk(&judgement, "container-oom-killed", "replicaset/o");
    const struct risk *ready = judgement_risk(&judgement, "pod-not-ready", "replicaset/o");
    (void)state;
    assert_true(loop && oom && ready);
    assert_int_equal(loop->count, 2);
    assert_true((loop->impact > 0) != (oom->impact > 0));
    assert_int_equal(ready->impact, 0);
    assert_non_null(ready->absorbed_by);
    judgement_close(&judgement);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crash_loops),
        cmocka_unit_test(what_ends_or_is_told_in_summary),
        cmocka_unit_test(memory_kills),
        cmocka_unit_test(memory_kill_says_what_it_saw),
        cmocka_unit_test(restarts),
        cmocka_unit_test(starts),
        cmocka_unit_test(one_trouble_is_paid_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

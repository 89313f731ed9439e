/* What checks say of summary items: of a pod that kubectl's STATUS column tells of what they say of
 * the pod itself, and of workloads what their numbers, ready and conditions tell. */
#include "judge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

#define CONTAINER(list, state)                                                                     \
    ",'" list "':[{'name':'c','ready':false,'restartCount':0,'state':{" state "}}]"
#define WAITS(list, reason) CONTAINER(list, "'waiting':{'reason':'" reason "'}")
#define ENDED(list, reason, code)                                                                  \
    CONTAINER(list, "'terminated':{'reason':'" reason "','exitCode':" code "}")
#define REASON(reason) ",'reason':'" reason "'"
#define MAIN           "containerStatuses"
#define INIT           "initContainerStatuses"

/* word: as kubectl prints it; phase and status: what the pod itself says; check: one that fails, or
 * NULL. */
struct row {
    const char *word, *phase, *status, *check;
};

#define WAITING(reason, check)                                                                     \
    {reason, "Pending", WAITS(MAIN, reason), check},                                               \
    {                                                                                              \
        "Init:" reason, "Pending", WAITS(INIT, reason), check                                      \
    }
#define FAILED_POD(reason)                                                                         \
    {                                                                                              \
        reason, "Failed", REASON(reason), "pod-failed"                                             \
    }

static const struct row rows[] = {
    WAITING("ImagePullBackOff", "image-pull-failure"),
    WAITING("ErrImagePull", "image-pull-failure"),
    WAITING("ErrImageNeverPull", "image-pull-failure"),
    WAITING("ImageInspectError", "image-pull-failure"),
    WAITING("InvalidImageName", "image-pull-failure"),
    WAITING("RegistryUnavailable", "image-pull-failure"),
    WAITING("SignatureValidationFailed", "image-pull-failure"),
    WAITING("CreateContainerConfigError", "container-config-error"),
    WAITING("CreateContainerError", "container-config-error"),
    WAITING("RunContainerError", "container-config-error"),
    WAITING("PostStartHookError", "container-config-error"),
    WAITING("PreStartHookError", "container-config-error"),
    WAITING("CrashLoopBackOff", "container-crash-loop"),
    WAITING("ContainerCreating", NULL),
    WAITING("PodInitializing", NULL),
    {"Init:0/2", "Pending", CONTAINER(INIT, "'running':{}"), NULL},
    {"OOMKilled", "Running", ENDED(MAIN, "OOMKilled", "137"), "container-oom-killed"},
    {"Init:OOMKilled", "Pending", ENDED(INIT, "OOMKilled", "137"), "container-oom-killed"},
    {"Init:OOMKilled", "Pending", ENDED(INIT, "OOMKilled", "137"), "init-container-failing"},
    {"StartError", "Running", ENDED(MAIN, "StartError", "128"), "container-config-error"},
    {"Init:StartError", "Pending", ENDED(INIT, "StartError", "128"), "container-config-error"},
    {"ContainerCannotRun", "Running", ENDED(MAIN, "ContainerCannotRun", "127"),
     "container-config-error"},
    {"Init:ContainerCannotRun", "Pending", ENDED(INIT, "ContainerCannotRun", "127"),
     "container-config-error"},
    {"Init:Error", "Pending", ENDED(INIT, "Error", "1"), "init-container-failing"},
    {"Init:ExitCode:3", "Pending", ENDED(INIT, "", "3"), "init-container-failing"},
    {"Init:Signal:9", "Pending", ENDED(INIT, "", "137"), "init-container-failing"},
    {"ContainerStatusUnknown", "Running", ENDED(MAIN, "ContainerStatusUnknown", "137"),
     "pod-status-unknown"},
    {"ContainerStatusUnknown", "Failed", ENDED(MAIN, "ContainerStatusUnknown", "137"),
     "pod-failed"},
    {"NodeLost", "Running", REASON("NodeLost"), "pod-status-unknown"},
    {"NotReady", "Running",
     ENDED(MAIN, "Completed", "0") ",'conditions':[{'type':'Ready','status':'False'}]",
     "pod-not-ready"},
    FAILED_POD("UnexpectedAdmissionError"),
    FAILED_POD("NodeAffinity"),
    FAILED_POD("OutOfcpu"),
    FAILED_POD("OutOfmemory"),
    FAILED_POD("NodeShutdown"),
    FAILED_POD("Shutdown"),
    FAILED_POD("Terminated"),
    FAILED_POD("Preempting"),
    FAILED_POD("Evicted"),
    FAILED_POD("DeadlineExceeded"),
    FAILED_POD("TopologyAffinityError"),
    FAILED_POD("SysctlForbidden"),
    {"Completed", "Succeeded", ENDED(MAIN, "Completed", "0"), NULL},
    {"Running", "Running", "", NULL},
    {"Running", "Running", ",'conditions':[{'type':'Ready','status':'True'}]", NULL},
};

/* Both fail the same checks of what runs, as severely. */
static void assert_same(const char *document, const struct judgement *native)
{
    struct judgement judgement = judgement_open(document, NULL);
    for (int c = 0; c < CHECK_COUNT; c++) {
        if (checks[c].category != CATEGORY_RUNTIME)
            continue;
        const struct risk *wanted = judgement_risk(native, checks[c].id, "pod/p");
        const struct risk *got = judgement_risk(&judgement, checks[c].id, "pod/p");
        if (!wanted != !got || (got && got->severity != wanted->severity))
            fail_msg("%s: %s", document, checks[c].id);
    }
    judgement_close(&judgement);
}

/* A controller stands behind the pod: what the kubelet took away is a notice then, and always in a
 * summary, which does not say. */
static void as_the_pod_itself(void **state)
{
    static const char *const forms[] = {
        "{'pods':[{'name':'p','namespace':'s','phase':'%s','reason':'%s'}]}",
        "{'pods':[{'name':'p','namespace':'s','phase':'%s','status':'%s'}]}",
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char document[1024];
        snprintf(document, sizeof document,
                 "{'pods':[{'metadata':{'name':'p','namespace':'s','ownerReferences':[{'kind':"
                 "'Node','name':'n','controller':true}]},'status':{'phase':'%s'%s}}]}",
                 rows[i].phase, rows[i].status);
        struct judgement native = judgement_open(document, NULL);
        if (rows[i].check && !judgement_risk(&native, rows[i].check, "pod/p"))
            fail_msg("%s: no %s", document, rows[i].check);
        for (size_t form = 0; form < COUNT(forms); form++) {
            snprintf(document, sizeof document, forms[form], rows[i].phase, rows[i].word);
            assert_same(document, &native);
        }
        judgement_close(&native);
    }
}

/* The word decides where it stands alone, and beside others. */
static void by_its_word(void **state)
{
#define SAYS(name, members, expected)                                                              \
    {                                                                                              \
        name, "{'pods':[{'name':'p','namespace':'s','image':'i'," members "}]}", "pod/p", expected \
    }
    static const struct judge_row words[] = {
        SAYS("an init container", "'status':'Init:ImagePullBackOff'", "image-pull-failure=fail"),
        SAYS("one that ended", "'status':'Init:OOMKilled'",
             "init-container-failing=fail container-oom-killed=fail"),
        SAYS("one that runs", "'status':'Init:1/2','ready':'0/1'",
             "init-container-failing=pass pod-not-ready=pass"),
        SAYS("not ready", "'status':'NotReady'", "pod-not-ready=fail"),
        SAYS("not ready, and it was never up", "'phase':'Pending','reason':'NotReady'",
             "pod-not-ready=pass"),
        SAYS("turned away", "'status':'OutOfcpu'", "pod-failed=fail"),
        SAYS("turned away before it ran", "'phase':'Pending','reason':'NodeAffinity'",
             "pod-failed=fail"),
        SAYS("out of time", "'status':'DeadlineExceeded'", "pod-failed=fail"),
        SAYS("it has done its work before", "'phase':'Succeeded','reason':'DeadlineExceeded'",
             "pod-failed=pass"),
        SAYS("it waits, and why it ended", "'status':'CrashLoopBackOff','reason':'OOMKilled'",
             "container-crash-loop=fail container-oom-killed=fail"),
        SAYS("evicted, in words", "'status':'Evicted','reason':'the node was low on memory'",
             "pod-failed=fail"),
        SAYS("it goes", "'status':'Terminating','reason':'Error'",
             "pod-failed=none container-crash-loop=none"),
        SAYS("it goes, not ready", "'status':'Terminating','ready':0,'phase':'Running'",
             "pod-not-ready=none pod-stuck-terminating=pass"),
        SAYS("none is ready", "'status':'Running','ready':0", "pod-not-ready=fail"),
        SAYS("false", "'status':'Running','ready':false", "pod-not-ready=fail"),
        SAYS("one is ready", "'status':'Running','ready':1", "pod-not-ready=pass"),
        SAYS("two are ready", "'status':'Running','ready':2", "pod-not-ready=none"),
        SAYS("a word of nobody", "'status':'Running','ready':'soon'", "pod-not-ready=none"),
        SAYS("a state of nobody", "'status':'Errand'", "image-pull-failure=pass pod-failed=pass"),
    };
#undef SAYS
    (void)state;
    judge_rows(words, COUNT(words));
}

static void assert_message(const char *document, const char *check, const char *resource,
                           const char *message)
{
    struct judgement judgement = judgement_open(document, NULL);
    const struct risk *risk = judgement_risk(&judgement, check, resource);
    assert_non_null(risk);
    assert_int_equal(risk->message.n, strlen(message));
    assert_memory_equal(risk->message.p, message, risk->message.n);
    judgement_close(&judgement);
}

/* What a summary does not say of its container is not made up. */
static void messages(void **state)
{
    static const struct {
        const char *status, *check, *message;
    } said[] = {
        {"Init:ErrImagePull", "image-pull-failure", "Pod p cannot get its image: ErrImagePull."},
        {"ErrImagePull", "image-pull-failure", "Pod p cannot get i: ErrImagePull."},
        {"OOMKilled", "container-oom-killed",
         "Pod p was OOMKilled (limit not known), 0 restarts, last at an unknown time."},
        {"CrashLoopBackOff','reason':'OOMKilled", "container-crash-loop",
         "Pod p is crash-looping: 0 restarts, last OOMKilled."},
        {"Init:ExitCode:3", "init-container-failing", "Pod p is in state Init:ExitCode:3."},
        {"Evicted','reason':'low on memory", "pod-failed", "Pod p was taken away: Evicted."},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(said); i++) {
        char document[256];
        snprintf(document, sizeof document,
                 "{'pods':[{'name':'p','namespace':'s','image':'i','status':'%s'}]}",
                 said[i].status);
        assert_message(document, said[i].check, "pod/p", said[i].message);
    }
}

static void too_few(void **state)
{
    static const struct {
        const char *members, *message;
    } said[] = {
        {"", "Too few replicas have been available for some time."},
        {",'replicas':3", "Too few replicas have been available for some time."},
        {",'replicas':3,'ready':2", "2 of 3 replicas are available, too few for some time."},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(said); i++) {
        char document[256];
        snprintf(
            document, sizeof document,
            "{'deployments':[{'name':'a','namespace':'s','conditions':{'Available':'False'}%s}]}",
            said[i].members);
        assert_message(document, "deployment-unavailable", "deployment/a", said[i].message);
    }
}

static void workloads(void **state)
{
#define SAYS(list, kind, check, members, expected)                                                 \
    {                                                                                              \
        list " " members, "{'" list "':[{'name':'a','namespace':'s'," members "}]}", kind "/a",    \
            check "=" expected                                                                     \
    }
#define DEPLOYMENTS(members, expected)                                                             \
    SAYS("deployments", "deployment", "deployment-unavailable", members, expected)
#define STATEFULSETS(members, expected)                                                            \
    SAYS("statefulsets", "statefulset", "statefulset-unready", members, expected)
#define DAEMONSETS(members, expected)                                                              \
    SAYS("daemonsets", "daemonset", "daemonset-unready", members, expected)
#define AVAILABLE(status) "'conditions':[{'type':'Available','status':" status "}]"
    static const struct judge_row said[] = {
        DEPLOYMENTS("'replicas':3,'ready':false", "fail"),
        DEPLOYMENTS("'replicas':3,'ready':0", "fail"),
        DEPLOYMENTS("'replicas':3,'ready':'0'", "fail"),
        DEPLOYMENTS("'replicas':3,'ready':1", "fail"),
        DEPLOYMENTS("'replicas':3,'ready':3", "pass"),
        DEPLOYMENTS("'replicas':3,'ready':true", "pass"),
        DEPLOYMENTS("'replicas':3,'ready':'3/3'", "pass"),
        DEPLOYMENTS("'replicas':3,'ready':'1/3','ready':'3/3'", "pass"),
        DEPLOYMENTS("'replicas':3,'ready':'1/3','ready':null", "none"),
        DEPLOYMENTS("'replicas':3,'ready':'soon'", "none"),
        DEPLOYMENTS("'replicas':3,'ready':-1", "none"),
        DEPLOYMENTS("'replicas':0,'ready':false", "pass"),
        DEPLOYMENTS("'ready':false", "none"),
        DEPLOYMENTS("'ready':0", "none"),
        DEPLOYMENTS("'replicas':3,'readyReplicas':3,'ready':false", "pass"),
        DEPLOYMENTS("'replicas':3,'availableReplicas':3,'ready':0", "pass"),
        DEPLOYMENTS(AVAILABLE("'False'"), "fail"),
        DEPLOYMENTS("'replicas':3," AVAILABLE("'False'"), "fail"),
        DEPLOYMENTS("'replicas':0," AVAILABLE("'False'"), "pass"),
        DEPLOYMENTS("'conditions':{'Available':false}", "fail"),
        DEPLOYMENTS("'replicas':3," AVAILABLE("'True'"), "none"),
        DEPLOYMENTS("'replicas':3," AVAILABLE("'Unknown'"), "none"),
        DEPLOYMENTS("'replicas':3,'conditions':[{'type':'Available'}]", "none"),
        STATEFULSETS("'replicas':3,'ready':false", "fail"),
        STATEFULSETS("'replicas':3,'ready':2", "fail"),
        STATEFULSETS("'replicas':3,'availableReplicas':3", "pass"),
        STATEFULSETS("'replicas':3", "none"),
        DAEMONSETS("'replicas':3,'ready':false", "fail"),
        DAEMONSETS("'replicas':3,'availableReplicas':3", "pass"),
        DAEMONSETS("'ready':'2/3'", "fail"),
        SAYS("replicasets", "replicaset", "replicaset-unready", "'replicas':1,'ready':0", "fail"),
    };
#undef SAYS
    (void)state;
    judge_rows(said, COUNT(said));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_the_pod_itself), cmocka_unit_test(by_its_word),
        cmocka_unit_test(messages),          cmocka_unit_test(too_few),
        cmocka_unit_test(workloads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "live.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* A Deployment "a" of two replicas, a week old, up to date; spec and status end with a comma or
 * are "". */
#define DEPLOYED(spec, status)                                                                     \
    CONTROLLER("Deployment", "'uid':'u','generation':2,", "'replicas':2," spec,                    \
               "'observedGeneration':2," status)
#define SETTLED "'replicas':2,'updatedReplicas':2,'availableReplicas':2"
#define PROGRESSING(status, reason, updated)                                                       \
    ",'conditions':[{'type':'Progressing','status':'" status "','reason':'" reason                 \
    "','lastUpdateTime':'2026-03-" updated "Z','lastTransitionTime':'2026-03-" updated "Z'}]"
/* A ReplicaSet of it. annotations begin with a comma or are "". */
#define SET(name, revision, created, image, annotations, status)                                   \
    "{'apiVersion':'apps/v1','kind':'ReplicaSet','metadata':{'name':'" name                        \
    "','namespace':'shop','creationTimestamp':'2026-03-" created                                   \
    "Z','labels':{'pod-template-hash':'" name                                                      \
    "'},'annotations':{'deployment.kubernetes.io/revision':'" revision "'" annotations             \
    "},'ownerReferences':[{'apiVersion':'apps/v1','kind':'Deployment','name':'a','uid':'u',"       \
    "'controller':true}]},'spec':{'replicas':0,'template':{'metadata':{},'spec':{'containers':["   \
    "{'name':'c','image':'" image "'}]}}},'status':{" status "}}"
#define FORMER(numbers) ",'deployment.kubernetes.io/revision-history':'" numbers "'"
#define DESIRED(n)      ",'deployment.kubernetes.io/desired-replicas':'" n "'"

static void stalls(void **state)
{
    static const struct judge_row rows[] = {
        {"deadline exceeded",
         DEPLOYED("", SETTLED PROGRESSING("False", "ProgressDeadlineExceeded", "17T11:00:00")),
         "deployment/a", "rollout-stalled=fail"},
        {"complete",
         DEPLOYED("", SETTLED PROGRESSING("True", "NewReplicaSetAvailable", "17T11:00:00")),
         "deployment/a", "rollout-stalled=pass rollout-in-progress=pass"},
        {"paused says nothing of deadlines",
         DEPLOYED("'paused':true,",
                  SETTLED PROGRESSING("Unknown", "DeploymentPaused", "17T11:00:00")),
         "deployment/a", "rollout-stalled=pass rollout-paused=fail"},
        {"no such condition", DEPLOYED("", SETTLED), "deployment/a",
         "rollout-stalled=none rollout-paused=pass"},
        {"no deadline", DEPLOYED("'progressDeadlineSeconds':2147483647,", SETTLED), "deployment/a",
         "rollout-deadline-disabled=fail"},
        {"a long deadline", DEPLOYED("'progressDeadlineSeconds':2147483646,", SETTLED),
         "deployment/a", "rollout-deadline-disabled=pass"},
        {"the default deadline", DEPLOYED("", SETTLED), "deployment/a",
         "rollout-deadline-disabled=pass"},
        {"no history", DEPLOYED("'revisionHistoryLimit':0,", SETTLED), "deployment/a",
         "revision-history-disabled=fail"},
        {"one revision", DEPLOYED("'revisionHistoryLimit':1,", SETTLED), "deployment/a",
         "revision-history-disabled=pass"},
        {"the default history", CONTROLLER("DaemonSet", "", "", ""), "daemonset/a",
         "revision-history-disabled=pass"},
        {"a summary",
         "{'deployments':[{'name':'a','namespace':'shop','replicas':2,'readyReplicas':2}]}",
         "deployment/a",
         "revision-history-disabled=none rollout-deadline-disabled=none rollout-paused=none "
         "rollout-in-progress=none"},
    };
    (void)state;
    ROWS(rows);
}

#define STATEFUL(spec, status)                                                                     \
    CONTROLLER("StatefulSet", "'uid':'u','generation':2,", "'replicas':2," spec,                   \
               "'observedGeneration':2,'replicas':2,'readyReplicas':2," status)
#define PARTITION(n)                                                                               \
    "'updateStrategy':{'type':'RollingUpdate','rollingUpdate':{'partition':" n "}},"
#define DAEMON(status)                                                                             \
    CONTROLLER("DaemonSet", "'uid':'u','generation':2,", "", "'observedGeneration':2," status)

static void progress(void **state)
{
    static const struct judge_row rows[] = {
        {"one is old", DEPLOYED("", "'replicas':3,'updatedReplicas':1,'availableReplicas':2"),
         "deployment/a", "rollout-in-progress=fail"},
        {"a surge that is all new",
         DEPLOYED("", "'replicas':3,'updatedReplicas':3,'availableReplicas':2"), "deployment/a",
         "rollout-in-progress=pass"},
        {"an old pod remains",
         DEPLOYED("", "'replicas':3,'updatedReplicas':2,'availableReplicas':3"), "deployment/a",
         "rollout-in-progress=fail"},
        {"not seen yet",
         CONTROLLER("Deployment", "'generation':3,", "'replicas':2,",
                    "'observedGeneration':2," SETTLED),
         "deployment/a", "rollout-in-progress=fail"},
        {"paused half way", DEPLOYED("'paused':true,", "'replicas':3,'updatedReplicas':1"),
         "deployment/a", "rollout-in-progress=pass rollout-paused=fail"},
        {"a manifest", CONTROLLER("Deployment", "", "'replicas':2,", ""), "deployment/a",
         "rollout-in-progress=none"},
        {"two revisions of a StatefulSet",
         STATEFUL("", "'currentRevision':'a-1','updateRevision':'a-2','updatedReplicas':1"),
         "statefulset/a", "rollout-in-progress=fail"},
        {"one revision", STATEFUL("", "'currentRevision':'a-2','updateRevision':'a-2'"),
         "statefulset/a", "rollout-in-progress=pass"},
        {"OnDelete, all pods new",
         STATEFUL("'updateStrategy':{'type':'OnDelete'},",
                  "'currentRevision':'a-1','updateRevision':'a-2','updatedReplicas':2"),
         "statefulset/a", "rollout-in-progress=pass"},
        {"a partition that is done",
         STATEFUL(PARTITION("1"),
                  "'currentRevision':'a-1','updateRevision':'a-2','updatedReplicas':1"),
         "statefulset/a", "rollout-in-progress=pass"},
        {"a partition half way",
         STATEFUL(PARTITION("0"),
                  "'currentRevision':'a-1','updateRevision':'a-2','updatedReplicas':1"),
         "statefulset/a", "rollout-in-progress=fail"},
        {"a partition above all ordinals holds every pod back",
         STATEFUL(PARTITION("5"), "'currentRevision':'a-1','updateRevision':'a-2'"),
         "statefulset/a", "rollout-in-progress=pass"},
        {"a partition for OnDelete means nothing",
         STATEFUL("'updateStrategy':{'type':'OnDelete'},",
                  "'currentRevision':'a-1','updateRevision':'a-2','updatedReplicas':1"),
         "statefulset/a", "rollout-in-progress=fail"},
        {"a DaemonSet half way",
         DAEMON("'desiredNumberScheduled':3,'numberReady':3,'updatedNumberScheduled':1"),
         "daemonset/a", "rollout-in-progress=fail"},
        {"a DaemonSet all new",
         DAEMON("'desiredNumberScheduled':3,'numberReady':3,'updatedNumberScheduled':3"),
         "daemonset/a", "rollout-in-progress=pass"},
    };
    (void)state;
    ROWS(rows);
}

static void progress_hardens_after_ten_minutes(void **state)
{
#define HALF "'replicas':3,'updatedReplicas':1,'availableReplicas':2"
    static const struct {
        const char *document;
        enum severity severity;
    } rows[] = {
        {DOCUMENT(DEPLOYED("", HALF) "," SET("a-1", "1", "10T10:00:00", "c:1", "",
                                             "") "," SET("a-2", "2", "17T11:50:00", "c:1", "", "")),
         SEVERITY_LOW},
        {DOCUMENT(DEPLOYED("", HALF) "," SET("a-1", "1", "10T10:00:00", "c:1", "",
                                             "") "," SET("a-2", "2", "17T11:49:59", "c:1", "", "")),
         SEVERITY_MEDIUM},
        /* An undone rollout is as young as its condition, not as its ReplicaSet. */
        {DOCUMENT(
             DEPLOYED("", HALF PROGRESSING("True", "ReplicaSetUpdated", "17T11:58:00")) "," SET(
                 "a-1", "3", "10T10:00:00", "c:1", FORMER("1"),
                 "") "," SET("a-2", "2", "11T10:00:00", "c:1", "", "")),
         SEVERITY_LOW},
        {DEPLOYED("", HALF PROGRESSING("True", "ReplicaSetUpdated", "17T11:40:00")),
         SEVERITY_MEDIUM},
        {DEPLOYED("", HALF), SEVERITY_LOW},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct judgement judgement = judgement_open(rows[i].document, NULL);
        const struct risk *risk = judgement_risk(&judgement, "rollout-in-progress", "deployment/a");
        assert_non_null(risk);
        assert_int_equal(risk->severity, rows[i].severity);
        judgement_close(&judgement);
    }
}

#define REVISION(kind, name, number, created, image)                                               \
    "{'apiVersion':'apps/v1','kind':'ControllerRevision','metadata':{'name':'" name                \
    "','namespace':'shop','creationTimestamp':'2026-03-" created                                   \
    "Z','ownerReferences':[{'apiVersion':'apps/v1','kind':'" kind                                  \
    "','name':'a','uid':'u','controller':true}]},'revision':" number                               \
    ",'data':{'spec':{'template':{'spec':{'containers':[{'name':'c','image':'" image "'}]}}}}}"

static void rollbacks(void **state)
{
    static const struct judge_row rows[] = {
        {"ever onward",
         DOCUMENT(DEPLOYED("", SETTLED) "," SET("a-1", "1", "10T10:00:00", "c:1", "", "") "," SET(
             "a-2", "2", "11T10:00:00", "c:2", "", "")),
         "deployment/a", "rollback-detected=pass rollback-frequent=pass"},
        {"undone: the old set has a new number",
         DOCUMENT(
             DEPLOYED("", SETTLED) "," SET("a-1", "3", "10T10:00:00", "c:1", FORMER("1"),
                                           "") "," SET("a-2", "2", "11T10:00:00", "c:2", "", "")),
         "deployment/a", "rollback-detected=fail rollback-frequent=pass"},
        {"the annotation was lost, the age tells",
         DOCUMENT(DEPLOYED("", SETTLED) "," SET("a-1", "3", "10T10:00:00", "c:1", "", "") "," SET(
             "a-2", "2", "11T10:00:00", "c:2", "", "")),
         "deployment/a", "rollback-detected=fail"},
        {"the other set was collected, the annotation tells",
         DOCUMENT(DEPLOYED("", SETTLED) "," SET("a-1", "3", "10T10:00:00", "c:1", FORMER("1"), "")),
         "deployment/a", "rollback-detected=fail"},
        {"undone once, then onward",
         DOCUMENT(DEPLOYED("", SETTLED) "," SET("a-1", "3", "10T10:00:00", "c:1", FORMER("1"),
                                                "") "," SET("a-2", "2", "11T10:00:00", "c:2", "",
                                                            "") "," SET("a-3", "4", "12T10:00:00",
                                                                        "c:3", "", "")),
         "deployment/a", "rollback-detected=pass rollback-frequent=pass"},
        {"to and fro",
         DOCUMENT(DEPLOYED("", SETTLED) "," SET("a-1", "5", "10T10:00:00", "c:1", FORMER("1,3"),
                                                "") "," SET("a-2", "4", "11T10:00:00", "c:2",
                                                            FORMER("2"), "")),
         "deployment/a", "rollback-detected=fail rollback-frequent=fail"},
        {"one set twice",
         DOCUMENT(
             DEPLOYED("", SETTLED) "," SET("a-1", "5", "10T10:00:00", "c:1", FORMER("1, 3"), "")),
         "deployment/a", "rollback-frequent=fail"},
        {"number ten is above nine",
         DOCUMENT(DEPLOYED("", SETTLED) "," SET("a-1", "9", "10T10:00:00", "c:1", "", "") "," SET(
             "a-2", "10", "11T10:00:00", "c:2", "", "")),
         "deployment/a", "rollback-detected=pass"},
        {"no sets in the snapshot", DEPLOYED("", SETTLED), "deployment/a",
         "rollback-detected=none rollback-frequent=none recent-image-change=none"},
        {"sets without numbers",
         DOCUMENT(DEPLOYED("", SETTLED) "," SET("a-1", "", "10T10:00:00", "c:1", "", "")),
         "deployment/a", "rollback-detected=none"},
        {"a StatefulSet goes back",
         DOCUMENT(STATEFUL("", "'currentRevision':'a-1','updateRevision':'a-1'") "," REVISION(
             "StatefulSet", "a-1", "3", "10T10:00:00",
             "c:1") "," REVISION("StatefulSet", "a-2", "2", "11T10:00:00", "c:2")),
         "statefulset/a", "rollback-detected=fail"},
        {"a DaemonSet goes on",
         DOCUMENT(DAEMON("'desiredNumberScheduled':1,'updatedNumberScheduled':1") "," REVISION(
             "DaemonSet", "a-1", "1", "10T10:00:00", "c:1") "," REVISION("DaemonSet", "a-2", "2",
                                                                         "11T10:00:00", "c:2")),
         "daemonset/a", "rollback-detected=pass"},
    };
    (void)state;
    ROWS(rows);
}

#define OF_A(name, created)                                                                        \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'" name                                    \
    "','namespace':'shop','creationTimestamp':'2026-03-" created                                   \
    "Z','ownerReferences':[{'apiVersion':'apps/v1','kind':'Deployment','name':'a','uid':'u',"      \
    "'controller':true}]},'spec':{'containers':[{'name':'c'}]},'status':{'phase':'Running',"       \
    "'conditions':[{'type':'Ready','status':'True'}]}}"
#define UNDONE(status, rest)                                                                       \
    DOCUMENT(DEPLOYED("", SETTLED status) "," SET("a-1", "3", "01T10:00:00", "c:1", FORMER("1"),   \
                                                  "") "," SET("a-2", "2", "02T10:00:00", "c:2",    \
                                                              "", "") rest)
#define PROGRESSED(at) PROGRESSING("True", "NewReplicaSetAvailable", at)

/* A rollback that nobody took back for a week is how things are now: it is told, and costs nothing.
 */
static void a_rollback_is_history_after_a_week(void **state)
{
    static const struct {
        const char *name, *document, *resource;
        enum severity severity;
    } rows[] = {
        {"a week old", UNDONE(PROGRESSED("10T12:00:00"), ""), "deployment/a", SEVERITY_HIGH},
        {"and a second", UNDONE(PROGRESSED("10T11:59:59"), ""), "deployment/a", SEVERITY_LOW},
        {"no condition, and young pods", UNDONE("", "," OF_A("p", "16T10:00:00")), "deployment/a",
         SEVERITY_HIGH},
        {"the youngest counts",
         UNDONE("", "," OF_A("p", "05T10:00:00") "," OF_A("q", "11T10:00:00")), "deployment/a",
         SEVERITY_HIGH},
        {"old pods", UNDONE("", "," OF_A("p", "05T10:00:00") "," OF_A("q", "10T11:59:59")),
         "deployment/a", SEVERITY_LOW},
        {"the condition is asked before the pods",
         UNDONE(PROGRESSED("05T10:00:00"), "," OF_A("p", "17T10:00:00")), "deployment/a",
         SEVERITY_LOW},
        {"nothing tells", UNDONE("", ""), "deployment/a", SEVERITY_HIGH},
        {"a StatefulSet, of which nothing tells",
         DOCUMENT(STATEFUL("", "'currentRevision':'a-1','updateRevision':'a-1'") "," REVISION(
             "StatefulSet", "a-1", "3", "01T10:00:00",
             "c:1") "," REVISION("StatefulSet", "a-2", "2", "02T10:00:00", "c:2")),
         "statefulset/a", SEVERITY_HIGH},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct judgement judgement = judgement_open(rows[i].document, NULL);
        const struct risk *risk = judgement_risk(&judgement, "rollback-detected", rows[i].resource);
        assert_non_null(risk);
        if (risk->severity != rows[i].severity)
            fail_msg("%s: severity %d", rows[i].name, (int)risk->severity);
        if (!risk->impact != (rows[i].severity == SEVERITY_LOW))
            fail_msg("%s: costs %u", rows[i].name, risk->impact);
        judgement_close(&judgement);
    }
}

#define RESTARTED(at)                                                                              \
    "'template':{'metadata':{'annotations':{'kubectl.kubernetes.io/restartedAt':'" at              \
    "'}},'spec':{'containers':[{'name':'c','image':'c:1'}]}}"
#define RESTARTED_SET(name, revision, created, at)                                                 \
    "{'apiVersion':'apps/v1','kind':'ReplicaSet','metadata':{'name':'" name                        \
    "','namespace':'shop','creationTimestamp':'2026-03-" created                                   \
    "Z','annotations':{'deployment.kubernetes.io/revision':'" revision                             \
    "'},'ownerReferences':[{'apiVersion':'apps/v1','kind':'Deployment','name':'a','uid':'u',"      \
    "'controller':true}]},'spec':{'replicas':0," RESTARTED(at) "}}"

static void changes(void **state)
{
    static const struct judge_row rows[] = {
        {"a new image today",
         DOCUMENT(DEPLOYED("", SETTLED) "," SET("a-1", "1", "10T10:00:00", "c:1", "", "") "," SET(
             "a-2", "2", "17T10:00:00", "c:2", "", "")),
         "deployment/a", "recent-image-change=fail recent-template-change=pass"},
        {"a new image the day before",
         DOCUMENT(DEPLOYED("", SETTLED) "," SET("a-1", "1", "10T10:00:00", "c:1", "", "") "," SET(
             "a-2", "2", "16T11:59:59", "c:2", "", "")),
         "deployment/a", "recent-image-change=pass recent-template-change=pass"},
        {"the same image",
         DOCUMENT(DEPLOYED("", SETTLED) "," SET("a-1", "1", "10T10:00:00", "c:1", "", "") "," SET(
             "a-2", "2", "17T10:00:00", "c:1", "", "")),
         "deployment/a", "recent-image-change=pass recent-template-change=fail"},
        {"a restart changes nothing",
         DOCUMENT(DEPLOYED("", SETTLED) "," SET("a-1", "1", "10T10:00:00", "c:1", "",
                                                "") "," RESTARTED_SET("a-2", "2", "17T10:00:00",
                                                                      "2026-03-17T12:00:00+02:00")),
         "deployment/a", "recent-image-change=pass recent-template-change=pass"},
        {"a change after an old restart",
         DOCUMENT(DEPLOYED("", SETTLED) "," RESTARTED_SET(
             "a-1", "1", "10T10:00:00",
             "2026-03-10T10:00:00Z") "," RESTARTED_SET("a-2", "2", "17T10:00:00",
                                                       "2026-03-10T10:00:00Z")),
         "deployment/a", "recent-template-change=fail"},
        {"the first revision is new, not changed",
         DOCUMENT(DEPLOYED("", SETTLED) "," SET("a-1", "1", "17T10:00:00", "c:1", "", "")),
         "deployment/a", "recent-image-change=pass recent-template-change=pass"},
        {"the revision before is gone",
         DOCUMENT(DEPLOYED("", SETTLED) "," SET("a-1", "7", "17T10:00:00", "c:1", "", "")),
         "deployment/a", "recent-image-change=none recent-template-change=none"},
        {"rolled back today",
         DOCUMENT(DEPLOYED(
             "", SETTLED PROGRESSING(
                     "True", "NewReplicaSetAvailable",
                     "17T11:00:00")) "," SET("a-1", "3", "10T10:00:00", "c:1", FORMER("1"),
                                             "") "," SET("a-2", "2", "11T10:00:00", "c:2", "", "")),
         "deployment/a", "recent-image-change=fail"},
        {"rolled back last week",
         DOCUMENT(DEPLOYED(
             "", SETTLED PROGRESSING(
                     "True", "NewReplicaSetAvailable",
                     "12T11:00:00")) "," SET("a-1", "3", "10T10:00:00", "c:1", FORMER("1"),
                                             "") "," SET("a-2", "2", "11T10:00:00", "c:2", "", "")),
         "deployment/a", "recent-image-change=pass rollback-detected=fail"},
        {"a StatefulSet's image",
         DOCUMENT(STATEFUL("", "'currentRevision':'a-2','updateRevision':'a-2'") "," REVISION(
             "StatefulSet", "a-1", "1", "10T10:00:00",
             "c:1") "," REVISION("StatefulSet", "a-2", "2", "17T10:00:00", "c:2")),
         "statefulset/a", "recent-image-change=fail"},
        {"a DaemonSet's restart",
         DOCUMENT(
             "{'apiVersion':'apps/"
             "v1','kind':'DaemonSet','metadata':{'name':'a','namespace':'shop','uid':'u'},'spec':"
             "{" RESTARTED("2026-03-17T09:59:58Z") "},'status':{'desiredNumberScheduled':1,'"
                                                   "updatedNumberScheduled':1}}," REVISION(
                                                       "DaemonSet", "a-1", "1", "10T10:00:00",
                                                       "c:1") "," REVISION("DaemonSet", "a-2", "2",
                                                                           "17T10:00:00", "c:1")),
         "daemonset/a", "recent-image-change=pass recent-template-change=pass"},
    };
    (void)state;
    ROWS(rows);
}

/* A young Deployment's revision 2 within an hour is not 48 a day. */
static void frequency(void **state)
{
    static const struct judge_row rows[] = {
        {"revision 71 within seven days",
         DOCUMENT(CONTROLLER("Deployment", "'uid':'u','generation':2,", "'replicas':2,",
                             "'observedGeneration':2," SETTLED) "," SET("a-1", "71", "16T10:00:00",
                                                                        "c:1", "", "")),
         "deployment/a", "rollout-frequent=fail"},
        {"revision 70 within seven days",
         DOCUMENT(DEPLOYED("", SETTLED) "," SET("a-1", "70", "16T10:00:00", "c:1", "", "")),
         "deployment/a", "rollout-frequent=pass"},
        {"no set in the snapshot", DEPLOYED("", SETTLED), "deployment/a", "rollout-frequent=none"},
        {"revision 71 by the Deployment itself",
         CONTROLLER("Deployment",
                    "'uid':'u','annotations':{'deployment.kubernetes.io/revision':'71'},",
                    "'replicas':2,", SETTLED),
         "deployment/a", "rollout-frequent=fail"},
        {"revision 70 by the Deployment itself",
         CONTROLLER("Deployment",
                    "'uid':'u','annotations':{'deployment.kubernetes.io/revision':'70'},",
                    "'replicas':2,", SETTLED),
         "deployment/a", "rollout-frequent=pass"},
        {"five sets that do not tell their numbers",
         DOCUMENT(DEPLOYED("", SETTLED) "," SET("a-1", "", "17T10:00:00", "c:1", "", "") "," SET(
             "a-2", "", "17T10:00:00", "c:2", "",
             "") "," SET("a-3", "", "17T10:00:00", "c:3", "",
                         "") "," SET("a-4", "", "17T10:00:00", "c:4", "",
                                     "") "," SET("a-5", "", "17T10:00:00", "c:5", "", "")),
         "deployment/a", "rollout-frequent=fail"},
        {"five sets in a day",
         DOCUMENT(DEPLOYED("", SETTLED) "," SET("a-1", "1", "17T10:00:00", "c:1", "", "") "," SET(
             "a-2", "2", "17T10:00:00", "c:2", "",
             "") "," SET("a-3", "3", "17T10:00:00", "c:3", "",
                         "") "," SET("a-4", "4", "17T10:00:00", "c:4", "",
                                     "") "," SET("a-5", "5", "17T10:00:00", "c:5", "", "")),
         "deployment/a", "rollout-frequent=fail"},
        {"four sets in a day",
         DOCUMENT(DEPLOYED("", SETTLED) "," SET("a-1", "1", "10T10:00:00", "c:1", "", "") "," SET(
             "a-2", "2", "17T10:00:00", "c:2", "",
             "") "," SET("a-3", "3", "17T10:00:00", "c:3", "",
                         "") "," SET("a-4", "4", "17T10:00:00", "c:4", "",
                                     "") "," SET("a-5", "5", "17T10:00:00", "c:5", "", "")),
         "deployment/a", "rollout-frequent=pass"},
        {"revision 2 within the hour",
         DOCUMENT("{'apiVersion':'apps/"
                  "v1','kind':'Deployment','metadata':{'name':'a','namespace':'shop','uid':'u','"
                  "creationTimestamp':'2026-03-17T11:00:00Z'},'spec':{}}," SET(
                      "a-2", "2", "17T11:30:00", "c:1", "", "")),
         "deployment/a", "rollout-frequent=pass"},
        {"revision 11 within the hour",
         DOCUMENT("{'apiVersion':'apps/"
                  "v1','kind':'Deployment','metadata':{'name':'a','namespace':'shop','uid':'u','"
                  "creationTimestamp':'2026-03-17T11:00:00Z'},'spec':{}}," SET(
                      "a-2", "11", "17T11:30:00", "c:1", "", "")),
         "deployment/a", "rollout-frequent=fail"},
    };
    (void)state;
    ROWS(rows);
}

#define POD_OF(set, waiting)                                                                       \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'" set "-x','namespace':'shop','labels':{" \
    "'pod-template-hash':'" set "','controller-revision-hash':'" set                               \
    "'},'ownerReferences':[{'apiVersion':'apps/v1','kind':'ReplicaSet','name':'" set               \
    "','uid':'x','controller':true}]},'spec':{'containers':[{'name':'c'}]},'status':{'phase':"     \
    "'Pending','containerStatuses':[{'name':'c','state':{'waiting':{'reason':'" waiting "'}}}]}}"

#define UNLABELLED_POD_OF(set)                                                                     \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'x','namespace':'shop','ownerReferences':" \
    "[{'apiVersion':'apps/v1','kind':'ReplicaSet','name':'" set                                    \
    "','uid':'x','controller':true}]},'spec':{'containers':[{'name':'c'}]},'status':{'phase':"     \
    "'Running','containerStatuses':[{'name':'c','state':{'waiting':{'reason':"                     \
    "'CrashLoopBackOff'}}}]}}"

static void left_overs(void **state)
{
    static const struct judge_row rows[] = {
        {"a broken set still tries",
         DOCUMENT(DEPLOYED("", SETTLED) "," SET(
             "a-1", "1", "16T10:00:00", "c:1", "",
             "'replicas':1,'readyReplicas':0") "," SET("a-2", "2", "17T10:00:00", "c:2", "",
                                                       "'replicas':2,'readyReplicas'"
                                                       ":2") "," POD_OF("a-1", "ImagePullBa"
                                                                               "ckOff")),
         "deployment/a", "failed-revision-left=fail"},
        {"a broken set, by its owner reference alone",
         DOCUMENT(DEPLOYED("", SETTLED) "," SET(
             "a-1", "1", "16T10:00:00", "c:1", "",
             "'replicas':1") "," SET("a-2", "2", "17T10:00:00", "c:2", "",
                                     "'replicas':2,'readyReplicas':2") "," UNLABELLED_POD_OF("a-"
                                                                                             "1")),
         "deployment/a", "failed-revision-left=fail"},
        {"the set in force does, which is another matter",
         DOCUMENT(DEPLOYED("", SETTLED) "," SET(
             "a-1", "1", "16T10:00:00", "c:1", "",
             "'replicas':0") "," SET("a-2", "2", "17T10:00:00", "c:2", "",
                                     "'replicas':1,'readyReplicas':0") "," POD_OF("a-2",
                                                                                  "ImagePullBackOf"
                                                                                  "f")),
         "deployment/a", "failed-revision-left=pass"},
        {"an old set on its way out",
         DOCUMENT(DEPLOYED("", SETTLED) "," SET(
             "a-1", "1", "16T10:00:00", "c:1", "",
             "'replicas':1,'readyReplicas':1") "," SET("a-2", "2", "17T10:00:00", "c:2", "",
                                                       "'replicas':1") "," POD_OF("a-2",
                                                                                  "ContainerCreatin"
                                                                                  "g")),
         "deployment/a", "failed-revision-left=pass"},
        {"of more than a week ago",
         DOCUMENT(DEPLOYED("", SETTLED) "," SET(
             "a-1", "1", "09T10:00:00", "c:1", "",
             "'replicas':1,'readyReplicas':0") "," SET("a-2", "2", "17T10:00:00", "c:2", "",
                                                       "'replicas':2,'readyReplicas'"
                                                       ":2") "," POD_OF("a-1", "ImagePullBa"
                                                                               "ckOff")),
         "deployment/a", "failed-revision-left=pass"},
        {"no pods in the snapshot",
         DOCUMENT(DEPLOYED("", SETTLED) "," SET(
             "a-1", "1", "16T10:00:00", "c:1", "",
             "'replicas':1,'readyReplicas':0") "," SET("a-2", "2", "17T10:00:00", "c:2", "", "")),
         "deployment/a", "failed-revision-left=none"},
    };
    (void)state;
    ROWS(rows);
}

#define SCALED(at)                                                                                 \
    EVENT("Deployment", "a", "x")                                                                  \
    "'type':'Normal','reason':'ScalingReplicaSet','count':1,'firstTimestamp':'2026-03-17T" at      \
    "Z','lastTimestamp':'2026-03-17T" at "Z','message':'Scaled up replica set a-1 to 2 from 1'}"
#define HPA(status)                                                                                \
    "{'apiVersion':'autoscaling/"                                                                  \
    "v2','kind':'HorizontalPodAutoscaler','metadata':{'name':'a','namespace':'shop'},'spec':{'"    \
    "scaleTargetRef':{'apiVersion':'apps/"                                                         \
    "v1','kind':'Deployment','name':'a'},'maxReplicas':5},'status':{'currentReplicas':2" status    \
    "}}"
#define RESCALED(count, first, last)                                                               \
    EVENT("HorizontalPodAutoscaler", "a", "x")                                                     \
    "'type':'Normal','reason':'SuccessfulRescale','count':" count                                  \
    ",'firstTimestamp':'2026-03-" first "Z','lastTimestamp':'2026-03-" last "Z'}"
#define OLD_SET SET("a-1", "1", "10T10:00:00", "c:1", "", "")

static void scaling(void **state)
{
    static const struct judge_row rows[] = {
        {"scaled", DOCUMENT(DEPLOYED("", SETTLED) "," OLD_SET "," SCALED("11:10:00")),
         "deployment/a", "recent-scale-change=fail"},
        {"scaled an hour ago", DOCUMENT(DEPLOYED("", SETTLED) "," OLD_SET "," SCALED("10:59:59")),
         "deployment/a", "recent-scale-change=pass"},
        {"as part of a rollout",
         DOCUMENT(DEPLOYED("", SETTLED) "," OLD_SET "," SET("a-2", "2", "17T11:10:00", "c:2", "",
                                                            "") "," SCALED("11:10:00")),
         "deployment/a", "recent-scale-change=pass"},
        {"by an autoscaler, which answers for it",
         DOCUMENT(DEPLOYED("", SETTLED) "," OLD_SET "," SCALED("11:10:00") "," HPA("")),
         "deployment/a", "recent-scale-change=pass"},
        {"being scaled",
         DOCUMENT(
             DEPLOYED("", SETTLED) "," SET("a-1", "1", "10T10:00:00", "c:1", DESIRED("5"), "")),
         "deployment/a", "recent-scale-change=fail"},
        {"at its size",
         DOCUMENT(
             DEPLOYED("", SETTLED) "," SET("a-1", "1", "10T10:00:00", "c:1", DESIRED("2"), "")),
         "deployment/a", "recent-scale-change=pass"},
        {"nothing to tell by", DEPLOYED("", SETTLED), "deployment/a", "recent-scale-change=none"},
        {"an autoscaler's last time", HPA(",'lastScaleTime':'2026-03-17T11:30:00Z'"),
         "horizontalpodautoscaler/a", "recent-scale-change=fail"},
        {"long ago", HPA(",'lastScaleTime':'2026-03-17T10:30:00Z'"), "horizontalpodautoscaler/a",
         "recent-scale-change=pass scale-flapping=none"},
        {"six times in an hour", DOCUMENT(HPA("") "," RESCALED("6", "17T11:05:00", "17T11:59:00")),
         "horizontalpodautoscaler/a", "scale-flapping=fail recent-scale-change=fail"},
        {"five times", DOCUMENT(HPA("") "," RESCALED("5", "17T11:05:00", "17T11:59:00")),
         "horizontalpodautoscaler/a", "scale-flapping=pass"},
        {"forty times in a week",
         DOCUMENT(HPA("") "," RESCALED("40", "10T11:05:00", "17T11:59:00")),
         "horizontalpodautoscaler/a", "scale-flapping=pass"},
        {"last at no time at all",
         DOCUMENT(HPA("") "," RESCALED("40", "17T11:05:00", "17T99:59:00")),
         "horizontalpodautoscaler/a", "scale-flapping=pass"},
    };
    (void)state;
    ROWS(rows);
}

/* History is not judged in kube-system, and one rollout is paid once. */
static void history_is_the_owners(void **state)
{
    struct score_policy policy = score_policy_default();
    struct judgement judgement =
        judgement_open("{'apiVersion':'apps/"
                       "v1','kind':'Deployment','metadata':{'name':'a','namespace':'kube-system'},'"
                       "spec':{'paused':true,'replicas':1},'status':{'replicas':1}}",
                       &policy);
    (void)state;
    assert_int_equal(judgement_verdict(&judgement, "rollout-paused", "deployment/a"),
                     NOT_EVALUATED);
    judgement_close(&judgement);
    judgement = judgement_open(
        DOCUMENT(DEPLOYED("", "'replicas':3,'updatedReplicas':1" PROGRESSING(
                                  "False", "ProgressDeadlineExceeded",
                                  "17T11:00:00")) "," SET("a-1", "1", "10T10:00:00", "c:1", "",
                                                          "") "," SET("a-2", "2", "17T10:00:00",
                                                                      "c:2", "", "")),
        NULL);
    const struct risk *stalled = judgement_risk(&judgement, "rollout-stalled", "deployment/a");
    const struct risk *change = judgement_risk(&judgement, "recent-image-change", "deployment/a");
    assert_true(stalled && change && stalled->impact > 0);
    assert_int_equal(change->impact, 0);
    assert_ptr_equal(change->absorbed_by, stalled->check);
    judgement_close(&judgement);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stalls),
        cmocka_unit_test(progress),
        cmocka_unit_test(progress_hardens_after_ten_minutes),
        cmocka_unit_test(rollbacks),
        cmocka_unit_test(a_rollback_is_history_after_a_week),
        cmocka_unit_test(changes),
        cmocka_unit_test(frequency),
        cmocka_unit_test(left_overs),
        cmocka_unit_test(scaling),
        cmocka_unit_test(history_is_the_owners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

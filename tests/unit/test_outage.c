/* Who pays for what is down: one owner a workload, the others name it. */
#include "live.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define NODE(name, ready)                                                                          \
    "{'apiVersion':'v1','kind':'Node','metadata':{'name':'" name                                   \
    "'},'status':{'conditions':[{'type':'Ready','status':'" ready                                  \
    "','lastTransitionTime':'2026-03-17T11:00:00Z'}]}}"
#define NODES NODE("good", "True") "," NODE("dead", "Unknown")
#define DEPLOYED(name, wanted, there, rest)                                                        \
    "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'" name                        \
    "','namespace':'shop','uid':'" name "','generation':1},'spec':{'replicas':" wanted             \
    ",'template':{'metadata':{'labels':{'app':'" name "'}},'spec':{'containers':[{'name':'c'}]}}"  \
    "},'status':{'observedGeneration':1,'replicas':" wanted ",'updatedReplicas':" wanted           \
    ",'availableReplicas':" there rest "}}"
#define PART(owner, number, node, status)                                                          \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'" owner "-" number                        \
    "','namespace':'shop','creationTimestamp':'2026-03-17T10:00:00Z','labels':{'app':'" owner      \
    "'},'ownerReferences':[{'apiVersion':'apps/v1','kind':'Deployment','name':'" owner             \
    "','controller':true}]},'spec':{'nodeName':'" node                                             \
    "','containers':[{'name':'c'}]},'status':{" status "}}"
#define NOT_READY                                                                                  \
    "'phase':'Running','conditions':[{'type':'Ready','status':'False','lastTransitionTime':"       \
    "'2026-03-17T11:00:00Z'}]"
#define LOOPS                                                                                      \
    NOT_READY                                                                                      \
    ",'containerStatuses':[" CONTAINER("'restartCount':9," WAITING("CrashLoopBackOff")) "]"
#define PULLS "'phase':'Pending','containerStatuses':[" CONTAINER(WAITING("ImagePullBackOff")) "]"
#define WELL  "'phase':'Running','conditions':[{'type':'Ready','status':'True'}]"
#define STALLED                                                                                    \
    ",'conditions':[{'type':'Progressing','status':'False','reason':'ProgressDeadlineExceeded'}]"
#define SERVICE                                                                                    \
    "{'apiVersion':'v1','kind':'Service','metadata':{'name':'s','namespace':'shop'},'spec':{"      \
    "'selector':{'app':'a'}}},{'apiVersion':'v1','kind':'Endpoints','metadata':{'name':'s',"       \
    "'namespace':'shop'},'subsets':[]}"

enum { RISKS_MAX = 4 };

/* Findings of the document; of those that another pays for, which: "" pays itself. NULL: costs
 * nothing, though nobody else pays. */
static const struct row {
    const char *name, *document;
    struct {
        const char *check, *resource, *payer;
    } risks[RISKS_MAX];
} rows[] = {
    {"a loop explains that nothing is there",
     DOCUMENT(NODES "," DEPLOYED("a", "1", "0", "") "," PART("a", "1", "good", LOOPS)),
     {{"container-crash-loop", "deployment/a", ""},
      {"deployment-unavailable", "deployment/a", "container-crash-loop"},
      {"pod-not-ready", "deployment/a", "container-crash-loop"}}},
    {"an image that cannot be pulled explains more",
     DOCUMENT(NODES "," DEPLOYED("a", "2", "0", STALLED) "," PART("a", "1", "good", LOOPS) "," PART(
         "a", "2", "good", PULLS)),
     {{"image-pull-failure", "deployment/a", ""},
      {"container-crash-loop", "deployment/a", "image-pull-failure"},
      {"rollout-stalled", "deployment/a", "image-pull-failure"},
      {"deployment-unavailable", "deployment/a", "image-pull-failure"}}},
    {"nothing is missing: what says most pays",
     DOCUMENT(NODES "," DEPLOYED("a", "1", "1", STALLED) "," PART(
         "a", "1", "good",
         WELL ",'containerStatuses':[{'name':'c','ready':true,"
              "'restartCount':40,'state':{'running':{'startedAt':"
              "'2026-03-17T11:50:00Z'}},'lastState':{'terminated':{"
              "'exitCode':1,'reason':'Error','finishedAt':"
              "'2026-03-17T11:49:00Z'}}}]")),
     {{"rollout-stalled", "deployment/a", ""},
      {"container-restarts-high", "deployment/a", "rollout-stalled"}}},
    {"the dead node pays for what it took along",
     DOCUMENT(NODES "," DEPLOYED("a", "1", "0", "") "," PART("a", "1", "dead", NOT_READY)),
     {{"node-not-ready", "node/dead", ""},
      {"deployment-unavailable", "deployment/a", "node-not-ready"}}},
    {"... not for what fails by itself",
     DOCUMENT(NODES "," DEPLOYED("a", "2", "0", "") "," PART("a", "1", "dead", NOT_READY) "," PART(
         "a", "2", "good", LOOPS)),
     {{"node-not-ready", "node/dead", ""},
      {"container-crash-loop", "deployment/a", ""},
      {"deployment-unavailable", "deployment/a", "container-crash-loop"}}},
    {"a Service is as empty as what it selects is down",
     DOCUMENT(NODES "," SERVICE "," DEPLOYED("a", "1", "0", "") "," PART("a", "1", "good", LOOPS)),
     {{"container-crash-loop", "deployment/a", ""},
      {"service-no-ready-endpoints", "service/s", "container-crash-loop"}}},
    {"... on the dead node",
     DOCUMENT(NODES "," SERVICE
                    "," DEPLOYED("a", "1", "0", "") "," PART("a", "1", "dead", NOT_READY)),
     {{"node-not-ready", "node/dead", ""},
      {"service-no-ready-endpoints", "service/s", "node-not-ready"}}},
    {"... of one that is well it is a trouble of its own",
     DOCUMENT(NODES "," SERVICE "," DEPLOYED("a", "1", "1", "") "," PART("a", "1", "good", WELL)),
     {{"service-no-ready-endpoints", "service/s", ""}}},
    {"a node's worst trouble pays for the others",
     DOCUMENT("{'apiVersion':'v1','kind':'Node','metadata':{'name':'n'},'spec':{'unschedulable':"
              "true},'status':{'conditions':[{'type':'Ready','status':'True'},{'type':"
              "'DiskPressure','status':'True'}]}}"),
     {{"node-disk-pressure", "node/n", ""}, {"node-cordoned", "node/n", "node-disk-pressure"}}},
    {"a lone pod that failed is a trifle, and paid",
     DOCUMENT(NODES ",{'apiVersion':'v1','kind':'Pod','metadata':{'name':'a','namespace':'shop'},"
                    "'status':{'phase':'Failed','reason':'Error'}}"),
     {{"pod-failed", "pod/a", ""}}},
    {"a pod that was evicted from a controller is a notice",
     DOCUMENT(NODES "," DEPLOYED("a", "1", "1", "") "," PART("a", "1", "good", WELL) "," PART(
         "a", "2", "good", "'phase':'Failed','reason':'Evicted'")),
     {{"pod-failed", "deployment/a", NULL}}},
};

static void one_pays(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct judgement judgement = judgement_open(rows[i].document, NULL);
        for (size_t n = 0; n < RISKS_MAX && rows[i].risks[n].check; n++) {
            const char *check = rows[i].risks[n].check, *payer = rows[i].risks[n].payer;
            const struct risk *risk = judgement_risk(&judgement, check, rows[i].risks[n].resource);
            if (!risk)
                fail_msg("%s: no %s", rows[i].name, check);
            if (!risk->impact != (!payer || *payer))
                fail_msg("%s: %s costs %u", rows[i].name, check, risk->impact);
            const char *got = risk->absorbed_by ? risk->absorbed_by->id : "";
            if (!str_eq(str_of(got), payer ? str_of(payer) : STR("")))
                fail_msg("%s: for %s pays \"%s\"", rows[i].name, check, got);
        }
        judgement_close(&judgement);
    }
}

/* ---- how much ---- */

#define OTHERS                                                                                     \
    NODES "," DEPLOYED("o1", "1", "1", "") "," DEPLOYED("o2", "1", "1", "") "," DEPLOYED(          \
        "o3", "1", "1", "") "," DEPLOYED("o4", "1", "1", "")
#define NAKED(meta, spec)                                                                          \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'a'," meta                                 \
    "'creationTimestamp':'2026-03-17T10:00:00Z'},'spec':{" spec                                    \
    "'containers':[{'name':'c'}]},'status':{" NOT_READY "}}"
#define JOB(status)                                                                                \
    "{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'a','namespace':'shop'},'spec':{},"  \
    "'status':{" status "}}"

/* Each costs more than the next. */
static void what_weighs_more(void **state)
{
    (void)state;
    static const struct {
        const char *name, *document;
    } order[] = {
        {"a Deployment that is gone", DOCUMENT(OTHERS "," DEPLOYED("a", "2", "0", ""))},
        {"a naked pod", DOCUMENT(OTHERS "," NAKED("'namespace':'shop',", ""))},
        {"a Job that failed",
         DOCUMENT(OTHERS "," JOB("'failed':1,'conditions':[{'type':'Failed','status':'True'}]"))},
        {"half of a Deployment", DOCUMENT(OTHERS "," DEPLOYED("a", "2", "1", ""))},
        {"a third of one", DOCUMENT(OTHERS "," DEPLOYED("a", "3", "2", ""))},
        {"a Job at work", DOCUMENT(OTHERS "," JOB("'active':1"))},
    };
    uint32_t before = 0;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        struct judgement judgement = judgement_open(order[i].document, NULL);
        if (judgement.ledger->score_exact <= before)
            fail_msg("%s: %u, and what is worse %u", order[i].name, judgement.ledger->score_exact,
                     before);
        before = judgement.ledger->score_exact;
        judgement_close(&judgement);
    }
}

/* What the cluster needs weighs as much as any other workload, controller or not. */
static void critical_pods_weigh_full(void **state)
{
    (void)state;
    static const char *const documents[] = {
        DOCUMENT(OTHERS "," NAKED("'namespace':'kube-system',", "")),
        DOCUMENT(OTHERS
                 "," NAKED("'namespace':'shop',", "'priorityClassName':'system-node-critical',")),
    };
    struct judgement naked =
        judgement_open(DOCUMENT(OTHERS "," NAKED("'namespace':'shop',", "")), NULL);
    for (size_t i = 0; i < sizeof documents / sizeof *documents; i++) {
        struct judgement judgement = judgement_open(documents[i], NULL);
        assert_true(judgement.ledger->categories[CATEGORY_RUNTIME].hazard >
                    naked.ledger->categories[CATEGORY_RUNTIME].hazard);
        judgement_close(&judgement);
    }
    judgement_close(&naked);
}

/* What is scaled to zero, suspended or through is not there: it neither costs nor dilutes. */
static void what_does_not_count(void **state)
{
    (void)state;
    static const char *const documents[] = {
        DEPLOYED("z", "0", "0", ""),
        JOB("'succeeded':1,'conditions':[{'type':'Complete','status':'True'}]"),
        "{'apiVersion':'batch/v1','kind':'CronJob','metadata':{'name':'z','namespace':'shop'},"
        "'spec':{'suspend':true}}",
        "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'z','namespace':'shop'},'status':{"
        "'phase':'Succeeded'}}",
    };
    for (size_t i = 0; i < sizeof documents / sizeof *documents; i++) {
        struct arena *arena = arena_new(1 << 20);
        struct judgement with =
            judgement_open(arena_printf(arena, DOCUMENT("%s,%s"),
                                        OTHERS "," DEPLOYED("a", "2", "0", ""), documents[i])
                               .p,
                           NULL);
        struct judgement without =
            judgement_open(DOCUMENT(OTHERS "," DEPLOYED("a", "2", "0", "")), NULL);
        const struct risk *x = judgement_risk(&with, "deployment-unavailable", "deployment/a");
        const struct risk *y = judgement_risk(&without, "deployment-unavailable", "deployment/a");
        assert_true(x && y);
        if (with.ledger->categories[CATEGORY_RUNTIME].hazard !=
            without.ledger->categories[CATEGORY_RUNTIME].hazard)
            fail_msg("%s", documents[i]);
        judgement_close(&with);
        judgement_close(&without);
        arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_pays),
        cmocka_unit_test(what_weighs_more),
        cmocka_unit_test(critical_pods_weigh_full),
        cmocka_unit_test(what_does_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Disruption budgets and autoscalers: what fails, what passes, what cannot be said. */
#include "judge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define IN(name) "'metadata':{'name':'" name "','namespace':'shop'}"
#define LIVE(name)                                                                                 \
    "'metadata':{'name':'" name "','namespace':'shop','uid':'u','creationTimestamp':"              \
    "'2026-03-01T00:00:00Z'}"
#define CONTROLLER(kind, meta, replicas)                                                           \
    "{'apiVersion':'apps/v1','kind':'" kind "'," meta ",'spec':{" replicas                         \
    "'template':{'metadata':{'labels':{'app':'web','tier':'front'}},'spec':{'containers':["        \
    "{'name':'c','image':'a:1'}]}}}}"
#define WEB(replicas) CONTROLLER("Deployment", IN("web"), "'replicas':" replicas ",")
#define WEB_NO_COUNT  CONTROLLER("Deployment", IN("web"), "")
#define BUDGET_OF(version, name, spec, status)                                                     \
    "{'apiVersion':'" version                                                                      \
    "','kind':'PodDisruptionBudget'," IN(name) ",'spec':{" spec "},'status':{" status "}}"
#define BUDGET(spec)  BUDGET_OF("policy/v1", "b", spec, "")
#define OF_WEB        "'selector':{'matchLabels':{'app':'web'}}"
#define MISSING(word) "pdb-missing=" word

static const struct judge_row missing[] = {
    {"no budget", DOCUMENT(WEB("2")), "deployment/web", MISSING("fail")},
    {"one replica needs none", DOCUMENT(WEB("1")), "deployment/web", MISSING("none")},
    {"scaled to zero needs none", DOCUMENT(WEB("0")), "deployment/web", MISSING("none")},
    {"a manifest that leaves the count to others", DOCUMENT(WEB_NO_COUNT), "deployment/web",
     MISSING("fail")},
    {"a budget", DOCUMENT(WEB("2") "," BUDGET(OF_WEB)), "deployment/web", MISSING("pass")},
    {"no selector selects nothing", DOCUMENT(WEB("2") "," BUDGET("'maxUnavailable':1")),
     "deployment/web", MISSING("fail")},
    {"null selector selects nothing", DOCUMENT(WEB("2") "," BUDGET("'selector':null")),
     "deployment/web", MISSING("fail")},
    {"{} selects everything in v1", DOCUMENT(WEB("2") "," BUDGET("'selector':{}")),
     "deployment/web", MISSING("pass")},
    {"{} selects nothing in v1beta1",
     DOCUMENT(WEB("2") "," BUDGET_OF("policy/v1beta1", "b", "'selector':{}", "")), "deployment/web",
     MISSING("fail")},
    {"one pair of two agrees",
     DOCUMENT(WEB("2") "," BUDGET("'selector':{'matchLabels':{'app':'web','tier':'back'}}")),
     "deployment/web", MISSING("fail")},
    {"labels agree, an expression does not",
     DOCUMENT(WEB("2") "," BUDGET("'selector':{'matchLabels':{'app':'web'},'matchExpressions':["
                                  "{'key':'tier','operator':'DoesNotExist'}]}")),
     "deployment/web", MISSING("fail")},
    {"a StatefulSet too", DOCUMENT(CONTROLLER("StatefulSet", IN("db"), "'replicas':3,")),
     "statefulset/db", MISSING("fail")},
    {"not a DaemonSet", DOCUMENT(CONTROLLER("DaemonSet", IN("d"), "")), "daemonset/d",
     MISSING("none")},
    {"collections that leave budgets out", "{'deployments':[" WEB("2") "],'pods':[]}",
     "deployment/web", MISSING("none")},
    {"a summary does not say which pods it protects",
     "{'deployments':[" WEB("2") "],'poddisruptionbudgets':[{'name':'b','namespace':'shop'}]}",
     "deployment/web", MISSING("none")},
    {"an empty collection of budgets", "{'deployments':[" WEB("2") "],'poddisruptionbudgets':[]}",
     "deployment/web", MISSING("fail")},
};

#define B              "poddisruptionbudget/b"
#define MOST           "9223372036854775807"
#define BLOCKS(word)   "pdb-blocks-eviction=" word
#define STATUS(status) BUDGET_OF("policy/v1", "b", OF_WEB ",'minAvailable':1", status)

static const struct judge_row blocking[] = {
    {"maxUnavailable 0", DOCUMENT(BUDGET("'maxUnavailable':0")), B, BLOCKS("fail")},
    {"maxUnavailable 0%", DOCUMENT(BUDGET("'maxUnavailable':'0%'")), B, BLOCKS("fail")},
    {"maxUnavailable 1% rounds up to a pod",
     DOCUMENT(WEB("2") "," BUDGET(OF_WEB ",'maxUnavailable':'1%'")), B, BLOCKS("pass")},
    {"minAvailable 100%", DOCUMENT(BUDGET("'minAvailable':'100%'")), B, BLOCKS("fail")},
    {"minAvailable 100% beside maxUnavailable",
     DOCUMENT(BUDGET("'minAvailable':'100%','maxUnavailable':5")), B, BLOCKS("fail")},
    {"all replicas", DOCUMENT(WEB("2") "," BUDGET(OF_WEB ",'minAvailable':2")), B, BLOCKS("fail")},
    {"all but one", DOCUMENT(WEB("3") "," BUDGET(OF_WEB ",'minAvailable':2")), B, BLOCKS("pass")},
    {"51% of two rounds up to both", DOCUMENT(WEB("2") "," BUDGET(OF_WEB ",'minAvailable':'51%'")),
     B, BLOCKS("fail")},
    {"50% of two is one", DOCUMENT(WEB("2") "," BUDGET(OF_WEB ",'minAvailable':'50%'")), B,
     BLOCKS("pass")},
    {"the replicas of two deployments add up",
     DOCUMENT(WEB("2") "," CONTROLLER("Deployment", IN("v2"),
                                      "'replicas':1,") "," BUDGET(OF_WEB ",'minAvailable':2")),
     B, BLOCKS("pass")},
    {"nothing selected, nothing blocked", DOCUMENT(BUDGET(OF_WEB ",'minAvailable':2")), B,
     BLOCKS("pass") " pdb-selects-nothing=fail"},
    {"scaled to zero", DOCUMENT(WEB("0") "," BUDGET(OF_WEB ",'minAvailable':1")), B,
     BLOCKS("pass") " pdb-selects-nothing=pass"},
    {"the controller says so although all is well",
     DOCUMENT(STATUS("'disruptionsAllowed':0,'expectedPods':3,'currentHealthy':3")), B,
     BLOCKS("fail")},
    {"a pod is unhealthy: no wonder",
     DOCUMENT(STATUS("'disruptionsAllowed':0,'expectedPods':3,'currentHealthy':2")), B,
     BLOCKS("pass")},
    {"the controller's count wins over replicas",
     DOCUMENT(WEB("1") "," STATUS("'disruptionsAllowed':2,'expectedPods':3,'currentHealthy':3")), B,
     BLOCKS("pass")},
    {"more replicas than can be added up",
     DOCUMENT(WEB(MOST) "," CONTROLLER("StatefulSet", IN("db"), "'replicas':" MOST ",") "," BUDGET(
         "'minAvailable':3," OF_WEB)),
     B, BLOCKS("pass")},
};

/* The disruption controller counts no pod for it, and allows nothing (disruption.go,
 * "getExpectedPodCount"). */
static const struct judge_row silent[] = {
    {"neither a minimum nor a maximum",
     DOCUMENT(WEB("2") "," BUDGET_OF("policy/v1", "b", OF_WEB,
                                     "'expectedPods':0,'currentHealthy':2,'disruptionsAllowed':0")),
     B, BLOCKS("fail") " pdb-no-budget=fail"},
    {"and no pod is healthy",
     DOCUMENT(WEB("2") "," BUDGET_OF("policy/v1", "b", OF_WEB,
                                     "'expectedPods':0,'currentHealthy':0,'disruptionsAllowed':0")),
     B, BLOCKS("pass")},
    {"and something is allowed all the same",
     DOCUMENT(WEB("2") "," BUDGET_OF("policy/v1", "b", OF_WEB,
                                     "'expectedPods':2,'currentHealthy':2,'disruptionsAllowed':1")),
     B, BLOCKS("pass")},
    {"a manifest has no status", DOCUMENT(WEB("2") "," BUDGET(OF_WEB)), B, BLOCKS("pass")},
};

#define POD_LABELLED(labels)                                                                       \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'a','namespace':'shop','labels':{" labels  \
    "}},'spec':{'containers':[{'name':'c','image':'a:1'}]}}"

#define BARE POD_LABELLED("'app':'web'") ","
#define SYNC(reason)                                                                               \
    BUDGET_OF("policy/v1", "b", OF_WEB ",'maxUnavailable':1",                                      \
              "'conditions':[{'type':'DisruptionAllowed','status':'False','reason'"                \
              ":'" reason "','message':'found no controllers for pod \\'a\\''}]")

static const struct judge_row without_a_scale[] = {
    {"a share of bare pods", DOCUMENT(BARE BUDGET(OF_WEB ",'minAvailable':'50%'")), B,
     BLOCKS("fail")},
    {"what may be missing of bare pods", DOCUMENT(BARE BUDGET(OF_WEB ",'maxUnavailable':1")), B,
     BLOCKS("fail")},
    {"a count of bare pods",
     DOCUMENT(BARE "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p','namespace':'shop',"
                   "'labels':{'app':'web'}}}," BUDGET(OF_WEB ",'minAvailable':1")),
     B, BLOCKS("pass")},
    {"a DaemonSet has no scale",
     DOCUMENT(CONTROLLER("DaemonSet", IN("d"), "") "," BUDGET(OF_WEB ",'maxUnavailable':1")), B,
     BLOCKS("fail")},
    {"a Deployment beside them has one",
     DOCUMENT(BARE WEB("3") "," BUDGET(OF_WEB ",'maxUnavailable':1")), B, BLOCKS("pass")},
    {"an owner of a kind that is not read may have one",
     DOCUMENT("{'apiVersion':'v1','kind':'Pod','metadata':{'name':'a','namespace':'shop','uid':'1',"
              "'labels':{'app':'web'},'ownerReferences':[{'apiVersion':'x/v1','kind':'Database',"
              "'name':'d','controller':true}]}}," BUDGET(OF_WEB ",'maxUnavailable':1")),
     B, BLOCKS("pass")},
    {"the controller says that it allows some",
     DOCUMENT(
         BARE BUDGET_OF("policy/v1", "b", OF_WEB ",'maxUnavailable':1", "'disruptionsAllowed':1")),
     B, BLOCKS("pass")},
    {"the controller says that it cannot count", DOCUMENT(WEB("3") "," SYNC("SyncFailed")), B,
     BLOCKS("fail")},
    {"too few pods just now", DOCUMENT(WEB("3") "," SYNC("InsufficientPods")), B, BLOCKS("pass")},
    {"nothing selected", DOCUMENT(BUDGET(OF_WEB ",'maxUnavailable':1")), B, BLOCKS("pass")},
};

static const struct judge_row budgets[] = {
    {"selects a bare pod", DOCUMENT(POD_LABELLED("'app':'web'") "," BUDGET(OF_WEB)), B,
     "pdb-selects-nothing=pass pdb-overlap=pass"},
    {"labels of pods only that do not match",
     DOCUMENT(POD_LABELLED("'app':'db'") "," BUDGET(OF_WEB)), B,
     "pdb-selects-nothing=fail pdb-overlap=none"},
    {"no selector", DOCUMENT(WEB("2") "," BUDGET("'minAvailable':1")), B,
     "pdb-selects-nothing=fail pdb-no-budget=pass"},
    {"{} where nothing runs", DOCUMENT(BUDGET("'selector':{}")), B, "pdb-selects-nothing=pass"},
    {"{} in v1beta1", DOCUMENT(WEB("2") "," BUDGET_OF("policy/v1beta1", "b", "'selector':{}", "")),
     B, "pdb-selects-nothing=fail"},
    {"no budget in it", DOCUMENT(BUDGET(OF_WEB)), B, "pdb-no-budget=fail"},
    {"maxUnavailable 0 is a budget", DOCUMENT(BUDGET("'maxUnavailable':0")), B,
     "pdb-no-budget=pass"},
    {"two select the same",
     DOCUMENT(WEB("2") "," BUDGET(OF_WEB) "," BUDGET_OF(
         "policy/v1", "c", "'selector':{'matchLabels':{'tier':'front'}}", "")),
     B, "pdb-overlap=fail"},
    {"the other one is told too",
     DOCUMENT(WEB("2") "," BUDGET(OF_WEB) "," BUDGET_OF(
         "policy/v1", "c", "'selector':{'matchLabels':{'tier':'front'}}", "")),
     "poddisruptionbudget/c", "pdb-overlap=fail"},
    {"two of one workload, for different pods",
     DOCUMENT("{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p0','namespace':'shop','labels':"
              "{'role':'primary'},'ownerReferences':[{'apiVersion':'x/v1','kind':'Db','name':'d',"
              "'uid':'1','controller':true}]},'spec':{'containers':[{'name':'c','image':'a:1'}]}},"
              "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p1','namespace':'shop','labels':"
              "{'role':'replica'},'ownerReferences':[{'apiVersion':'x/v1','kind':'Db','name':'d',"
              "'uid':'1','controller':true}]},'spec':{'containers':[{'name':'c','image':'a:1'}]}}"
              "," BUDGET("'selector':{'matchLabels':{'role':'primary'}}") "," BUDGET_OF(
                  "policy/v1", "c", "'selector':{'matchLabels':{'role':'replica'}}", "")),
     B, "pdb-overlap=pass pdb-selects-nothing=pass"},
    {"one value named twice",
     DOCUMENT(WEB("2") "," BUDGET("'selector':{'matchExpressions':[{'key':'app','operator':'In',"
                                  "'values':['web','web']}]}")),
     B, "pdb-overlap=pass pdb-selects-nothing=pass"},
    {"unhealthy pods block", DOCUMENT(BUDGET(OF_WEB)), B, "pdb-unhealthy-eviction-blocked=fail"},
    {"by name", DOCUMENT(BUDGET("'unhealthyPodEvictionPolicy':'IfHealthyBudget'")), B,
     "pdb-unhealthy-eviction-blocked=fail"},
    {"they do not", DOCUMENT(BUDGET("'unhealthyPodEvictionPolicy':'AlwaysAllow'")), B,
     "pdb-unhealthy-eviction-blocked=pass"},
};

#define SCALER_OF(target, spec, status)                                                            \
    "{'apiVersion':'autoscaling/v2','kind':'HorizontalPodAutoscaler'," IN(                         \
        "h") ",'spec':{'scaleTargetRef':{" target "},'maxReplicas':10" spec "},'status':{" status  \
             "}}"
#define TO_WEB             "'apiVersion':'apps/v1','kind':'Deployment','name':'web'"
#define SCALER(spec)       SCALER_OF(TO_WEB, spec, "")
#define H                  "horizontalpodautoscaler/h"
#define EXCEEDS(word)      "pdb-exceeds-hpa-minimum=" word
#define CONDITION(t, s, r) "'conditions':[{'type':'" t "','status':'" s "','reason':'" r "'}]"
#define REPORTS(status)    SCALER_OF(TO_WEB, ",'minReplicas':2", status)
#define APPLIED(text)                                                                              \
    "'metadata':{'name':'web','namespace':'shop','uid':'u','annotations':{"                        \
    "'kubectl.kubernetes.io/last-applied-configuration':'" text "'}}"

#define SECOND_SCALER(minimum)                                                                     \
    "{'apiVersion':'autoscaling/v2','kind':'HorizontalPodAutoscaler','metadata':{'name':'z',"      \
    "'namespace':'shop'},'spec':{'scaleTargetRef':{" TO_WEB "},'minReplicas':" minimum "}}"

static const struct judge_row scaled[] = {
    {"one, and the autoscaler makes it three", DOCUMENT(WEB("1") "," SCALER(",'minReplicas':3")),
     "deployment/web", MISSING("fail")},
    {"one, and the autoscaler leaves it at that", DOCUMENT(WEB("1") "," SCALER("")),
     "deployment/web", MISSING("none")},
    {"zero switches the autoscaler off", DOCUMENT(WEB("0") "," SCALER(",'minReplicas':3")),
     "deployment/web", MISSING("none")},
    {"two of the three that the autoscaler keeps",
     DOCUMENT(WEB("1") "," SCALER(",'minReplicas':3") "," BUDGET(OF_WEB ",'minAvailable':2")), B,
     BLOCKS("pass")},
    {"all that the autoscaler keeps",
     DOCUMENT(WEB("1") "," SCALER(",'minReplicas':2") "," BUDGET(OF_WEB ",'minAvailable':2")), B,
     BLOCKS("fail")},
};

static const struct judge_row scalers[] = {
    {"target there", DOCUMENT(WEB("2") "," SCALER("")), H, "hpa-target-missing=pass"},
    {"target not there", DOCUMENT(SCALER("")), H, "hpa-target-missing=fail"},
    {"target of another kind",
     DOCUMENT(WEB("2") "," SCALER_OF("'apiVersion':'apps/v1','kind':'StatefulSet','name':'web'", "",
                                     "")),
     H, "hpa-target-missing=fail"},
    {"no such DaemonSet",
     DOCUMENT(
         WEB("2") "," SCALER_OF("'apiVersion':'apps/v1','kind':'DaemonSet','name':'web'", "", "")),
     H, "hpa-target-missing=fail"},
    {"target of an extension",
     DOCUMENT(
         SCALER_OF("'apiVersion':'argoproj.io/v1alpha1','kind':'Rollout','name':'web'", "", "")),
     H, "hpa-target-missing=none"},
    {"an extension with a kind of that name",
     DOCUMENT(SCALER_OF("'apiVersion':'apps.example/v1','kind':'Deployment','name':'web'", "", "")),
     H, "hpa-target-missing=none"},
    {"no apiVersion", DOCUMENT(SCALER_OF("'kind':'Deployment','name':'web'", "", "")), H,
     "hpa-target-missing=fail"},
    {"collections that leave deployments out",
     "{'horizontalpodautoscalers':[" SCALER("") "],'pods':[]}", H, "hpa-target-missing=none"},
    {"pods tell of controllers that were left out",
     DOCUMENT(SCALER("") ",{'apiVersion':'v1','kind':'Pod','metadata':{'name':'web-1-x',"
                         "'namespace':'shop','ownerReferences':[{'apiVersion':'apps/v1','kind':"
                         "'ReplicaSet','name':'web-1','uid':'1','controller':true}]},'spec':{"
                         "'containers':[{'name':'c','image':'a:1'}]}}"),
     H, "hpa-target-missing=none"},
    {"minReplicas absent is 1", DOCUMENT(SCALER("")), H, "hpa-min-replicas-low=fail"},
    {"minReplicas 1", DOCUMENT(SCALER(",'minReplicas':1")), H, "hpa-min-replicas-low=fail"},
    {"minReplicas 2", DOCUMENT(SCALER(",'minReplicas':2")), H, "hpa-min-replicas-low=pass"},
    {"replicas in a manifest", DOCUMENT(WEB("2") "," SCALER("")), "deployment/web",
     "hpa-replicas-conflict=fail"},
    {"none in a manifest", DOCUMENT(WEB_NO_COUNT "," SCALER("")), "deployment/web",
     "hpa-replicas-conflict=pass"},
    {"a live object always has them",
     DOCUMENT(CONTROLLER("Deployment", LIVE("web"), "'replicas':2,") "," SCALER("")),
     "deployment/web", "hpa-replicas-conflict=none"},
    {"applied without",
     DOCUMENT(CONTROLLER("Deployment", APPLIED("{\\'kind\\':\\'Deployment\\',\\'spec\\':{}}"),
                         "'replicas':2,") "," SCALER("")),
     "deployment/web", "hpa-replicas-conflict=pass"},
    {"applied with them",
     DOCUMENT(CONTROLLER("Deployment",
                         APPLIED("{\\'kind\\':\\'Deployment\\',\\'spec\\':{\\'replicas\\':3}}"),
                         "'replicas':2,") "," SCALER("")),
     "deployment/web", "hpa-replicas-conflict=fail"},
    {"not scaled", DOCUMENT(WEB("2") "," SCALER_OF("'kind':'Deployment','name':'v2'", "", "")),
     "deployment/web", "hpa-replicas-conflict=none"},
    {"more than the minimum",
     DOCUMENT(WEB_NO_COUNT "," SCALER(",'minReplicas':2") "," BUDGET(OF_WEB ",'minAvailable':3")),
     B, EXCEEDS("fail")},
    {"as much as the minimum",
     DOCUMENT(WEB_NO_COUNT "," SCALER(",'minReplicas':3") "," BUDGET(OF_WEB ",'minAvailable':3")),
     B, EXCEEDS("pass")},
    {"less than the smaller minimum of two",
     DOCUMENT(WEB_NO_COUNT "," SCALER(",'minReplicas':5") "," SECOND_SCALER("3") "," BUDGET(
         OF_WEB ",'minAvailable':3")),
     B, EXCEEDS("pass")},
    {"more than the smaller minimum of two",
     DOCUMENT(WEB_NO_COUNT "," SCALER(",'minReplicas':5") "," SECOND_SCALER("2") "," BUDGET(
         OF_WEB ",'minAvailable':3")),
     B, EXCEEDS("fail")},
    {"minimum absent is 1",
     DOCUMENT(WEB_NO_COUNT "," SCALER("") "," BUDGET(OF_WEB ",'minAvailable':2")), B,
     EXCEEDS("fail")},
    {"a percentage of the replicas written",
     DOCUMENT(WEB("10") "," SCALER(",'minReplicas':5") "," BUDGET(OF_WEB ",'minAvailable':'75%'")),
     B, EXCEEDS("fail")},
    {"a percentage of live replicas follows the minimum",
     DOCUMENT(CONTROLLER("Deployment", LIVE("web"), "'replicas':10,") "," SCALER(
         ",'minReplicas':5") "," BUDGET(OF_WEB ",'minAvailable':'75%'")),
     B, EXCEEDS("pass")},
    {"maxUnavailable is another matter",
     DOCUMENT(WEB_NO_COUNT "," SCALER("") "," BUDGET(OF_WEB ",'maxUnavailable':5")), B,
     EXCEEDS("pass")},
    {"no autoscaler", DOCUMENT(WEB_NO_COUNT "," BUDGET(OF_WEB ",'minAvailable':5")), B,
     EXCEEDS("none")},
    {"a manifest reports nothing", DOCUMENT(WEB("2") "," SCALER("")), H, "hpa-limited=none"},
    {"below the maximum", DOCUMENT(REPORTS("'currentReplicas':9")), H, "hpa-limited=pass"},
    {"at the maximum", DOCUMENT(REPORTS("'currentReplicas':10")), H, "hpa-limited=fail"},
    {"no target, which is another check's",
     DOCUMENT(REPORTS("'conditions':[{'type':'AbleToScale','status':'False','reason':"
                      "'FailedGetScale'}]")),
     H, "hpa-limited=fail hpa-target-missing=fail"},
    {"a target it cannot scale",
     DOCUMENT(WEB("2") "," REPORTS("'conditions':[{'type':'AbleToScale','status':'False','reason':"
                                   "'FailedUpdateScale'}]")),
     H, "hpa-limited=fail hpa-target-missing=pass"},
    {"pinned: minimum and maximum are one",
     DOCUMENT(SCALER_OF(TO_WEB, ",'minReplicas':10", "'currentReplicas':10")), H,
     "hpa-limited=fail"},
    {"wants more", DOCUMENT(REPORTS(CONDITION("ScalingLimited", "True", "TooManyReplicas"))), H,
     "hpa-limited=fail"},
    {"wants fewer", DOCUMENT(REPORTS(CONDITION("ScalingLimited", "True", "TooFewReplicas"))), H,
     "hpa-limited=pass"},
    {"has no metrics",
     DOCUMENT(REPORTS(CONDITION("ScalingActive", "False", "FailedGetResourceMetric"))), H,
     "hpa-limited=fail"},
    {"switched off", DOCUMENT(REPORTS(CONDITION("ScalingActive", "False", "ScalingDisabled"))), H,
     "hpa-limited=fail"},
    {"switched off, and cannot reach its target",
     DOCUMENT(WEB("2") "," REPORTS(
         "'conditions':[{'type':'ScalingActive','status':'False','reason':'ScalingDisabled'},"
         "{'type':'AbleToScale','status':'False','reason':'FailedGetScale'}]")),
     H, "hpa-limited=fail"},
    {"cannot reach its target",
     DOCUMENT(WEB("2") "," REPORTS(CONDITION("AbleToScale", "False", "FailedGetScale"))), H,
     "hpa-limited=fail"},
};

#define ROWS(table)                                                                                \
    static void table##_rows(void **state)                                                         \
    {                                                                                              \
        (void)state;                                                                               \
        judge_rows(table, sizeof table / sizeof *table);                                           \
    }

ROWS(missing)
ROWS(blocking)
ROWS(silent)
ROWS(without_a_scale)
ROWS(budgets)
ROWS(scaled)
ROWS(scalers)

/* One budget that is too strict in two ways is paid for once. */
static void one_budget_pays_once(void **state)
{
    (void)state;
    struct judgement judgement = judgement_open(
        DOCUMENT(WEB("2") "," SCALER("") "," BUDGET(OF_WEB ",'minAvailable':2")), NULL);
    const struct risk *blocks = judgement_risk(&judgement, "pdb-blocks-eviction", B);
    const struct risk *exceeds = judgement_risk(&judgement, "pdb-exceeds-hpa-minimum", B);
    assert_non_null(blocks);
    assert_non_null(exceeds);
    assert_true(blocks->impact > 0);
    assert_int_equal(exceeds->impact, 0);
    assert_ptr_equal(exceeds->absorbed_by, blocks->check);
    judgement_close(&judgement);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_rows), cmocka_unit_test(blocking_rows),
        cmocka_unit_test(silent_rows),  cmocka_unit_test(without_a_scale_rows),
        cmocka_unit_test(budgets_rows), cmocka_unit_test(scaled_rows),
        cmocka_unit_test(scalers_rows), cmocka_unit_test(one_budget_pays_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

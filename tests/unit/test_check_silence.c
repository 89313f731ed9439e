/* What says nothing is not judged: no check may pass or fail an item of which only the name is
 * known. */
#include "judge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define NAMED "[{'name':'a','namespace':'shop'}]"
#define ALL_KINDS                                                                                  \
    "'pods':" NAMED ",'deployments':" NAMED ",'statefulsets':" NAMED ",'daemonsets':" NAMED        \
    ",'replicasets':" NAMED ",'replicationcontrollers':" NAMED ",'jobs':" NAMED                    \
    ",'cronjobs':" NAMED ",'services':" NAMED ",'ingresses':" NAMED ",'networkpolicies':" NAMED    \
    ",'poddisruptionbudgets':" NAMED ",'horizontalpodautoscalers':" NAMED                          \
    ",'scaledobjects':" NAMED ",'serviceaccounts':" NAMED ",'roles':" NAMED                        \
    ",'rolebindings':" NAMED ",'configmaps':" NAMED ",'secrets':" NAMED                            \
    ",'persistentvolumeclaims':" NAMED ",'resourcequotas':" NAMED ",'limitranges':" NAMED          \
    ",'controllerrevisions':" NAMED ",'endpointslices':" NAMED                                     \
    ",'clusterroles':[{'name':'a'}],'clusterrolebindings':[{'name':'a'}],"                         \
    "'persistentvolumes':[{'name':'a'}],'storageclasses':[{'name':'a'}],"                          \
    "'priorityclasses':[{'name':'a'}],'namespaces':[{'name':'shop'}],'nodes':[{'name':'a'}],"      \
    "'apiservices':[{'name':'a'}],'validatingwebhookconfigurations':[{'name':'a'}],"               \
    "'mutatingwebhookconfigurations':[{'name':'a'}],'clusteroperators':[{'name':'a'}],"            \
    "'clusterversions':[{'name':'a'}],'machineconfigpools':[{'name':'a'}],'gateways':" NAMED       \
    ",'httproutes':" NAMED ",'grpcroutes':" NAMED ",'routes':" NAMED ",'certificates':" NAMED      \
    ",'applications':" NAMED ",'kustomizations':" NAMED ",'helmreleases':" NAMED                   \
    ",'certificatesigningrequests':[{'name':'a'}],'securitycontextconstraints':[{'name':'a'}],"    \
    "'nodemetrics':[{'name':'a'}]"

/* What a name alone decides, and what is asked of the snapshot itself. */
static bool needs_a_name_only(const struct check *check)
{
    static const char *const ids[] = {"default-namespace", "namespace-without-networkpolicy",
                                      "evidence-missing", "insufficient-evidence"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        if (str_eq(str_of(check->id), str_of(ids[i])))
            return true;
    return false;
}

static void names_alone_are_not_judged(void **state)
{
    (void)state;
    struct judgement judgement = judgement_open("{" ALL_KINDS "}", NULL);
    for (int i = 0; i < CHECK_COUNT; i++)
        if (judgement.ledger->checks[i].evaluated && !needs_a_name_only(&checks[i]))
            fail_msg("%s is %s", checks[i].id,
                     judgement.ledger->checks[i].failed ? "fail" : "pass");
    judgement_close(&judgement);
}

/* A Deployment's own fields cannot be told from its pods. */
static void pods_do_not_speak_for_their_controller(void **state)
{
    (void)state;
    static const char *const silent[] = {
        "rollout-paused",
        "revision-history-disabled",
        "rollout-deadline-disabled",
        "single-replica",
        "scaled-to-zero",
        "update-strategy-unsafe",
        "no-pod-spread",
        "selector-template-mismatch",
        "rollout-in-progress",
        "service-account-missing",
        "api-version-removed",
        "service-account-field-deprecated",
        "deployment-unavailable",
        "controller-create-failure",
        "controller-selects-nothing",
        "pdb-missing",
        "pod-ingress-not-isolated",
        "service-selects-no-pods",
    };
    struct judgement judgement = judgement_open(
        DOCUMENT("{'apiVersion':'v1','kind':'Pod','metadata':{'name':'a-1-x','namespace':'shop',"
                 "'uid':'1','creationTimestamp':'2026-03-01T00:00:00Z','labels':{"
                 "'pod-template-hash':'1'},'ownerReferences':[{'apiVersion':'extensions/v1beta1',"
                 "'kind':'ReplicaSet','name':'a-1','controller':true}]},'spec':{"
                 "'serviceAccountName':'s','serviceAccount':'s','containers':[{'name':'c','image':"
                 "'x:1'}]},'status':{'phase':'Running'}},{'apiVersion':'v1','kind':'Node',"
                 "'metadata':{'name':'n','uid':'2'},'status':{'nodeInfo':{'kubeletVersion':"
                 "'v1.33.0'}}}"),
        NULL);
    assert_int_equal(judgement_verdict(&judgement, "privileged-container", "deployment/a"), PASSED);
    for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
        if (judgement_verdict(&judgement, silent[i], "deployment/a") != NOT_EVALUATED)
            fail_msg("%s is judged", silent[i]);
    judgement_close(&judgement);
}

#define ENDED_POD(name, owner, phase)                                                              \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'" name                                    \
    "','namespace':'shop','uid':'" name "','creationTimestamp':'2026-03-01T00:00:00Z'" owner       \
    "},'spec':{'hostPID':true,"                                                                    \
    "'containers':[{'name':'c','image':'x','securityContext':{'privileged':true}}]},'status':{"    \
    "'phase':'" phase "'}}"
#define OF_SET(name)                                                                               \
    ",'ownerReferences':[{'apiVersion':'apps/v1','kind':'ReplicaSet','name':'" name                \
    "','controller':true}]"

static bool looks_ahead(const struct check *check)
{
    return check->category == CATEGORY_POLICY || check->category == CATEGORY_HISTORY;
}

/* What has ended harms nobody any more: policy and history do not ask about it, so that it neither
 * costs nor dilutes. */
static void pods_that_ended_are_not_asked(void **state)
{
    (void)state;
    static const struct {
        const char *name, *document;
        bool asked;
    } rows[] = {
        {"a pod that succeeded", ENDED_POD("a", "", "Succeeded"), false},
        {"a pod that failed", ENDED_POD("a", "", "Failed"), false},
        {"a pod that runs", ENDED_POD("a", "", "Running"), true},
        {"a pod that waits", ENDED_POD("a", "", "Pending"), true},
        {"a pod of which nobody says", ENDED_POD("a", "", ""), true},
        {"all of a ReplicaSet's that is not shown",
         DOCUMENT(ENDED_POD("a-1", OF_SET("a"), "Failed") "," ENDED_POD("a-2", OF_SET("a"),
                                                                        "Succeeded")),
         false},
        {"one of them runs",
         DOCUMENT(
             ENDED_POD("a-1", OF_SET("a"), "Failed") "," ENDED_POD("a-2", OF_SET("a"), "Running")),
         true},
        {"all of one that is shown: it makes others",
         DOCUMENT("{'apiVersion':'apps/v1','kind':'ReplicaSet','metadata':{'name':'a','namespace':"
                  "'shop'},'spec':{'template':{'spec':{'hostPID':true,'containers':[{'name':'c'}]}}"
                  "}}," ENDED_POD("a-1", OF_SET("a"), "Failed")),
         true},
        {"a summary", "{'pods':[{'name':'a','namespace':'shop','status':'Completed'}]}", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct judgement judgement = judgement_open(rows[i].document, NULL);
        bool asked = false;
        for (int c = 0; c < CHECK_COUNT; c++)
            if (looks_ahead(&checks[c]) && checks[c].subject == SUBJECT_workload)
                asked = asked || judgement.ledger->checks[c].evaluated;
        if (asked != rows[i].asked)
            fail_msg("%s", rows[i].name);
        judgement_close(&judgement);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_alone_are_not_judged),
        cmocka_unit_test(pods_do_not_speak_for_their_controller),
        cmocka_unit_test(pods_that_ended_are_not_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

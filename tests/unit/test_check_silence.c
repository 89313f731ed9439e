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
    "'clusterversions':[{'name':'a'}],'machineconfigpools':[{'name':'a'}]"

/* What a name alone decides. */
static bool needs_a_name_only(const struct check *check)
{
    return str_eq(str_of(check->id), STR("default-namespace")) ||
           str_eq(str_of(check->id), STR("namespace-without-networkpolicy"));
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_alone_are_not_judged),
        cmocka_unit_test(pods_do_not_speak_for_their_controller),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

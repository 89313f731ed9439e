#include "live.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define SYSTEM(kind, spec, status)                                                                 \
    "{'apiVersion':'apps/v1','kind':'" kind                                                        \
    "','metadata':{'name':'a','namespace':'kube-system'},'spec':{" spec "},'status':{" status "}}"

static void cluster_services(void **state)
{
    static const struct judge_row rows[] = {
        {"DNS without replicas",
         SYSTEM("Deployment", "'replicas':2",
                "'replicas':2,'availableReplicas':1,'unavailableReplicas':1"),
         "deployment/a", "system-workload-unhealthy=fail deployment-unavailable=none"},
        {"DNS", SYSTEM("Deployment", "'replicas':2", "'replicas':2,'availableReplicas':2"),
         "deployment/a", "system-workload-unhealthy=pass"},
        {"a proxy",
         SYSTEM("DaemonSet", "",
                "'desiredNumberScheduled':3,'numberReady':2,'numberAvailable':2,'numberUnavailable'"
                ":1"),
         "daemonset/a", "system-workload-unhealthy=fail daemonset-unready=none"},
        {"a proxy, without numberAvailable",
         SYSTEM("DaemonSet", "", "'desiredNumberScheduled':3,'numberReady':3"), "daemonset/a",
         "system-workload-unhealthy=pass"},
        {"another namespace", DEPLOY("'replicas':1,", "'replicas':1,'unavailableReplicas':1"),
         "deployment/a", "system-workload-unhealthy=none deployment-unavailable=fail"},
        {"no status", SYSTEM("Deployment", "'replicas':2", ""), "deployment/a",
         "system-workload-unhealthy=none"},
        {"an API that is gone",
         "{'apiVersion':'apiregistration.k8s.io/"
         "v1','kind':'APIService','metadata':{'name':'v1beta1.metrics.k8s.io'},'spec':{'service':{'"
         "name':'m','namespace':'kube-system'}},'status':{'conditions':[{'type':'Available','"
         "status':'False','reason':'MissingEndpoints','message':'m'}]}}",
         "apiservice/v1beta1.metrics.k8s.io", "apiservice-unavailable=fail"},
        {"an API",
         "{'apiVersion':'apiregistration.k8s.io/"
         "v1','kind':'APIService','metadata':{'name':'v1.'},'spec':{},'status':{'conditions':[{'"
         "type':'Available','status':'True'}]}}",
         "apiservice/v1.", "apiservice-unavailable=pass"},
        {"an API nobody asked",
         "{'apiVersion':'apiregistration.k8s.io/"
         "v1','kind':'APIService','metadata':{'name':'v1.'},'spec':{}}",
         "apiservice/v1.", "apiservice-unavailable=none"},
    };
    (void)state;
    ROWS(rows);
}

#define HOOK(version, kind, policy)                                                                \
    "{'apiVersion':'admissionregistration.k8s.io/" version "','kind':'" kind                       \
    "','metadata':{'name':'h'},'webhooks':[{'name':'h.io'," policy                                 \
    "'clientConfig':{'service':{'name':'a','namespace':'shop'}},'rules':[{'apiGroups':[''],'"      \
    "apiVersions':['v1'],'operations':['CREATE'],'resources':['pods']}]}]}"
#define VALIDATING(policy) HOOK("v1", "ValidatingWebhookConfiguration", policy)
#define BACKEND(name)                                                                              \
    "{'apiVersion':'v1','kind':'Service','metadata':{'name':'" name                                \
    "','namespace':'shop'},'spec':{'selector':{'app':'a'}}}"
#define ENDPOINTS(subsets)                                                                         \
    "{'apiVersion':'v1','kind':'Endpoints','metadata':{'name':'a','namespace':'shop'},'subsets':"  \
    "[" subsets "]}"
#define NAME "validatingwebhookconfiguration/h"

static void webhooks(void **state)
{
    static const struct judge_row rows[] = {
        {"no such service", DOCUMENT(VALIDATING("'failurePolicy':'Fail',") "," BACKEND("b")), NAME,
         "webhook-fail-closed-broken=fail"},
        {"nobody answers",
         DOCUMENT(VALIDATING("'failurePolicy':'Fail',") "," BACKEND("a") "," ENDPOINTS("")), NAME,
         "webhook-fail-closed-broken=fail"},
        {"no policy is Fail", DOCUMENT(VALIDATING("") "," BACKEND("a") "," ENDPOINTS("")), NAME,
         "webhook-fail-closed-broken=fail"},
        {"of v1beta1 it is Ignore",
         DOCUMENT(HOOK("v1beta1", "ValidatingWebhookConfiguration",
                       "") "," BACKEND("a") "," ENDPOINTS("")),
         NAME, "webhook-fail-closed-broken=pass"},
        {"failures are ignored", DOCUMENT(VALIDATING("'failurePolicy':'Ignore',") "," BACKEND("b")),
         NAME, "webhook-fail-closed-broken=pass"},
        {"it answers",
         DOCUMENT(VALIDATING("'failurePolicy':'Fail',") "," BACKEND("a") "," ENDPOINTS(
             "{'addresses':[{'ip':'10.0.0.1'}]}")),
         NAME, "webhook-fail-closed-broken=pass"},
        {"its pods tell",
         DOCUMENT(VALIDATING("'failurePolicy':'Fail',") "," BACKEND("a") "," LIVE(
             "'labels':{'app':'a'},", "", READY("False", "11:00:00", ""))),
         NAME, "webhook-fail-closed-broken=fail"},
        {"its pods are well",
         DOCUMENT(VALIDATING("'failurePolicy':'Fail',") "," BACKEND("a") "," LIVE(
             "'labels':{'app':'a'},", "", READY("True", "11:00:00", ""))),
         NAME, "webhook-fail-closed-broken=pass"},
        {"services are not in the snapshot", VALIDATING("'failurePolicy':'Fail',"), NAME,
         "webhook-fail-closed-broken=none"},
        {"the API server is its own backend",
         DOCUMENT("{'apiVersion':'admissionregistration.k8s.io/v1','kind':"
                  "'ValidatingWebhookConfiguration','metadata':{'name':'h'},'webhooks':[{'name':"
                  "'h.io','failurePolicy':'Fail','clientConfig':{'service':{'name':'kubernetes',"
                  "'namespace':'default'}}}]}," BACKEND("b")),
         NAME, "webhook-fail-closed-broken=pass"},
        {"a mutating one",
         DOCUMENT(HOOK("v1", "MutatingWebhookConfiguration",
                       "'failurePolicy':'Fail',") "," BACKEND("b")),
         "mutatingwebhookconfiguration/h", "webhook-fail-closed-broken=fail"},
    };
    (void)state;
    ROWS(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cluster_services),
        cmocka_unit_test(webhooks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Controllers that OpenShift and Argo have beside Deployment are asked what a Deployment is asked.
 */
#include "judge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define TEMPLATE(labels, container)                                                                \
    "'template':{'metadata':{'labels':{" labels "}},'spec':{'containers':[{'name':'c'" container   \
    "}]}}"
#define CONFIG(fields)                                                                             \
    OBJECT("apps.openshift.io/v1", "DeploymentConfig", "", ",'spec':{" fields "}")
#define ROLLOUT(fields) OBJECT("argoproj.io/v1alpha1", "Rollout", "", ",'spec':{" fields "}")
#define SELECTS         "'selector':{'app':'a'},"
#define MATCHES         "'selector':{'matchLabels':{'app':'a'}},"
#define SERVICE                                                                                    \
    "{'apiVersion':'v1','kind':'Service','metadata':{'name':'s','namespace':'shop'},'spec':{"      \
    "'selector':{'app':'a'}}}"
#define SCALER(version, kind, name)                                                                \
    "{'apiVersion':'autoscaling/v2','kind':'HorizontalPodAutoscaler','metadata':{'name':'h',"      \
    "'namespace':'shop'},'spec':{'minReplicas':2,'scaleTargetRef':{'apiVersion':'" version         \
    "','kind':'" kind "','name':'" name "'}}}"
#define BUDGET                                                                                     \
    "{'apiVersion':'policy/v1','kind':'PodDisruptionBudget','metadata':{'name':'b','namespace':"   \
    "'shop'},'spec':{'minAvailable':1,'selector':{'matchLabels':{'app':'a'}}}}"

static const struct judge_row config_rows[] = {
    {"its containers",
     CONFIG(TEMPLATE("'app':'a'", ",'image':'x:latest','securityContext':{'privileged':true}")),
     "deploymentconfig/a", "privileged-container=fail image-tag-mutable=fail host-pid=pass"},
    {"under the API group of OpenShift 3",
     OBJECT("v1", "DeploymentConfig", "", ",'spec':{" TEMPLATE("", "") "}"), "deploymentconfig/a",
     "writable-root-filesystem=fail"},
    {"selector as a map", CONFIG(SELECTS TEMPLATE("'app':'a'", "")), "deploymentconfig/a",
     "selector-template-mismatch=pass"},
    {"selector that misses", CONFIG(SELECTS TEMPLATE("'app':'b'", "")), "deploymentconfig/a",
     "selector-template-mismatch=fail"},
    {"behind a service", DOCUMENT(CONFIG(SELECTS TEMPLATE("'app':'a'", "")) "," SERVICE),
     "service/s", "service-selects-no-pods=pass"},
    {"one replica", CONFIG("'replicas':1," TEMPLATE("", "")), "deploymentconfig/a",
     "single-replica=fail"},
    {"three replicas", CONFIG("'replicas':3," TEMPLATE("'app':'a'", "")), "deploymentconfig/a",
     "single-replica=pass no-pod-spread=fail pdb-missing=fail"},
    {"none", CONFIG("'replicas':0," TEMPLATE("", "")), "deploymentconfig/a", "scaled-to-zero=fail"},
    {"its strategy", CONFIG("'strategy':{'type':'Rolling'}," TEMPLATE("", "")),
     "deploymentconfig/a", "update-strategy-unsafe=pass"},
    {"rolling, all at once",
     CONFIG("'strategy':{'type':'Rolling','rollingParams':{'maxUnavailable':'100%'}}," TEMPLATE(
         "", "")),
     "deploymentconfig/a", "update-strategy-unsafe=fail"},
    {"autoscaled",
     DOCUMENT(CONFIG(TEMPLATE("", "")) "," SCALER("apps.openshift.io/v1", "DeploymentConfig", "a")),
     "horizontalpodautoscaler/h", "hpa-target-missing=pass"},
    {"another one autoscaled",
     DOCUMENT(CONFIG(TEMPLATE("", "")) "," SCALER("apps.openshift.io/v1", "DeploymentConfig", "b")),
     "horizontalpodautoscaler/h", "hpa-target-missing=fail"},
    {"autoscaled where nobody asked for them",
     DOCUMENT(
         DEPLOYMENT("'containers':[]") "," SCALER("apps.openshift.io/v1", "DeploymentConfig", "b")),
     "horizontalpodautoscaler/h", "hpa-target-missing=none"},
    {"its budget", DOCUMENT(CONFIG("'replicas':1," SELECTS TEMPLATE("'app':'a'", "")) "," BUDGET),
     "poddisruptionbudget/b", "pdb-blocks-eviction=fail"},
    {"without a template", DOCUMENT(CONFIG("'replicas':1,'selector':{'app':'a'}") "," BUDGET),
     "poddisruptionbudget/b", "pdb-blocks-eviction=fail pdb-selects-nothing=pass"},
    {"the pod that deployed it",
     DOCUMENT(CONFIG(TEMPLATE(
         "'app':'a'",
         ",'securityContext':{'privileged':false}")) ","
                                                     "{'apiVersion':'v1','kind':'"
                                                     "ReplicationController','metadata':{'name':'a-"
                                                     "1',"
                                                     "'namespace':'shop','ownerReferences':[{'"
                                                     "apiVersion':'apps.openshift.io/v1','kind':"
                                                     "'DeploymentConfig','name':'a','controller':"
                                                     "true}]}},"
                                                     "{'apiVersion':'v1','kind':'Pod','metadata':{'"
                                                     "name':'a-1-deploy','namespace':'shop',"
                                                     "'ownerReferences':[{'apiVersion':'v1','kind':"
                                                     "'ReplicationController','name':'a-1'}]}"
                                                     ",'spec':{'containers':[{'name':'deployment','"
                                                     "securityContext':{'privileged':true}}]},"
                                                     "'status':{'phase':'Succeeded'}}"),
     "deploymentconfig/a", "privileged-container=pass"},
    {"of another API",
     OBJECT("v1", "Node", "", "")
         OBJECT("example.com/v1", "DeploymentConfig", "", ",'spec':{" TEMPLATE("", "") "}"),
     "deploymentconfig/a", "writable-root-filesystem=none"},
};

static void deployment_configs(void **state)
{
    (void)state;
    judge_rows(config_rows, COUNT(config_rows));
}

static const struct judge_row rollout_rows[] = {
    {"its containers",
     ROLLOUT("'strategy':{'canary':{'steps':[{'setWeight':20}]}}," MATCHES TEMPLATE(
         "'app':'a'", ",'securityContext':{'privileged':true}")),
     "rollout/a", "privileged-container=fail selector-template-mismatch=pass single-replica=fail"},
    {"a template elsewhere", ROLLOUT("'workloadRef':{'kind':'Deployment','name':'d'}"), "rollout/a",
     "privileged-container=none"},
    {"autoscaled",
     DOCUMENT(ROLLOUT(MATCHES TEMPLATE("'app':'a'", "")) "," SCALER("argoproj.io/v1alpha1",
                                                                    "Rollout", "a")),
     "rollout/a", "single-replica=pass"},
};

static void rollouts(void **state)
{
    (void)state;
    judge_rows(rollout_rows, COUNT(rollout_rows));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deployment_configs),
        cmocka_unit_test(rollouts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

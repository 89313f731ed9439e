/* Two of a kind where one is meant; what nobody uses; what is used against what is reserved. */
#include "live.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define TARGET                                                                                     \
    "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'a','namespace':'shop'},"      \
    "'spec':{'template':{'spec':{'containers':[{'name':'c','resources':{'requests':{"              \
    "'cpu':'1','memory':'1Gi'}}}]}}}}"
#define SCALER(name, max)                                                                          \
    "{'apiVersion':'autoscaling/v2','kind':'HorizontalPodAutoscaler','metadata':{'name':'" name    \
    "','namespace':'shop'},'spec':{'maxReplicas':" max ",'scaleTargetRef':{'apiVersion':"          \
    "'apps/v1','kind':'Deployment','name':'a'}}}"
#define KEDA                                                                                       \
    "{'apiVersion':'keda.sh/v1alpha1','kind':'ScaledObject','metadata':{'name':'k','namespace':"   \
    "'shop'},'spec':{'scaleTargetRef':{'name':'a'}}}"
#define NODE(meta, cpu, memory)                                                                    \
    "{'apiVersion':'v1','kind':'Node','metadata':{'name':'n'" meta "},'status':{'allocatable':{"   \
    "'cpu':'" cpu "','memory':'" memory "'}}}"

static void autoscalers(void **state)
{
#define SHARED(expected) "deployment/a", "hpa-target-shared=" expected
#define ROOM(expected)   "horizontalpodautoscaler/h", "hpa-maximum-beyond-room=" expected
    static const struct judge_row rows[] = {
        {"none", TARGET, SHARED("none")},
        {"one", TARGET SCALER("h", "3"), SHARED("pass")},
        {"two", TARGET SCALER("h", "3") SCALER("i", "4"), SHARED("fail")},
        {"KEDA's own beside another", TARGET SCALER("h", "3") KEDA, SHARED("fail")},
        {"it fits", TARGET SCALER("h", "4") NODE("", "4", "8Gi"), ROOM("pass")},
        {"too much CPU", TARGET SCALER("h", "5") NODE("", "4", "8Gi"), ROOM("fail")},
        {"too much memory", TARGET SCALER("h", "5") NODE("", "8", "4Gi"), ROOM("fail")},
        {"a cloud may bring more nodes",
         TARGET SCALER("h", "50") "{'apiVersion':'v1','kind':'Node','metadata':{'name':'n'},'spec':"
                                  "{'providerID':'aws:///x/i-1'},'status':{'allocatable':{'cpu':"
                                  "'4','memory':'8Gi'}}}",
         ROOM("none")},
        {"nobody knows how large nodes are",
         TARGET SCALER("h", "50") "{'apiVersion':'v1','kind':"
                                  "'Node','metadata':{'name':"
                                  "'n'}}",
         ROOM("none")},
        {"its target is not shown", SCALER("h", "50") NODE("", "4", "8Gi"), ROOM("none")},
    };
#undef SHARED
#undef ROOM
    (void)state;
    ROWS(rows);
}

#define SERVICE(name, spec)                                                                        \
    "{'apiVersion':'v1','kind':'Service','metadata':{'name':'" name                                \
    "','namespace':'shop'},'spec':{" spec "}}"
#define SELECTS(app) "'selector':{'app':'" app "'},'ports':[{'port':80,'targetPort':8080}]"

static void services(void **state)
{
#define TWICE(expected) "service/b", "service-duplicate=" expected
    static const struct judge_row rows[] = {
        {"alone", SERVICE("b", SELECTS("x")), TWICE("pass")},
        {"two alike", SERVICE("a", SELECTS("x")) SERVICE("b", SELECTS("x")), TWICE("fail")},
        {"of another selector", SERVICE("a", SELECTS("y")) SERVICE("b", SELECTS("x")),
         TWICE("pass")},
        {"of another port",
         SERVICE("a", "'selector':{'app':'x'},'ports':[{'port':9090}]") SERVICE("b", SELECTS("x")),
         TWICE("pass")},
        {"a headless one beside it",
         SERVICE("a", SELECTS("x") ",'clusterIP':'None'") SERVICE("b", SELECTS("x")),
         TWICE("pass")},
        {"one for the world beside it",
         SERVICE("a", SELECTS("x") ",'type':'LoadBalancer'") SERVICE("b", SELECTS("x")),
         TWICE("pass")},
        {"Argo's two of a Rollout",
         SERVICE("a", SELECTS("x"))
             SERVICE("b", SELECTS("x")) "{'apiVersion':'argoproj.io/"
                                        "v1alpha1','kind':'Rollout','metadata':{'name':'r',"
                                        "'namespace':'shop'},'spec':{}}",
         TWICE("none")},
        {"without a selector", SERVICE("a", "'ports':[]") SERVICE("b", "'ports':[]"),
         TWICE("none")},
    };
#undef TWICE
    (void)state;
    ROWS(rows);
}

#define PORTS(ports)       "{'name':'c','ports':[" ports "]}"
#define PORT(name, number) "{'name':'" name "','containerPort':" number "}"

static void port_names(void **state)
{
#define NAMES(expected) "deployment/a", "port-name-duplicate=" expected
    static const struct judge_row rows[] = {
        {"no ports", DEPLOYMENT("'containers':[{'name':'c'}]"), NAMES("none")},
        {"ports without names", DEPLOYMENT("'containers':[" PORTS("{'containerPort':1}") "]"),
         NAMES("none")},
        {"names of their own",
         DEPLOYMENT("'containers':[" PORTS(PORT("a", "1") "," PORT("b", "2")) "]"), NAMES("pass")},
        {"twice in two containers",
         DEPLOYMENT("'containers':[" PORTS(PORT("a", "1")) "," PORTS(PORT("a", "2")) "]"),
         NAMES("fail")},
        {"twice in one", DEPLOYMENT("'containers':[" PORTS(PORT("a", "1") "," PORT("a", "2")) "]"),
         NAMES("fail")},
        {"in a container that has ended by then",
         DEPLOYMENT("'initContainers':[" PORTS(PORT("a", "1")) "],'containers':[" PORTS(
             PORT("a", "2")) "]"),
         NAMES("pass")},
    };
#undef NAMES
    (void)state;
    ROWS(rows);
}

#define ACCOUNT(namespace, name)                                                                   \
    "{'apiVersion':'v1','kind':'ServiceAccount','metadata':{'name':'" name                         \
    "','namespace':'" namespace "'}}"
#define ROLE_BINDINGS(subjects)                                                                    \
    "{'apiVersion':'rbac.authorization.k8s.io/v1','kind':'RoleBinding','metadata':{'name':'b',"    \
    "'namespace':'shop'},'roleRef':{'kind':'ClusterRole','name':'view'},'subjects':[" subjects     \
    "]}"                                                                                           \
    "{'apiVersion':'rbac.authorization.k8s.io/v1','kind':'ClusterRoleBinding','metadata':{"        \
    "'name':'w'},'roleRef':{'kind':'ClusterRole','name':'view'},'subjects':[]}"
#define RUNS_AS(account) POD("'serviceAccountName':'" account "','containers':[{'name':'c'}]")

static void accounts(void **state)
{
#define UNUSED(expected) "serviceaccount/s", "service-account-unused=" expected
    static const struct judge_row rows[] = {
        {"a pod runs under it", ACCOUNT("shop", "s") RUNS_AS("s") ROLE_BINDINGS(""),
         UNUSED("pass")},
        {"nobody does", ACCOUNT("shop", "s") RUNS_AS("other") ROLE_BINDINGS(""), UNUSED("fail")},
        {"a pod of another namespace does", ACCOUNT("mall", "s") RUNS_AS("s") ROLE_BINDINGS(""),
         UNUSED("fail")},
        {"it holds a role",
         ACCOUNT("shop", "s") RUNS_AS("other")
             ROLE_BINDINGS("{'kind':'ServiceAccount','name':'s'}"),
         UNUSED("pass")},
        {"bindings are not shown", ACCOUNT("shop", "s") RUNS_AS("other"), UNUSED("none")},
        {"pods are not shown", ACCOUNT("shop", "s") ROLE_BINDINGS(""), UNUSED("none")},
        {"the cluster's own", ACCOUNT("kube-system", "s") RUNS_AS("other") ROLE_BINDINGS(""),
         UNUSED("none")},
        {"the one that every namespace has",
         ACCOUNT("shop", "default") RUNS_AS("other") ROLE_BINDINGS(""), "serviceaccount/default",
         "service-account-unused=none"},
    };
#undef UNUSED
    (void)state;
    ROWS(rows);
}

#define REQUESTS(memory, created)                                                                  \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'a','namespace':'shop',"                   \
    "'creationTimestamp':'2026-03-17T" created "Z'},'spec':{'containers':[{'name':'c',"            \
    "'resources':{'requests':{" memory "}}}]},'status':{'phase':'Running'}}"
#define OLD           "10:00:00"
#define MEMORY(value) "'memory':'" value "'"
#define USES(value)                                                                                \
    "{'apiVersion':'metrics.k8s.io/v1beta1','kind':'PodMetrics','metadata':{'name':'a',"           \
    "'namespace':'shop'},'containers':[{'name':'c','usage':{'cpu':'1','memory':'" value "'}}]}"

static void requests(void **state)
{
#define MISFIT(expected) "pod/a", "memory-request-misfit=" expected
    static const struct judge_row rows[] = {
        {"it fits", REQUESTS(MEMORY("512Mi"), OLD) USES("500Mi"), MISFIT("pass")},
        {"a little more", REQUESTS(MEMORY("512Mi"), OLD) USES("700Mi"), MISFIT("pass")},
        {"far more", REQUESTS(MEMORY("512Mi"), OLD) USES("800Mi"), MISFIT("fail")},
        {"many times as much, and little all the same", REQUESTS(MEMORY("16Mi"), OLD) USES("128Mi"),
         MISFIT("pass")},
        {"far less", REQUESTS(MEMORY("4Gi"), OLD) USES("500Mi"), MISFIT("fail")},
        {"a tenth, and little all the same", REQUESTS(MEMORY("512Mi"), OLD) USES("50Mi"),
         MISFIT("pass")},
        {"a third of much", REQUESTS(MEMORY("6Gi"), OLD) USES("2Gi"), MISFIT("pass")},
        {"it has just begun", REQUESTS(MEMORY("4Gi"), "11:30:00") USES("500Mi"), MISFIT("none")},
        {"it requests nothing", REQUESTS("", OLD) USES("5Gi"), MISFIT("none")},
        {"nobody measures", REQUESTS(MEMORY("4Gi"), OLD), MISFIT("none")},
    };
#undef MISFIT
    (void)state;
    ROWS(rows);
}

#define NODE_USES(name, value)                                                                     \
    "{'apiVersion':'metrics.k8s.io/v1beta1','kind':'NodeMetrics','metadata':{'name':'" name        \
    "'},'usage':{'cpu':'1','memory':'" value "'}}"

static void nodes(void **state)
{
#define HIGH(expected) "node/n", "node-memory-use-high=" expected
    static const struct judge_row rows[] = {
        {"half of it", NODE("", "4", "8Gi") NODE_USES("n", "4Gi"), HIGH("pass")},
        {"just below", NODE("", "4", "1000Mi") NODE_USES("n", "899Mi"), HIGH("pass")},
        {"nine tenths", NODE("", "4", "1000Mi") NODE_USES("n", "900Mi"), HIGH("fail")},
        {"more than pods may have", NODE("", "4", "1000Mi") NODE_USES("n", "1100Mi"), HIGH("fail")},
        {"another node's", NODE("", "4", "8Gi") NODE_USES("m", "8Gi"), HIGH("none")},
        {"nobody measures", NODE("", "4", "8Gi"), HIGH("none")},
        {"nobody knows how much there is", NODE("", "4", "") NODE_USES("n", "8Gi"), HIGH("none")},
    };
#undef HIGH
    (void)state;
    ROWS(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(autoscalers), cmocka_unit_test(services), cmocka_unit_test(port_names),
        cmocka_unit_test(accounts),    cmocka_unit_test(requests), cmocka_unit_test(nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What OpenShift says of itself: ClusterOperators, ClusterVersion, MachineConfigPools. */
#include "live.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define CONFIG  "config.openshift.io/v1"
#define MACHINE "machineconfiguration.openshift.io/v1"
#define OF(version, kind, conditions)                                                              \
    "{'apiVersion':'" version "','kind':'" kind                                                    \
    "','metadata':{'name':'dns'},'spec':{},'status':{'conditions':[" conditions "]}}"
#define OPERATOR(conditions) OF(CONFIG, "ClusterOperator", conditions)
#define POOL(conditions)     OF(MACHINE, "MachineConfigPool", conditions)
#define IS(type, status)     "{'type':'" type "','status':'" status "'}"
#define SINCE(type, status, rest)                                                                  \
    "{'type':'" type "','status':'" status "','lastTransitionTime':'2026-03-17T11:15:00Z'" rest "}"
#define NODE         "{'apiVersion':'v1','kind':'Node','metadata':{'name':'n'}}"
#define NOTHING_SAID "cluster-operator-unavailable=none cluster-operator-degraded=none"

static void cluster_operators(void **state)
{
    static const struct judge_row rows[] = {
        {"no conditions", OPERATOR(""), "clusteroperator/dns", NOTHING_SAID},
        {"no status",
         "{'apiVersion':'" CONFIG "','kind':'ClusterOperator','metadata':{'name':'a'}}",
         "clusteroperator/a", NOTHING_SAID},
        {"other conditions", OPERATOR(IS("Progressing", "True") "," IS("Upgradeable", "False")),
         "clusteroperator/dns", NOTHING_SAID},
        {"nobody knows", OPERATOR(IS("Available", "Unknown") "," IS("Degraded", "Unknown")),
         "clusteroperator/dns", NOTHING_SAID},
        {"neither True nor False", OPERATOR(IS("Available", "false") "," IS("Degraded", "")),
         "clusteroperator/dns", NOTHING_SAID},
        {"gone, and it says all", OPERATOR(IS("Available", "False") "," IS("Degraded", "True")),
         "clusteroperator/dns", "cluster-operator-unavailable=fail cluster-operator-degraded=none"},
        {"gone, and not degraded", OPERATOR(IS("Degraded", "False") "," IS("Available", "False")),
         "clusteroperator/dns", "cluster-operator-unavailable=fail cluster-operator-degraded=none"},
        {"nobody knows whether it is there",
         OPERATOR(IS("Available", "Unknown") "," IS("Degraded", "True")), "clusteroperator/dns",
         "cluster-operator-unavailable=none cluster-operator-degraded=fail"},
        {"degraded alone", OPERATOR(IS("Degraded", "True")), "clusteroperator/dns",
         "cluster-operator-unavailable=none cluster-operator-degraded=fail"},
        {"degraded, and available", OPERATOR(IS("Available", "True") "," IS("Degraded", "True")),
         "clusteroperator/dns", "cluster-operator-unavailable=pass cluster-operator-degraded=fail"},
        {"available, and no word of Degraded", OPERATOR(IS("Available", "True")),
         "clusteroperator/dns", "cluster-operator-unavailable=pass cluster-operator-degraded=none"},
        {"all is well", OPERATOR(IS("Degraded", "False") "," IS("Available", "True")),
         "clusteroperator/dns",
         "cluster-operator-unavailable=pass cluster-operator-degraded=pass "
         "machine-config-pool-degraded=none"},
        {"of another API",
         OF("cluster.x-k8s.io/v1beta1", "ClusterOperator", IS("Available", "False")) NODE,
         "clusteroperator/dns", NOTHING_SAID},
        {"of OpenShift's other API",
         OF("operator.openshift.io/v1", "ClusterOperator", IS("Available", "False")) NODE,
         "clusteroperator/dns", NOTHING_SAID},
        {"an operator of no kind that is read",
         OF("operator.openshift.io/v1", "DNS", IS("Available", "False")) NODE, "dns/dns",
         NOTHING_SAID},
        {"a version is none", OF(CONFIG, "ClusterVersion", IS("Available", "False")),
         "clusterversion/dns", NOTHING_SAID},
    };
    (void)state;
    ROWS(rows);
}

#define VERSION(conditions) OF(CONFIG, "ClusterVersion", conditions)
#define FAILS(expected)     "clusterversion/dns", "cluster-version-failing=" expected
#define LONG(type, status)                                                                         \
    "{'type':'" type "','status':'" status "','lastTransitionTime':'2026-03-17T07:00:00Z'}"

static void cluster_versions(void **state)
{
    static const struct judge_row rows[] = {
        {"no conditions", VERSION(""), FAILS("none")},
        {"other conditions",
         VERSION(IS("Available", "True") "," IS("Upgradeable", "False") "," IS("RetrievedUpdates",
                                                                               "False")),
         FAILS("none")},
        {"nobody knows", VERSION(IS("Failing", "Unknown") "," IS("Progressing", "Unknown")),
         FAILS("none")},
        {"all is well", VERSION(IS("Failing", "False") "," IS("Progressing", "False")),
         FAILS("pass")},
        {"failing", VERSION(IS("Failing", "True") "," IS("Progressing", "False")), FAILS("fail")},
        {"an update that has just begun",
         VERSION(IS("Failing", "False") "," SINCE("Progressing", "True", "")), FAILS("pass")},
        {"an update of five hours", VERSION(IS("Failing", "False") "," LONG("Progressing", "True")),
         FAILS("fail")},
        {"an update of which nobody knows when it began", VERSION(IS("Progressing", "True")),
         FAILS("pass")},
        {"an update that ended five hours ago", VERSION(LONG("Progressing", "False")),
         FAILS("pass")},
        {"of another API",
         OF("cluster.x-k8s.io/v1beta1", "ClusterVersion", IS("Failing", "True")) NODE,
         FAILS("none")},
    };
    (void)state;
    ROWS(rows);
}

/* What an operator is told for already costs nothing here. */
static void a_version_that_fails_by_an_operator_is_a_notice(void **state)
{
    (void)state;
    static const struct {
        const char *document;
        enum severity severity;
    } rows[] = {
        {VERSION(SINCE("Failing", "True", ",'reason':'ClusterOperatorDegraded'")), SEVERITY_HIGH},
        {OPERATOR(IS("Degraded", "True"))
             VERSION(SINCE("Failing", "True", ",'reason':'ClusterOperatorDegraded'")),
         SEVERITY_LOW},
        {OPERATOR(IS("Degraded", "False"))
             VERSION(SINCE("Failing", "True", ",'reason':'ClusterOperatorDegraded'")),
         SEVERITY_HIGH},
        {OPERATOR(IS("Degraded", "True"))
             VERSION(SINCE("Failing", "True", ",'reason':'UpdatePayloadFailed'")),
         SEVERITY_HIGH},
        {VERSION(LONG("Progressing", "True")), SEVERITY_MEDIUM},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct judgement judgement = judgement_open(rows[i].document, NULL);
        const struct risk *risk =
            judgement_risk(&judgement, "cluster-version-failing", "clusterversion/dns");
        assert_non_null(risk);
        assert_int_equal(risk->severity, rows[i].severity);
        assert_int_equal(risk->impact == 0, rows[i].severity == SEVERITY_LOW);
        judgement_close(&judgement);
    }
}

static void machine_config_pools(void **state)
{
    static const struct judge_row rows[] = {
        {"no conditions", POOL(""), "machineconfigpool/dns", "machine-config-pool-degraded=none"},
        {"nobody knows", POOL(IS("Degraded", "Unknown")), "machineconfigpool/dns",
         "machine-config-pool-degraded=none"},
        {"one part of it only", POOL(IS("NodeDegraded", "True")), "machineconfigpool/dns",
         "machine-config-pool-degraded=none"},
        {"degraded", POOL(IS("Degraded", "True")), "machineconfigpool/dns",
         "machine-config-pool-degraded=fail cluster-operator-degraded=none"},
        {"not degraded", POOL(IS("Degraded", "False") "," IS("Updating", "True")),
         "machineconfigpool/dns", "machine-config-pool-degraded=pass"},
        {"of the cluster API",
         OF("cluster.x-k8s.io/v1beta1", "MachineConfigPool", IS("Degraded", "True")) NODE,
         "machineconfigpool/dns", "machine-config-pool-degraded=none"},
    };
    (void)state;
    ROWS(rows);
}

#define BARE(conditions) "{'metadata':{'name':'dns'},'status':{'conditions':[" conditions "]}}"

static void forms(void **state)
{
    static const struct judge_row rows[] = {
        {"a List", DOCUMENT(OPERATOR(IS("Available", "False")) "," POOL(IS("Degraded", "True"))),
         "clusteroperator/dns", "cluster-operator-unavailable=fail"},
        {"a list of its own",
         "{'apiVersion':'" CONFIG
         "','kind':'ClusterOperatorList','items':[" BARE(IS("Available", "False")) "]}",
         "clusteroperator/dns", "cluster-operator-unavailable=fail"},
        {"a list of another API",
         "{'apiVersion':'cluster.x-k8s.io/v1','kind':'ClusterOperatorList','items':[" BARE(
             IS("Available", "False")) "]}" NODE,
         "clusteroperator/dns", NOTHING_SAID},
        {"a collection", "{'clusteroperators':[" BARE(IS("Degraded", "True")) "]}",
         "clusteroperator/dns", "cluster-operator-degraded=fail"},
        {"a collection, with its group",
         "{'clusteroperators.config.openshift.io':{'items':[" BARE(IS("Degraded", "False")) "]}}",
         "clusteroperator/dns", "cluster-operator-degraded=pass"},
        {"a collection of another API's",
         "{'clusterOperators':[" OF("example.com/v1", "ClusterOperator",
                                    IS("Degraded", "True")) "],'nodes':[{'name':'n'}]}",
         "clusteroperator/dns", NOTHING_SAID},
        {"pools", "{'machineConfigPools':[" BARE(IS("Degraded", "True")) "]}",
         "machineconfigpool/dns", "machine-config-pool-degraded=fail"},
        {"a summary", "{'clusteroperators':[{'name':'dns','status':'Degraded'}]}",
         "clusteroperator/dns", NOTHING_SAID},
        {"a summary with conditions",
         "{'clusteroperators':[{'name':'dns','conditions':{'Available':'False'}}]}",
         "clusteroperator/dns", "cluster-operator-unavailable=fail cluster-operator-degraded=none"},
        {"pools in a summary",
         "{'machineconfigpools':[{'name':'dns','conditions':[" IS("Degraded", "False") "]}]}",
         "machineconfigpool/dns", "machine-config-pool-degraded=pass"},
    };
    (void)state;
    ROWS(rows);
}

static void messages(void **state)
{
    static const struct {
        const char *document, *check, *resource, *message;
    } rows[] = {
        {OPERATOR(SINCE("Available", "False", ",'reason':'NoPods','message':'None is up.\\nm'")),
         "cluster-operator-unavailable", "clusteroperator/dns",
         "Available has been False for 45 min: NoPods, None is up."},
        {OPERATOR(SINCE("Available", "False", ",'reason':'NoPods'")),
         "cluster-operator-unavailable", "clusteroperator/dns",
         "Available has been False for 45 min: NoPods."},
        {OPERATOR(SINCE("Degraded", "True", ",'message':'m'")), "cluster-operator-degraded",
         "clusteroperator/dns", "Degraded has been True for 45 min: m."},
        {OPERATOR(IS("Degraded", "True")), "cluster-operator-degraded", "clusteroperator/dns",
         "Degraded has been True for some time."},
        /* a pool's Degraded leaves it to the two that it sums up */
        {POOL(SINCE("RenderDegraded", "False", ",'message':'m'") "," IS(
             "OtherDegraded", "True") "," SINCE("NodeDegraded", "True",
                                                ",'reason':'1 nodes are reporting degraded status "
                                                "on sync','message':'Node w-0 is "
                                                "full'") "," SINCE("Degraded", "True",
                                                                   ",'reason':'','message':''")),
         "machine-config-pool-degraded", "machineconfigpool/dns",
         "Degraded has been True for 45 min: 1 nodes are reporting degraded status on sync, Node "
         "w-0 is full."},
        {POOL(SINCE("NodeDegraded", "True", ",'message':'m'") "," SINCE("Degraded", "True",
                                                                        ",'message':'its own'")),
         "machine-config-pool-degraded", "machineconfigpool/dns",
         "Degraded has been True for 45 min: its own."},
        {POOL(SINCE("Degraded", "True", "")), "machine-config-pool-degraded",
         "machineconfigpool/dns", "Degraded has been True for 45 min."},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct judgement judgement = judgement_open(rows[i].document, NULL);
        const struct risk *risk = judgement_risk(&judgement, rows[i].check, rows[i].resource);
        assert_non_null(risk);
        if (!str_eq(risk->message, str_of(rows[i].message)))
            fail_msg("     got: %" STR_FMT "\nexpected: %s", STR_ARG(risk->message),
                     rows[i].message);
        judgement_close(&judgement);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cluster_operators),
        cmocka_unit_test(cluster_versions),
        cmocka_unit_test(a_version_that_fails_by_an_operator_is_a_notice),
        cmocka_unit_test(machine_config_pools),
        cmocka_unit_test(forms),
        cmocka_unit_test(messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

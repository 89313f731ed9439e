/* log-error-burst: which lines count for which workload, and how many of them are a burst. */
#include "judge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define LOGS_MAX 20
#define SHOP     "shop"

#define OF(version, kind, name)                                                                    \
    "{'apiVersion':'" version "','kind':'" kind "','name':'" name "','controller':true}"
#define POD_OF(name, owner)                                                                        \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'" name                                    \
    "','namespace':'shop','ownerReferences':[" owner                                               \
    "]},'spec':{'containers':[{'name':'c','image':'i:1'}]},'status':{'phase':'Running'}}"
#define CONTROLLER(version, kind, name)                                                            \
    "{'apiVersion':'" version "','kind':'" kind "','metadata':{'name':'" name                      \
    "','namespace':'shop'},'spec':{'template':{'spec':{'containers':[{'name':'c','image':'i:1'}]"  \
    "}}}}"
#define DEPLOYMENT_API CONTROLLER("apps/v1", "Deployment", "api")

struct row {
    const char *name, *document, *resource;
    enum verdict verdict;
    struct {
        const char *namespace, *pod;
        int64_t recent, before;
    } logs[4];
    const char *message; /* NULL: of no matter */
};

static const struct row rows[] = {
    {"no logs at all", DEPLOYMENT_API, "deployment/api", NOT_EVALUATED, {{0}}, NULL},
    {"logs of another workload",
     DEPLOYMENT_API,
     "deployment/api",
     NOT_EVALUATED,
     {{SHOP, "web-7d9f8b6c5-x2k4p", 500, 0}},
     NULL},
    {"logs of another namespace",
     DEPLOYMENT_API,
     "deployment/api",
     NOT_EVALUATED,
     {{"other", "api-7d9f8b6c5-x2k4p", 500, 0}},
     NULL},
    {"logs of a set of the same name",
     DEPLOYMENT_API,
     "deployment/api",
     NOT_EVALUATED,
     {{SHOP, "api-0", 500, 0}, {SHOP, "api-x2k4p", 500, 0}},
     NULL},
    {"no errors",
     DEPLOYMENT_API,
     "deployment/api",
     PASSED,
     {{SHOP, "api-7d9f8b6c5-x2k4p", 0, 0}},
     NULL},
    {"one and then three",
     DEPLOYMENT_API,
     "deployment/api",
     PASSED,
     {{SHOP, "api-7d9f8b6c5-x2k4p", 3, 1}},
     NULL},
    {"29 from nothing",
     DEPLOYMENT_API,
     "deployment/api",
     PASSED,
     {{SHOP, "api-7d9f8b6c5-x2k4p", 29, 0}},
     NULL},
    {"30 from nothing",
     DEPLOYMENT_API,
     "deployment/api",
     FAILED,
     {{SHOP, "api-7d9f8b6c5-x2k4p", 30, 0}},
     "30 ERROR lines in 5 min, 0 in the hour before."},
    {"four times its hour",
     DEPLOYMENT_API,
     "deployment/api",
     PASSED,
     {{SHOP, "api-7d9f8b6c5-x2k4p", 400, 1200}},
     NULL},
    {"a line more",
     DEPLOYMENT_API,
     "deployment/api",
     FAILED,
     {{SHOP, "api-7d9f8b6c5-x2k4p", 401, 1200}},
     "401 ERROR lines in 5 min, 1200 in the hour before."},
    {"an hour that was worse",
     DEPLOYMENT_API,
     "deployment/api",
     PASSED,
     {{SHOP, "api-7d9f8b6c5-x2k4p", 100, 5000}},
     NULL},
    {"pods of a rollout are one workload's",
     DEPLOYMENT_API,
     "deployment/api",
     FAILED,
     {{SHOP, "api-7d9f8b6c5-x2k4p", 312, 4}},
     "312 ERROR lines in 5 min, 4 in the hour before."},
    {"a StatefulSet",
     CONTROLLER("apps/v1", "StatefulSet", "db"),
     "statefulset/db",
     FAILED,
     {{SHOP, "db-0", 50, 0}},
     NULL},
    {"a DaemonSet",
     CONTROLLER("apps/v1", "DaemonSet", "agent-1"),
     "daemonset/agent-1",
     FAILED,
     {{SHOP, "agent-1-x2k4p", 50, 0}},
     NULL},
    {"a CronJob",
     "{'apiVersion':'batch/v1','kind':'CronJob','metadata':{'name':'backup','namespace':'shop'},"
     "'spec':{'schedule':'@daily'}}",
     "cronjob/backup",
     FAILED,
     {{SHOP, "backup-29472159-pvnhf", 50, 0}},
     NULL},
    {"a bare pod whose name has a number",
     POD_OF("runner-3", ""),
     "pod/runner-3",
     FAILED,
     {{SHOP, "runner-3", 50, 0}},
     NULL},
    {"pods named by an operator",
     DOCUMENT(POD_OF("pg-main-a", OF("example.com/v1", "Postgres", "pg")) "," POD_OF(
         "pg-replica-b", OF("example.com/v1", "Postgres", "pg"))),
     "postgres/pg",
     FAILED,
     {{SHOP, "pg-main-a", 20, 1}, {SHOP, "pg-replica-b", 11, 2}},
     "31 ERROR lines in 5 min, 3 in the hour before."},
    {"several pods of one family count once",
     DOCUMENT(
         DEPLOYMENT_API
         "," POD_OF("api-7d9f8b6c5-x2k4p", OF("apps/v1", "ReplicaSet", "api-7d9f8b6c5")) "," POD_OF(
             "api-7d9f8b6c5-bcdfg", OF("apps/v1", "ReplicaSet", "api-7d9f8b6c5"))),
     "deployment/api",
     FAILED,
     {{SHOP, "api-7d9f8b6c5-x2k4p", 40, 1}},
     "40 ERROR lines in 5 min, 1 in the hour before."},
};

static pod_log_list logs_of(struct arena *arena, const struct row *row)
{
    pod_log_list logs = {0};
    for (size_t i = 0; i < 4 && row->logs[i].pod; i++)
        LIST_ADD(arena, logs,
                 ((struct pod_log){str_of(row->logs[i].namespace),
                                   pod_family_of(str_of(row->logs[i].pod)), row->logs[i].recent,
                                   row->logs[i].before}));
    pod_logs_sort(logs);
    return logs;
}

static void judge_row(const struct row *row)
{
    struct judgement j = judgement_open(row->document, NULL);
    struct score_policy policy = score_policy_default();
    j.cluster->pod_logs = logs_of(j.arena, row);
    j.ledger = score(j.arena, j.cluster, &policy, clock_parse(str_of(JUDGE_TIME)));
    if (judgement_verdict(&j, "log-error-burst", row->resource) != row->verdict)
        fail_msg("%s: the verdict is not %d", row->name, (int)row->verdict);
    const struct risk *risk = judgement_risk(&j, "log-error-burst", row->resource);
    if (row->message && !str_eq(risk->message, str_of(row->message)))
        fail_msg("%s: %" STR_FMT, row->name, STR_ARG(risk->message));
    judgement_close(&j);
}

static void bursts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        judge_row(&rows[i]);
}

/* More families than are looked at: the first ones count, and nothing breaks. */
static void many_families(void **state)
{
    struct judgement j = judgement_open(CONTROLLER("apps/v1", "Deployment", "api"), NULL);
    struct score_policy policy = score_policy_default();
    struct workload *workload = j.cluster->roots.items[0];
    pod_log_list logs = {0};
    (void)state;
    LIST_RESERVE(j.arena, workload->pods, LOGS_MAX);
    for (int i = 0; i < LOGS_MAX; i++) {
        struct pod *pod = ARENA_NEW(j.arena, struct pod);
        pod->object.meta.name = arena_printf(j.arena, "pod-%c", 'a' + i);
        LIST_PUT(workload->pods, pod);
        LIST_ADD(j.arena, logs,
                 ((struct pod_log){STR(SHOP), pod_family_of(pod->object.meta.name), 10, 0}));
    }
    pod_logs_sort(logs);
    j.cluster->pod_logs = logs;
    j.ledger = score(j.arena, j.cluster, &policy, clock_parse(str_of(JUDGE_TIME)));
    const struct risk *risk = judgement_risk(&j, "log-error-burst", "deployment/api");
    assert_non_null(risk);
    assert_true(str_eq(risk->message, STR("160 ERROR lines in 5 min, 0 in the hour before.")));
    judgement_close(&j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bursts), cmocka_unit_test(many_families)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* History by what was deployed before the snapshot, where the snapshot itself does not tell. */
#include "live.h"
#include "report/report.h"
#include "scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define FREQUENT "rollout-frequent"
#define BACK     "rollback-detected"
#define IMAGE    "recent-image-change"
#define TEMPLATE "recent-template-change"

/* A line each: of what, when, what happened and what changed. */
#define OF(resource, at, what) resource " " at "Z " what "\n"
#define EV(at, what)           OF("deployment/a shop", "2026-03-" at, what)

/* Four other templates today, and five. */
#define FOUR                                                                                       \
    EV("17T01:00:00", "started image")                                                             \
    EV("17T02:00:00", "started image")                                                             \
    EV("17T03:00:00", "started template") EV("17T04:00:00", "rolled_back image scale")
#define FIVE FOUR EV("17T05:00:00", "started image")

#define LONE     DEPLOY("'replicas':2,", "'replicas':2,'updatedReplicas':2,'availableReplicas':2")
#define STATEFUL CONTROLLER("StatefulSet", "'generation':2,", "'replicas':2,", "'replicas':2")
#define DAEMON   CONTROLLER("DaemonSet", "'generation':2,", "", "")
#define OLD                                                                                        \
    "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'a','namespace':'shop',"       \
    "'uid':'u','generation':2,'creationTimestamp':'2026-03-01T10:00:00Z'},'spec':{'replicas':2,"   \
    "'template':{'spec':{'containers':[{'name':'c','image':'c:1'}]}}},'status':{'replicas':2}}"
#define SET(name, number, created, more)                                                           \
    "{'apiVersion':'apps/v1','kind':'ReplicaSet','metadata':{'name':'a-" name                      \
    "','namespace':'shop','creationTimestamp':'2026-03-" created                                   \
    "Z','annotations':{'deployment.kubernetes.io/revision':'" number "'" more                      \
    "},'ownerReferences':[{'apiVersion':'apps/v1','kind':'Deployment','name':'a','uid':'u',"       \
    "'controller':true}]},'spec':{'replicas':0,'template':{'spec':{'containers':[{'name':'c',"     \
    "'image':'c:" number "'}]}}}}"
#define RESTARTED                                                                                  \
    "{'apiVersion':'apps/v1','kind':'StatefulSet','metadata':{'name':'a','namespace':'shop'},"     \
    "'spec':{'template':{'metadata':{'annotations':{'kubectl.kubernetes.io/restartedAt':"          \
    "'2026-03-17T04:58:00Z'}},'spec':{'containers':[{'name':'c','image':'c:1'}]}}}}"

static const struct row {
    const char *name, *document, *resource;
    const char *events;
    const char *failed;         /* checks of these four that fail, in this order */
    const char *check, *saying; /* what one of them says; NULL: whatever */
} rows[] = {
    {"none", LONE, "deployment/a", "", "", NULL, NULL},
    {"five changes", LONE, "deployment/a", FIVE, FREQUENT " " IMAGE, FREQUENT,
     "Loadline saw 5 template changes in 24 hours."},
    {"four", LONE, "deployment/a", FOUR, BACK " " IMAGE, BACK,
     "Loadline saw it rolled back 8 h ago: the template before the last one is in force again."},
    {"just a day ago", LONE, "deployment/a", FOUR EV("16T12:00:00", "started image"),
     FREQUENT " " BACK " " IMAGE, NULL, NULL},
    {"a second more", LONE, "deployment/a", FOUR EV("16T11:59:59", "started image"), BACK " " IMAGE,
     NULL, NULL},
    {"what the snapshot itself shows first", LONE, "deployment/a",
     FOUR EV("17T12:00:00", "started image"), BACK " " IMAGE, NULL, NULL},
    {"what a later one shows", LONE, "deployment/a", FOUR EV("17T12:00:01", "started template"),
     BACK " " IMAGE, NULL, NULL},
    {"replicas, configuration, and how rollouts go on", LONE, "deployment/a",
     FOUR EV("17T05:00:00", "changed scale configuration") EV("17T05:00:00", "finished")
         EV("17T06:00:00", "stalled") EV("17T07:00:00", "started created"),
     BACK " " IMAGE, NULL, NULL},
    {"another kind, name or namespace", LONE, "deployment/a",
     OF("statefulset/a shop", "2026-03-17T01:00:00", "started image")
         OF("deployment/b shop", "2026-03-17T01:00:00", "started image")
             OF("deployment/ shopa", "2026-03-17T01:00:00", "started image")
                 OF("deployment/a pay", "2026-03-17T01:00:00", "rolled_back image"),
     "", NULL, NULL},
    {"a StatefulSet", STATEFUL, "statefulset/a",
     OF("statefulset/a shop", "2026-03-17T01:00:00", "started template")
         OF("statefulset/a shop", "2026-03-17T02:00:00", "started template")
             OF("statefulset/a shop", "2026-03-17T03:00:00", "started template")
                 OF("statefulset/a shop", "2026-03-17T04:00:00", "started image")
                     OF("statefulset/a shop", "2026-03-17T05:00:00", "started template"),
     FREQUENT " " TEMPLATE, TEMPLATE,
     "Loadline saw the pod template change, with the same images, 7 h ago."},
    {"a DaemonSet", DAEMON, "daemonset/a",
     OF("daemonset/a shop", "2026-03-17T11:00:00", "started image"), IMAGE, IMAGE,
     "Loadline saw the pod template change to other images 1 h ago."},
    {"a restart is no other template", RESTARTED, "statefulset/a",
     OF("statefulset/a shop", "2026-03-17T05:00:00", "started template"), "", NULL, NULL},
    {"one with another image is", RESTARTED, "statefulset/a",
     OF("statefulset/a shop", "2026-03-17T05:00:00", "started image"), IMAGE, NULL, NULL},
    {"one long before the change", RESTARTED, "statefulset/a",
     OF("statefulset/a shop", "2026-03-17T05:03:01", "started template"), TEMPLATE, NULL, NULL},
    {"before the workload was made", LONE, "deployment/a", EV("10T09:59:59", "rolled_back image"),
     "", NULL, NULL},
    {"a rollback of seven days ago", LONE, "deployment/a", EV("10T12:00:00", "rolled_back image"),
     BACK, NULL, NULL},
    {"a second more is over", OLD, "deployment/a", EV("10T11:59:59", "rolled_back image"), "", NULL,
     NULL},
    {"what was deployed since ends it", LONE, "deployment/a",
     EV("14T12:00:00", "rolled_back image") EV("15T12:00:00", "started template"), "", NULL, NULL},
    {"a rollback of which the ReplicaSets were removed",
     DOCUMENT(OLD "," SET("x", "7", "14T12:00:00", "")), "deployment/a",
     EV("14T12:00:00", "rolled_back image"), BACK, NULL, NULL},
    {"one that the ReplicaSets tell, too",
     DOCUMENT(OLD "," SET("x", "7", "14T12:00:00",
                          ",'deployment.kubernetes.io/"
                          "revision-history':'5'")),
     "deployment/a", EV("14T12:00:00", "rolled_back image"), BACK, BACK,
     "Revision 7 in force is an older one, from 3 d ago, taken up again."},
    {"five ReplicaSets of today",
     DOCUMENT(OLD "," SET("1", "1", "17T01:00:00", "") "," SET("2", "2", "17T02:00:00", "") "," SET(
         "3", "3", "17T03:00:00", "") "," SET("4", "4", "17T04:00:00",
                                              "") "," SET("5", "5", "17T05:00:00", "")),
     "deployment/a", FIVE, FREQUENT " " IMAGE, FREQUENT, "5 new ReplicaSets within 24 h."},
    {"two are left, and tell of the image themselves",
     DOCUMENT(OLD "," SET("4", "4", "17T04:00:00", "") "," SET("5", "5", "17T05:00:00", "")),
     "deployment/a", FIVE, FREQUENT " " IMAGE, IMAGE, "Container c went from c:4 to c:5 7 h ago."},
    {"one is left", DOCUMENT(OLD "," SET("5", "5", "17T05:00:00", "")), "deployment/a",
     EV("17T05:00:00", "started template"), TEMPLATE, NULL, NULL},
    {"ReplicaSets that are older know better",
     DOCUMENT(OLD "," SET("4", "4", "12T04:00:00", "") "," SET("5", "5", "12T05:00:00", "")),
     "deployment/a", EV("17T05:00:00", "started image"), "", NULL, NULL},
};

static deployed_list take(const char *events)
{
    deployed_list list = {0};
    struct str line, rest = str_of(events), resource, word, at, event;
    while (str_cut(rest, '\n', &line, &rest)) {
        struct deployed deployed = {.at = TIME_NONE};
        assert_true(str_next_word(&line, &resource) && str_next_word(&line, &deployed.namespace) &&
                    str_next_word(&line, &at) && str_next_word(&line, &event));
        assert_true(str_cut(resource, '/', &word, &deployed.name));
        deployed.kind = kind_of_workload(word);
        deployed.at = clock_parse(at);
        assert_int_not_equal(deployed.at, TIME_NONE);
        if (deployed_take(event, line, &deployed))
            LIST_ADD(arena, list, deployed);
    }
    deployed_sort(&list);
    return list;
}

static struct str failing(const struct judgement *j, const char *resource)
{
    static const char *const asked[] = {FREQUENT, BACK, IMAGE, TEMPLATE};
    struct buf out = buf_init(arena, 256);
    for (size_t i = 0; i < COUNT(asked); i++)
        if (judgement_risk(j, asked[i], resource))
            buf_printf(&out, "%s%s", out.n ? " " : "", asked[i]);
    return str_or_empty(buf_str(&out));
}

static void judge_row(const struct row *row)
{
    deployed_list deploys = take(row->events);
    struct score_policy policy = score_policy_default();
    policy.deploys = &deploys;
    struct judgement j = judgement_open(row->document, &policy);
    struct str failed = failing(&j, row->resource);
    if (!str_eq(failed, str_of(row->failed)))
        fail_msg("%s: %" STR_FMT " fail, and not %s", row->name, STR_ARG(failed), row->failed);
    for (uint32_t i = 0; i < j.ledger->risks.n; i++)
        for (uint32_t k = 0; k < i; k++)
            if (strcmp(j.ledger->risks.items[i].id, j.ledger->risks.items[k].id) == 0)
                fail_msg("%s: a risk is told twice", row->name);
    if (row->check &&
        !str_eq(judgement_risk(&j, row->check, row->resource)->message, str_of(row->saying)))
        fail_msg("%s: %" STR_FMT, row->name,
                 STR_ARG(judgement_risk(&j, row->check, row->resource)->message));
    judgement_close(&j);
}

static void what_fails(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        judge_row(&rows[i]);
}

static bool put(void *context, struct str bytes)
{
    buf_put(context, bytes);
    return true;
}

static struct str report_of(const char *document, const deployed_list *deploys, int64_t *version)
{
    struct score_policy policy = score_policy_default();
    struct buf out = buf_init(arena, 1 << 20);
    policy.deploys = deploys;
    struct judgement j = judgement_open(document, &policy);
    assert_true(report_json(j.arena, j.ledger, (struct report_terms){.time = TIME_NONE}, NULL,
                            (struct sink){put, &out}));
    judgement_close(&j);
    *version = score_version(&policy);
    return buf_str(&out);
}

/* An empty list is as none, but for the version: then the score is said to rest on more. */
static void none(void **state)
{
    deployed_list empty = {0};
    int64_t without, with;
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_true(str_eq(report_of(rows[i].document, NULL, &without),
                           report_of(rows[i].document, &empty, &with)));
    assert_int_not_equal(without, with);
}

static void any_order(void **state)
{
    const char *document = DOCUMENT(LONE "," STATEFUL);
    deployed_list first = take(FIVE EV("17T06:00:00", "rolled_back image")
                                   OF("deployment/b shop", "2026-03-17T06:00:00", "started image"));
    int64_t version;
    struct str expected = report_of(document, &first, &version);
    uint32_t random = 1;
    (void)state;
    for (int round = 0; round < 200; round++) {
        deployed_list list = {0};
        for (int i = 0; i < 30; i++) { /* some of them several times */
            random = random * 1664525 + 1013904223;
            LIST_ADD(arena, list, first.items[(random >> 8) % first.n]);
        }
        for (uint32_t i = 0; i < first.n; i++)
            LIST_ADD(arena, list, first.items[(i + random) % first.n]);
        deployed_sort(&list);
        assert_int_equal(list.n, first.n);
        assert_true(str_eq(report_of(document, &list, &version), expected));
    }
}

static void system_namespaces(void **state)
{
    deployed_list deploys =
        take(OF("daemonset/a kube-system", "2026-03-17T06:00:00", "rolled_back image"));
    struct score_policy policy = score_policy_default();
    struct judgement j;
    const char *document = "{'apiVersion':'apps/v1','kind':'DaemonSet','metadata':{'name':'a',"
                           "'namespace':'kube-system'},'spec':{},'status':{}}";
    (void)state;
    policy.deploys = &deploys;
    j = judgement_open(document, &policy);
    assert_null(judgement_risk(&j, BACK, "daemonset/a"));
    judgement_close(&j);
    policy.all_namespaces = true;
    j = judgement_open(document, &policy);
    assert_non_null(judgement_risk(&j, BACK, "daemonset/a"));
    judgement_close(&j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_fails), cmocka_unit_test(none),
                                       cmocka_unit_test(any_order),
                                       cmocka_unit_test(system_namespaces)};
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}

/* scope: which risks concern a target, and how the target is. */
#include "base/buf.h"
#include "gate/scope.h"
#include "judge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h> /* after check.h: both have a fail() */

#define NAMED(version, kind, name, namespace, rest)                                                \
    "{'apiVersion':'" version "','kind':'" kind "','metadata':{'name':'" name                      \
    "','namespace':'" namespace "'}" rest "}"
#define IN_CLUSTER(version, kind, name, rest)                                                      \
    "{'apiVersion':'" version "','kind':'" kind "','metadata':{'name':'" name "'}" rest "}"
#define LABELLED(name, team)                                                                       \
    "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'" name "','labels':{'team':'" team  \
    "'}}}"
#define DOWN(node)                                                                                 \
    IN_CLUSTER("v1", "Node", node,                                                                 \
               ",'status':{'conditions':[{'type':'Ready','status':'False','lastTransitionTime':"   \
               "'2026-03-17T11:00:00Z'}]}")
#define POD_OF(namespace, app, node)                                                               \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'" app                                     \
    "-1','namespace':'" namespace "','labels':{'app':'" app "'},'ownerReferences':[{'apiVersion':" \
                                  "'apps/v1','kind':'Deployment',"                                 \
                                  "'name':'" app                                                   \
                                  "','controller':true}]},'spec':{'nodeName':'" node               \
                                  "','containers':[]},'status':{'phase':'Running','conditions':[{" \
                                  "'type':'Ready','status':"                                       \
                                  "'False'}]}}"
#define APP(namespace, name, replicas, ready, more_spec, conditions)                               \
    NAMED("apps/v1", "Deployment", name, namespace,                                                \
          ",'spec':{'replicas':" #replicas ",'selector':{'matchLabels':{'app':'" name "'}},"       \
          "'template':{'metadata':{'labels':{'app':'" name "'}},'spec':{'containers':[]" more_spec \
          "}}},'status':{'replicas':" #replicas ",'updatedReplicas':" #replicas                    \
          ",'readyReplicas':" #ready ",'availableReplicas':" #ready ",'conditions':[" conditions   \
          "]}")
#define HOOK(name, team)                                                                           \
    IN_CLUSTER("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", name,          \
               ",'webhooks':[{'name':'" name ".example','failurePolicy':'Fail','clientConfig':{"   \
               "'service':{'name':'none','namespace':'pay'}},'namespaceSelector':{'matchLabels':{" \
               "'team':'" team "'}},'rules':[{'operations':['CREATE'],'resources':['pods']}]}]")
#define STUCK                                                                                      \
    "{'type':'Progressing','status':'False','reason':'ProgressDeadlineExceeded',"                  \
    "'lastTransitionTime':'2026-03-17T11:30:00Z'}"

/* shop/api leans on what is broken here, and shop/web and pay/cash do not. */
static const char document[] = DOCUMENT(
    LABELLED("shop", "a") "," LABELLED("pay", "b") "," LABELLED("bare", "c") "," DOWN("n1") "," DOWN("n2") "," APP(
        "shop", "api", 5, 3,
        ",'volumes':[{'name':'d','persistentVolumeClaim':{'claimName':'data'}},"
        "{'name':'c','configMap':{'name':'settings'}}]",
        STUCK) "," APP("shop", "web", 2, 2,
                       "", "") "," APP("pay", "cash", 1, 0, "",
                                       "") "," APP("kube-system", "coredns", 2, 0, "",
                                                   "") "," POD_OF("shop", "api",
                                                                  "n1") "," POD_OF("pay",
                                                                                   "cash", "n2") "," NAMED("v1",
                                                                                                           "Service",
                                                                                                           "api",
                                                                                                           "shop", ",'spec':{'selector':{'app':'api'},'ports':[{'port':80}]}") "," NAMED("v1", "Endpoints", "api", "shop", "") "," NAMED("v1", "PersistentVolumeClaim", "data", "shop", ",'spec':{'volumeName':'pv-1'},'status':{'phase':'Lost'}") "," NAMED("v1",
                                                                                                                                                                                                                                                                                                                                                             "PersistentVolumeClaim",
                                                                                                                                                                                                                                                                                                                                                             "other",
                                                                                                                                                                                                                                                                                                                                                             "shop",
                                                                                                                                                                                                                                                                                                                                                             ",'status':{'phase':'Lost'}") "," IN_CLUSTER("v1", "PersistentVolume", "pv-1", ",'status':{'phase':'Failed'}") "," IN_CLUSTER("v1",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                           "PersistentVolume", "pv-2", ",'status':{'phase':'Failed'}") "," NAMED("v1", "ConfigMap", "settings", "shop", ",'data':{'password':'hunter2hunter2'}") "," NAMED("v1",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                           "ResourceQuota",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                           "q", "shop", ",'status':{'hard':{'pods':'10'},'used':{'pods':'10'}}") "," HOOK("hook-a",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                          "a") "," HOOK("hook-b",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                        "b"));

static struct scope *read_for(struct judgement *j, const char *namespace, const char *resource,
                              const char *name)
{
    struct str text = scope_text(scope_draft(j->arena, j->cluster, j->ledger));
    bool other = str_has_prefix(str_of(resource), STR("service/"));
    struct scope_target target = {.namespace = str_of(namespace),
                                  .resource = str_of(resource),
                                  .is_workload = *resource && !other,
                                  .is_hidden = str_has(str_of(resource), STR("hidden")),
                                  .kind = name ? STR("Deployment") : (struct str){0},
                                  .name = str_of(name)};
    return scope_read(j->arena, text, &target);
}

static int by_cost(const void *a, const void *b)
{
    return risk_order(a, b);
}

/* So much is down that the score is 0, and most costs nothing. Here all but the posture of
 * workloads costs something. */
static struct judgement judged(void)
{
    struct judgement j = judgement_open(document, NULL);
    struct risk *risk;
    LIST_EACH (risk, j.ledger->risks) {
        bool posture = risk->check->category == CATEGORY_POLICY &&
                       str_has_prefix(risk->resource, STR("deployment/"));
        risk->impact = posture ? 0 : risk->impact + 1;
    }
    LIST_SORT(j.ledger->risks, by_cost);
    return j;
}

/* Why the risks of that object concern the target: target, dependency, host, cluster, neighbour;
 * "-": they do not. */
static char relation(const struct scope *scope, const char *resource)
{
    for (uint32_t i = 0; i < scope->shown; i++)
        if (str_eq(scope->risks[i].risk.resource, str_of(resource)))
            return "tdhcn"[scope->risks[i].relation];
    return '-';
}

static const char *const objects[] = {"deployment/api",
                                      "deployment/cash",
                                      "deployment/coredns",
                                      "node/n1",
                                      "node/n2",
                                      "service/api",
                                      "persistentvolumeclaim/data",
                                      "persistentvolumeclaim/other",
                                      "persistentvolume/pv-1",
                                      "persistentvolume/pv-2",
                                      "configmap/settings",
                                      "resourcequota/q",
                                      "validatingwebhookconfiguration/hook-a",
                                      "validatingwebhookconfiguration/hook-b",
                                      NULL};

#define SHOP                                                                                       \
    "Namespace shop: 1 of 2 workloads ready; deployment/api has 3 of 5 pods ready; rollout of "    \
    "deployment/api is stuck since 2026-03-17T11:30:00Z."
#define NEW                                                                                        \
    " is not in the last snapshot, which is normal before it is deployed for the first time. "

/* relations: a letter for each of the objects, in that order. */
static const struct row {
    const char *namespace, *resource, *name, *relations, *state;
} rows[] = {
    {"shop", "deploy/api", "api", "t-ch-ddnd-ddd-",
     "3 of 5 pods ready; rollout of deployment/api is stuck since 2026-03-17T11:30:00Z."},
    {"shop", "web", "web", "n-c--nnn--ndd-", "2 of 2 pods ready."},
    {"pay", "deployment/cash", "cash", "-tc-h--------d", "0 of 1 pods ready."},
    {"shop", "deployment/new", NULL, "n-c--nnn--ndd-", "deployment/new" NEW SHOP},
    {"shop", "", NULL, "n-ch-ddnd-dnd-", SHOP},
    {"shop", "service/api", NULL, "n-ch-tdnd-ddd-",
     "service/api is no workload, so it has no pods. " SHOP},
    {"shop", "sts/hidden", NULL, "n-c--nnn--ndd-",
     "sts/hidden may be there or not: the last snapshot does not show workloads of its "
     "kind. " SHOP},
    {"bare", "", NULL, "--c-----------", "Namespace bare has no workloads."},
    {"gone", "", NULL, "--c-----------", "Namespace gone is not in the last snapshot."},
    {"shop\tx", "deployment/a\nb\\", NULL, "--c-----------",
     "deployment/a\nb\\" NEW "Namespace shop\tx is not in the last snapshot."},
};

static void concerns(void **state)
{
    (void)state;
    struct judgement j = judged();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct scope *scope = read_for(&j, rows[i].namespace, rows[i].resource, rows[i].name);
        char got[32] = "";
        for (size_t k = 0; objects[k]; k++)
            got[k] = relation(scope, objects[k]);
        if (strcmp(got, rows[i].relations) != 0 || !str_eq(scope->state, str_of(rows[i].state)))
            fail_msg("%s %s: %s, not %s; %.*s", rows[i].namespace, rows[i].resource, got,
                     rows[i].relations, STR_ARG(scope->state));
    }
    judgement_close(&j);
}

/* What is listed, what is counted, and their order. */
static void limits(void **state)
{
    (void)state;
    enum { RISKS = 2 * SCOPE_SHOWN_MAX };
    struct judgement j = judgement_open(DOCUMENT(APP("shop", "api", 1, 1, "", "")), NULL);
    const struct object *object = &j.cluster->roots.items[0]->object;
    struct risk risks[RISKS + 1];
    for (uint32_t i = 0; i <= RISKS; i++) {
        risks[i] = (struct risk){.check = &checks[i],
                                 .namespace = STR("shop"),
                                 .resource = STR("deployment/api"),
                                 .count = 1 + i,
                                 .container = STR("a\tb\\"),
                                 .message = STR("one\ntwo\\t."),
                                 .impact = i < RISKS ? 100 - i : 0,
                                 .object = object};
        risk_identify(&risks[i]);
    }
    struct ledger ledger = {.risks = LIST_SLICE(risks, RISKS + 1)};
    j.ledger = &ledger;
    struct scope *scope = read_for(&j, "shop", "deployment/api", "api");
    int64_t points = 0;
    assert_int_equal(scope->shown, SCOPE_SHOWN_MAX);
    assert_int_equal(scope->total, RISKS + 1);
    for (uint32_t i = 0; i < RISKS; i++)
        points += risks[i].impact;
    assert_int_equal(scope->points, points);
    for (uint32_t i = 0; i < SCOPE_SHOWN_MAX; i++) {
        const struct risk *got = &scope->risks[i].risk;
        assert_ptr_equal(got->check, risks[i].check);
        assert_string_equal(got->id, risks[i].id);
        assert_true(str_eq(got->container, risks[i].container) &&
                    str_eq(got->message, risks[i].message));
        assert_true(got->impact == risks[i].impact && got->count == risks[i].count);
    }
    judgement_close(&j);
}

/* A text of another release, or one that is cut, is read as far as it goes. */
static void other_texts(void **state)
{
    (void)state;
    static const struct {
        const char *text, *state;
        uint32_t shown, total;
    } odd[] = {
        {NULL, "What concerns the target is known after the next push.", 0, 0},
        {"", "Namespace shop is not in the last snapshot.", 0, 0},
        {"r\t5\tcluster-dns-down\thigh\t1\t\tm\t\n", "Namespace shop is not in the last snapshot.",
         0, 0},
        {"o\t0\tshop\tnode/n\t1\t5\t\nr\t5\tno-such-check\thigh\t1\t\tm\t\n",
         "Namespace shop is not in the last snapshot.", 0, 1},
        {"x\t1\n\n\t\nn\t0\tshop\t9 -1 99999999999999999999 x \t\n",
         "Namespace shop has no workloads.", 0, 0},
        {"n\t0\tshop\t\t\nw\tshop\tdeployment/a\t3\t-\t9\t-\t\t\n",
         "Namespace shop: 1 of 1 workloads ready.", 0, 0},
        {"n\t0\tshop\t\t\nw\tshop\tdeployment/a\t3\t0\t2\t-\t\t\nw\tshop\tjob/b\t1\t0\t0\t-\t\t\n"
         "w\tshop\tpod/c\t1\t0\t0\t-\t\t\nw\tshop\tpod/d\t1\t0\t0\t-\t\t\n",
         "Namespace shop: 0 of 4 workloads ready; deployment/a has 0 of 3 pods ready; rollout of "
         "deployment/a is stuck, job/b has 0 of 1 pods ready, pod/c has 0 of 1 pods ready, and 1 "
         "more.",
         0, 0},
    };
    struct scope_target target = {.namespace = STR("shop")};
    struct judgement j = judged();
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        struct scope *scope = scope_read(j.arena, str_of(odd[i].text), &target);
        if (!str_eq(scope->state, str_of(odd[i].state)) || scope->shown != odd[i].shown ||
            scope->total != odd[i].total)
            fail_msg("row %zu: %u %u %.*s", i, scope->shown, scope->total, STR_ARG(scope->state));
    }
    struct str text = scope_text(scope_draft(j.arena, j.cluster, j.ledger));
    for (size_t n = 0; n < text.n; n++)
        assert_true(scope_read(j.arena, str_sub(text, 0, n), &target)->state.n > 0);
    judgement_close(&j);
}

/* Lines of namespaces and of workloads. */
static struct str links_of(struct judgement *j, const struct scope_draft *draft)
{
    struct str text = scope_text(draft), line;
    struct buf links = buf_init(j->arena, text.n);
    while (str_cut(text, '\n', &line, &text))
        if (line.p[0] == 'n' || line.p[0] == 'w') {
            buf_put(&links, line);
            buf_putc(&links, '\n');
        }
    return buf_str(&links);
}

/* By it a push sees whether the text is to be made again. */
static void the_hash_follows_the_text(void **state)
{
    (void)state;
    static const char *const documents[] = {
        DOCUMENT(APP("shop", "api", 5, 3, "", "")),
        DOCUMENT(APP("shop", "web", 5, 3, "", "")),
        DOCUMENT(APP("pay", "api", 5, 3, "", "")),
        DOCUMENT(APP("shop", "api", 4, 3, "", "")),
        DOCUMENT(APP("shop", "api", 5, 2, "", "")),
        DOCUMENT(APP("shop", "api", 5, 3, "", STUCK)),
        DOCUMENT(APP("shop", "api", 5, 3, "",
                     "{'type':'Progressing','status':'False','reason':'ProgressDeadlineExceeded',"
                     "'lastTransitionTime':'2026-03-17T11:31:00Z'}")),
        DOCUMENT(APP("shop", "api", 5, 3, "", "") "," POD_OF("shop", "api", "n1") "," DOWN("n1")),
        DOCUMENT(APP("shop", "api", 5, 3, "", "") "," POD_OF("shop", "api", "n2") "," DOWN("n1")),
        DOCUMENT(APP("shop", "api", 5, 3, "", "") "," LABELLED("bare", "a")),
        DOCUMENT(NAMED("apps/v1", "StatefulSet", "api", "shop", ",'spec':{'replicas':5}")),
    };
    enum { DOCUMENTS = sizeof documents / sizeof *documents };
    struct judgement judgements[DOCUMENTS];
    struct str links[DOCUMENTS];
    uint64_t hashes[DOCUMENTS];
    size_t differ = 0;
    for (size_t i = 0; i < DOCUMENTS; i++) {
        struct judgement *j = &judgements[i];
        *j = judgement_open(documents[i], NULL);
        const struct scope_draft *draft = scope_draft(j->arena, j->cluster, j->ledger);
        hashes[i] = scope_hash(draft);
        links[i] = links_of(j, draft);
        for (size_t before = 0; before < i; before++) {
            bool same = str_eq(links[i], links[before]);
            differ += !same;
            if (same != (hashes[i] == hashes[before]))
                fail_msg("documents %zu and %zu", before, i);
        }
    }
    /* Two tell the same: in one of them a pod is on a node that is not there. */
    assert_int_equal(differ, DOCUMENTS * (DOCUMENTS - 1) / 2 - 1);
    for (size_t i = 0; i < DOCUMENTS; i++)
        judgement_close(&judgements[i]);
}

/* A pod that runs. */
#define RUNNING_POD(containers, spec, status)                                                      \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'a','namespace':'shop'},'spec':{'"         \
    "containers':[" containers "]" spec "},'status':{'phase':'Running'," status "}}"

static void states(void **state)
{
    (void)state;
    static const struct {
        const char *item, *namespace, *resource, *kind, *expected;
    } items[] = {
        {APP("shop", "a", 2, 1, "", "{'type':'Progressing','status':'True'}"), "shop", "a",
         "Deployment", "1 of 2 pods ready."},
        {APP("shop", "a", 0, 0, "", ""), "shop", "a", "Deployment", "no pods are wanted now."},
        {NAMED("apps/v1", "Deployment", "a", "shop", ",'spec':{'replicas':1}"), "shop", "a",
         "Deployment", "1 pod is wanted, and the snapshot does not show how many are ready."},
        {NAMED("apps/v1", "Deployment", "a", "shop",
               ",'spec':{'replicas':2,'paused':true},'status':{'replicas':2,'readyReplicas':2}"),
         "shop", "a", "Deployment", "2 of 2 pods ready; rollout of deployment/a is paused."},
        {NAMED("apps/v1", "Deployment", "a", "shop",
               ",'spec':{'replicas':2},'status':{'replicas':3,'updatedReplicas':1,'readyReplicas':"
               "2}"),
         "shop", "a", "Deployment", "2 of 2 pods ready; rollout of deployment/a is in progress."},
        {NAMED("apps/v1", "DaemonSet", "a", "shop",
               ",'spec':{},'status':{'desiredNumberScheduled':4,'numberReady':3,'"
               "updatedNumberScheduled':4}"),
         "shop", "a", "DaemonSet", "3 of 4 pods ready."},
        {NAMED("batch/v1", "CronJob", "a", "shop", ",'spec':{'schedule':'@daily','suspend':true}"),
         "shop", "a", "CronJob", "no pods are wanted now; it is suspended."},
        {"{'apiVersion':'v1','kind':'Pod','metadata':{'name':'a','namespace':'shop'},'spec':{'"
         "containers':[]},'status':{'phase':'Running',"
         "'conditions':[{'type':'Ready','status':'True'}]}}",
         "shop", "a", "Pod", "1 of 1 pods ready."},
        /* What lists containers and no condition Ready is ready by its containers. */
        {RUNNING_POD("{'name':'c'}", "", "'containerStatuses':[{'name':'c','ready':true}]"), "shop",
         "a", "Pod", "1 of 1 pods ready."},
        {RUNNING_POD("{'name':'c'}", "", "'containerStatuses':[{'name':'c','ready':false}]"),
         "shop", "a", "Pod", "0 of 1 pods ready."},
        {RUNNING_POD("{'name':'c'}", "", "'containerStatuses':[]"), "shop", "a", "Pod",
         "0 of 1 pods ready."},
        {RUNNING_POD("{'name':'c'},{'name':'d'}", "",
                     "'containerStatuses':[{'name':'c','ready':true},{'name':'d','ready':false}]"),
         "shop", "a", "Pod", "0 of 1 pods ready."},
        {RUNNING_POD("{'name':'c'},{'name':'d'}", "",
                     "'containerStatuses':[{'name':'c','ready':true}]"),
         "shop", "a", "Pod", "0 of 1 pods ready."},
        {RUNNING_POD(
             "{'name':'c'}", ",'initContainers':[{'name':'i'}]",
             "'containerStatuses':[{'name':'c','ready':true}],'initContainerStatuses':[{'name':'"
             "i','ready':false}],'ephemeralContainerStatuses':[{'name':'e','ready':false}]"),
         "shop", "a", "Pod", "1 of 1 pods ready."},
        {RUNNING_POD(
             "{'name':'c'}", ",'initContainers':[{'name':'i','restartPolicy':'Always'}]",
             "'containerStatuses':[{'name':'c','ready':true}],'initContainerStatuses':[{'name':'"
             "i','ready':false}]"),
         "shop", "a", "Pod", "0 of 1 pods ready."},
        {RUNNING_POD("{'name':'c'}", ",'initContainers':[{'name':'i'}]",
                     "'initContainerStatuses':[{'name':'i','ready':true}]"),
         "shop", "a", "Pod", "0 of 1 pods ready."},
        {RUNNING_POD(
             "{'name':'c'}", "",
             "'conditions':[{'type':'Ready','status':'False'}],'containerStatuses':[{'name':'c',"
             "'ready':true}]"),
         "shop", "a", "Pod", "0 of 1 pods ready."},
    };
    for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
        struct judgement j = judgement_open(items[i].item, NULL);
        struct scope_target target = {.namespace = str_of(items[i].namespace),
                                      .resource = str_of(items[i].resource),
                                      .is_workload = true,
                                      .kind = str_of(items[i].kind),
                                      .name = str_of(items[i].resource)};
        struct str text = scope_text(scope_draft(j.arena, j.cluster, j.ledger));
        struct scope *scope = scope_read(j.arena, text, &target);
        if (!str_eq(scope->state, str_of(items[i].expected)))
            fail_msg("row %zu: %.*s", i, STR_ARG(scope->state));
        judgement_close(&j);
    }
}

/* Many webhooks that are asked about many namespaces, and many Services of many workloads, are not
 * all told. */
static void many(void **state)
{
    (void)state;
    enum { EACH = 300 };
    struct arena *arena = arena_new(64 << 20);
    struct buf out = buf_init(arena, 8 << 20);
    buf_put(&out, STR("{'apiVersion':'v1','kind':'List','items':["));
    for (int i = 0; i < EACH; i++) {
        buf_printf(&out, "%s{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'n%d'}}",
                   i ? "," : "", i);
        buf_printf(
            &out,
            ",{'apiVersion':'admissionregistration.k8s.io/v1','kind':"
            "'ValidatingWebhookConfiguration','metadata':{'name':'w%d'},'webhooks':[{"
            "'name':'x','failurePolicy':'Fail','clientConfig':{'service':{'name':'none',"
            "'namespace':'pay'}},'rules':[{'operations':['CREATE'],'resources':['pods']}]}]}",
            i);
        buf_printf(&out,
                   ",{'apiVersion':'v1','kind':'Service','metadata':{'name':'s%d','namespace':"
                   "'shop'},'spec':{'selector':{'app':'a'},'externalIPs':['1.2.3.4'],'ports':[{"
                   "'port':80}]}}",
                   i);
        buf_printf(&out,
                   ",{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'d%d',"
                   "'namespace':'shop'},'spec':{'selector':{'matchLabels':{'app':'a'}},'template':{"
                   "'metadata':{'labels':{'app':'a'}},'spec':{'containers':[]}}}}",
                   i);
    }
    buf_put(&out, STR("]}"));
    buf_putc(&out, '\0');
    struct judgement j = judgement_open(buf_str(&out).p, NULL);
    struct str text = scope_text(scope_draft(j.arena, j.cluster, j.ledger)), line, lines = text;
    size_t numbers = 0;
    while (lines.n) {
        str_cut(lines, '\n', &line, &lines);
        if (line.n && (line.p[0] == 'n' || line.p[0] == 'w'))
            for (size_t i = 0; i < line.n; i++)
                numbers += line.p[i] == ' ';
    }
    assert_int_equal(numbers, 20000);
    judgement_close(&j);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(concerns),    cmocka_unit_test(limits),
        cmocka_unit_test(other_texts), cmocka_unit_test(the_hash_follows_the_text),
        cmocka_unit_test(states),      cmocka_unit_test(many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What a snapshot does not show, and what that costs: evidence-missing and insufficient-evidence.
 */
#include "live.h"
#include "score/evidence.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define BIT(kind) (UINT64_C(1) << KIND_##kind)
#define OF(version, kind, rest)                                                                    \
    "{'apiVersion':'" version "','kind':'" kind "','metadata':{'name':'x'" rest "}}"
#define IN_SHOP ",'namespace':'shop'"
#define RBAC    "rbac.authorization.k8s.io/v1"
#define NODE                                                                                       \
    "{'apiVersion':'v1','kind':'Node','metadata':{'name':'n','uid':'u'},'status':{"                \
    "'conditions':[{'type':'Ready','status':'True'}]}}"
#define WELL     LIVE("'uid':'p',", "", READY("True", "11:00:00", ""))
#define MANIFEST POD("'containers':[]")
#define HAS      DEPLOY("'replicas':1,", "'availableReplicas':1")
#define PLAIN    DOCUMENT(NODE "," WELL)

#define WIDE                                                                                       \
    WELL "," NODE "," OF("v1", "ServiceAccount", IN_SHOP) "," OF(                                  \
        RBAC, "Role", IN_SHOP ",'uid':'r'") "," OF("v1", "ConfigMap",                              \
                                                   IN_SHOP) "," OF("v1", "Namespace", "")

struct row {
    const char *name, *document;
    bool partial;
    uint64_t shown_before;
    const char *item;
    enum verdict verdict;
    const char *message; /* NULL: whatever it says */
};

static struct judgement judge_as(const char *document, bool partial, uint64_t shown_before)
{
    struct score_policy policy = score_policy_default();
    policy.partial = partial;
    policy.shown_before = shown_before;
    return judgement_open(document, &policy);
}

/* Every item of the table has a verdict of its own: passed is neither a risk nor left out. */
static enum verdict verdict_on(const struct judgement *judgement, const struct row *row)
{
    uint32_t asked = 0;
    const struct check_result *result =
        &judgement->ledger->checks[check_find(STR("evidence-missing")) - checks];
    for (uint32_t i = 0; i < EVIDENCE_COUNT; i++)
        asked += !(row->partial && evidence[i].cluster_wide);
    assert_int_equal(result->evaluated, asked);
    const char *resource = arena_printf(judgement->arena, "cluster/%s", row->item).p;
    if (judgement_risk(judgement, "evidence-missing", resource))
        return FAILED;
    for (uint32_t i = 0; i < EVIDENCE_COUNT; i++)
        if (str_eq(evidence[i].object.meta.name, str_of(row->item)))
            return row->partial && evidence[i].cluster_wide ? NOT_EVALUATED : PASSED;
    fail_msg("there is no evidence %s", row->item);
    return NOT_EVALUATED;
}

static void expect(const struct row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct row *row = &rows[i];
        struct judgement judgement = judge_as(row->document, row->partial, row->shown_before);
        const char *resource = arena_printf(judgement.arena, "cluster/%s", row->item).p;
        const struct risk *risk = judgement_risk(&judgement, "evidence-missing", resource);
        enum verdict verdict = verdict_on(&judgement, row);
        if (verdict != row->verdict)
            fail_msg("%s: %d, should be %d", row->name, (int)verdict, (int)row->verdict);
        if (row->message && !str_eq(risk->message, str_of(row->message)))
            fail_msg("%s: %" STR_FMT, row->name, STR_ARG(risk->message));
        judgement_close(&judgement);
    }
}

#define EXPECT(rows) expect((rows), sizeof(rows) / sizeof *(rows))

static void roles_and_controllers(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"roles are not shown", PLAIN, false, 0, "roles", FAILED,
         "Not shown: roles and role bindings. kubectl get roles,rolebindings,clusterroles,"
         "clusterrolebindings shows them."},
        {"... nor to an agent of some namespaces", PLAIN, true, 0, "roles", FAILED, NULL},
        {"a Role", OF(RBAC, "Role", IN_SHOP), false, 0, "roles", PASSED, NULL},
        {"a ClusterRoleBinding", OF(RBAC, "ClusterRoleBinding", ""), false, 0, "roles", PASSED,
         NULL},
        {"every cluster has some: an empty collection is one that nobody may list",
         "{'roles':[],'nodes':[" NODE "]}", false, 0, "roles", FAILED, NULL},
        {"a namespace may have none", "{'roles':[],'nodes':[" NODE "]}", true, 0, "roles", PASSED,
         NULL},
        {"a ServiceAccount is no Role", OF("v1", "ServiceAccount", IN_SHOP), false, 0, "roles",
         FAILED, NULL},
        {"Roles were shown before, and other kinds", PLAIN, false,
         BIT(ROLE) | BIT(CLUSTERROLE) | BIT(SERVICE), "roles", FAILED,
         "Not shown: roles and role bindings (earlier snapshots of this cluster held roles, "
         "clusterroles). kubectl get roles,rolebindings,clusterroles,clusterrolebindings shows "
         "them."},

        {"pods alone", PLAIN, false, 0, "controllers", FAILED,
         "Not shown: controllers with a status. kubectl get "
         "deployments,statefulsets,daemonsets,replicasets shows them."},
        {"a Deployment", DOCUMENT(NODE "," HAS), false, 0, "controllers", PASSED, NULL},
        {"... to an agent of some namespaces", HAS, true, 0, "controllers", PASSED, NULL},
        {"a manifest of one", CONTROLLER("Deployment", "", "'replicas':1,", ""), false, 0,
         "controllers", FAILED, NULL},
        {"a Job is none",
         DOCUMENT("{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'a',"
                  "'namespace':'shop'},'status':{'active':1}}"),
         false, 0, "controllers", FAILED, NULL},
        {"a DaemonSet", CONTROLLER("DaemonSet", "", "", "'desiredNumberScheduled':1"), false, 0,
         "controllers", PASSED, NULL},
        {"a summary of one",
         "{'deployments':[{'name':'a','namespace':'shop','replicas':1,"
         "'readyReplicas':1}]}",
         false, 0, "controllers", PASSED, NULL},
        {"a summary that says nothing", "{'deployments':[{'name':'a','namespace':'shop'}]}", false,
         0, "controllers", FAILED, NULL},

    };
    EXPECT(rows);
}

/* What is written and not live yet, beside what runs: it may come first or last. */
#define WRITTEN(name)                                                                              \
    "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'" name                        \
    "','namespace':'shop'},'spec':{'template':{'spec':{'containers':[{'name':'c'}]}}}}"

static void what_a_list_holds_does_not_hang_on_names(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"manifests are all there is", WRITTEN("a"), false, 0, "budgets", PASSED, NULL},
        {"a cluster is not", DOCUMENT(NODE "," HAS), false, 0, "budgets", FAILED, NULL},
        {"... nor with a manifest in front", DOCUMENT(NODE "," HAS "," WRITTEN("0")), false, 0,
         "budgets", FAILED, NULL},
        {"... nor behind", DOCUMENT(NODE "," HAS "," WRITTEN("z")), false, 0, "budgets", FAILED,
         NULL},
    };
    EXPECT(rows);
}

static void operators_of_openshift(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"no OpenShift", PLAIN, false, 0, "operators", PASSED, NULL},
        {"a Namespace of another's", OF("v1", "Namespace", ",'labels':{}") PLAIN, false, 0,
         "operators", PASSED, NULL},
        {"... of its own",
         "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'openshift-dns'}}", false, 0,
         "operators", FAILED,
         "Not shown: ClusterOperators. kubectl get clusteroperators,machineconfigpools shows "
         "them."},
        {"... to an agent of some namespaces",
         "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'openshift-dns'}}", true, 0,
         "operators", NOT_EVALUATED, NULL},
        {"... by its version", OF("config.openshift.io/v1", "ClusterVersion", ""), false, 0,
         "operators", FAILED, NULL},
        {"... by a workload",
         "{'apiVersion':'apps/v1','kind':'DaemonSet','metadata':{'name':'a','namespace':"
         "'openshift-dns'},'spec':{}}",
         false, 0, "operators", FAILED, NULL},
        {"... by the label of a node",
         "{'apiVersion':'v1','kind':'Node','metadata':{'name':'n','labels':{"
         "'node.openshift.io/os_id':'rhcos'}}}",
         false, 0, "operators", FAILED, NULL},
        {"... and an operator",
         DOCUMENT(OF("config.openshift.io/v1", "ClusterVersion",
                     "") "," OF("config.openshift.io/v1", "ClusterOperator", "")),
         false, 0, "operators", PASSED, NULL},

    };
    EXPECT(rows);
}

static void policies_and_the_rest(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"policies are not shown", PLAIN, false, 0, "isolation", FAILED, NULL},
        {"a policy", OF("networking.k8s.io/v1", "NetworkPolicy", IN_SHOP), false, 0, "isolation",
         PASSED, NULL},
        {"who shows roles need not have asked for policies",
         DOCUMENT(WELL "," OF(RBAC, "Role", IN_SHOP ",'uid':'r'")), false, 0, "isolation", FAILED,
         NULL},
        {"nor who shows accounts",
         DOCUMENT(WELL "," OF("v1", "ServiceAccount", IN_SHOP ",'uid':'r'")), false, 0, "budgets",
         FAILED, NULL},
        {"who shows all that every cluster has shows policies, if there are any", DOCUMENT(WIDE),
         false, 0, "isolation", PASSED, NULL},
        {"and budgets", DOCUMENT(WIDE), false, 0, "budgets", PASSED, NULL},
        {"policies were shown before", PLAIN, true, BIT(NETWORKPOLICY), "isolation", FAILED,
         "Not shown: NetworkPolicies (earlier snapshots of this cluster held networkpolicies). "
         "kubectl get networkpolicies shows them."},
        {"another's policies",
         DOCUMENT(NODE ",{'apiVersion':'cilium.io/v2','kind':'CiliumNetworkPolicy','metadata':{"
                       "'name':'a','namespace':'shop'}}"),
         false, 0, "isolation", PASSED, NULL},

        {"budgets are not shown", PLAIN, false, 0, "budgets", FAILED, NULL},
        {"a budget", OF("policy/v1", "PodDisruptionBudget", IN_SHOP), true, 0, "budgets", PASSED,
         NULL},
        {"no budgets, said by their name", "{'poddisruptionbudgets':[],'nodes':[" NODE "]}", false,
         0, "budgets", PASSED, NULL},

        {"nothing of the system", PLAIN, false, 0, "system", FAILED,
         "Not shown: the workloads of kube-system. kubectl get pods,deployments,daemonsets -n "
         "kube-system shows them."},
        {"... to an agent of some namespaces", PLAIN, true, 0, "system", NOT_EVALUATED, NULL},
        {"a pod of it",
         "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'a','namespace':'kube-system'},"
         "'spec':{'containers':[]}}",
         false, 0, "system", PASSED, NULL},
        {"what the cluster needs, elsewhere",
         POD("'priorityClassName':'system-cluster-critical','containers':[]"), false, 0, "system",
         PASSED, NULL},

        {"nothing was shown before", PLAIN, false, 0, "others", PASSED, NULL},
        {"the same kinds", PLAIN, false, BIT(NODE) | BIT(POD), "others", PASSED, NULL},
        {"Services, Ingresses", PLAIN, false, BIT(SERVICE) | BIT(INGRESS), "others", FAILED,
         "Earlier snapshots of this cluster held services, ingresses, this one does not: kubectl "
         "get services,ingresses shows them."},
        {"... to an agent of some namespaces", PLAIN, true, BIT(SERVICE), "others", FAILED, NULL},
        {"what comes and goes", PLAIN, false,
         BIT(EVENT) | BIT(JOB) | BIT(REPLICASET) | BIT(ENDPOINTSLICE) | BIT(CONTROLLERREVISION),
         "others", PASSED, NULL},
        {"what another item is about", PLAIN, false,
         BIT(ROLE) | BIT(DEPLOYMENT) | BIT(NETWORKPOLICY) | BIT(PODDISRUPTIONBUDGET), "others",
         PASSED, NULL},
        {"Nodes have a check of their own", WELL, false, BIT(NODE), "others", PASSED, NULL},
    };
    EXPECT(rows);
}

#define NOT_ALLOWED(version, kind)                                                                 \
    "{'kind':'" kind "List','apiVersion':'" version "','reason':'Forbidden'}"

/* An agent says what it may not list. That is no word about whether there are any. */
static void not_allowed_is_not_none(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"policies", PLAIN NOT_ALLOWED("networking.k8s.io/v1", "NetworkPolicy"), false, 0,
         "isolation", FAILED,
         "Not shown: NetworkPolicies. The agent is not allowed to list networkpolicies: let its "
         "role get, list and watch them."},
        {"some of the roles", PLAIN NOT_ALLOWED(RBAC, "Role") NOT_ALLOWED(RBAC, "ClusterRole"),
         false, 0, "roles", FAILED,
         "Not shown: roles and role bindings. The agent is not allowed to list roles, "
         "clusterroles: let its role get, list and watch them."},
        {"some of the roles, and others are shown",
         OF(RBAC, "RoleBinding", IN_SHOP) NOT_ALLOWED(RBAC, "Role"), false, 0, "roles", PASSED,
         NULL},
        {"what no other item is about",
         PLAIN NOT_ALLOWED("v1", "Event") NOT_ALLOWED("v1", "ConfigMap"), false, 0, "others",
         FAILED,
         "The agent is not allowed to list configmaps, events: let its role get, list and watch "
         "them."},
        {"what another item is about", PLAIN NOT_ALLOWED("policy/v1", "PodDisruptionBudget"), false,
         BIT(PODDISRUPTIONBUDGET), "others", PASSED, NULL},
        {"... that one", PLAIN NOT_ALLOWED("policy/v1", "PodDisruptionBudget"), false,
         BIT(PODDISRUPTIONBUDGET), "budgets", FAILED,
         "Not shown: PodDisruptionBudgets. The agent is not allowed to list "
         "poddisruptionbudgets: let its role get, list and watch them."},
        {"it is shown all the same", OF("v1", "ConfigMap", IN_SHOP) NOT_ALLOWED("v1", "ConfigMap"),
         false, 0, "others", PASSED, NULL},
        {"a kind that is not read", PLAIN NOT_ALLOWED("example.com/v1", "Gadget"), false, 0,
         "others", PASSED, NULL},
        {"another reason", PLAIN "{'kind':'EventList','apiVersion':'v1','reason':'Gone'}", false, 0,
         "others", PASSED, NULL},
        {"an empty list is an answer",
         PLAIN "{'kind':'EventList','apiVersion':'v1','reason':'Forbidden','items':[]}", false, 0,
         "others", PASSED, NULL},
    };
    EXPECT(rows);
}

/* ---- priors ---- */

static uint32_t impact_of(const struct judgement *judgement, const char *item)
{
    const char *resource = arena_printf(judgement->arena, "cluster/%s", item).p;
    const struct risk *risk = judgement_risk(judgement, "evidence-missing", resource);
    return risk ? risk->impact : 0;
}

static void what_is_not_shown_costs_its_prior(void **state)
{
    (void)state;
    struct judgement judgement = judge_as(PLAIN, false, BIT(SERVICE));
    uint32_t roles = impact_of(&judgement, "roles");
    assert_true(roles > impact_of(&judgement, "controllers"));
    assert_true(impact_of(&judgement, "controllers") > impact_of(&judgement, "isolation"));
    assert_true(impact_of(&judgement, "isolation") > impact_of(&judgement, "budgets"));
    assert_int_equal(impact_of(&judgement, "budgets"), impact_of(&judgement, "system"));
    assert_true(judgement_risk(&judgement, "evidence-missing", "cluster/others"));
    assert_int_equal(impact_of(&judgement, "others"), 0);
    struct judgement partial = judge_as(PLAIN, true, BIT(SERVICE));
    assert_true(partial.ledger->score_exact > judgement.ledger->score_exact);
    judgement_close(&partial);
    judgement_close(&judgement);
}

/* ---- insufficient-evidence ---- */

#define BOTH "Nodes, and Pods or controllers with a status"
#define ONE  "Pods or controllers with a status"

static void no_safe_without_evidence(void **state)
{
    (void)state;
    static const struct {
        const char *name, *document;
        bool partial;
        const char *wanted; /* NULL: enough is shown */
    } rows[] = {
        {"a node and a pod", PLAIN, false, NULL},
        {"a node and a Deployment with a status", DOCUMENT(NODE "," HAS), false, NULL},
        {"no node", WELL, false, "Nodes"},
        {"... to an agent of some namespaces", WELL, true, NULL},
        {"a node alone", NODE, false, ONE},
        {"... to an agent of some namespaces", NODE, true, ONE},
        {"manifests", MANIFEST, false, BOTH},
        {"... to an agent of some namespaces", MANIFEST, true, ONE},
        {"a node and manifests", DOCUMENT(NODE "," MANIFEST), false, ONE},
        {"nothing of use", OF("v1", "ConfigMap", IN_SHOP), false, BOTH},
        {"a node that says nothing",
         "{'nodes':[{'name':'n'}],'pods':[{'name':'a','namespace':"
         "'shop','status':'Running'}]}",
         false, "Nodes"},
        {"a pod that says nothing",
         "{'nodes':[{'name':'n','status':'Ready'}],'pods':[{'name':'a',"
         "'namespace':'shop'}]}",
         false, ONE},
        {"summaries",
         "{'nodes':[{'name':'n','status':'Ready'}],'pods':[{'name':'a','namespace':"
         "'shop','status':'Running'}]}",
         false, NULL},
        {"a node that is not ready is shown, too", DOCUMENT(LOST_NODE "," WELL), false, NULL},
        {"a Job is no controller with a status",
         DOCUMENT(NODE ",{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'a','namespace':"
                       "'shop'},'status':{'succeeded':1}}"),
         false, ONE},
        {"pods that ended have a status", DOCUMENT(NODE "," LIVE("", "", "'phase':'Succeeded'")),
         false, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct judgement judgement = judge_as(rows[i].document, rows[i].partial, 0);
        const struct risk *risk =
            judgement_risk(&judgement, "insufficient-evidence", "cluster/cluster");
        struct str expected =
            arena_printf(judgement.arena,
                         "Not shown: %s. Without them no cluster is SAFE: kubectl get nodes,"
                         "pods,deployments,statefulsets,daemonsets shows them.",
                         rows[i].wanted ? rows[i].wanted : "");
        if (!risk != !rows[i].wanted || (risk && !str_eq(risk->message, expected)))
            fail_msg("%s: %" STR_FMT, rows[i].name, STR_ARG(risk ? risk->message : STR("passed")));
        if (risk && judgement.ledger->csc_score > EVIDENCE_CAP)
            fail_msg("%s: %d", rows[i].name, judgement.ledger->csc_score);
        judgement_close(&judgement);
    }
}

/* The cap is no floor: worse scores stay, and then it costs nothing. */
static void worse_scores_stay(void **state)
{
    (void)state;
    struct judgement well = judge_as(WELL, false, 0);
    const struct risk *risk = judgement_risk(&well, "insufficient-evidence", "cluster/cluster");
    assert_int_equal(well.ledger->csc_score, EVIDENCE_CAP);
    assert_true(risk && risk->impact > 0);
    struct judgement down = judge_as(RUNNING(CONTAINER(WAITING("CrashLoopBackOff"))), false, 0);
    risk = judgement_risk(&down, "insufficient-evidence", "cluster/cluster");
    assert_true(down.ledger->csc_score < 50);
    assert_true(risk && risk->impact == 0);
    judgement_close(&down);
    judgement_close(&well);
}

/* Who answers for it may take the cap away, as with any other risk. */
static void it_can_be_exempt(void **state)
{
    (void)state;
    struct exemption row = {.check = &checks[CHECK_insufficient_evidence],
                            .reason = STR("known"),
                            .owner = STR("ada"),
                            .expires = INT64_MAX};
    struct score_policy policy = score_policy_default();
    policy.exemptions = (exemption_list)LIST_SLICE(&row, 1);
    struct judgement judgement = judgement_open(WELL, &policy);
    const struct risk *risk =
        judgement_risk(&judgement, "insufficient-evidence", "cluster/cluster");
    assert_true(risk && risk->exempt && risk->impact == 0 && risk->would_cost > 0);
    assert_true(judgement.ledger->csc_score > EVIDENCE_CAP);
    judgement_close(&judgement);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roles_and_controllers),
        cmocka_unit_test(what_a_list_holds_does_not_hang_on_names),
        cmocka_unit_test(operators_of_openshift),
        cmocka_unit_test(policies_and_the_rest),
        cmocka_unit_test(not_allowed_is_not_none),
        cmocka_unit_test(what_is_not_shown_costs_its_prior),
        cmocka_unit_test(no_safe_without_evidence),
        cmocka_unit_test(worse_scores_stay),
        cmocka_unit_test(it_can_be_exempt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

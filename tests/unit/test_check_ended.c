/* Pods that have ended say nothing about what they left: neither the look of a workload nor its
 * numbers nor its network go by them. */
#include "live.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define EVICTED(name, meta, spec)                                                                  \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'" name                                    \
    "','namespace':'shop','uid':'" name "','creationTimestamp':'2026-03-01T10:00:00Z'" meta        \
    "},'spec':{" spec "},'status':{'phase':'Failed','reason':'Evicted'}}"
#define OF(kind, name)                                                                             \
    ",'ownerReferences':[{'apiVersion':'apps/v1','kind':'" kind "','name':'" name                  \
    "','controller':true}]"
#define RUNS(name, meta, spec)                                                                     \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'" name                                    \
    "','namespace':'shop','uid':'" name "','creationTimestamp':'2026-03-17T10:00:00Z'" meta        \
    "},'spec':{" spec                                                                              \
    "},'status':{'phase':'Running','conditions':[{'type':'Ready','status':'True'}]}}"
#define ONE(rest)     "'containers':[{'name':'c','image':'shop/c:1'" rest "}]"
#define LABELS(pairs) ",'labels':{" pairs "}"
/* The Deployment "a", which has made its pods itself. */
#define MAKES(meta, spec, status)                                                                  \
    "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'a','namespace':'shop','uid':" \
    "'a','creationTimestamp':'2026-03-01T10:00:00Z'" meta "},'spec':{" spec                        \
    "'selector':{'matchLabels':{'app':'a'}},'template':{'metadata':{'labels':{'app':'a'}},"        \
    "'spec':{" ONE("") "}}},'status':{" status "}}"
#define SET_ASIDE MAKES("", "'replicas':1,", "'observedGeneration':1") ","
#define AMOUNTS                                                                                    \
    ",'resources':{'requests':{'cpu':'1','memory':'1Mi'},'limits':{'cpu':'1','memory':'1Mi',"      \
    "'ephemeral-storage':'1Mi'}}"
#define POLICY                                                                                     \
    "{'apiVersion':'networking.k8s.io/v1','kind':'NetworkPolicy','metadata':{'name':'n',"          \
    "'namespace':'shop'},'spec':{'podSelector':{'matchExpressions':[{'key':'app','operator':"      \
    "'DoesNotExist'}]}}},"
#define BUDGET                                                                                     \
    "{'apiVersion':'policy/v1','kind':'PodDisruptionBudget','metadata':{'name':'b','namespace':"   \
    "'other'},'spec':{'maxUnavailable':1,'selector':{'matchLabels':{'app':'x'}}}},"
static void they_do_not_show_what_admission_adds(void **state)
{
    static const struct judge_row rows[] = {
        {"a priority class",
         DOCUMENT(
             SET_ASIDE EVICTED("p", OF("Deployment", "a"), "'priorityClassName':'high'," ONE(""))),
         "deployment/a", "priority-class-missing=fail"},
        {"a priority class, beside a live pod without one",
         DOCUMENT(SET_ASIDE EVICTED(
             "p", OF("Deployment", "a"),
             "'priorityClassName':'high'," ONE("")) "," RUNS("q", OF("Deployment", "a"), ONE(""))),
         "deployment/a", "priority-class-missing=fail"},
        {"no priority class, beside a live pod with one",
         DOCUMENT(SET_ASIDE EVICTED("p", OF("Deployment", "a"), ONE("")) "," RUNS(
             "q", OF("Deployment", "a"), "'priorityClassName':'high'," ONE(""))),
         "deployment/a", "priority-class-missing=pass"},
        {"the amounts of a LimitRange",
         DOCUMENT(SET_ASIDE EVICTED("p", OF("Deployment", "a"), ONE(AMOUNTS))), "deployment/a",
         "cpu-request-missing=fail memory-request-missing=fail memory-limit-missing=fail "
         "cpu-limit-missing=fail ephemeral-storage-limit-missing=fail"},
        {"no amounts, beside a live pod that has them",
         DOCUMENT(SET_ASIDE EVICTED("p", OF("Deployment", "a"),
                                    ONE("")) "," RUNS("q", OF("Deployment", "a"), ONE(AMOUNTS))),
         "deployment/a", "cpu-request-missing=pass memory-limit-missing=pass"},
        {"no token", DOCUMENT(SET_ASIDE EVICTED("p", OF("Deployment", "a"), ONE(""))),
         "deployment/a", "service-account-token-mounted=fail"},
        {"a token, beside a live pod that has none",
         DOCUMENT(SET_ASIDE EVICTED(
             "p", OF("Deployment", "a"),
             ONE(",'volumeMounts':[{'name':'t','mountPath':"
                 "'/var/run/secrets/kubernetes.io/serviceaccount'}]")) "," RUNS("q",
                                                                                OF("Deployment",
                                                                                   "a"),
                                                                                ONE(""))),
         "deployment/a", "service-account-token-mounted=pass"},
    };
    (void)state;
    ROWS(rows);
}

static void they_do_not_show_what_a_controller_looks_like(void **state)
{
    static const struct judge_row rows[] = {
        {"one that is not shown, by the pod that lives",
         DOCUMENT(EVICTED("p", OF("StatefulSet", "s"), "'hostPID':true," ONE("")) "," RUNS(
             "q", OF("StatefulSet", "s"), ONE(""))),
         "statefulset/s", "host-pid=pass"},
        {"one that is not shown, which lives and was harmless before",
         DOCUMENT(EVICTED("p", OF("StatefulSet", "s"), ONE("")) "," RUNS(
             "q", OF("StatefulSet", "s"), "'hostPID':true," ONE(""))),
         "statefulset/s", "host-pid=fail"},
        {"labels that the pods gave themselves",
         DOCUMENT(
             "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'a','namespace':"
             "'shop'},'spec':{'replicas':2,'template':{'spec':{'topologySpreadConstraints':[{"
             "'maxSkew':1,'topologyKey':'kubernetes.io/hostname','whenUnsatisfiable':"
             "'ScheduleAnyway','labelSelector':{'matchLabels':{'self':'yes'}}}]," ONE(
                 "") "}}}}," EVICTED("p", OF("Deployment", "a") LABELS("'self':'yes'"), ONE(""))),
         "deployment/a", "no-pod-spread=fail"},
    };
    (void)state;
    ROWS(rows);
}

static void no_policy_budget_or_number_is_about_them(void **state)
{
    static const struct judge_row rows[] = {
        {"a policy that selects them, not the template",
         DOCUMENT(POLICY SET_ASIDE EVICTED("p", OF("Deployment", "a"), ONE(""))), "deployment/a",
         "pod-ingress-not-isolated=fail"},
        {"a policy that selects the live pod, not them",
         DOCUMENT(POLICY EVICTED("p", OF("StatefulSet", "s") LABELS("'app':'a'"),
                                 ONE("")) "," RUNS("q", OF("StatefulSet", "s"), ONE(""))),
         "statefulset/s", "pod-ingress-not-isolated=pass"},
        {"a drain finds one pod only",
         DOCUMENT(BUDGET EVICTED("p", OF("StatefulSet", "s"),
                                 ONE("")) "," RUNS("q", OF("StatefulSet", "s"), ONE(""))),
         "statefulset/s", "pdb-missing=none"},
        {"two pods that live",
         DOCUMENT(BUDGET RUNS("p", OF("StatefulSet", "s"),
                              ONE("")) "," RUNS("q", OF("StatefulSet", "s"), ONE(""))),
         "statefulset/s", "pdb-missing=fail"},
        {"the controller wants a pod and has none",
         DOCUMENT(SET_ASIDE EVICTED("p", OF("Deployment", "a") LABELS("'app':'a'"), ONE(""))),
         "deployment/a", "controller-selects-nothing=fail"},
        {"a lone one has the labels",
         DOCUMENT(SET_ASIDE EVICTED("p", LABELS("'app':'a'"), ONE(""))), "deployment/a",
         "controller-selects-nothing=fail"},
        {"a lone one that lives has the labels",
         DOCUMENT(SET_ASIDE RUNS("p", LABELS("'app':'a'"), ONE(""))), "deployment/a",
         "controller-selects-nothing=pass"},
    };
    (void)state;
    ROWS(rows);
}

/* "Not shown: any workload of kube-system": one that has ended is none. */
static void they_are_no_evidence_of_the_system(void **state)
{
    static const struct judge_row rows[] = {
        {"an evicted pod of a system priority",
         DOCUMENT(EVICTED("p", "", "'priorityClassName':'system-node-critical'," ONE(""))),
         "cluster/system", "evidence-missing=fail"},
        {"a live one",
         DOCUMENT(RUNS("p", "", "'priorityClassName':'system-node-critical'," ONE(""))),
         "cluster/system", "evidence-missing=pass"},
    };
    (void)state;
    ROWS(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_do_not_show_what_admission_adds),
        cmocka_unit_test(they_do_not_show_what_a_controller_looks_like),
        cmocka_unit_test(no_policy_budget_or_number_is_about_them),
        cmocka_unit_test(they_are_no_evidence_of_the_system),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* API versions that clusters do not serve any more. */
#include "judge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define NODE(version)                                                                              \
    "{'apiVersion':'v1','kind':'Node','metadata':{'name':'n','uid':'n'},'status':{'nodeInfo':{"    \
    "'kubeletVersion':'" version "'}}}"
#define APPLIED(version)                                                                           \
    ",'uid':'1','annotations':{'kubectl.kubernetes.io/last-applied-configuration':"                \
    "'{\\'apiVersion\\':\\'" version "\\'}'}"
#define MANAGED(version)   ",'uid':'1','managedFields':[{'apiVersion':'" version "'}]"
#define CRD(meta)          OBJECT("apiextensions.k8s.io/v1", "CustomResourceDefinition", meta, "")
#define OLD(version, kind) OBJECT(version, kind, "", "")
#define BUDGET(meta, version)                                                                      \
    OBJECT(version, "PodDisruptionBudget", meta, ",'spec':{'minAvailable':1}")

static const struct judge_row rows_of_objects[] = {
    {"without nodes the oldest supported release counts", BUDGET("", "policy/v1beta1"),
     "poddisruptionbudget/a", "api-version-removed=fail"},
    {"and serves the newer version", BUDGET("", "policy/v1"), "poddisruptionbudget/a",
     "api-version-removed=pass"},
    {"each kind of a version goes in its own release",
     DOCUMENT(OLD("extensions/v1beta1", "Ingress") "," NODE("v1.18.2")), "ingress/a",
     "api-version-removed=pass"},
    {"another kind of it has gone",
     DOCUMENT(OLD("extensions/v1beta1", "DaemonSet") "," NODE("v1.18.2")), "daemonset/a",
     "api-version-removed=fail"},
    {"a kind that is not read",
     DOCUMENT(OLD("policy/v1beta1", "PodSecurityPolicy") "," NODE("v1.25.0")),
     "podsecuritypolicy/a", "api-version-removed=fail"},
    {"a live one, which nothing converts",
     DOCUMENT(OBJECT("policy/v1beta1", "PodSecurityPolicy", ",'uid':'1'", "") "," NODE("v1.24.0")),
     "podsecuritypolicy/a", "api-version-removed=fail"},
    {"a live one that is converted",
     DOCUMENT(OBJECT("apiextensions.k8s.io/v1beta1", "CustomResourceDefinition", ",'uid':'1'",
                     "") "," NODE("v1.21.0")),
     "customresourcedefinition/a", "api-version-removed=none"},
    {"a live one that was applied as what has gone",
     DOCUMENT(CRD(APPLIED("apiextensions.k8s.io/v1beta1")) "," NODE("v1.33.0")),
     "customresourcedefinition/a", "api-version-removed=fail"},
    {"a live one that somebody manages as what has gone",
     DOCUMENT(CRD(MANAGED("apiextensions.k8s.io/v1beta1")) "," NODE("v1.33.0")),
     "customresourcedefinition/a", "api-version-removed=fail"},
    {"a live one that somebody manages as what is served",
     DOCUMENT(CRD(MANAGED("apiextensions.k8s.io/v1")) "," NODE("v1.33.0")),
     "customresourcedefinition/a", "api-version-removed=none"},
    {"a live one of the API server's own",
     DOCUMENT(
         OBJECT("flowcontrol.apiserver.k8s.io/v1", "FlowSchema",
                MANAGED("flowcontrol.apiserver.k8s.io/v1beta3") ",'annotations':{'apf.kubernetes."
                                                                "io/autoupdate-spec':'true'}",
                "") "," NODE("v1.33.0")),
     "flowschema/a", "api-version-removed=none"},
    {"a live one beside the API server's own",
     DOCUMENT(OBJECT("flowcontrol.apiserver.k8s.io/v1", "FlowSchema",
                     MANAGED("flowcontrol.apiserver.k8s.io/v1beta3"), "") "," NODE("v1.33.0")),
     "flowschema/a", "api-version-removed=fail"},
    {"endpoints that somebody wrote by hand",
     DOCUMENT(OLD("discovery.k8s.io/v1beta1", "EndpointSlice") "," NODE("v1.25.0")),
     "endpointslice/a", "api-version-removed=fail"},
    {"endpoints of the cluster's own, which follow it",
     DOCUMENT(
         OBJECT("discovery.k8s.io/v1beta1", "EndpointSlice", ",'uid':'1'", "") "," NODE("v1.24.0")),
     "endpointslice/a", "api-version-removed=none"},
    {"endpoints of a version that is served",
     DOCUMENT(OLD("discovery.k8s.io/v1", "EndpointSlice") "," NODE("v1.25.0")), "endpointslice/a",
     "api-version-removed=none"},
    {"a lease", DOCUMENT(OLD("coordination.k8s.io/v1beta1", "Lease") "," NODE("v1.22.0")),
     "lease/a", "api-version-removed=fail"},
    {"an event, and a lease of the same name",
     DOCUMENT(OLD("events.k8s.io/v1beta1", "Event") "," OLD("coordination.k8s.io/v1beta1",
                                                            "Lease") "," NODE("v1.25.0")),
     "event/a", "api-version-removed=fail"},
    {"members in another order",
     DOCUMENT("{'spec':{},'metadata':{'labels':{'name':'x'},'name':'a'},'kind':'RuntimeClass',"
              "'apiVersion':'node.k8s.io/v1beta1'}," NODE("v1.25.0")),
     "runtimeclass/a", "api-version-removed=fail"},
    {"no name, nothing to tell",
     DOCUMENT("{'apiVersion':'node.k8s.io/v1beta1','kind':'RuntimeClass'}," NODE("v1.25.0")),
     "runtimeclass/a", "api-version-removed=none"},
    {"somebody else's kind of that name",
     DOCUMENT(OLD("example.com/v1beta1", "RuntimeClass") "," NODE("v1.25.0")), "runtimeclass/a",
     "api-version-removed=none"},
    {"served by the list's version",
     "{'apiVersion':'policy/v1beta1','kind':'PodDisruptionBudgetList','items':[{'metadata':{"
     "'name':'a','namespace':'shop'},'spec':{}}]}",
     "poddisruptionbudget/a", "api-version-removed=fail"},
    {"removed long ago", DOCUMENT(BUDGET("", "policy/v1beta1") "," NODE("v1.33.2")),
     "poddisruptionbudget/a", "api-version-removed=fail"},
    {"removed by the next minor", DOCUMENT(BUDGET("", "policy/v1beta1") "," NODE("v1.24.9-gke.1")),
     "poddisruptionbudget/a", "api-version-removed=fail"},
    {"removed later", DOCUMENT(BUDGET("", "policy/v1beta1") "," NODE("v1.23.1")),
     "poddisruptionbudget/a", "api-version-removed=pass"},
    {"live objects are converted", DOCUMENT(BUDGET(",'uid':'1'", "policy/v1") "," NODE("v1.33.0")),
     "poddisruptionbudget/a", "api-version-removed=none"},
    {"what the author applied",
     DOCUMENT(BUDGET(APPLIED("policy/v1beta1"), "policy/v1") "," NODE("v1.24.0")),
     "poddisruptionbudget/a", "api-version-removed=fail"},
    {"what the author applied is served",
     DOCUMENT(BUDGET(APPLIED("policy/v1"), "policy/v1") "," NODE("v1.24.0")),
     "poddisruptionbudget/a", "api-version-removed=pass"},
    {"what the author applied does not say for which version",
     DOCUMENT(BUDGET(MANAGED("policy/v1beta1") ",'annotations':{'kubectl.kubernetes.io/"
                                               "last-applied-configuration':'{}'}",
                     "policy/v1") "," NODE("v1.33.0")),
     "poddisruptionbudget/a", "api-version-removed=fail"},
    {"what a field manager wrote",
     DOCUMENT(BUDGET(",'uid':'1','managedFields':[{'apiVersion':'policy/v1'},{'apiVersion':"
                     "'policy/v1beta1'}]",
                     "policy/v1") "," NODE("v1.24.0")),
     "poddisruptionbudget/a", "api-version-removed=fail"},
};

static void versions(void **state)
{
    (void)state;
    judge_rows(rows_of_objects, COUNT(rows_of_objects));
}

/* What is asked for goes before what the nodes run; each row of the table speaks for itself. */
static void removals_of_a_release(void **state)
{
    static const struct {
        const char *document, *resource;
        struct release target;
        const char *message; /* NULL: it is served */
    } rows[] = {
        {OLD("extensions/v1beta1", "Ingress"),
         "ingress/a",
         {1, 22},
         "The Ingress was written for extensions/v1beta1, which Kubernetes no longer serves from "
         "1.22 on; networking.k8s.io/v1 replaces it."},
        {OLD("extensions/v1beta1", "Ingress"), "ingress/a", {1, 21}, NULL},
        {DOCUMENT(OLD("policy/v1beta1", "PodDisruptionBudget") "," NODE("v1.33.0")),
         "poddisruptionbudget/a",
         {1, 24},
         NULL},
        {OLD("policy/v1beta1", "PodSecurityPolicy"),
         "podsecuritypolicy/a",
         {1, 25},
         "The PodSecurityPolicy was written for policy/v1beta1, which Kubernetes no longer serves "
         "from 1.25 on; the admission controller PodSecurity replaces it."},
        {OLD("settings.k8s.io/v1alpha1", "PodPreset"),
         "podpreset/a",
         {1, 30},
         "The PodPreset was written for settings.k8s.io/v1alpha1, which Kubernetes no longer "
         "serves from 1.20 on; nothing replaces it."},
        {OLD("flowcontrol.apiserver.k8s.io/v1beta3", "FlowSchema"), "flowschema/a", {1, 31}, NULL},
        {OLD("flowcontrol.apiserver.k8s.io/v1beta3", "FlowSchema"),
         "flowschema/a",
         {1, 32},
         "The FlowSchema was written for flowcontrol.apiserver.k8s.io/v1beta3, which Kubernetes no "
         "longer serves from 1.32 on; flowcontrol.apiserver.k8s.io/v1 replaces it."},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct score_policy policy = score_policy_default();
        policy.target = rows[i].target;
        struct judgement judgement = judgement_open(rows[i].document, &policy);
        const struct risk *risk =
            judgement_risk(&judgement, "api-version-removed", rows[i].resource);
        if (!risk != !rows[i].message || (risk && !str_eq(risk->message, str_of(rows[i].message))))
            fail_msg("%s 1.%d: %" STR_FMT, rows[i].resource, (int)rows[i].target.minor,
                     STR_ARG(risk ? risk->message : STR("served")));
        judgement_close(&judgement);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions),
        cmocka_unit_test(removals_of_a_release),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

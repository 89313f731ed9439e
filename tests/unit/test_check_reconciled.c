/* What controllers bring about: certificates of cert-manager, requests for certificates,
 * applications of Argo CD and Flux. */
#include "live.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define THING(version, kind, spec, status)                                                         \
    "{'apiVersion':'" version "','kind':'" kind "','metadata':{'name':'a','namespace':'shop',"     \
    "'generation':2},'spec':{" spec "},'status':{" status "}}"
#define AT_ONCE(type, status, rest)                                                                \
    "{'type':'" type "','status':'" status "','lastTransitionTime':'2026-03-17T11:59:00Z'" rest "}"
#define SINCE(type, status, rest)                                                                  \
    "{'type':'" type "','status':'" status "','lastTransitionTime':'2026-03-17T11:00:00Z'" rest "}"
#define CONDITIONS(conditions) "'conditions':[" conditions "]"
#define NODE                   "{'apiVersion':'v1','kind':'Node','metadata':{'name':'n'}}"

#define CERTIFICATE(status) THING("cert-manager.io/v1", "Certificate", "", status)
#define NOT_AFTER(time)     ",'notAfter':'" time "'"
#define RENEWAL(time)       ",'renewalTime':'" time "'"

static void certificates(void **state)
{
#define SAYS(ready, expiring)                                                                      \
    "certificate/a", "certificate-not-ready=" ready " certificate-expiring=" expiring
    static const struct judge_row rows[] = {
        {"nothing said", CERTIFICATE(""), SAYS("none", "none")},
        {"ready",
         CERTIFICATE(CONDITIONS(SINCE("Ready", "True", "")) NOT_AFTER("2026-05-01T00:00:00Z")
                         RENEWAL("2026-04-01T00:00:00Z")),
         SAYS("pass", "pass")},
        {"it is being issued", CERTIFICATE(CONDITIONS(AT_ONCE("Ready", "False", ""))),
         SAYS("pass", "none")},
        {"it was never issued", CERTIFICATE(CONDITIONS(SINCE("Ready", "False", ""))),
         SAYS("fail", "none")},
        {"nobody knows", CERTIFICATE(CONDITIONS(SINCE("Ready", "Unknown", ""))),
         SAYS("pass", "none")},
        {"another condition only", CERTIFICATE(CONDITIONS(SINCE("Issuing", "True", ""))),
         SAYS("none", "none")},
        {"not ready, and still good",
         CERTIFICATE(CONDITIONS(SINCE("Ready", "False", "")) NOT_AFTER("2026-05-01T00:00:00Z")),
         SAYS("fail", "pass")},
        {"it has expired",
         CERTIFICATE(CONDITIONS(SINCE("Ready", "False", "")) NOT_AFTER("2026-03-17T11:00:00Z")
                         RENEWAL("2026-02-17T11:00:00Z")),
         SAYS("none", "fail")},
        {"it should have been renewed two days ago",
         CERTIFICATE(CONDITIONS(SINCE("Ready", "True", "")) NOT_AFTER("2026-03-27T00:00:00Z")
                         RENEWAL("2026-03-15T11:00:00Z")),
         SAYS("pass", "fail")},
        {"it should have been renewed two hours ago",
         CERTIFICATE(CONDITIONS(SINCE("Ready", "True", "")) NOT_AFTER("2026-03-27T00:00:00Z")
                         RENEWAL("2026-03-17T10:00:00Z")),
         SAYS("pass", "pass")},
        {"of Knative",
         THING("networking.internal.knative.dev/v1alpha1", "Certificate", "",
               CONDITIONS(SINCE("Ready", "False", ""))) NODE,
         SAYS("none", "none")},
    };
#undef SAYS
    (void)state;
    ROWS(rows);
}

#define REQUEST(name, created, status)                                                             \
    "{'apiVersion':'certificates.k8s.io/v1','kind':'CertificateSigningRequest','metadata':{"       \
    "'name':'" name "','creationTimestamp':'2026-03-17T" created "Z'},'spec':{'request':'TFM=',"   \
    "'signerName':'kubernetes.io/kubelet-serving'},'status':{" status "}}"

static void signing_requests(void **state)
{
#define WAITS(expected) "cluster/cluster", "certificate-requests-pending=" expected
    static const struct judge_row rows[] = {
        {"there is none", NODE, WAITS("none")},
        {"a collection of none", "{'certificatesigningrequests':[],'nodes':[{'name':'n'}]}",
         WAITS("none")},
        {"one that is new", REQUEST("a", "11:45:00", ""), WAITS("pass")},
        {"one that waits", REQUEST("a", "11:00:00", ""), WAITS("fail")},
        {"one that was approved",
         REQUEST("a", "11:00:00", CONDITIONS("{'type':'Approved','status':'True'}")),
         WAITS("pass")},
        {"one that was denied",
         REQUEST("a", "11:00:00", CONDITIONS("{'type':'Denied','status':'True'}")), WAITS("pass")},
        {"one of two waits",
         REQUEST("a", "11:00:00", CONDITIONS("{'type':'Approved'}")) REQUEST("b", "10:00:00", ""),
         WAITS("fail")},
    };
#undef WAITS
    (void)state;
    ROWS(rows);
    struct judgement judgement =
        judgement_open(REQUEST("b", "10:00:00", "") REQUEST("a", "11:00:00", ""), NULL);
    const struct risk *risk =
        judgement_risk(&judgement, "certificate-requests-pending", "cluster/cluster");
    assert_true(
        str_eq(risk->message, STR("2 CertificateSigningRequests wait for approval: b, of signer "
                                  "kubernetes.io/kubelet-serving, for 2 h.")));
    judgement_close(&judgement);
}

#define APPLICATION(status) THING("argoproj.io/v1alpha1", "Application", "", status)
#define HEALTH(status)      "'health':{'status':'" status "'}"
#define SYNC(status)        "'sync':{'status':'" status "'}"
#define PHASE(phase)        ",'operationState':{'phase':'" phase "','message':'m'}"

static void argo_applications(void **state)
{
#define SAYS(failed, out, degraded)                                                                \
    "application/a",                                                                               \
        "gitops-sync-failed=" failed " gitops-out-of-sync=" out " gitops-degraded=" degraded
    static const struct judge_row rows[] = {
        {"nothing said", APPLICATION(""), SAYS("none", "none", "none")},
        {"all is well", APPLICATION(HEALTH("Healthy") "," SYNC("Synced") PHASE("Succeeded")),
         SAYS("pass", "pass", "pass")},
        {"out of sync", APPLICATION(HEALTH("Healthy") "," SYNC("OutOfSync")),
         SAYS("pass", "fail", "pass")},
        {"out of sync since a sync failed",
         APPLICATION(HEALTH("Healthy") "," SYNC("OutOfSync") PHASE("Failed")),
         SAYS("fail", "fail", "pass")},
        {"a failure that is over", APPLICATION(HEALTH("Healthy") "," SYNC("Synced") PHASE("Error")),
         SAYS("pass", "pass", "pass")},
        {"it cannot be compared",
         APPLICATION(HEALTH("Unknown") "," SYNC("Unknown") "," CONDITIONS(
             "{'type':'ComparisonError','message':'app path does not exist'}")),
         SAYS("fail", "none", "none")},
        {"a warning is no error",
         APPLICATION(HEALTH("Healthy") "," SYNC("Synced") "," CONDITIONS(
             "{'type':'OrphanedResourceWarning','message':'m'}")),
         SAYS("pass", "pass", "pass")},
        {"degraded", APPLICATION(HEALTH("Degraded") "," SYNC("Synced")),
         SAYS("pass", "pass", "fail")},
        {"missing", APPLICATION(HEALTH("Missing") "," SYNC("OutOfSync")),
         SAYS("pass", "fail", "fail")},
        {"under way", APPLICATION(HEALTH("Progressing") "," SYNC("Synced")),
         SAYS("pass", "pass", "pass")},
        {"suspended", APPLICATION(HEALTH("Suspended") "," SYNC("Synced")),
         SAYS("pass", "pass", "pass")},
        {"of another API", THING("app.k8s.io/v1beta1", "Application", "", HEALTH("Degraded")) NODE,
         SAYS("none", "none", "none")},
    };
#undef SAYS
    (void)state;
    ROWS(rows);
}

#define KUSTOMIZATION(spec, status)                                                                \
    THING("kustomize.toolkit.fluxcd.io/v1", "Kustomization", spec, status)
#define BUILD_FAILED ",'reason':'BuildFailed','message':'m'"
#define SEEN(n)      ",'observedGeneration':" n

static void flux_objects(void **state)
{
#define SAYS(failed, degraded)                                                                     \
    "kustomization/a",                                                                             \
        "gitops-sync-failed=" failed " gitops-degraded=" degraded " gitops-out-of-sync=none"
    static const struct judge_row rows[] = {
        {"nothing said", KUSTOMIZATION("", ""), SAYS("none", "none")},
        {"ready", KUSTOMIZATION("", CONDITIONS(SINCE("Ready", "True", "")) SEEN("2")),
         SAYS("pass", "pass")},
        {"failed for an hour", KUSTOMIZATION("", CONDITIONS(SINCE("Ready", "False", BUILD_FAILED))),
         SAYS("fail", "pass")},
        {"failed a minute ago",
         KUSTOMIZATION("", CONDITIONS(AT_ONCE("Ready", "False", BUILD_FAILED))),
         SAYS("pass", "pass")},
        {"suspended",
         KUSTOMIZATION("'suspend':true", CONDITIONS(SINCE("Ready", "False", BUILD_FAILED))),
         SAYS("none", "none")},
        {"about an older spec",
         KUSTOMIZATION("", CONDITIONS(SINCE("Ready", "False", BUILD_FAILED)) SEEN("1")),
         SAYS("none", "none")},
        {"it waits for another",
         KUSTOMIZATION("", CONDITIONS(SINCE("Ready", "False", ",'reason':'DependencyNotReady'"))),
         SAYS("pass", "pass")},
        {"what it applied is not well",
         KUSTOMIZATION("", CONDITIONS(SINCE("Ready", "False", ",'reason':'HealthCheckFailed'"))),
         SAYS("pass", "fail")},
        {"it has given up",
         KUSTOMIZATION("", CONDITIONS(AT_ONCE("Ready", "False", "") "," AT_ONCE(
                               "Stalled", "True", ",'reason':'InvalidPath'"))),
         SAYS("fail", "pass")},
        {"of kustomize itself",
         THING("kustomize.config.k8s.io/v1beta1", "Kustomization", "",
               CONDITIONS(SINCE("Ready", "False", ""))) NODE,
         SAYS("none", "none")},
    };
#undef SAYS
    static const struct judge_row releases[] = {
        {"an upgrade has failed",
         THING("helm.toolkit.fluxcd.io/v2", "HelmRelease", "",
               CONDITIONS(SINCE("Ready", "False", ",'reason':'UpgradeFailed','message':'m'"))),
         "helmrelease/a", "gitops-sync-failed=fail"},
    };
    (void)state;
    ROWS(rows);
    ROWS(releases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(certificates),
        cmocka_unit_test(signing_requests),
        cmocka_unit_test(argo_applications),
        cmocka_unit_test(flux_objects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "judge.h"

#include "base/buf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define CONTAINER    "'containers':[{'name':'c','image':'x:1'}]"
#define ACCOUNT(name, fields)                                                                      \
    "{'apiVersion':'v1','kind':'ServiceAccount','metadata':{'name':'" name                         \
    "','namespace':'shop'}" fields "}"
#define ENV(entries) POD("'containers':[{'name':'c','env':[" entries "]}]")
#define CONFIG(kind, name, fields)                                                                 \
    "{'apiVersion':'v1','kind':'" kind "','metadata':{'name':'" name                               \
    "','namespace':'shop'}" fields "}"

#define OWN_TOKEN                                                                                  \
    ",'volumes':[{'name':'t','projected':{'sources':[{'serviceAccountToken':{'path':'t'}}]}}]"

#define LIVE(spec)                                                                                 \
    OBJECT("apps/v1", "Deployment", ",'uid':'1'",                                                  \
           ",'spec':{'template':{'spec':{" CONTAINER spec "}}}")

#define LIVE_POD(spec)                                                                             \
    OBJECT("v1", "Pod", ",'uid':'2','creationTimestamp':'2026-03-01T00:00:00Z'",                   \
           ",'spec':{" CONTAINER spec "},'status':{'phase':'Running'}")

#define LIVE_WAITING(spec)                                                                         \
    OBJECT("v1", "Pod", ",'uid':'2','creationTimestamp':'2026-03-01T00:00:00Z'",                   \
           ",'spec':{" CONTAINER spec "},'status':{'phase':'Pending'}")
#define LIVE_MAP(name)                                                                             \
    "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'" name                              \
    "','namespace':'shop','uid':'m'}}"
#define LISTED(kind)                                                                               \
    "{'apiVersion':'v1','kind':'" kind "','metadata':{'name':'x','uid':'" kind "'}}"

#define IN_NO_NAMESPACE(spec)                                                                      \
    "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'a'},'spec':{'template':{"     \
    "'spec':{" CONTAINER "," spec "}}}}"
#define ACCOUNT_IN(name, namespace)                                                                \
    "{'apiVersion':'v1','kind':'ServiceAccount','metadata':{'name':'" name                         \
    "','namespace':'" namespace "'}}"

/* ---- service accounts ---- */

static const struct judge_row account_rows[] = {
    {"nothing said", POD(CONTAINER), "pod/a",
     "service-account-token-mounted=fail default-service-account=fail "
     "service-account-missing=pass"},
    {"a live pod that admission gave none", LIVE_POD(""), "pod/a",
     "service-account-token-mounted=pass"},
    {"a live pod that admission gave one",
     LIVE_POD(",'volumes':[{'name':'kube-api-access-x','projected':{'sources':[{"
              "'serviceAccountToken':{'path':'t'}}]}}]"),
     "pod/a", "service-account-token-mounted=fail"},
    {"a live pod that shows the mount only",
     OBJECT("v1", "Pod", ",'uid':'2'",
            ",'spec':{'containers':[{'name':'c','image':'x:1','volumeMounts':[{'name':"
            "'kube-api-access-x','mountPath':'/var/run/secrets/kubernetes.io/serviceaccount'}]}]}"),
     "pod/a", "service-account-token-mounted=fail"},
    {"a pod that refuses", POD(CONTAINER ",'automountServiceAccountToken':false"), "pod/a",
     "service-account-token-mounted=pass"},
    {"nothing said in a template", DEPLOYMENT(CONTAINER), "deployment/a",
     "service-account-token-mounted=fail"},
    {"the pod refuses", DEPLOYMENT(CONTAINER ",'automountServiceAccountToken':false"),
     "deployment/a", "service-account-token-mounted=pass"},
    {"the account refuses",
     DOCUMENT(DEPLOYMENT(CONTAINER ",'serviceAccountName':'s'") "," ACCOUNT(
         "s", ",'automountServiceAccountToken':false")),
     "deployment/a",
     "service-account-token-mounted=pass default-service-account=pass "
     "service-account-missing=pass"},
    {"the pod overrules its account",
     DOCUMENT(DEPLOYMENT(CONTAINER
                         ",'serviceAccountName':'s','automountServiceAccountToken':"
                         "true") "," ACCOUNT("s", ",'automountServiceAccountToken':false")),
     "deployment/a", "service-account-token-mounted=fail"},
    {"the pod brings its own token",
     DEPLOYMENT(CONTAINER ",'volumes':[{'name':'t','projected':{'sources':[{'serviceAccountToken':"
                          "{'path':'t'}}]}}]"),
     "deployment/a", "service-account-token-mounted=pass"},
    {"and puts it where that of admission belongs",
     DEPLOYMENT("'containers':[{'name':'c','image':'x:1','volumeMounts':[{'name':'t','mountPath':"
                "'/var/run/secrets/kubernetes.io/serviceaccount'}]}]" OWN_TOKEN),
     "deployment/a", "service-account-token-mounted=pass"},
    {"but not in every container",
     DEPLOYMENT("'containers':[{'name':'c','image':'x:1','volumeMounts':[{'name':'t','mountPath':"
                "'/var/run/secrets/kubernetes.io/serviceaccount'}]},{'name':'d'}]" OWN_TOKEN),
     "deployment/a", "service-account-token-mounted=pass"},
    {"its own token and no other",
     DEPLOYMENT(CONTAINER ",'automountServiceAccountToken':false" OWN_TOKEN), "deployment/a",
     "service-account-token-mounted=pass"},
    {"a live pod that has both",
     LIVE_POD(",'volumes':[{'name':'bound','projected':{'sources':[{'serviceAccountToken':{'path':"
              "'t'}}]}},{'name':'kube-api-access-x','projected':{'sources':[{"
              "'serviceAccountToken':{'path':'t'}}]}}]"),
     "pod/a", "service-account-token-mounted=pass"},
    {"projected, but no token",
     DEPLOYMENT(CONTAINER ",'volumes':[{'name':'t','projected':{'sources':[{'configMap':{'name':"
                          "'m'}}]}}]"),
     "deployment/a", "service-account-token-mounted=fail"},
    {"what admission mounts is not the pod's own",
     POD(CONTAINER ",'volumes':[{'name':'kube-api-access-x','projected':{'sources':["
                   "{'serviceAccountToken':{'path':'t'}}]}}]"),
     "pod/a", "service-account-token-mounted=fail"},
    {"the old alias", DOCUMENT(POD(CONTAINER ",'serviceAccount':'s'") "," ACCOUNT("s", "")),
     "pod/a", "default-service-account=pass service-account-missing=pass"},
    {"an account that is not there",
     DOCUMENT(POD(CONTAINER ",'serviceAccountName':'s'") "," ACCOUNT("t", "")), "pod/a",
     "service-account-missing=fail"},
    {"a manifest without its account", DEPLOYMENT(CONTAINER ",'serviceAccountName':'s'"),
     "deployment/a", "service-account-missing=fail"},
    {"the manifest of a pod without its account", POD(CONTAINER ",'serviceAccountName':'s'"),
     "pod/a", "service-account-missing=fail"},
    {"a pod with a phase tells nothing",
     OBJECT("v1", "Pod", "",
            ",'spec':{" CONTAINER ",'serviceAccountName':'s'},'status':{'phase':'Running'}"),
     "pod/a", "service-account-missing=none"},
    {"a pod on a node tells nothing", POD(CONTAINER ",'serviceAccountName':'s','nodeName':'n'"),
     "pod/a", "service-account-missing=none"},
    {"a live object without its account",
     DOCUMENT(LIVE(",'serviceAccountName':'s'") "," ACCOUNT("default", "")), "deployment/a",
     "service-account-missing=fail"},
    {"a live object, no accounts collected", LIVE(",'serviceAccountName':'s'"), "deployment/a",
     "service-account-missing=none"},
    {"a live object, some accounts collected",
     DOCUMENT(LIVE(",'serviceAccountName':'s'") "," ACCOUNT("t", "")), "deployment/a",
     "service-account-missing=none"},
    {"an owner known from its pods",
     DOCUMENT("{'apiVersion':'v1','kind':'Pod','metadata':{'name':'a-0','namespace':'shop',"
              "'ownerReferences':[{'apiVersion':'apps/v1','kind':'StatefulSet','name':'a','uid':"
              "'1','controller':true}]},'spec':{" CONTAINER
              ",'serviceAccountName':'s'}}," ACCOUNT("t", "")),
     "statefulset/a", "service-account-missing=none"},
    {"no namespace is namespace default",
     DOCUMENT(IN_NO_NAMESPACE("'serviceAccountName':'s'") "," ACCOUNT_IN("s", "default")),
     "deployment/a", "service-account-missing=pass"},
    {"but no other", DOCUMENT(IN_NO_NAMESPACE("'serviceAccountName':'s'") "," ACCOUNT("s", "")),
     "deployment/a", "service-account-missing=fail"},
    {"an account in no namespace",
     DOCUMENT("{'apiVersion':'v1','kind':'Pod','metadata':{'name':'a','namespace':'default'},"
              "'spec':{" CONTAINER ",'serviceAccountName':'s'}},{'apiVersion':'v1','kind':"
              "'ServiceAccount','metadata':{'name':'s'}}"),
     "pod/a", "service-account-missing=pass"},
    {"default always exists", DOCUMENT(POD(CONTAINER) "," ACCOUNT("t", "")), "pod/a",
     "service-account-missing=pass"},
    {"an account nobody uses", ACCOUNT("s", ""), "serviceaccount/s",
     "service-account-automount-enabled=pass"},
    {"an account in use", DOCUMENT(ACCOUNT("s", "") "," POD(CONTAINER ",'serviceAccountName':'s'")),
     "serviceaccount/s", "service-account-automount-enabled=fail"},
    {"account default", ACCOUNT("default", ""), "serviceaccount/default",
     "service-account-automount-enabled=fail"},
    {"account default says so itself", ACCOUNT("default", ",'automountServiceAccountToken':true"),
     "serviceaccount/default", "service-account-automount-enabled=fail"},
    {"account default refuses", ACCOUNT("default", ",'automountServiceAccountToken':false"),
     "serviceaccount/default", "service-account-automount-enabled=pass"},
    {"deprecated field in a manifest", POD(CONTAINER ",'serviceAccount':'s'"), "pod/a",
     "service-account-field-deprecated=fail"},
    {"both fields", POD(CONTAINER ",'serviceAccount':'s','serviceAccountName':'s'"), "pod/a",
     "service-account-field-deprecated=pass"},
    {"a live object does not tell",
     OBJECT("v1", "Pod", ",'uid':'1'", ",'spec':{" CONTAINER ",'serviceAccount':'s'}"), "pod/a",
     "service-account-field-deprecated=none"},
    {"a live object and what its author wrote",
     OBJECT("v1", "Pod",
            ",'uid':'1','annotations':{'kubectl.kubernetes.io/last-applied-configuration':"
            "'{\\'apiVersion\\':\\'v1\\',\\'kind\\':\\'Pod\\',\\'spec\\':{\\'serviceAccount\\':"
            "\\'s\\'}}'}",
            ",'spec':{" CONTAINER ",'serviceAccount':'s','serviceAccountName':'s'}"),
     "pod/a", "service-account-field-deprecated=fail"},
    {"pull secret that is not there",
     DOCUMENT(POD(CONTAINER ",'imagePullSecrets':[{'name':'p'}]") "," CONFIG("Secret", "q", "")),
     "pod/a", "image-pull-secret-missing=fail"},
    {"pull secret of an account",
     DOCUMENT(ACCOUNT("s", ",'imagePullSecrets':[{'name':'p'}]") "," CONFIG("Secret", "q", "")),
     "serviceaccount/s", "image-pull-secret-missing=fail"},
    {"pull secret of the pod's account",
     DOCUMENT(POD(CONTAINER ",'serviceAccountName':'s'") "," ACCOUNT(
         "s", ",'imagePullSecrets':[{'name':'p'}]") "," CONFIG("Secret", "q", "")),
     "pod/a", "image-pull-secret-missing=fail"},
    {"pull secret of its own in place of its account's",
     DOCUMENT(
         POD(CONTAINER ",'serviceAccountName':'s','imagePullSecrets':[{'name':'q'}]") "," ACCOUNT(
             "s", ",'imagePullSecrets':[{'name':'p'}]") "," CONFIG("Secret", "q", "")),
     "pod/a", "image-pull-secret-missing=pass"},
    {"pull secret that is there",
     DOCUMENT(POD(CONTAINER ",'imagePullSecrets':[{'name':'p'}]") "," CONFIG("Secret", "p", "")),
     "pod/a", "image-pull-secret-missing=pass"},
    {"no secrets in the snapshot", POD(CONTAINER ",'imagePullSecrets':[{'name':'p'}]"), "pod/a",
     "image-pull-secret-missing=none"},
};

static void accounts(void **state)
{
    (void)state;
    judge_rows(account_rows, COUNT(account_rows));
}

/* ---- credentials and references ---- */

#define KEY_REF(kind, name, key, more)                                                             \
    "{'name':'V','valueFrom':{'" kind "':{'name':'" name "','key':'" key "'" more "}}}"
#define MAPS                                                                                       \
    CONFIG("ConfigMap", "m", ",'data':{'k':'v'}")                                                  \
    "," CONFIG("Secret", "s", ",'data':{'k':'dg=='}")

static const struct judge_row config_rows[] = {
    {"secret as variable", ENV(KEY_REF("secretKeyRef", "s", "k", "")), "pod/a",
     "secret-in-env=fail plaintext-credential-env=pass"},
    {"all of a secret", POD("'containers':[{'name':'c','envFrom':[{'secretRef':{'name':'s'}}]}]"),
     "pod/a", "secret-in-env=fail"},
    {"secret of an init container",
     POD("'containers':[{'name':'c'}],'initContainers':[{'name':'i','envFrom':[{'secretRef':"
         "{'name':'s'}}]}]"),
     "pod/a", "secret-in-env=fail"},
    {"map as variable", ENV(KEY_REF("configMapKeyRef", "m", "k", "")), "pod/a",
     "secret-in-env=pass"},
    {"password in plain text", ENV("{'name':'DB_PASSWORD','value':'hunter2'}"), "pod/a",
     "plaintext-credential-env=fail"},
    {"empty password", ENV("{'name':'DB_PASSWORD','value':''}"), "pod/a",
     "plaintext-credential-env=pass"},
    {"password from elsewhere",
     ENV("{'name':'DB_PASSWORD','valueFrom':{'secretKeyRef':{'name':'s','key':'k'}}}"), "pod/a",
     "plaintext-credential-env=pass"},
    {"the file of a password", ENV("{'name':'DB_PASSWORD_FILE','value':'/run/secrets/db'}"),
     "pod/a", "plaintext-credential-env=pass"},
    {"a key under another name", ENV("{'name':'X','value':'AKIAIOSFODNN7EXAMPLE'}"), "pod/a",
     "plaintext-credential-env=fail"},
    {"a password that may be empty", ENV("{'name':'MYSQL_ALLOW_EMPTY_PASSWORD','value':'yes'}"),
     "pod/a", "empty-password-allowed=fail plaintext-credential-env=pass"},
    {"the value stands first", ENV("{'value':'true','name':'ALLOW_EMPTY_PASSWORD'}"), "pod/a",
     "empty-password-allowed=fail"},
    {"a password that may not", ENV("{'name':'MYSQL_ALLOW_EMPTY_PASSWORD','value':'no'}"), "pod/a",
     "empty-password-allowed=pass"},
    {"another variable that is on", ENV("{'name':'DEBUG','value':'yes'}"), "pod/a",
     "empty-password-allowed=pass"},
    {"the lifetime of a token", ENV("{'name':'TOKEN_TTL_SECONDS','value':'3600'}"), "pod/a",
     "plaintext-credential-env=pass"},
    {"a connection string", ENV("{'name':'DB','value':'Server=db;User Id=sa;Password=hunter2'}"),
     "pod/a", "plaintext-credential-env=fail"},
    {"the checksum of a Secret",
     CONFIG("ConfigMap", "m",
            ",'data':{'manager.serving-cert.secret':'9f86d081884c7d659a2feaa0c55ad015'}"),
     "configmap/m", "plaintext-credential-configmap=pass"},
    {"a map with a password", CONFIG("ConfigMap", "m", ",'data':{'db.password':'hunter2'}"),
     "configmap/m", "plaintext-credential-configmap=fail"},
    {"a map with settings", CONFIG("ConfigMap", "m", ",'data':{'colour':'blue'}"), "configmap/m",
     "plaintext-credential-configmap=pass"},
    {"set twice", ENV("{'name':'A','value':'1'},{'name':'B','value':'1'},{'name':'A'}"), "pod/a",
     "duplicate-env-var=fail"},
    {"set once in each container",
     POD("'containers':[{'name':'c','env':[{'name':'A'}]},{'name':'d','env':[{'name':'A'}]}]"),
     "pod/a", "duplicate-env-var=pass"},

    {"one live map does not mean that there are no others",
     DOCUMENT(LIVE_POD(",'volumes':[{'name':'v','configMap':{'name':'none'}}]") "," LIVE_MAP("m")),
     "pod/a", "config-reference-missing=none"},
    {"where the root certificate is, all maps are",
     DOCUMENT(LIVE_WAITING(",'volumes':[{'name':'v','configMap':{'name':'none'}}]") "," LIVE_MAP(
         "kube-root-ca.crt")),
     "pod/a", "config-reference-missing=fail"},
    {"a pod that runs with it proves that it is there",
     DOCUMENT(LIVE_POD(",'volumes':[{'name':'v','configMap':{'name':'none'}}]") "," LIVE_MAP(
         "kube-root-ca.crt")),
     "pod/a", "config-reference-missing=pass"},
    {"neither kind in the snapshot", ENV(KEY_REF("secretKeyRef", "none", "k", "")), "pod/a",
     "config-reference-missing=none"},
    {"all there",
     DOCUMENT(ENV(KEY_REF("secretKeyRef", "s", "k", "") "," KEY_REF("configMapKeyRef", "m", "k",
                                                                    "")) "," MAPS),
     "pod/a", "config-reference-missing=pass"},
    {"no such secret", DOCUMENT(ENV(KEY_REF("secretKeyRef", "none", "k", "")) "," MAPS), "pod/a",
     "config-reference-missing=fail"},
    {"no such key", DOCUMENT(ENV(KEY_REF("secretKeyRef", "s", "none", "")) "," MAPS), "pod/a",
     "config-reference-missing=fail"},
    {"no such map", DOCUMENT(ENV(KEY_REF("configMapKeyRef", "none", "k", "")) "," MAPS), "pod/a",
     "config-reference-missing=fail"},
    {"no such key of a map", DOCUMENT(ENV(KEY_REF("configMapKeyRef", "m", "none", "")) "," MAPS),
     "pod/a", "config-reference-missing=fail"},
    {"optional",
     DOCUMENT(ENV(KEY_REF("configMapKeyRef", "none", "k", ",'optional':true")) "," MAPS), "pod/a",
     "config-reference-missing=pass"},
    {"only maps in the snapshot",
     DOCUMENT(ENV(KEY_REF("secretKeyRef", "none", "k", "")) "," CONFIG("ConfigMap", "m", "")),
     "pod/a", "config-reference-missing=pass"},
    {"a stripped secret keeps no keys",
     DOCUMENT(ENV(KEY_REF("secretKeyRef", "s", "k", "")) "," CONFIG("Secret", "s", "")), "pod/a",
     "config-reference-missing=pass"},
    {"a map that was written without keys",
     DOCUMENT(ENV(KEY_REF("configMapKeyRef", "m", "k", "")) "," CONFIG("ConfigMap", "m", "")),
     "pod/a", "config-reference-missing=fail"},
    {"a map that was written with data of nothing",
     DOCUMENT(
         ENV(KEY_REF("configMapKeyRef", "m", "k", "")) "," CONFIG("ConfigMap", "m", ",'data':{}")),
     "pod/a", "config-reference-missing=fail"},
    {"all of a map without keys",
     DOCUMENT(
         POD("'containers':[{'name':'c','envFrom':[{'configMapRef':{'name':'m'}}]}]") "," CONFIG(
             "ConfigMap", "m", "")),
     "pod/a", "config-reference-missing=pass"},
    {"a live map that was stripped",
     DOCUMENT(ENV(KEY_REF("configMapKeyRef", "m", "k", "")) "," LIVE_MAP("m") "," LIVE_MAP(
         "kube-root-ca.crt")),
     "pod/a", "config-reference-missing=pass"},
    {"a map that a label has filled",
     DOCUMENT(ENV(KEY_REF("configMapKeyRef", "m", "k",
                          "")) ",{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'m',"
                               "'namespace':'shop','labels':{'config.openshift.io/inject-trusted-"
                               "cabundle':'true'}}}"),
     "pod/a", "config-reference-missing=pass"},
    {"a map that an annotation has filled",
     DOCUMENT(
         ENV(KEY_REF("configMapKeyRef", "m", "k",
                     "")) ",{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'m',"
                          "'namespace':'shop','annotations':{'service.beta.openshift.io/inject-"
                          "cabundle':'true'}}}"),
     "pod/a", "config-reference-missing=pass"},
    {"envFrom",
     DOCUMENT(
         POD("'containers':[{'name':'c','envFrom':[{'configMapRef':{'name':'none'}}]}]") "," MAPS),
     "pod/a", "config-reference-missing=fail"},
    {"volume of a map",
     DOCUMENT(POD(CONTAINER ",'volumes':[{'name':'v','configMap':{'name':'none'}}]") "," MAPS),
     "pod/a", "config-reference-missing=fail"},
    {"volume of a map's key",
     DOCUMENT(POD(CONTAINER ",'volumes':[{'name':'v','configMap':{'name':'m','items':[{'key':"
                            "'none','path':'p'}]}}]") "," MAPS),
     "pod/a", "config-reference-missing=fail"},
    {"optional volume",
     DOCUMENT(POD(CONTAINER ",'volumes':[{'name':'v','secret':{'secretName':'none',"
                            "'optional':true}}]") "," MAPS),
     "pod/a", "config-reference-missing=pass"},
    {"projected secret",
     DOCUMENT(POD(CONTAINER ",'volumes':[{'name':'v','projected':{'sources':[{'secret':{'name':"
                            "'none'}}]}}]") "," MAPS),
     "pod/a", "config-reference-missing=fail"},
    {"the root certificate is everywhere",
     DOCUMENT(POD(CONTAINER ",'volumes':[{'name':'v','projected':{'sources':[{'configMap':{'name':"
                            "'kube-root-ca.crt'}}]}}]") "," MAPS),
     "pod/a", "config-reference-missing=pass"},
};

static void configuration(void **state)
{
    (void)state;
    judge_rows(config_rows, COUNT(config_rows));
}

/* Of a map with more keys than are looked through nothing is said to be missing. */
static void maps_of_many_keys(void **state)
{
    (void)state;
    struct arena *arena = arena_new(SIZE_MAX / 2);
    for (int keys = SEARCHED_MAX; keys <= SEARCHED_MAX + 1; keys++) {
        struct buf document = buf_init(arena, SIZE_MAX);
        buf_put(&document, STR("{'kind':'List','items':["));
        buf_put(&document, str_of(ENV(KEY_REF("configMapKeyRef", "m", "none", ""))));
        buf_put(&document, STR(",{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'m',"
                               "'namespace':'shop'},'data':{"));
        for (int i = 0; i < keys; i++)
            buf_printf(&document, "%s'k%d':'v'", i ? "," : "", i);
        buf_put(&document, STR("}}]}"));
        buf_putc(&document, '\0');
        struct judgement judgement = judgement_open(buf_str(&document).p, NULL);
        assert_int_equal(judgement_verdict(&judgement, "config-reference-missing", "pod/a"),
                         keys <= SEARCHED_MAX ? FAILED : PASSED);
        judgement_close(&judgement);
    }
    arena_free(arena);
}

/* A finding must not repeat the credential. */
static void messages_keep_the_secret(void **state)
{
    (void)state;
    struct judgement judgement =
        judgement_open(ENV("{'name':'DB_PASSWORD','value':'hunter2'}"), NULL);
    const struct risk *risk = judgement_risk(&judgement, "plaintext-credential-env", "pod/a");
    assert_non_null(risk);
    assert_true(str_has(risk->message, STR("DB_PASSWORD")));
    assert_false(str_has(risk->message, STR("hunter2")));
    judgement_close(&judgement);
}

/* ---- namespaces ---- */

#define NAMESPACE(labels)                                                                          \
    "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'shop','labels':{" labels "}}}"
#define RUNNING        OBJECT("v1", "Pod", "", ",'spec':{" CONTAINER "},'status':{'phase':'Running'}")
#define LISTED_POD     LIVE_POD("")
#define LISTED_ACCOUNT OBJECT("v1", "ServiceAccount", ",'uid':'3'", "")
#define EMPTY_QUOTAS   "'resourcequotas':[],'limitranges':[]"
#define NAMED_NAMESPACE(name, more)                                                                \
    "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'" name "'" more "}}"
#define DEPLOYMENT_OF(name)                                                                        \
    "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'" name                        \
    "','namespace':'policies'},'spec':{'template':{'spec':{" CONTAINER "}}}}"
#define WEBHOOKS(name)                                                                             \
    "{'apiVersion':'admissionregistration.k8s.io/v1','kind':'ValidatingWebhookConfiguration',"     \
    "'metadata':{'name':'" name "'},'webhooks':[{'name':'a.b.c'}]}"

static const struct judge_row namespace_rows[] = {
    {"in a namespace", POD(CONTAINER), "pod/a", "default-namespace=pass"},
    {"in default",
     "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'a','namespace':'default'},'spec':"
     "{" CONTAINER "}}",
     "pod/a", "default-namespace=fail"},
    {"in none", "{'apiVersion':'v1','kind':'Service','metadata':{'name':'a'},'spec':{}}",
     "service/a", "default-namespace=fail"},
    {"the API server's own service",
     "{'apiVersion':'v1','kind':'Service','metadata':{'name':'kubernetes','namespace':'default'},"
     "'spec':{}}",
     "service/kubernetes", "default-namespace=none"},
    {"cluster-scoped objects are in none",
     "{'apiVersion':'rbac.authorization.k8s.io/v1','kind':'ClusterRole','metadata':{'name':'a'}}",
     "clusterrole/a", "default-namespace=none"},
    {"nothing enforced", NAMESPACE(""), "namespace/shop", "namespace-psa-unenforced=fail"},
    {"privileged enforced", NAMESPACE("'pod-security.kubernetes.io/enforce':'privileged'"),
     "namespace/shop", "namespace-psa-unenforced=fail"},
    {"baseline enforced", NAMESPACE("'pod-security.kubernetes.io/enforce':'baseline'"),
     "namespace/shop", "namespace-psa-unenforced=pass"},
    {"restricted enforced", NAMESPACE("'pod-security.kubernetes.io/enforce':'restricted'"),
     "namespace/shop", "namespace-psa-unenforced=pass"},
    {"only warned", NAMESPACE("'pod-security.kubernetes.io/warn':'restricted'"), "namespace/shop",
     "namespace-psa-unenforced=fail"},
    {"the cluster's own", NAMED_NAMESPACE("kube-system", ""), "namespace/kube-system",
     "namespace-psa-unenforced=none"},
    {"a name that begins like it", NAMED_NAMESPACE("kube-systems", ""), "namespace/kube-systems",
     "namespace-psa-unenforced=fail"},
    {"the controller of an engine",
     DOCUMENT(NAMESPACE("") "," DEPLOYMENT_OF("gatekeeper-controller-manager")), "namespace/shop",
     "namespace-psa-unenforced=pass"},
    {"a gatekeeper of another trade",
     DOCUMENT(NAMESPACE("") "," DEPLOYMENT_OF("keycloak-gatekeeper")), "namespace/shop",
     "namespace-psa-unenforced=fail"},
    {"the webhooks of an engine",
     DOCUMENT(NAMESPACE("") "," WEBHOOKS("kyverno-resource-validating-webhook-cfg")),
     "namespace/shop", "namespace-psa-unenforced=pass"},
    {"the webhooks of somebody else", DOCUMENT(NAMESPACE("") "," WEBHOOKS("cert-manager-webhook")),
     "namespace/shop", "namespace-psa-unenforced=fail"},
    {"manifests without a quota", DOCUMENT(NAMESPACE("") "," RUNNING), "namespace/shop",
     "namespace-no-quota=fail"},
    {"manifests with a limit range",
     DOCUMENT(NAMESPACE("") "," RUNNING "," OBJECT("v1", "LimitRange", "", "")), "namespace/shop",
     "namespace-no-quota=pass"},
    {"a live namespace and no quota", DOCUMENT(NAMED_NAMESPACE("shop", ",'uid':'4'") "," RUNNING),
     "namespace/shop", "namespace-no-quota=none"},
    {"no quota", "{'namespaces':[" NAMESPACE("") "],'pods':[" RUNNING "]," EMPTY_QUOTAS "}",
     "namespace/shop", "namespace-no-quota=fail"},
    {"nothing runs", "{'namespaces':[" NAMESPACE("") "],'pods':[]," EMPTY_QUOTAS "}",
     "namespace/shop", "namespace-no-quota=none"},
    {"quotas were not collected", "{'namespaces':[" NAMESPACE("") "],'pods':[" RUNNING "]}",
     "namespace/shop", "namespace-no-quota=none"},
    {"a list that asked for everything, and no quota",
     DOCUMENT(NAMESPACE("") "," LISTED_POD "," LISTED_ACCOUNT
                            "," LISTED("Node") "," LISTED("Event") "," LISTED("PersistentVolume")),
     "namespace/shop", "namespace-no-quota=fail"},
    {"accounts do not mean that quotas were asked for",
     DOCUMENT(NAMESPACE("") "," LISTED_POD "," LISTED_ACCOUNT), "namespace/shop",
     "namespace-no-quota=none"},
    {"a list of pods and namespaces", DOCUMENT(NAMESPACE("") "," LISTED_POD), "namespace/shop",
     "namespace-no-quota=none"},
    {"a limit range",
     "{'namespaces':[" NAMESPACE(
         "") "],'pods':[" RUNNING
             "],'resourcequotas':[],'limitranges':[{'metadata':{'name':'l','namespace':'shop'}}]}",
     "namespace/shop", "namespace-no-quota=pass"},
};

static void namespaces(void **state)
{
    (void)state;
    judge_rows(namespace_rows, COUNT(namespace_rows));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accounts),          cmocka_unit_test(configuration),
        cmocka_unit_test(maps_of_many_keys), cmocka_unit_test(messages_keep_the_secret),
        cmocka_unit_test(namespaces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "judge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define HEX          "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define DIGEST       "@sha256:" HEX
#define IMAGE(text)  POD("'containers':[{'name':'c','image':'" text "'}]")
#define PULLED(text, policy)                                                                       \
    POD("'containers':[{'name':'c','image':'" text "','imagePullPolicy':'" policy "'}]")

static const struct judge_row image_rows[] = {
    {"no tag", IMAGE("nginx"), "pod/a",
     "image-tag-mutable=fail image-not-pinned=fail image-pull-policy-not-always=pass "
     "image-pull-policy-stale=pass"},
    {"latest", IMAGE("nginx:latest"), "pod/a",
     "image-tag-mutable=fail image-pull-policy-not-always=pass"},
    {"a version", IMAGE("nginx:1.29"), "pod/a",
     "image-tag-mutable=pass image-not-pinned=fail image-pull-policy-not-always=fail"},
    {"a registry's port is no tag", IMAGE("registry:5000/app"), "pod/a", "image-tag-mutable=fail"},
    {"a port and latest", IMAGE("registry:5000/app:latest"), "pod/a", "image-tag-mutable=fail"},
    {"a port and a version", IMAGE("registry:5000/app:1"), "pod/a", "image-tag-mutable=pass"},
    {"a digest", IMAGE("nginx" DIGEST), "pod/a",
     "image-tag-mutable=pass image-not-pinned=pass image-pull-policy-not-always=pass"},
    {"latest with a digest", IMAGE("nginx:latest" DIGEST), "pod/a",
     "image-tag-mutable=pass image-not-pinned=pass"},
    {"a short digest pins nothing", IMAGE("nginx:1@sha256:0123"), "pod/a",
     "image-tag-mutable=pass image-not-pinned=fail"},
    {"an init container",
     POD("'containers':[{'name':'c','image':'x:1" DIGEST
         "'}],'initContainers':[{'name':'i','image':'x'}]"),
     "pod/a", "image-tag-mutable=fail image-not-pinned=fail"},
    {"an ephemeral container",
     POD("'containers':[{'name':'c','image':'x:1" DIGEST
         "'}],'ephemeralContainers':[{'name':'e','image':'x'}]"),
     "pod/a", "image-tag-mutable=fail"},
    {"no image", POD("'containers':[{'name':'c'}]"), "pod/a",
     "image-tag-mutable=pass image-not-pinned=pass image-registry-deprecated=pass"},
    {"stale latest", PULLED("nginx", "IfNotPresent"), "pod/a", "image-pull-policy-stale=fail"},
    {"never pulled latest", PULLED("nginx:latest", "Never"), "pod/a",
     "image-pull-policy-stale=fail image-pull-policy-not-always=fail"},
    {"fresh latest", PULLED("nginx:latest", "Always"), "pod/a", "image-pull-policy-stale=pass"},
    {"cached version", PULLED("nginx:1", "IfNotPresent"), "pod/a",
     "image-pull-policy-stale=pass image-pull-policy-not-always=fail"},
    {"asked each time", PULLED("nginx:1", "Always"), "pod/a", "image-pull-policy-not-always=pass"},
    {"frozen registry", IMAGE("k8s.gcr.io/pause:3.9"), "pod/a", "image-registry-deprecated=fail"},
    {"its successor", IMAGE("registry.k8s.io/pause:3.9"), "pod/a",
     "image-registry-deprecated=pass"},
    {"a malformed digest is none, and no tag either", IMAGE("nginx@sha256:abc"), "pod/a",
     "image-not-pinned=fail image-tag-mutable=pass image-pull-policy-stale=pass"},
    {"frozen path", IMAGE("gcr.io/google-containers/pause:3.9"), "pod/a",
     "image-registry-deprecated=fail"},
    {"its copy in Europe", IMAGE("eu.gcr.io/google-containers/pause:3.9"), "pod/a",
     "image-registry-deprecated=fail"},
    {"what k8s.gcr.io is made of", IMAGE("us.gcr.io/k8s-artifacts-prod/pause:3.9"), "pod/a",
     "image-registry-deprecated=fail"},
    {"another project's copy", IMAGE("us.gcr.io/shop/pause:3.9"), "pod/a",
     "image-registry-deprecated=pass"},
    {"with its port", IMAGE("k8s.gcr.io:443/pause:3.9"), "pod/a", "image-registry-deprecated=fail"},
    {"beside the frozen path", IMAGE("gcr.io/google-containers-x/pause:3.9"), "pod/a",
     "image-registry-deprecated=pass"},
    {"no list of trusted registries", IMAGE("evil.example/x:1"), "pod/a",
     "image-registry-untrusted=none"},
    {"a summary item has an image",
     "{'pods':[{'name':'a','namespace':'shop','image':'nginx','status':'Running'}]}", "pod/a",
     "image-tag-mutable=fail cpu-request-missing=none image-pull-policy-stale=none"},
};

static void images(void **state)
{
    (void)state;
    judge_rows(image_rows, COUNT(image_rows));
}

static void trusted_registries(void **state)
{
    (void)state;
    struct str trusted[] = {STR("ghcr.io/acme"), STR("docker.io/library"), STR("registry:5000")};
    struct score_policy policy = score_policy_default();
    policy.trusted_registries = (str_list)LIST_SLICE(trusted, COUNT(trusted));
    static const struct {
        const char *document;
        enum verdict expected;
    } rows[] = {
        {IMAGE("ghcr.io/acme/shop:1"), PASSED},
        {IMAGE("ghcr.io/acme:1"), PASSED},
        {IMAGE("ghcr.io/acmebad/x:1"), FAILED},
        {IMAGE("GHCR.io/acme/shop:1"), PASSED},
        {IMAGE("nginx:1"), PASSED},
        {IMAGE("index.docker.io/library/nginx:1"), PASSED},
        {IMAGE("registry-1.docker.io/someone/nginx:1"), FAILED},
        {IMAGE("someone/nginx:1"), FAILED},
        {IMAGE("registry:5000/any/x"), PASSED},
        {IMAGE("registry:5001/any/x"), FAILED},
        {IMAGE("quay.io/ghcr.io/acme"), FAILED},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct judgement judgement = judgement_open(rows[i].document, &policy);
        enum verdict got = judgement_verdict(&judgement, "image-registry-untrusted", "pod/a");
        if (got != rows[i].expected)
            fail_msg("%s: %d", rows[i].document, (int)got);
        judgement_close(&judgement);
    }
}

static void messages_name_the_image(void **state)
{
    (void)state;
    struct judgement judgement = judgement_open(IMAGE("shop/api:latest"), NULL);
    const struct risk *risk = judgement_risk(&judgement, "image-tag-mutable", "pod/a");
    assert_non_null(risk);
    assert_true(str_eq(risk->container, STR("c")));
    assert_true(str_eq(risk->message,
                       STR("Container c runs image shop/api:latest, a tag that can change.")));
    judgement_close(&judgement);
}

/* ---- resources ---- */

#define RESOURCES(fields) POD("'containers':[{'name':'c','resources':{" fields "}}]")
#define ALL_FAIL                                                                                   \
    "cpu-request-missing=fail memory-request-missing=fail memory-limit-missing=fail "              \
    "cpu-limit-missing=fail ephemeral-storage-limit-missing=fail"
#define ALL_PASS                                                                                   \
    "cpu-request-missing=pass memory-request-missing=pass memory-limit-missing=pass "              \
    "cpu-limit-missing=pass ephemeral-storage-limit-missing=pass"
#define FULL "'resources':{'limits':{'cpu':1,'memory':'1Gi','ephemeral-storage':'1Gi'}}"
#define OWNED_POD(name, container)                                                                 \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'" name                                    \
    "','namespace':'shop','ownerReferences':[{'apiVersion':'apps/v1','kind':'DaemonSet',"          \
    "'name':'a','uid':'1','controller':true}]},'spec':{'containers':[" container "]}}"
#define DAEMON_SET(container)                                                                      \
    OBJECT("apps/v1", "DaemonSet", ",'uid':'1'",                                                   \
           ",'spec':{'template':{'spec':{'containers':[" container "]}}}")

static const struct judge_row resource_rows[] = {
    {"nothing", POD("'containers':[{'name':'c'}]"), "pod/a", ALL_FAIL},
    {"null", POD("'containers':[{'name':'c','resources':null}]"), "pod/a", ALL_FAIL},
    {"null amounts", RESOURCES("'limits':null,'requests':{'cpu':null}"), "pod/a", ALL_FAIL},
    {"a limit is a request", POD("'containers':[{'name':'c'," FULL "}]"), "pod/a", ALL_PASS},
    {"requests only", RESOURCES("'requests':{'cpu':'100m','memory':'64Mi'}"), "pod/a",
     "cpu-request-missing=pass memory-request-missing=pass memory-limit-missing=fail "
     "cpu-limit-missing=fail"},
    {"zero is nothing",
     RESOURCES("'requests':{'cpu':0,'memory':'0'},'limits':{'cpu':'0','memory':0}"), "pod/a",
     "cpu-request-missing=fail memory-request-missing=fail memory-limit-missing=fail "
     "cpu-limit-missing=fail"},
    {"but of ephemeral storage it is a limit", RESOURCES("'limits':{'ephemeral-storage':0}"),
     "pod/a", "ephemeral-storage-limit-missing=pass"},
    {"a number is a quantity", RESOURCES("'limits':{'cpu':0.5,'memory':1e9}"), "pod/a",
     "cpu-limit-missing=pass memory-limit-missing=pass"},
    {"amounts of the whole pod",
     POD("'resources':{'limits':{'cpu':'1','memory':'1Gi','ephemeral-storage':'1Gi'}},"
         "'containers':[{'name':'c'}]"),
     "pod/a", ALL_PASS},
    {"init containers need none",
     POD("'containers':[{'name':'c'," FULL "}],'initContainers':[{'name':'i'}]"), "pod/a",
     ALL_PASS},
    {"sidecars do",
     POD("'containers':[{'name':'c'," FULL "}],'initContainers':[{'name':'i',"
         "'restartPolicy':'Always'}]"),
     "pod/a", ALL_FAIL},
    {"ephemeral containers cannot",
     POD("'containers':[{'name':'c'," FULL "}],'ephemeralContainers':[{'name':'e'}]"), "pod/a",
     ALL_PASS},
    {"all live pods got defaults",
     DOCUMENT(DAEMON_SET("{'name':'c'}") "," OWNED_POD("x", "{'name':'c'," FULL "}") "," OWNED_POD(
         "y", "{'name':'c'," FULL "}")),
     "daemonset/a", ALL_PASS},
    {"one live pod did not",
     DOCUMENT(DAEMON_SET("{'name':'c'}") "," OWNED_POD("x", "{'name':'c'," FULL "}") "," OWNED_POD(
         "y", "{'name':'c'}")),
     "daemonset/a", ALL_FAIL},
    {"a mesh's sidecar is not blamed",
     DOCUMENT(DAEMON_SET("{'name':'c'," FULL "}") "," OWNED_POD("x", "{'name':'c'," FULL
                                                                     "},{'name':'linkerd-proxy'}")),
     "daemonset/a", ALL_PASS},
    {"overcommitted", RESOURCES("'requests':{'memory':'1Gi'},'limits':{'memory':'2Gi'}"), "pod/a",
     "memory-request-below-limit=fail"},
    {"the same in other words",
     RESOURCES("'requests':{'memory':'1024Mi'},'limits':{'memory':'1Gi'}"), "pod/a",
     "memory-request-below-limit=pass"},
    {"a limit alone", RESOURCES("'limits':{'memory':'1Gi'}"), "pod/a",
     "memory-request-below-limit=pass"},
};

static void resources(void **state)
{
    (void)state;
    judge_rows(resource_rows, COUNT(resource_rows));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(images),
        cmocka_unit_test(trusted_registries),
        cmocka_unit_test(messages_name_the_image),
        cmocka_unit_test(resources),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

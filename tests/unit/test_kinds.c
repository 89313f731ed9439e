/* Which kind a word means, as kubectl takes it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "kube/kinds.h"

#include <cmocka.h>

static void words(void **state)
{
    (void)state;
    static const struct {
        const char *word;
        enum kind kind;
    } rows[] = {
        {"deploy", KIND_DEPLOYMENT},
        {"Deployments.apps", KIND_DEPLOYMENT},
        {"deployments.v1.apps", KIND_DEPLOYMENT},
        {"deployment.example.com", KIND_NONE},
        {"svc", KIND_SERVICE},
        {"SVC", KIND_SERVICE},
        {"services", KIND_SERVICE},
        {"ingresses.networking.k8s.io", KIND_INGRESS},
        {"ingress.v1beta1.extensions", KIND_INGRESS},
        {"no", KIND_NODE},
        {"node", KIND_NODE},
        {"nodes.v1.", KIND_NODE},
        {"node.longhorn.io", KIND_NONE},
        {"nodes.v1.longhorn.io", KIND_NONE},
        {"clusterroles.v1.rbac.authorization.k8s.io", KIND_CLUSTERROLE},
        {"clusterrole.v1.apps", KIND_NONE},
        {"pv", KIND_PERSISTENTVOLUME},
        {"pvc", KIND_PERSISTENTVOLUMECLAIM},
        {"widget", KIND_NONE},
        {".", KIND_NONE},
        {".apps", KIND_NONE},
        {"", KIND_NONE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct str word = str_of(rows[i].word), found = kind_name(kind_by_word(word));
        if (!str_eq(found, kind_name(rows[i].kind)))
            fail_msg("\"%s\" is \"%" STR_FMT "\"", rows[i].word, STR_ARG(found));
    }
}

static void every_name(void **state)
{
    (void)state;
    for (enum kind kind = KIND_NONE + 1; kind < KIND_COUNT; kind++) {
        assert_int_equal(kind_by_word(kind_name(kind)), kind);
        assert_int_equal(kind_by_word(kind_plural(kind)), kind);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(words), cmocka_unit_test(every_name)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

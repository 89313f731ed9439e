#include "live.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define NAMESPACE(meta, status)                                                                    \
    "{'apiVersion':'v1','kind':'Namespace','metadata':{" meta "'name':'s'},'status':{" status "}}"
#define QUOTA(hard, used)                                                                          \
    "{'apiVersion':'v1','kind':'ResourceQuota','metadata':{'name':'q','namespace':'shop'},'spec':" \
    "{},'status':{'hard':{" hard "},'used':{" used "}}}"

static void namespaces(void **state)
{
    static const struct judge_row rows[] = {
        {"stuck",
         NAMESPACE("'deletionTimestamp':'2026-03-17T11:49:00Z',",
                   "'phase':'Terminating','conditions':[{'type':'NamespaceFinalizersRemaining','"
                   "status':'True','message':'some content has finalizers'}]"),
         "namespace/s", "namespace-stuck-terminating=fail"},
        {"on its way out",
         NAMESPACE("'deletionTimestamp':'2026-03-17T11:51:00Z',", "'phase':'Terminating'"),
         "namespace/s", "namespace-stuck-terminating=pass"},
        {"held back for long",
         NAMESPACE("", "'phase':'Terminating','conditions':[{'type':'NamespaceContentRemaining','"
                       "status':'True','lastTransitionTime':'2026-03-17T11:49:00Z'}]"),
         "namespace/s", "namespace-stuck-terminating=fail"},
        {"held back for a while",
         NAMESPACE("", "'phase':'Terminating','conditions':[{'type':'NamespaceContentRemaining','"
                       "status':'True','lastTransitionTime':'2026-03-17T11:51:00Z'}]"),
         "namespace/s", "namespace-stuck-terminating=pass"},
        {"active", NAMESPACE("", "'phase':'Active'"), "namespace/s",
         "namespace-stuck-terminating=pass"},
        {"a manifest", NAMESPACE("", ""), "namespace/s", "namespace-stuck-terminating=none"},
        {"nine of ten pods", QUOTA("'pods':'10','cpu':'4'", "'pods':'9','cpu':'1'"),
         "resourcequota/q", "quota-near-exhaustion=fail"},
        {"nine of ten, as numbers", QUOTA("'pods':10,'cpu':null", "'pods':9,'cpu':true"),
         "resourcequota/q", "quota-near-exhaustion=fail"},
        {"eight of ten, as numbers", QUOTA("'pods':10", "'pods':8.0"), "resourcequota/q",
         "quota-near-exhaustion=pass"},
        {"eight of ten", QUOTA("'pods':'10'", "'pods':'8'"), "resourcequota/q",
         "quota-near-exhaustion=pass"},
        {"nothing is allowed on purpose",
         QUOTA("'services.loadbalancers':'0'", "'services.loadbalancers':'0'"), "resourcequota/q",
         "quota-near-exhaustion=none"},
        {"memory in other units", QUOTA("'limits.memory':'1Gi'", "'limits.memory':'1000Mi'"),
         "resourcequota/q", "quota-near-exhaustion=fail"},
        {"no status",
         "{'apiVersion':'v1','kind':'ResourceQuota','metadata':{'name':'q','namespace':'shop'},'"
         "spec':{'hard':{'pods':'10'}}}",
         "resourcequota/q", "quota-near-exhaustion=none"},
    };
    (void)state;
    ROWS(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(namespaces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

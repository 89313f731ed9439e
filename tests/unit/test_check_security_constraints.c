/* SecurityContextConstraints: what they allow, and to whom. */
#include "live.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define CONSTRAINTS(fields)                                                                        \
    "{'apiVersion':'security.openshift.io/v1','kind':'SecurityContextConstraints','metadata':{"    \
    "'name':'a'}," fields "}"
#define OPEN(expected) "securitycontextconstraints/a", "security-constraints-open=" expected
#define EVERYBODY      "'groups':['system:authenticated']"
#define RANGE          "'runAsUser':{'type':'MustRunAsRange'}"
#define ANY_USER       "'runAsUser':{'type':'RunAsAny'}"

static void constraints(void **state)
{
    static const struct judge_row rows[] = {
        {"restricted, as OpenShift 4.10 brings it",
         CONSTRAINTS("'allowPrivilegedContainer':false,'allowHostDirVolumePlugin':false,"
                     "'allowedCapabilities':null," RANGE ",'users':[]," EVERYBODY),
         OPEN("pass")},
        {"privileged, as OpenShift brings it",
         CONSTRAINTS("'allowPrivilegedContainer':true,'allowHostPID':true,"
                     "'allowedCapabilities':['*']," ANY_USER ",'users':['system:admin',"
                     "'system:serviceaccount:openshift-infra:build-controller'],"
                     "'groups':['system:cluster-admins','system:nodes','system:masters']"),
         OPEN("pass")},
        {"anyuid, as OpenShift brings it",
         CONSTRAINTS(ANY_USER ",'users':[],'groups':['system:cluster-admins']"), OPEN("pass")},
        {"privileged for everybody",
         CONSTRAINTS("'allowPrivilegedContainer':true," RANGE "," EVERYBODY), OPEN("fail")},
        {"anyuid for everybody", CONSTRAINTS(ANY_USER "," EVERYBODY), OPEN("fail")},
        {"for those who have no account",
         CONSTRAINTS(ANY_USER ",'groups':['system:unauthenticated']"), OPEN("fail")},
        {"for every service account",
         CONSTRAINTS("'allowHostPID':true," RANGE ",'groups':['x','system:serviceaccounts']"),
         OPEN("fail")},
        {"for the accounts of one namespace",
         CONSTRAINTS(ANY_USER ",'groups':['system:serviceaccounts:shop']"), OPEN("pass")},
        {"for a group of that name in part",
         CONSTRAINTS(ANY_USER ",'groups':['not-system:authenticated']"), OPEN("pass")},
        {"host network for everybody", CONSTRAINTS("'allowHostNetwork':true," RANGE "," EVERYBODY),
         OPEN("fail")},
        {"every capability for everybody",
         CONSTRAINTS("'allowedCapabilities':['*']," RANGE "," EVERYBODY), OPEN("fail")},
        {"a harmless capability for everybody",
         CONSTRAINTS("'allowedCapabilities':['NET_BIND_SERVICE']," RANGE "," EVERYBODY),
         OPEN("pass")},
        {"the default account of a namespace",
         CONSTRAINTS(ANY_USER ",'users':['system:serviceaccount:shop:default']"), OPEN("fail")},
        {"another account of it",
         CONSTRAINTS(ANY_USER ",'users':['system:serviceaccount:shop:db-default-x']"),
         OPEN("pass")},
        {"the default account, and nothing that matters",
         CONSTRAINTS(RANGE ",'users':['system:serviceaccount:shop:default']"), OPEN("pass")},
        {"of another API",
         "{'apiVersion':'example.com/v1','kind':'SecurityContextConstraints','metadata':{'name':"
         "'a'},'allowPrivilegedContainer':true," EVERYBODY "}" POD("'containers':[]"),
         OPEN("none")},
    };
    (void)state;
    ROWS(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constraints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

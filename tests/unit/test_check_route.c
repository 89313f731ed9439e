/* Routes of OpenShift and of the Gateway API, and Gateways. */
#include "live.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define META_SINCE(created)                                                                        \
    "'metadata':{'name':'a','namespace':'shop','uid':'u','creationTimestamp':'" created "'}"
#define META                                                                                       \
    "'metadata':{'name':'a','namespace':'shop','uid':'u','creationTimestamp':'2026-03-01T00:00:"   \
    "00Z'}"
#define ROUTE(spec, status)                                                                        \
    "{'apiVersion':'route.openshift.io/v1','kind':'Route'," META ",'spec':{" spec                  \
    "},'status':{" status "}}"
#define HTTPROUTE(spec, status)                                                                    \
    "{'apiVersion':'gateway.networking.k8s.io/v1','kind':'HTTPRoute'," META ",'spec':{" spec       \
    "},'status':{" status "}}"
#define GATEWAY(spec, status)                                                                      \
    "{'apiVersion':'gateway.networking.k8s.io/v1','kind':'Gateway'," META                          \
    ",'spec':{'gatewayClassName':'nginx'," spec "},'status':{" status "}}"
#define SERVICE(namespace, name)                                                                   \
    "{'apiVersion':'v1','kind':'Service','metadata':{'name':'" name                                \
    "','namespace':'" namespace "','uid':'s'},'spec':{}}"
#define WELL SERVICE("shop", "web")
#define IS(type, status, reason)                                                                   \
    "{'type':'" type "','status':'" status "','reason':'" reason "','message':'why'}"
#define ROUTER(conditions)  "'ingress':[{'routerName':'default','conditions':[" conditions "]}]"
#define PARENTS(conditions) "'parents':[{'parentRef':{'name':'gw'},'conditions':[" conditions "]}]"
#define TO(name)            "'to':{'kind':'Service','name':'" name "','weight':100}"
#define BACKEND(rest)       "'parentRefs':[{'name':'gw'}],'rules':[{'backendRefs':[{" rest "}]}]"

static void routes_are_accepted(void **state)
{
#define ACCEPTED(expected) "route/a", "route-not-accepted=" expected
    static const struct judge_row rows[] = {
        {"no router has spoken", ROUTE(TO("web"), ""), ACCEPTED("none")},
        {"admitted", ROUTE(TO("web"), ROUTER(IS("Admitted", "True", ""))), ACCEPTED("pass")},
        {"refused", ROUTE(TO("web"), ROUTER(IS("Admitted", "False", "HostAlreadyClaimed"))),
         ACCEPTED("fail")},
        {"a router that does not know", ROUTE(TO("web"), ROUTER(IS("Admitted", "Unknown", ""))),
         ACCEPTED("pass")},
        {"one router of two refuses",
         ROUTE(TO("web"),
               "'ingress':[{'conditions':[" IS(
                   "Admitted", "True", "") "]},"
                                           "{'conditions':[" IS("Admitted", "False", "x") "]}]"),
         ACCEPTED("fail")},
        {"no conditions", ROUTE(TO("web"), "'ingress':[{'routerName':'default'}]"),
         ACCEPTED("none")},
        {"of another API",
         "{'apiVersion':'example.com/v1','kind':'Route'," META
         ",'status':{" ROUTER(IS("Admitted", "False", "")) "}}" WELL,
         ACCEPTED("none")},
    };
#undef ACCEPTED
#define ACCEPTED(expected) "httproute/a", "route-not-accepted=" expected
    static const struct judge_row gateway_rows[] = {
        {"accepted, and its references resolved",
         HTTPROUTE(BACKEND("'name':'web'"),
                   PARENTS(IS("Accepted", "True", "") "," IS("ResolvedRefs", "True", ""))) WELL,
         ACCEPTED("pass")},
        {"refused",
         HTTPROUTE(BACKEND("'name':'web'"),
                   PARENTS(IS("Accepted", "False", "NotAllowedByListeners"))) WELL,
         ACCEPTED("fail")},
        {"a reference that is not permitted",
         HTTPROUTE(BACKEND("'name':'web'"), PARENTS(IS("Accepted", "True", "") "," IS(
                                                "ResolvedRefs", "False", "RefNotPermitted"))) WELL,
         ACCEPTED("fail")},
        {"a backend that is missing is told of elsewhere",
         HTTPROUTE(BACKEND("'name':'gone'"),
                   PARENTS(IS("ResolvedRefs", "False", "BackendNotFound"))) DEPLOYMENT("") WELL,
         "httproute/a", "route-not-accepted=pass route-backend-missing=fail"},
        {"and here, where nobody asked for Services",
         HTTPROUTE(BACKEND("'name':'gone'"),
                   PARENTS(IS("ResolvedRefs", "False", "BackendNotFound"))),
         "httproute/a", "route-not-accepted=fail route-backend-missing=none"},
        {"conditions of somebody's own",
         HTTPROUTE(BACKEND("'name':'web'"), PARENTS(IS("PartiallyInvalid", "False", ""))) WELL,
         ACCEPTED("pass")},
        {"no Gateway has taken it", HTTPROUTE(BACKEND("'name':'web'"), "'parents':[]") WELL,
         ACCEPTED("fail")},
        {"it is five minutes old",
         "{'apiVersion':'gateway.networking.k8s.io/v1','kind':'HTTPRoute'," META_SINCE(
             "2026-03-17T11:55:00Z") ",'spec':{" BACKEND("'name':'web'") "}}" WELL,
         ACCEPTED("none")},
        {"it is a manifest",
         "{'apiVersion':'gateway.networking.k8s.io/v1','kind':'HTTPRoute','metadata':{'name':'a',"
         "'namespace':'shop'},'spec':{" BACKEND("'name':'web'") "}}" WELL,
         ACCEPTED("none")},
        {"it is of a mesh",
         HTTPROUTE("'parentRefs':[{'kind':'Service','name':'web'}]", "'parents':[]") WELL,
         ACCEPTED("none")},
    };
#undef ACCEPTED
    (void)state;
    ROWS(rows);
    ROWS(gateway_rows);
}

static void backends_exist(void **state)
{
#define BACKENDS(expected) "route/a", "route-backend-missing=" expected
    static const struct judge_row rows[] = {
        {"it exists", ROUTE(TO("web"), "") WELL, BACKENDS("pass")},
        {"it does not", ROUTE(TO("gone"), "") WELL, BACKENDS("fail")},
        {"nobody asked for Services", ROUTE(TO("gone"), ""), BACKENDS("none")},
        {"one of several does not",
         ROUTE(TO("web") ",'alternateBackends':[{'kind':'Service','name':'gone','weight':1}]", "")
             WELL,
         BACKENDS("fail")},
        {"it exists elsewhere only", ROUTE(TO("web"), "") SERVICE("mall", "web"), BACKENDS("fail")},
        {"it leads nowhere", ROUTE("'host':'a.example'", "") WELL, BACKENDS("none")},
    };
#undef BACKENDS
#define BACKENDS(expected) "httproute/a", "route-backend-missing=" expected
    static const struct judge_row gateway_rows[] = {
        {"it exists", HTTPROUTE(BACKEND("'name':'web','port':80"), "") WELL, BACKENDS("pass")},
        {"it does not", HTTPROUTE(BACKEND("'name':'gone','port':80"), "") WELL, BACKENDS("fail")},
        {"it is of another namespace",
         HTTPROUTE(BACKEND("'name':'web','namespace':'mall'"), "") SERVICE("mall", "web"),
         BACKENDS("pass")},
        {"it is missing in another namespace",
         HTTPROUTE(BACKEND("'name':'gone','namespace':'mall'"), "") SERVICE("mall", "web"),
         BACKENDS("fail")},
        {"that namespace is not shown",
         HTTPROUTE(BACKEND("'name':'gone','namespace':'mall'"), "") WELL, BACKENDS("none")},
        {"it is no Service",
         HTTPROUTE(BACKEND("'name':'gone','kind':'ServiceImport',"
                           "'group':'multicluster.x-k8s.io'"),
                   "") WELL,
         BACKENDS("none")},
        {"a redirect has none", HTTPROUTE("'rules':[{'filters':[{}]}]", "") WELL, BACKENDS("none")},
    };
#undef BACKENDS
    (void)state;
    ROWS(rows);
    ROWS(gateway_rows);
}

static void routes_encrypt(void **state)
{
#define TLS(expected) "route/a", "route-no-tls=" expected
    static const struct judge_row rows[] = {
        {"in the clear", ROUTE(TO("web"), ""), TLS("fail")},
        {"edge", ROUTE(TO("web") ",'tls':{'termination':'edge'}", ""), TLS("pass")},
        {"passthrough", ROUTE(TO("web") ",'tls':{'termination':'passthrough'}", ""), TLS("pass")},
        {"tls of no kind", ROUTE(TO("web") ",'tls':null", ""), TLS("fail")},
        {"an HTTPRoute leaves that to its Gateway", HTTPROUTE(BACKEND("'name':'web'"), ""),
         "httproute/a", "route-no-tls=none"},
    };
#undef TLS
    (void)state;
    ROWS(rows);
}

#define LISTENER(name, protocol, rest)                                                             \
    "{'name':'" name "','protocol':'" protocol "','port':80" rest "}"
#define FROM(who)              ",'allowedRoutes':{'namespaces':{'from':'" who "'}}"
#define CONDITIONS(conditions) "'conditions':[" conditions "]"

static void gateways_are_programmed(void **state)
{
#define PROGRAMMED(expected) "gateway/a", "gateway-not-programmed=" expected
#define TRUE_TRUE            CONDITIONS(IS("Accepted", "True", "") "," IS("Programmed", "True", ""))
    static const struct judge_row rows[] = {
        {"nothing said", GATEWAY("'listeners':[]", ""), PROGRAMMED("none")},
        {"all is well", GATEWAY("'listeners':[]", TRUE_TRUE), PROGRAMMED("pass")},
        {"not accepted",
         GATEWAY("'listeners':[]", CONDITIONS(IS("Accepted", "False", "InvalidParameters"))),
         PROGRAMMED("fail")},
        {"not programmed",
         GATEWAY("'listeners':[]", CONDITIONS(IS("Accepted", "True", "") "," IS(
                                       "Programmed", "False", "AddressNotAssigned"))),
         PROGRAMMED("fail")},
        {"as the API server makes it, and nobody has come",
         GATEWAY("'listeners':[]", CONDITIONS(IS("Accepted", "Unknown", "Pending") "," IS(
                                       "Programmed", "Unknown", "Pending"))),
         PROGRAMMED("fail")},
        {"the same, a minute old",
         "{'apiVersion':'gateway.networking.k8s.io/v1','kind':'Gateway'," META_SINCE(
             "2026-03-17T11:59:00Z") ",'spec':{},'status':{" CONDITIONS(IS("Programmed", "Unknown",
                                                                           "Pending")) "}}",
         PROGRAMMED("none")},
        {"a listener without its certificate",
         GATEWAY("'listeners':[]", TRUE_TRUE ",'listeners':[{'name':'https','conditions':[" IS(
                                       "ResolvedRefs", "False", "InvalidCertificateRef") "]}]"),
         PROGRAMMED("fail")},
        {"listeners in conflict",
         GATEWAY("'listeners':[]", TRUE_TRUE ",'listeners':[{'name':'https','conditions':[" IS(
                                       "Conflicted", "True", "HostnameConflict") "]}]"),
         PROGRAMMED("fail")},
        {"listeners that are well",
         GATEWAY("'listeners':[]",
                 TRUE_TRUE ",'listeners':[{'name':'https','conditions':[" IS(
                     "Conflicted", "False", "") "," IS("Programmed", "True", "") "]}]"),
         PROGRAMMED("pass")},
        {"of Istio",
         "{'apiVersion':'networking.istio.io/v1','kind':'Gateway'," META
         ",'status':{" CONDITIONS(IS("Accepted", "False", "")) "}}" WELL,
         PROGRAMMED("none")},
    };
#undef PROGRAMMED
    (void)state;
    ROWS(rows);
}

static void gateways_encrypt_and_keep_apart(void **state)
{
    static const struct judge_row rows[] = {
        {"HTTP only", GATEWAY("'listeners':[" LISTENER("http", "HTTP", "") "]", ""), "gateway/a",
         "gateway-no-tls=fail gateway-open=pass"},
        {"HTTP and HTTPS",
         GATEWAY(
             "'listeners':[" LISTENER("http", "HTTP", "") "," LISTENER("https", "HTTPS", "") "]",
             ""),
         "gateway/a", "gateway-no-tls=pass"},
        {"TLS", GATEWAY("'listeners':[" LISTENER("tls", "TLS", "") "]", ""), "gateway/a",
         "gateway-no-tls=pass"},
        {"TCP may be anything", GATEWAY("'listeners':[" LISTENER("tcp", "TCP", "") "]", ""),
         "gateway/a", "gateway-no-tls=none"},
        {"no listeners", GATEWAY("'listeners':[]", ""), "gateway/a",
         "gateway-no-tls=none gateway-open=none"},
        {"open to every namespace",
         GATEWAY("'listeners':[" LISTENER("https", "HTTPS", FROM("All")) "]", ""), "gateway/a",
         "gateway-open=fail"},
        {"one listener of two",
         GATEWAY("'listeners':[" LISTENER("https", "HTTPS", FROM("Same")) "," LISTENER(
                     "http", "HTTP", FROM("All")) "]",
                 ""),
         "gateway/a", "gateway-open=fail"},
        {"by selector",
         GATEWAY("'listeners':[" LISTENER("https", "HTTPS", FROM("Selector")) "]", ""), "gateway/a",
         "gateway-open=pass"},
    };
    (void)state;
    ROWS(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(routes_are_accepted),
        cmocka_unit_test(backends_exist),
        cmocka_unit_test(routes_encrypt),
        cmocka_unit_test(gateways_are_programmed),
        cmocka_unit_test(gateways_encrypt_and_keep_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Ingresses: hosts without a certificate, snippets of configuration; and the controller that has
 * retired. */
#include "live.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define INGRESS(annotations, spec)                                                                 \
    "{'apiVersion':'networking.k8s.io/v1','kind':'Ingress','metadata':{'name':'a','namespace':"    \
    "'shop','annotations':{" annotations "}},'spec':{" spec "}}"
#define RULES(host)    "'rules':[{'host':'" host "'}]"
#define TLS(entries)   ",'tls':[" entries "]"
#define ENTRY(hosts)   "{'secretName':'t','hosts':[" hosts "]}"
#define OF_CLASS(name) ",'ingressClassName':'" name "'"

static void hosts_and_certificates(void **state)
{
#define UNCOVERED(expected) "ingress/a", "ingress-tls-host-uncovered=" expected
    static const struct judge_row rows[] = {
        {"no tls at all is another matter", INGRESS("", RULES("a.example")), UNCOVERED("none")},
        {"the very host", INGRESS("", RULES("a.example") TLS(ENTRY("'a.example'"))),
         UNCOVERED("pass")},
        {"in other letters", INGRESS("", RULES("A.example") TLS(ENTRY("'a.EXAMPLE'"))),
         UNCOVERED("pass")},
        {"another host", INGRESS("", RULES("b.example") TLS(ENTRY("'a.example'"))),
         UNCOVERED("fail")},
        {"in the second entry",
         INGRESS("", RULES("b.example") TLS(ENTRY("'a.example'") "," ENTRY("'c','b.example'"))),
         UNCOVERED("pass")},
        {"a wildcard", INGRESS("", RULES("a.shop.example") TLS(ENTRY("'*.shop.example'"))),
         UNCOVERED("pass")},
        {"a wildcard is one label", INGRESS("", RULES("a.b.example") TLS(ENTRY("'*.example'"))),
         UNCOVERED("fail")},
        {"a wildcard is not the name itself",
         INGRESS("", RULES("example.com") TLS(ENTRY("'*.example.com'"))), UNCOVERED("fail")},
        {"the wildcard itself", INGRESS("", RULES("*.example") TLS(ENTRY("'*.example'"))),
         UNCOVERED("pass")},
        {"an entry for all", INGRESS("", RULES("a.example") TLS("{'secretName':'t'}")),
         UNCOVERED("pass")},
        {"one of two hosts",
         INGRESS("",
                 "'rules':[{'host':'a.example'},{'host':'b.example'}]" TLS(ENTRY("'a.example'"))),
         UNCOVERED("fail")},
        {"a rule for every host", INGRESS("", "'rules':[{}]" TLS(ENTRY("'a.example'"))),
         UNCOVERED("none")},
        {"a controller that goes by the certificates",
         INGRESS("", RULES("b.example") TLS(ENTRY("'a.example'")) OF_CLASS("alb")),
         UNCOVERED("none")},
        {"nginx, by its annotation",
         INGRESS("'kubernetes.io/ingress.class':'nginx-internal'",
                 RULES("b.example") TLS(ENTRY("'a.example'"))),
         UNCOVERED("fail")},
        {"Traefik, by its annotation",
         INGRESS("'kubernetes.io/ingress.class':'traefik'",
                 RULES("b.example") TLS(ENTRY("'a.example'"))),
         UNCOVERED("none")},
    };
#undef UNCOVERED
    (void)state;
    ROWS(rows);
}

static void snippets(void **state)
{
#define SNIPPET(expected) "ingress/a", "ingress-snippet=" expected
    static const struct judge_row rows[] = {
        {"no annotation", INGRESS("", ""), SNIPPET("pass")},
        {"another one", INGRESS("'nginx.ingress.kubernetes.io/rewrite-target':'/'", ""),
         SNIPPET("pass")},
        {"of a location",
         INGRESS("'nginx.ingress.kubernetes.io/configuration-snippet':'more_set_headers x;'", ""),
         SNIPPET("fail")},
        {"of a server", INGRESS("'nginx.ingress.kubernetes.io/server-snippet':'x;'", ""),
         SNIPPET("fail")},
        {"an empty one", INGRESS("'nginx.ingress.kubernetes.io/server-snippet':''", ""),
         SNIPPET("pass")},
        {"with another prefix", INGRESS("'example.com/server-snippet':'x'", ""), SNIPPET("pass")},
        {"of NGINX's own controller", INGRESS("'nginx.org/server-snippets':'x;'", ""),
         SNIPPET("fail")},
    };
#undef SNIPPET
    (void)state;
    ROWS(rows);
}

#define RUNS(image) DEPLOYMENT("'containers':[{'name':'c','image':'" image "'}]")

static void retired(void **state)
{
#define RETIRED(expected) "deployment/a", "ingress-nginx-retired=" expected
    static const struct judge_row rows[] = {
        {"the project's image", RUNS("registry.k8s.io/ingress-nginx/controller:v1.11.2@sha256:0"),
         RETIRED("fail")},
        {"from a mirror", RUNS("mirror.example/k8s/ingress-nginx/controller:v1.9.4"),
         RETIRED("fail")},
        {"the old name",
         RUNS("quay.io/kubernetes-ingress-controller/nginx-ingress-controller:0.30.0"),
         RETIRED("fail")},
        {"NGINX's own controller", RUNS("nginx/nginx-ingress:3.7"), RETIRED("none")},
        {"one that others maintain", RUNS("rancher/nginx-ingress-controller:v1.12"),
         RETIRED("none")},
        {"a name that only ends alike", RUNS("x/my-ingress-nginx/controller:1"), RETIRED("none")},
        {"its webhook's job", RUNS("registry.k8s.io/ingress-nginx/kube-webhook-certgen:v1.4.3"),
         RETIRED("none")},
    };
#undef RETIRED
    (void)state;
    ROWS(rows);
}

static enum verdict verdict_at(const char *time, enum severity *severity)
{
    struct judgement judgement =
        judgement_open(RUNS("registry.k8s.io/ingress-nginx/controller:v1.11.2"), NULL);
    struct score_policy policy = score_policy_default();
    policy.all_namespaces = true;
    judgement.ledger =
        score(judgement.arena, judgement.cluster, &policy, clock_parse(str_of(time)));
    const struct risk *risk = judgement_risk(&judgement, "ingress-nginx-retired", "deployment/a");
    *severity = risk ? risk->severity : SEVERITY_COUNT;
    enum verdict verdict = judgement_verdict(&judgement, "ingress-nginx-retired", "deployment/a");
    judgement_close(&judgement);
    return verdict;
}

static void it_retired_in_march_2026(void **state)
{
    (void)state;
    enum severity severity;
    assert_int_equal(verdict_at("2025-11-10T23:59:59Z", &severity), PASSED);
    assert_int_equal(verdict_at("2025-11-11T00:00:00Z", &severity), FAILED);
    assert_int_equal(severity, SEVERITY_LOW);
    assert_int_equal(verdict_at("2026-03-31T23:59:59Z", &severity), FAILED);
    assert_int_equal(severity, SEVERITY_LOW);
    assert_int_equal(verdict_at("2026-04-01T00:00:00Z", &severity), FAILED);
    assert_int_equal(severity, SEVERITY_MEDIUM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hosts_and_certificates),
        cmocka_unit_test(snippets),
        cmocka_unit_test(retired),
        cmocka_unit_test(it_retired_in_march_2026),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

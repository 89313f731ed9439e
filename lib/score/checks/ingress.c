/* Ingresses: where they lead, what they encrypt, which hosts they claim. */
#include "kube/selector.h"
#include "score/completeness.h"
#include "score/checks.h"
#include "score/hosts.h"
#include "score/index.h"

/* ---- backends ---- */

typedef enum verdict backend_test(struct check_context *context, const struct ingress *ingress,
                                  const struct ingress_backend *backend);

/* "use-annotation": the AWS controller then takes the name for an action, not for a Service. */
static bool names_service(const struct ingress_backend *backend)
{
    return !backend->resource && backend->service.n &&
           !str_eq(backend->port, STR("use-annotation"));
}

/* The worst of the verdicts on all backends that name a Service. */
static enum verdict walk_backends(struct check_context *context, const struct ingress *ingress,
                                  backend_test *test)
{
    const struct ingress_rule *rule;
    const struct ingress_path *path;
    enum verdict worst = NOT_EVALUATED, one;
    if (ingress->default_backend && names_service(ingress->default_backend))
        worst = test(context, ingress, ingress->default_backend);
    LIST_EACH (rule, ingress->rules)
        LIST_EACH (path, rule->paths) {
            if (!names_service(&path->backend))
                continue;
            one = test(context, ingress, &path->backend);
            worst = one > worst ? one : worst;
        }
    return worst;
}

static const struct service *service_of(struct check_context *context,
                                        const struct ingress *ingress,
                                        const struct ingress_backend *backend)
{
    return (const struct service *)index_object(context->index, KIND_SERVICE,
                                                ingress->object.meta.namespace, backend->service);
}

static enum verdict backend_exists(struct check_context *context, const struct ingress *ingress,
                                   const struct ingress_backend *backend)
{
    if (service_of(context, ingress, backend))
        return PASSED;
    return fail(context, NO_CONTAINER,
                "Its backend is Service \"%" STR_FMT "\", which does not exist.",
                STR_ARG(backend->service));
}

enum verdict check_ingress_backend_missing(struct check_context *context,
                                           const struct ingress *ingress)
{
    if (!completeness_covers(context, KIND_SERVICE))
        return NOT_EVALUATED;
    return walk_backends(context, ingress, backend_exists);
}

static enum verdict backend_has_port(struct check_context *context, const struct ingress *ingress,
                                     const struct ingress_backend *backend)
{
    const struct service *service = service_of(context, ingress, backend);
    const struct service_port *port;
    int64_t number = NUMBER_ABSENT;
    if (!service || service->object.summary || !backend->port.n ||
        str_eq(service->type, STR("ExternalName")))
        return NOT_EVALUATED;
    str_to_i64(backend->port, &number);
    check_spend(context, EFFORT_search, service->ports.n);
    LIST_EACH (port, service->ports)
        if (str_eq(port->name, backend->port) || (number != NUMBER_ABSENT && port->port == number))
            return PASSED;
    return fail(context, NO_CONTAINER,
                "Its backend is port %" STR_FMT " of Service \"%" STR_FMT
                "\", which has no such port.",
                STR_ARG(backend->port), STR_ARG(backend->service));
}

enum verdict check_ingress_backend_port_missing(struct check_context *context,
                                                const struct ingress *ingress)
{
    return walk_backends(context, ingress, backend_has_port);
}

/* ---- encryption ---- */

/* Controllers that take the certificate from elsewhere than spec.tls are told so here. */
static const char *const certificate_annotations[] = {
    "alb.ingress.kubernetes.io/certificate-arn",
    "networking.gke.io/managed-certificates",
    "networking.gke.io/certmap",
    "ingress.gcp.kubernetes.io/pre-shared-cert",
    "appgw.ingress.kubernetes.io/appgw-ssl-certificate",
    "traefik.ingress.kubernetes.io/router.tls",
};

/* cert-manager then makes the Secret; what else it is told of the certificate says so too. */
static bool is_issued(const struct ingress *ingress)
{
    static const struct str starts[] = {STR("cert-manager.io/"), STR("acme.cert-manager.io/"),
                                        STR("certmanager.k8s.io/"), STR("kubernetes.io/tls-acme")};
    const struct pair *annotation;
    LIST_EACH (annotation, ingress->object.meta.annotations)
        for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
            if (str_has_prefix(annotation->key, starts[i]) && annotation->value.n &&
                !str_eq(annotation->value, STR("false")))
                return true;
    return false;
}

static bool has_any(const struct ingress *ingress, const char *const *keys, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct str value = pair_value(ingress->object.meta.annotations, str_of(keys[i]));
        if (value.n && !str_eq(value, STR("false")))
            return true;
    }
    return false;
}

#define HAS_ANY(ingress, keys) has_any((ingress), (keys), sizeof(keys) / sizeof *(keys))

enum verdict check_ingress_no_tls(struct check_context *context, const struct ingress *ingress)
{
    if (ingress->object.summary)
        return NOT_EVALUATED;
    if (ingress->tls.n || HAS_ANY(ingress, certificate_annotations))
        return PASSED;
    struct str host = ingress->rules.n ? ingress->rules.items[0].host : NO_CONTAINER;
    return fail(context, NO_CONTAINER, "It has no tls entry: %" STR_FMT " is served in the clear.",
                STR_ARG(host.n ? host : STR("every host")));
}

static bool is_certificate(const struct check_context *context, const struct config_map *secret)
{
    bool certificate = false, key = false;
    const struct str *name;
    check_spend(context, EFFORT_search, secret->keys.n);
    LIST_EACH (name, secret->keys) {
        certificate |= str_eq(*name, STR("tls.crt"));
        key |= str_eq(*name, STR("tls.key"));
    }
    if (!secret->type.n && !secret->keys.n)
        return true; /* nobody knows what it is */
    return str_eq(secret->type, STR("kubernetes.io/tls")) || (certificate && key);
}

enum verdict check_ingress_tls_secret_missing(struct check_context *context,
                                              const struct ingress *ingress)
{
    const struct ingress_tls *tls;
    enum verdict verdict = NOT_EVALUATED;
    if (is_issued(ingress))
        return NOT_EVALUATED;
    LIST_EACH (tls, ingress->tls) {
        if (!tls->secret_name.n || str_has(tls->secret_name, STR("/")))
            continue;
        const struct config_map *secret = (const struct config_map *)index_object(
            context->index, KIND_SECRET, ingress->object.meta.namespace, tls->secret_name);
        if (!secret)
            verdict = fail(context, NO_CONTAINER,
                           "Its certificate Secret \"%" STR_FMT "\" does not exist.",
                           STR_ARG(tls->secret_name));
        else if (!is_certificate(context, secret))
            verdict = fail(context, NO_CONTAINER,
                           "Its certificate Secret \"%" STR_FMT "\" is of type %" STR_FMT
                           ", not kubernetes.io/tls.",
                           STR_ARG(tls->secret_name),
                           STR_ARG(secret->type.n ? secret->type : STR("Opaque")));
        else if (verdict == NOT_EVALUATED)
            verdict = PASSED;
    }
    return verdict;
}

/* ---- hosts ---- */

enum verdict check_ingress_host_conflict(struct check_context *context,
                                         const struct ingress *ingress)
{
    const struct ingress_rule *rule;
    const struct ingress_path *path;
    enum verdict verdict = NOT_EVALUATED;
    LIST_EACH (rule, ingress->rules)
        LIST_EACH (path, rule->paths) {
            const struct ingress *rival = hosts_rival(context, ingress, rule, path);
            if (verdict == NOT_EVALUATED)
                verdict = PASSED;
            if (!rival)
                continue;
            verdict = fail(context, NO_CONTAINER,
                           "Ingress %" STR_FMT "/%" STR_FMT " claims %" STR_FMT "%" STR_FMT " too.",
                           STR_ARG(rival->object.meta.namespace), STR_ARG(rival->object.meta.name),
                           STR_ARG(rule->host.n ? rule->host : STR("every host, ")),
                           STR_ARG(path->path.n ? path->path : STR("/")));
        }
    return verdict;
}

enum verdict check_ingress_wildcard_host(struct check_context *context,
                                         const struct ingress *ingress)
{
    const struct ingress_rule *rule;
    enum verdict verdict = ingress->rules.n ? PASSED : NOT_EVALUATED;
    LIST_EACH (rule, ingress->rules) {
        if (!rule->host.n)
            verdict =
                fail(context, NO_CONTAINER, "A rule without host takes the traffic of every host.");
        else if (str_has(rule->host, STR("*")))
            verdict = fail(context, NO_CONTAINER, "A rule takes every host of %" STR_FMT ".",
                           STR_ARG(rule->host));
    }
    return verdict;
}

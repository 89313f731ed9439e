/* Whether the certificates of an ingress are for the hosts that it serves. */
#include "kube/containers.h"
#include "score/checks.h"

/* Controllers that go by tls.hosts; others go by what the certificate itself says, or by
 * annotations. No class: the default one, mostly nginx. */
static bool goes_by_hosts(struct str class)
{
    static const char *const classes[] = {"nginx", "haproxy", "contour", "kong"};
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (str_has(class, str_of(classes[i])))
            return true;
    return !class.n;
}

/* A certificate of *.shop.example is one of a.shop.example, and of no deeper name (RFC 6125). */
static bool covers(struct str pattern, struct str host)
{
    struct str rest;
    if (str_eq_nocase(pattern, host))
        return true;
    if (!str_has_prefix(pattern, STR("*.")) || !str_cut(host, '.', NULL, &rest))
        return false;
    return str_eq_nocase(str_sub(pattern, 2, pattern.n), rest);
}

static bool is_covered(const struct check_context *context, const struct ingress *ingress,
                       struct str host)
{
    const struct ingress_tls *tls;
    const struct str *pattern;
    uint32_t searched = 0;
    check_spend(context, EFFORT_search, 4 * (uint64_t)ingress->tls.n);
    LIST_EACH (tls, ingress->tls)
        LIST_EACH (pattern, tls->hosts)
            if (covers(*pattern, host) || ++searched >= SEARCHED_MAX)
                return true;
    return false;
}

/* An entry without hosts is for all that the controller serves (k8s.io/api/networking/v1,
 * IngressTLS). */
static bool is_for_all(const struct ingress *ingress)
{
    const struct ingress_tls *tls;
    LIST_EACH (tls, ingress->tls)
        if (!tls->hosts.n)
            return true;
    return false;
}

enum verdict check_ingress_tls_host_uncovered(struct check_context *context,
                                              const struct ingress *ingress)
{
    const struct ingress_rule *rule;
    enum verdict verdict = NOT_EVALUATED;
    if (!ingress->tls.n || !goes_by_hosts(ingress->class_name))
        return NOT_EVALUATED;
    if (is_for_all(ingress))
        return PASSED;
    LIST_EACH (rule, ingress->rules) {
        if (!rule->host.n)
            continue;
        if (!is_covered(context, ingress, rule->host))
            verdict = fail(context, NO_CONTAINER,
                           "Host %" STR_FMT " is in none of its tls entries: it gets no "
                           "certificate of its own.",
                           STR_ARG(rule->host));
        else if (verdict == NOT_EVALUATED)
            verdict = PASSED;
    }
    return verdict;
}

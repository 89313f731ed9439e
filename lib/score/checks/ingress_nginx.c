/* The ingress-nginx controller: what its annotations let people do, and that it has retired. */
#include "kube/image_ref.h"
#include "kube/containers.h"
#include "kube/selector.h"
#include "score/checks.h"
#include "score/state.h"

/* ---- ingress-snippet ---- */

/* Their values become configuration of nginx, which reads the Secrets of every namespace:
 * CVE-2021-25742 (kubernetes/ingress-nginx issue 7837), and the same of NGINX's own controller. */
static const char *const snippets[] = {
    "nginx.ingress.kubernetes.io/configuration-snippet",
    "nginx.ingress.kubernetes.io/server-snippet",
    "nginx.ingress.kubernetes.io/stream-snippet",
    "nginx.ingress.kubernetes.io/auth-snippet",
    "nginx.ingress.kubernetes.io/modsecurity-snippet",
    "nginx.org/location-snippets",
    "nginx.org/server-snippets",
};

enum verdict check_ingress_snippet(struct check_context *context, const struct ingress *ingress)
{
    enum verdict verdict = ingress->object.summary ? NOT_EVALUATED : PASSED;
    for (size_t i = 0; i < sizeof snippets / sizeof *snippets; i++)
        if (pair_value(ingress->object.meta.annotations, str_of(snippets[i])).n)
            verdict = fail(context, NO_CONTAINER,
                           "The annotation %s writes configuration into nginx, which reads the "
                           "Secrets of every namespace.",
                           snippets[i]);
    return verdict;
}

/* ---- ingress-nginx-retired ---- */

/* kubernetes.io/blog/2025/11/11/ingress-nginx-retirement: no release after March 2026, not for
 * security either. */
#define ANNOUNCED "2025-11-11T00:00:00Z"
#define RETIRED   "2026-04-01T00:00:00Z"

/* Of the project itself or a mirror; builds that others maintain have other names. */
static bool is_ingress_nginx(struct str image)
{
    static const char *const repositories[] = {
        "ingress-nginx/controller", "ingress-nginx/controller-chroot",
        "kubernetes-ingress-controller/nginx-ingress-controller"};
    if (!str_has(image, STR("ingress")))
        return false;
    struct str repository = image_parse(image).repository;
    for (size_t i = 0; i < sizeof repositories / sizeof *repositories; i++) {
        struct str name = str_of(repositories[i]);
        if (str_has_suffix(repository, name) &&
            (repository.n == name.n || repository.p[repository.n - name.n - 1] == '/'))
            return true;
    }
    return false;
}

static const struct container *controller_of(const struct workload *workload)
{
    const struct container *container;
    if (workload->spec)
        LIST_EACH (container, workload->spec->containers)
            if (is_ingress_nginx(container->image))
                return container;
    return NULL;
}

static bool has_come(const struct check_context *context, struct str day)
{
    return age_exceeds(context, clock_parse(day) - 1, 0);
}

enum verdict check_ingress_nginx_retired(struct check_context *context,
                                         const struct workload *workload)
{
    const struct container *container = controller_of(workload);
    if (!container)
        return NOT_EVALUATED;
    if (!has_come(context, STR(ANNOUNCED)))
        return PASSED;
    bool retired = has_come(context, STR(RETIRED));
    return fail_as(context, retired ? context->check->severity : SEVERITY_LOW, container->name,
                   "It runs ingress-nginx, %s.",
                   retired ? "which has had no security fixes since March 2026"
                           : "which gets no security fixes from April 2026 on");
}

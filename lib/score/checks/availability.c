/* Availability of workloads: replicas, where they run, and how they are replaced. */
#include "kube/quantity.h"
#include "kube/selector.h"
#include "score/completeness.h"
#include "score/around.h"
#include "score/checks.h"
#include "score/state.h"
#include "score/view.h"
#include "score/walk.h"

/* ---- replicas ---- */

/* The pods that it made itself belong to it too. */
static bool has_ended(const struct workload *workload)
{
    struct pod **pod;
    LIST_EACH (pod, workload->pods)
        if (str_eq((*pod)->object.meta.name, workload->object.meta.name))
            return pod_has_ended(*pod);
    return false;
}

/* Static pods are kept by their kubelet. Pods that have done their work are not asked. */
enum verdict check_naked_pod(struct check_context *context, const struct workload *workload)
{
    const struct owner_reference *owner;
    if (workload->object.summary || has_ended(workload))
        return NOT_EVALUATED;
    if (pair_has(workload->object.meta.annotations, STR("kubernetes.io/config.mirror")))
        return PASSED;
    LIST_EACH (owner, workload->object.meta.owners)
        if (owner->controller == TRI_TRUE || str_eq(owner->kind, STR("Node")))
            return PASSED;
    return fail(context, NO_CONTAINER,
                "No controller stands behind the pod: when its node fails it is gone.");
}

/* What is scaled to zero on purpose is scaled-to-zero's business. */
enum verdict check_single_replica(struct check_context *context, const struct workload *workload)
{
    int64_t replicas = wanted_replicas(workload);
    int64_t minimum = context->around->minimum;
    if (!is_known(workload) || replicas < 1)
        return NOT_EVALUATED;
    if (minimum >= 2 || replicas >= 2)
        return PASSED;
    if (minimum == NUMBER_ABSENT)
        return fail(context, NO_CONTAINER,
                    "One replica runs: every restart, update or drain stops the service.");
    return fail(context, NO_CONTAINER, "One replica runs, and its autoscaler may leave it at %lld.",
                (long long)minimum);
}

enum verdict check_scaled_to_zero(struct check_context *context, const struct workload *workload)
{
    if (!is_known(workload) || context->around->may_rest)
        return NOT_EVALUATED;
    if (wanted_replicas(workload) != 0)
        return PASSED;
    return fail(context, NO_CONTAINER, "The %" STR_FMT " is scaled to zero and does nothing.",
                STR_ARG(workload->object.kind_name));
}

/* ---- where pods run ---- */

static bool spreads_pods(struct str topology_key)
{
    return str_eq(topology_key, STR("kubernetes.io/hostname")) ||
           str_has_suffix(topology_key, STR("/zone")) ||
           str_has_suffix(topology_key, STR("/region"));
}

/* Some programs label their own pods as they start, so what the template lacks may be there. */
static bool selects_own_pods(const struct check_context *context,
                             const struct label_selector *selector, const struct workload *workload)
{
    struct pod **pod;
    if (selector_matches(selector, workload->template_labels))
        return true;
    LIST_EACH (pod, workload->pods) {
        if (pod_has_ended(*pod))
            continue;
        pair_list labels = (*pod)->object.meta.labels;
        check_spend(context, EFFORT_labels, selector_steps(selector, labels));
        if (selector_matches(selector, labels))
            return true;
    }
    return false;
}

/* A term looks at its own namespace unless it names others. Labels of a namespace that is not in
 * the snapshot may match. */
static bool looks_at_own_namespace(struct check_context *context,
                                   const struct pod_affinity_term *term,
                                   const struct workload *workload)
{
    struct str own = workload->object.meta.namespace;
    const struct namespace *namespace = context->around->namespace;
    if (!term->namespaces.n && !term->namespace_selector)
        return true;
    if (str_list_has(term->namespaces, own))
        return true;
    return term->namespace_selector &&
           (!namespace ||
            selector_matches(term->namespace_selector, namespace->object.meta.labels));
}

static bool is_spread(struct check_context *context, const struct workload *workload)
{
    const struct pod_affinity_term *term;
    const struct topology_spread *spread;
    LIST_EACH (term, workload->spec->anti_affinity)
        if (spreads_pods(term->topology_key) &&
            selects_own_pods(context, term->selector, workload) &&
            looks_at_own_namespace(context, term, workload))
            return true;
    LIST_EACH (spread, workload->spec->topology_spread)
        if (spreads_pods(spread->topology_key) &&
            selects_own_pods(context, spread->selector, workload))
            return true;
    return false;
}

enum verdict check_no_pod_spread(struct check_context *context, const struct workload *workload)
{
    int64_t replicas = lasting_replicas(workload, context->around->minimum);
    if (!is_known(workload) || !template_of(workload) || replicas < 2)
        return NOT_EVALUATED;
    if (is_spread(context, workload))
        return PASSED;
    return fail(context, NO_CONTAINER,
                "The %lld replicas may all run on one node: neither podAntiAffinity nor "
                "topologySpreadConstraints keeps them apart.",
                (long long)replicas);
}

static const char *what_is_wrong(const struct topology_spread *spread, pair_list labels)
{
    if (!spread->topology_key.n)
        return "has no topologyKey";
    if (spread->max_skew < 1)
        return "has a maxSkew below 1";
    if (spread->min_domains != NUMBER_ABSENT && spread->min_domains < 1)
        return "has minDomains below 1";
    if (!str_eq(spread->when_unsatisfiable, STR("DoNotSchedule")) &&
        !str_eq(spread->when_unsatisfiable, STR("ScheduleAnyway")))
        return "has an unknown whenUnsatisfiable";
    if (!spread->selector)
        return "has no labelSelector, so that it counts no pod";
    if (!selector_matches(spread->selector, labels))
        return "has a labelSelector that misses the pods themselves";
    return NULL;
}

enum verdict check_topology_spread_invalid(struct check_context *context,
                                           const struct workload *workload)
{
    const struct pod_spec *spec = template_of(workload);
    const struct topology_spread *spread;
    enum verdict verdict = PASSED;
    if (!spec)
        return NOT_EVALUATED;
    LIST_EACH (spread, spec->topology_spread) {
        const char *wrong = what_is_wrong(spread, workload->template_labels);
        if (wrong)
            verdict = fail(
                context, NO_CONTAINER, "The topologySpreadConstraint on %" STR_FMT " %s.",
                STR_ARG(spread->topology_key.n ? spread->topology_key : STR("nothing")), wrong);
    }
    return verdict;
}

/* ---- how pods are replaced ---- */

/* maxUnavailable of a Deployment that lets all replicas go at once. */
static bool may_lose_all(const struct check_context *context, const struct workload *workload)
{
    int64_t replicas = lasting_replicas(workload, context->around->minimum), unavailable;
    bool is_percent = str_has_suffix(workload->max_unavailable, STR("%"));
    if (!int_or_percent(workload->max_unavailable, is_percent ? 100 : replicas, false,
                        &unavailable))
        return false;
    return is_percent ? unavailable >= 100 : replicas >= 2 && unavailable >= replicas;
}

static enum verdict test_deployment_strategy(struct check_context *context,
                                             const struct workload *workload)
{
    const struct around *around = context->around;
    bool recreates = str_eq(workload->strategy, STR("Recreate"));
    if (recreates && around->has_service)
        return fail(context, NO_CONTAINER,
                    "Every update stops the pods behind service %" STR_FMT
                    " before new ones start (strategy Recreate).",
                    STR_ARG(around->service));
    if (recreates && !completeness_covers(context, KIND_SERVICE))
        return NOT_EVALUATED;
    if (!recreates && may_lose_all(context, workload))
        return fail(context, NO_CONTAINER,
                    "An update may stop all replicas at once (maxUnavailable %" STR_FMT ").",
                    STR_ARG(workload->max_unavailable));
    return PASSED;
}

static bool strategy_is_unknown(struct str strategy)
{
    static const char *const names[] = {"RollingUpdate", "Recreate", "OnDelete",
                                        "Rolling",       "Custom",   NULL};
    return strategy.n && !str_in(strategy, names);
}

enum verdict check_update_strategy_unsafe(struct check_context *context,
                                          const struct workload *workload)
{
    if (workload->synthesized || workload->object.summary)
        return NOT_EVALUATED;
    if (strategy_is_unknown(workload->strategy))
        return fail(context, NO_CONTAINER,
                    "Nobody knows how its pods are replaced: there is no strategy %" STR_FMT ".",
                    STR_ARG(workload->strategy));
    if (workload->object.kind == KIND_DEPLOYMENT || workload->object.kind == KIND_DEPLOYMENTCONFIG)
        return test_deployment_strategy(context, workload);
    if (!str_eq(workload->strategy, STR("OnDelete")))
        return PASSED;
    return fail(context, NO_CONTAINER,
                "Changes reach no pod until somebody deletes it "
                "(updateStrategy OnDelete).");
}

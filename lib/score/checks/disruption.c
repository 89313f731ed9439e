/* PodDisruptionBudgets. */
#include "kube/kinds.h"
#include "kube/quantity.h"
#include "kube/selector.h"
#include "score/completeness.h"
#include "kube/manifest.h"
#include "score/around.h"
#include "score/checks.h"
#include "score/selection.h"
#include "score/state.h"
#include "score/view.h"
#include "score/model_text.h"
#include "score/numbered.h"

/* ---- what has no budget ---- */

/* A manifest that leaves replicas out leaves them to an autoscaler or an operator; a live object
 * always has them. */
enum verdict check_pdb_missing(struct check_context *context, const struct workload *workload)
{
    int64_t replicas = workload->replicas;
    const struct around *around = context->around;
    if (workload->synthesized)
        replicas = pods_not_ended(workload);
    else if (replicas != NUMBER_ABSENT)
        replicas = lasting_replicas(workload, around->minimum);
    if ((replicas != NUMBER_ABSENT && replicas < 2) ||
        !completeness_covers(context, KIND_PODDISRUPTIONBUDGET) || !around->has_labels)
        return NOT_EVALUATED;
    if (around->has_budget)
        return PASSED;
    if (around->has_summary_budgets)
        return NOT_EVALUATED;
    if (replicas == NUMBER_ABSENT)
        return fail(context, NO_CONTAINER, "No PodDisruptionBudget selects its pods.");
    return fail(context, NO_CONTAINER,
                "No PodDisruptionBudget selects its pods: a drain may evict all %lld at once.",
                (long long)replicas);
}

/* ---- what a budget allows ---- */

/* As the disruption controller counts: its own figure, else the replicas that the controllers of
 * the selected pods want. 0: not known. */
static int64_t expected_pods(struct check_context *context, const struct pod_disruption_budget *pdb)
{
    const struct selected_workload *selected = selection_of_budget(context, pdb)->first;
    int64_t expected = 0;
    if (pdb->expected_pods != NUMBER_ABSENT && pdb->expected_pods > 0)
        return pdb->expected_pods;
    for (; selected; selected = selected->next)
        expected += selected->by_template && kind_has_replicas(selected->workload->object.kind)
                        ? lasting_replicas(selected->workload,
                                           autoscaled_minimum(context, selected->workload))
                        : selected->pods;
    return expected;
}

/* Percentages round up, of what may be missing as well as of what must be there. */
static enum verdict blocks_by_spec(struct check_context *context,
                                   const struct pod_disruption_budget *pdb)
{
    int64_t number, expected = expected_pods(context, pdb);
    if (int_or_percent(pdb->max_unavailable, 100, true, &number) && number <= 0)
        return fail(context, NO_CONTAINER, "maxUnavailable is %" STR_FMT ": no pod may be evicted.",
                    STR_ARG(pdb->max_unavailable));
    if (!int_or_percent(pdb->min_available, expected, true, &number))
        return PASSED;
    if (str_has_suffix(pdb->min_available, STR("%"))) {
        int64_t percent;
        if (int_or_percent(pdb->min_available, 100, true, &percent) && percent >= 100)
            return fail(context, NO_CONTAINER,
                        "minAvailable is %" STR_FMT ": no pod may be evicted.",
                        STR_ARG(pdb->min_available));
    }
    if (expected > 0 && number >= expected)
        return fail(context, NO_CONTAINER,
                    "minAvailable %" STR_FMT " is all of the %lld pod%s expected: none may be "
                    "evicted.",
                    STR_ARG(pdb->min_available), (long long)expected, expected == 1 ? "" : "s");
    return PASSED;
}

/* Only a count that must be there can do without a controller that says how many pods there are:
 * kubernetes.io/docs/tasks/run-application/configure-pdb, "Arbitrary workloads and arbitrary
 * selectors". */
static bool needs_a_scale(const struct pod_disruption_budget *pdb)
{
    return pdb->max_unavailable.n || str_has_suffix(pdb->min_available, STR("%"));
}

/* The one selected workload that has pods but no scale, when there is none with a scale or of an
 * unknown kind. */
static const struct workload *without_scale(struct check_context *context,
                                            const struct pod_disruption_budget *pdb)
{
    const uint64_t kinds = K(POD) | K(DAEMONSET) | K(JOB) | K(CRONJOB);
    const struct selected_workload *selected = selection_of_budget(context, pdb)->first;
    const struct workload *first = selected ? selected->workload : NULL;
    for (; selected; selected = selected->next)
        if (!(kinds >> selected->workload->object.kind & 1))
            return NULL;
    return first;
}

/* The disruption controller does not know of how many pods a share is meant, and allows nothing. */
static enum verdict blocks_by_sync(struct check_context *context,
                                   const struct pod_disruption_budget *pdb)
{
    const struct condition *allowed = condition_find(pdb->conditions, STR("DisruptionAllowed"));
    const struct workload *lacking = without_scale(context, pdb);
    if (allowed && str_eq(allowed->status, STR("False")) &&
        str_eq(allowed->reason, STR("SyncFailed")))
        return fail(context, NO_CONTAINER,
                    "The disruption controller cannot count its pods (SyncFailed%s%" STR_FMT
                    "): no pod may be evicted.",
                    allowed->message.n ? ": " : "", STR_ARG(message_text(allowed->message)));
    if (!needs_a_scale(pdb) || !lacking || number_or_zero(pdb->disruptions_allowed) > 0)
        return PASSED;
    struct str resource = resource_name(context->arena, &lacking->object);
    bool share = !pdb->max_unavailable.n;
    return fail(context, NO_CONTAINER,
                "%s %" STR_FMT " needs a controller with replicas, which %" STR_FMT
                " has not: no pod may be evicted. Set minAvailable to a number.",
                share ? "minAvailable" : "maxUnavailable",
                STR_ARG(share ? pdb->min_available : pdb->max_unavailable), STR_ARG(resource));
}

/* Without either the disruption controller counts no pod, and allows nothing: disruption.go,
 * "getExpectedPodCount" and "updatePdbStatus". */
static enum verdict blocks_by_silence(struct check_context *context,
                                      const struct pod_disruption_budget *pdb)
{
    if (pdb->min_available.n || pdb->max_unavailable.n || pdb->disruptions_allowed != 0 ||
        number_or_zero(pdb->current_healthy) == 0)
        return PASSED;
    return fail(context, NO_CONTAINER,
                "It states neither minAvailable nor maxUnavailable: disruptionsAllowed is 0, with "
                "%lld healthy pod%s.",
                (long long)pdb->current_healthy, pdb->current_healthy == 1 ? "" : "s");
}

enum verdict check_pdb_blocks_eviction(struct check_context *context,
                                       const struct pod_disruption_budget *pdb)
{
    if (blocks_by_spec(context, pdb) == FAILED || blocks_by_sync(context, pdb) == FAILED ||
        blocks_by_silence(context, pdb) == FAILED)
        return FAILED;
    if (pdb->disruptions_allowed == 0 && pdb->expected_pods > 0 &&
        pdb->current_healthy >= pdb->expected_pods)
        return fail(context, NO_CONTAINER,
                    "disruptionsAllowed is 0 although %lld of %lld pod%s %s healthy.",
                    (long long)pdb->current_healthy, (long long)pdb->expected_pods,
                    pdb->expected_pods == 1 ? "" : "s", pdb->expected_pods == 1 ? "is" : "are");
    return pdb->object.summary ? NOT_EVALUATED : PASSED;
}

enum verdict check_pdb_selects_nothing(struct check_context *context,
                                       const struct pod_disruption_budget *pdb)
{
    if (pdb->object.summary || !completeness_covers(context, KIND_POD))
        return NOT_EVALUATED;
    if (selection_of_budget(context, pdb)->first)
        return PASSED;
    if (!pdb->selector)
        return fail(context, NO_CONTAINER, "It has no selector, so it protects nothing.");
    if (selector_is_empty(pdb->selector))
        return str_eq(pdb->object.api_version, STR("policy/v1beta1"))
                   ? fail(context, NO_CONTAINER,
                          "Its selector is empty, which selects nothing in v1beta1.")
                   : PASSED;
    if (numbered_is_selected(context, pdb->object.meta.namespace, pdb->selector))
        return PASSED;
    struct str text = selector_text(context->arena, pdb->selector);
    return fail(context, NO_CONTAINER,
                "Its selector (%" STR_FMT ") matches no pod of the namespace.", STR_ARG(text));
}

enum verdict check_pdb_overlap(struct check_context *context,
                               const struct pod_disruption_budget *pdb)
{
    const struct budget_selection *selection = selection_of_budget(context, pdb);
    if (!selection->first)
        return NOT_EVALUATED;
    if (!selection->overlap)
        return PASSED;
    struct str resource = resource_name(context->arena, &selection->overlap_at->object);
    return fail(context, NO_CONTAINER,
                "PodDisruptionBudget %" STR_FMT " selects pods of %" STR_FMT
                " too: their eviction fails.",
                STR_ARG(selection->overlap->object.meta.name), STR_ARG(resource));
}

enum verdict check_pdb_no_budget(struct check_context *context,
                                 const struct pod_disruption_budget *pdb)
{
    if (pdb->object.summary)
        return NOT_EVALUATED;
    if (pdb->min_available.n || pdb->max_unavailable.n)
        return PASSED;
    return fail(context, NO_CONTAINER, "It states neither minAvailable nor maxUnavailable.");
}

enum verdict check_pdb_unhealthy_eviction_blocked(struct check_context *context,
                                                  const struct pod_disruption_budget *pdb)
{
    struct str policy = pdb->unhealthy_pod_eviction_policy;
    if (pdb->object.summary)
        return NOT_EVALUATED;
    if (str_eq(policy, STR("AlwaysAllow")))
        return PASSED;
    return fail(context, NO_CONTAINER,
                "unhealthyPodEvictionPolicy is %" STR_FMT
                ": pods that are not ready may keep a node from being drained.",
                STR_ARG(policy.n ? policy : STR("not set")));
}

/* ---- budget and autoscaler ---- */

static int64_t minimum_of(const struct autoscaler *scaler)
{
    return scaler->min_replicas == NUMBER_ABSENT ? 1 : scaler->min_replicas;
}

/* The HorizontalPodAutoscaler of the one workload that the budget selects; of several that of the
 * smallest minimum. */
static const struct autoscaler *scaler_of(struct check_context *context,
                                          const struct pod_disruption_budget *pdb,
                                          const struct workload **target)
{
    const struct selected_workload *selected = selection_of_budget(context, pdb)->first;
    const struct autoscaler *lowest = NULL;
    if (!selected || selected->next)
        return NULL;
    const struct workload_view *view = view_workload(context, selected->workload);
    *target = selected->workload;
    for (uint32_t i = 0; i < view->autoscalers.n; i++) {
        const struct autoscaler *one = view->autoscalers.items[i];
        if (one->object.kind == KIND_HORIZONTALPODAUTOSCALER &&
            (!lowest || minimum_of(one) < minimum_of(lowest)))
            lowest = one;
    }
    return lowest;
}

/* A percentage is one of the replicas that the author wrote; of a live object, whose replicas are
 * the autoscaler's, it is one of the minimum, which it cannot exceed. */
enum verdict check_pdb_exceeds_hpa_minimum(struct check_context *context,
                                           const struct pod_disruption_budget *pdb)
{
    const struct workload *target;
    const struct autoscaler *scaler = scaler_of(context, pdb, &target);
    int64_t wanted;
    if (!scaler)
        return NOT_EVALUATED;
    int64_t minimum = minimum_of(scaler);
    int64_t written = authored_replicas(&target->object, target->replicas);
    if (!int_or_percent(pdb->min_available, written == NUMBER_ABSENT ? minimum : written, true,
                        &wanted))
        return PASSED;
    if (wanted <= minimum)
        return PASSED;
    return fail(context, NO_CONTAINER,
                "minAvailable %" STR_FMT " (%lld pods) is more than minReplicas %lld of "
                "HorizontalPodAutoscaler %" STR_FMT ".",
                STR_ARG(pdb->min_available), (long long)wanted, (long long)minimum,
                STR_ARG(scaler->object.meta.name));
}

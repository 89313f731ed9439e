#include "score/numbered.h"

#include "kube/selector.h"
#include "score/state.h"
#include "score/view.h"

/* kubernetes.io/docs/reference/labels-annotations-taints */
static const struct {
    enum kind kind;
    const char *label;
    bool with_name; /* "web-0" and not "0" */
} numberings[] = {
    {KIND_STATEFULSET, "statefulset.kubernetes.io/pod-name", true},
    {KIND_STATEFULSET, "apps.kubernetes.io/pod-index", false},
    {KIND_JOB, "batch.kubernetes.io/job-completion-index", false},
};

enum { NUMBERINGS = sizeof numberings / sizeof *numberings };

static int numbering_of(struct str label)
{
    int i = 0;
    while (i < NUMBERINGS && !str_eq(label, str_of(numberings[i].label)))
        i++;
    return i;
}

static bool has_number(const struct workload *workload, int numbering, struct str value)
{
    struct str name = workload->object.meta.name, digits = value;
    uint64_t number, wanted;
    if (workload->object.kind != numberings[numbering].kind)
        return false;
    if (numberings[numbering].with_name &&
        !(str_cut_last(value, '-', &name, &digits) && str_eq(name, workload->object.meta.name)))
        return false;
    wanted = workload->object.kind == KIND_JOB ? (uint64_t)number_or_zero(workload->completions)
                                               : (uint64_t)wanted_replicas(workload);
    return str_to_u64(digits, &number) && (wanted == 0 || number < wanted);
}

static bool has_pod(const struct workload *workload, const struct label_selector *selector)
{
    const struct pair *pair;
    LIST_EACH (pair, selector->match_labels) {
        int numbering = numbering_of(pair->key);
        if (numbering < NUMBERINGS
                ? !has_number(workload, numbering, pair->value)
                : !str_eq(pair_value(workload->template_labels, pair->key), pair->value))
            return false;
    }
    return true;
}

static bool asks_for_number(const struct label_selector *selector)
{
    const struct pair *pair;
    LIST_EACH (pair, selector->match_labels)
        if (numbering_of(pair->key) < NUMBERINGS)
            return true;
    return false;
}

/* The one that the selector names; false: it names none. */
static bool is_named(const struct check_context *context, struct str namespace,
                     const struct label_selector *selector, const struct workload **workload)
{
    struct str set, pod = pair_value(selector->match_labels, str_of(numberings[0].label));
    struct str job = pair_value(selector->match_labels, STR("batch.kubernetes.io/job-name"));
    if (!job.n)
        job = pair_value(selector->match_labels, STR("job-name"));
    if (pod.n && str_cut_last(pod, '-', &set, NULL))
        *workload = find_workload(context, STR("StatefulSet"), namespace, set);
    else if (job.n)
        *workload = find_workload(context, STR("Job"), namespace, job);
    else
        return false;
    return true;
}

/* By a number alone it may be of any. Where there are too many to look through, it is not said to
 * be of none. */
bool numbered_is_selected(struct check_context *context, struct str namespace,
                          const struct label_selector *selector)
{
    enum { LOOKED_THROUGH_MAX = 100 };
    const struct workload *workload = NULL;
    if (selector->match_expressions.n || !asks_for_number(selector))
        return false;
    if (is_named(context, namespace, selector, &workload))
        return workload && has_pod(workload, selector);
    const struct namespace_view *view = view_namespace(context, namespace);
    if (view->roots.n > LOOKED_THROUGH_MAX)
        return true;
    for (uint32_t i = 0; i < view->roots.n; i++) {
        workload = view->roots.items[i];
        check_spend(context, EFFORT_labels, selector_steps(selector, workload->template_labels));
        if (has_pod(workload, selector))
            return true;
    }
    return false;
}

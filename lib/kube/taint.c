#include "kube/taint.h"

bool taint_keeps_off(const struct taint *taint)
{
    return !str_eq(taint->key, STR("node.kubernetes.io/unschedulable")) &&
           (str_eq(taint->effect, STR("NoSchedule")) || str_eq(taint->effect, STR("NoExecute")));
}

/* As Kubernetes compares (k8s.io/component-helpers/scheduling/corev1, "ToleratesTaint"): without an
 * effect it is every effect, without a key and with Exists every key, without an operator Equal. */
static bool tolerates(const struct toleration *toleration, const struct taint *taint)
{
    if ((toleration->effect.n && !str_eq(toleration->effect, taint->effect)) ||
        (toleration->key.n && !str_eq(toleration->key, taint->key)))
        return false;
    if (str_eq(toleration->operator, STR("Exists")))
        return true;
    return (!toleration->operator.n || str_eq(toleration->operator, STR("Equal"))) &&
           toleration->key.n && str_eq(toleration->value, taint->value);
}

static bool is_tolerated(const struct taint *taint, const struct pod_spec *spec)
{
    const struct toleration *toleration;
    LIST_EACH (toleration, spec->tolerations)
        if (tolerates(toleration, taint))
            return true;
    return false;
}

bool taints_let_in(struct effort *effort, const struct node *node, const struct pod_spec *spec)
{
    const struct taint *taint;
    LIST_EACH (taint, node->taints) {
        if (!taint_keeps_off(taint))
            continue;
        effort_spend(effort, EFFORT_search, 1 + spec->tolerations.n);
        if (!is_tolerated(taint, spec))
            return false;
    }
    return true;
}

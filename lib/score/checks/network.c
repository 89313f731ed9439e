/* Isolation of pods by NetworkPolicy. */
#include "kube/replicas.h"
#include "kube/selector.h"
#include "kube/status.h"
#include "score/completeness.h"
#include "score/around.h"
#include "score/checks.h"
#include "score/selection.h"
#include "score/view.h"
#include "score/model_text.h"
#include "score/numbered.h"

/* ---- what no policy covers ---- */

static bool on_host_network(const struct workload *workload)
{
    const struct pod_spec *spec = workload->spec;
    struct pod **pod;
    LIST_EACH (pod, workload->pods)
        if (!spec && !pod_has_ended(*pod))
            spec = (*pod)->spec;
    return spec && spec->host_network == TRI_TRUE;
}

/* Policies of Cilium or Calico isolate too, and are not read: then the finding is a hint. */
static enum verdict isolated(struct check_context *context, const struct workload *workload,
                             unsigned direction, const char *traffic, const char *consequence)
{
    bool foreign = context->setting.has_foreign_policies;
    const struct around *around = context->around;
    if (on_host_network(workload) || !completeness_covers(context, KIND_NETWORKPOLICY) ||
        !around->has_labels)
        return NOT_EVALUATED;
    if (around->directions & direction)
        return PASSED;
    if (around->has_summary_policies)
        return NOT_EVALUATED;
    enum severity severity = foreign ? SEVERITY_LOW : context->check->severity;
    const char *unread = foreign ? " Policies of Cilium or Calico were not read." : "";
    if (!around->policies)
        return fail_as(context, severity, NO_CONTAINER, "Its namespace has no NetworkPolicy: %s.%s",
                       consequence, unread);
    return fail_as(context, severity, NO_CONTAINER,
                   "None of the network policies of its namespace (%u) selects it for %s: %s.%s",
                   around->policies, traffic, consequence, unread);
}

enum verdict check_pod_ingress_not_isolated(struct check_context *context,
                                            const struct workload *workload)
{
    return isolated(context, workload, DIRECTION_INGRESS, "ingress",
                    "every pod of the cluster may connect to it");
}

enum verdict check_pod_egress_not_isolated(struct check_context *context,
                                           const struct workload *workload)
{
    return isolated(context, workload, DIRECTION_EGRESS, "egress",
                    "it may connect to every address");
}

/* Scaled to zero or suspended, and no pod is left. */
static bool is_at_rest(const struct workload *workload)
{
    return (wanted_replicas(workload) == 0 || workload->suspend == TRI_TRUE) &&
           pods_not_ended(workload) == 0;
}

/* A Job that is over runs no more than pods that ended do. */
static bool runs(const struct workload *workload)
{
    return !workload_has_ended(workload) && !is_at_rest(workload) &&
           !(workload->object.kind == KIND_JOB && job_is_over(workload));
}

enum verdict check_namespace_without_networkpolicy(struct check_context *context,
                                                   const struct namespace *namespace)
{
    const struct namespace_view *view = view_namespace(context, namespace->object.meta.name);
    uint32_t governed = 0;
    for (uint32_t i = 0; i < view->roots.n; i++)
        governed += !on_host_network(view->roots.items[i]) && runs(view->roots.items[i]);
    if (!governed || !completeness_covers(context, KIND_NETWORKPOLICY))
        return NOT_EVALUATED;
    if (view->network_policies.n)
        return PASSED;
    if (namespace->foreign_network_policies || context->cluster->foreign_policies_everywhere)
        return NOT_EVALUATED;
    return fail(context, NO_CONTAINER, "It runs %u workload%s and has no NetworkPolicy.", governed,
                governed == 1 ? "" : "s");
}

/* ---- what a policy covers ---- */

enum verdict check_networkpolicy_selects_nothing(struct check_context *context,
                                                 const struct network_policy *policy)
{
    if (policy->object.summary)
        return NOT_EVALUATED;
    if (!policy->pod_selector || selector_is_empty(policy->pod_selector))
        return PASSED;
    if (!completeness_covers(context, KIND_POD))
        return NOT_EVALUATED;
    if (selection_policy_selects(context, policy) ||
        numbered_is_selected(context, policy->object.meta.namespace, policy->pod_selector))
        return PASSED;
    struct str text = selector_text(context->arena, policy->pod_selector);
    return fail(context, NO_CONTAINER,
                "Its podSelector (%" STR_FMT ") matches no pod of the namespace.", STR_ARG(text));
}

/* Asks about the peers of one direction; *n counts all peers of the policy. */
static bool peers_dangle(struct check_context *context, const struct network_policy *policy,
                         const char *direction, const struct network_policy_rule *rules,
                         uint32_t rules_n, uint32_t *n)
{
    bool dangles = false;
    for (uint32_t i = 0; i < rules_n; i++) {
        const struct network_policy_peer *peer;
        LIST_EACH (peer, rules[i].peers) {
            uint32_t ordinal = (*n)++;
            if (!peer_is_local(peer) || selection_peer_selects(context, policy, ordinal) ||
                numbered_is_selected(context, policy->object.meta.namespace, peer->pod_selector))
                continue;
            dangles = true;
            struct str text = selector_text(context->arena, peer->pod_selector);
            fail(context, NO_CONTAINER,
                 "A podSelector (%" STR_FMT ") of its %s rules matches no pod of the namespace.",
                 STR_ARG(text), direction);
        }
    }
    return dangles;
}

enum verdict check_networkpolicy_peer_selects_nothing(struct check_context *context,
                                                      const struct network_policy *policy)
{
    uint32_t n = 0;
    if (!completeness_covers(context, KIND_POD))
        return NOT_EVALUATED;
    bool ingress =
        peers_dangle(context, policy, "ingress", policy->ingress.items, policy->ingress.n, &n);
    bool egress =
        peers_dangle(context, policy, "egress", policy->egress.items, policy->egress.n, &n);
    if (!n)
        return NOT_EVALUATED;
    return ingress || egress ? FAILED : PASSED;
}

/* "0.0.0.0/0", "::/0", and any other spelling of them. */
static bool is_everywhere(const struct network_policy_peer *peer)
{
    return !peer->except.n && str_has_suffix(peer->cidr, STR("/0"));
}

/* A rule that names ports at least closes the others: low. */
static bool allows_all(struct check_context *context, const char *direction, const char *peers,
                       const struct network_policy_rule *rule)
{
    const struct network_policy_peer *peer;
    enum severity severity = rule->ports ? SEVERITY_LOW : context->check->severity;
    const char *ports = rule->ports ? "on the ports it names" : "on all ports";
    if (!rule->peers.n)
        fail_as(context, severity, NO_CONTAINER,
                "An %s rule without %s lets everybody in or out %s.", direction, peers, ports);
    LIST_EACH (peer, rule->peers) {
        if (!is_everywhere(peer))
            continue;
        fail_as(context, severity, NO_CONTAINER, "An %s rule allows %" STR_FMT " %s.", direction,
                STR_ARG(peer->cidr), ports);
        return true;
    }
    return !rule->peers.n;
}

enum verdict check_networkpolicy_allow_all(struct check_context *context,
                                           const struct network_policy *policy)
{
    const struct network_policy_rule *rule;
    unsigned directions = policy_directions(policy);
    bool open = false;
    if (policy->object.summary)
        return NOT_EVALUATED;
    if (directions & DIRECTION_INGRESS)
        LIST_EACH (rule, policy->ingress)
            open |= allows_all(context, "ingress", "from", rule);
    if (directions & DIRECTION_EGRESS)
        LIST_EACH (rule, policy->egress)
            open |= allows_all(context, "egress", "to", rule);
    return open ? FAILED : PASSED;
}

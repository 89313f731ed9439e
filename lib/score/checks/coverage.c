/* What a snapshot does not show. */
#include "kube/kinds.h"
#include "score/checks.h"
#include "score/evidence.h"
#include "score/policy.h"

/* "services, ingresses": as kubectl names them. */
static struct str names_of(struct arena *arena, uint64_t kinds, const char *separator)
{
    struct str text = {0};
    for (int kind = KIND_NONE + 1; kind < KIND_COUNT; kind++)
        if (kinds >> kind & 1)
            text = arena_printf(arena, "%" STR_FMT "%s%" STR_FMT, STR_ARG(text),
                                text.n ? separator : "", STR_ARG(kind_plural((enum kind)kind)));
    return text;
}

/* ---- evidence-missing ---- */

/* What was told before, and is not any more. */
static enum verdict fail_others(struct check_context *context, const struct evidence *item)
{
    uint64_t lost = evidence_lost(context, item);
    return fail(context, NO_CONTAINER,
                "Earlier snapshots of this cluster held %" STR_FMT
                ", this one does not: kubectl get %" STR_FMT " shows them.",
                STR_ARG(names_of(context->arena, lost, ", ")),
                STR_ARG(names_of(context->arena, lost, ",")));
}

/* Nobody knows whether there are any. */
static enum verdict fail_forbidden(struct check_context *context, const struct evidence *item)
{
    struct str names = names_of(context->arena, evidence_forbidden(context, item), ", ");
    bool others = item == &evidence[EVIDENCE_others];
    return fail(context, NO_CONTAINER,
                "%s%s%sThe agent is not allowed to list %" STR_FMT
                ": let its role get, list and watch them.",
                others ? "" : "Not shown: ", others ? "" : item->what, others ? "" : ". ",
                STR_ARG(names));
}

enum verdict check_evidence_missing(struct check_context *context, const struct evidence *item)
{
    struct str lost = names_of(context->arena, evidence_lost(context, item), ", ");
    if (item->cluster_wide && context->policy->partial)
        return NOT_EVALUATED;
    if (evidence_is_shown(context, item))
        return PASSED;
    if (evidence_forbidden(context, item))
        return fail_forbidden(context, item);
    if (item == &evidence[EVIDENCE_others])
        return fail_others(context, item);
    return fail(context, NO_CONTAINER, "Not shown: %s%s%" STR_FMT "%s. kubectl get %s shows them.",
                item->what, lost.n ? " (earlier snapshots of this cluster held " : "",
                STR_ARG(lost), lost.n ? ")" : "", item->command);
}

/* ---- insufficient-evidence ---- */

static const uint64_t wanted_kinds = KIND_BIT(NODE) | KIND_BIT(POD) | KIND_BIT(DEPLOYMENT) |
                                     KIND_BIT(STATEFULSET) | KIND_BIT(DAEMONSET);

enum verdict check_insufficient_evidence(struct check_context *context,
                                         const struct cluster *cluster)
{
    struct str wanted = evidence_wanted(context);
    uint64_t forbidden = cluster->forbidden & ~cluster->seen & wanted_kinds;
    if (!wanted.n)
        return PASSED;
    if (forbidden)
        return fail(context, NO_CONTAINER,
                    "Not shown: %" STR_FMT ". Without them no cluster is SAFE. The agent is not "
                    "allowed to list %" STR_FMT ": let its role get, list and watch them.",
                    STR_ARG(wanted), STR_ARG(names_of(context->arena, forbidden, ", ")));
    return fail(context, NO_CONTAINER,
                "Not shown: %" STR_FMT ". Without them no cluster is SAFE: "
                "kubectl get nodes,pods,deployments,statefulsets,daemonsets shows them.",
                STR_ARG(wanted));
}

/* What the whole cluster leans on: aggregated APIs, admission webhooks, namespaces, quotas. */
#include "kube/manifest.h"
#include "kube/quantity.h"
#include "kube/selector.h"
#include "score/checks.h"
#include "score/completeness.h"
#include "score/index.h"
#include "score/state.h"
#include "score/view.h"

#define NAMESPACE_GRACE (10 * CLOCK_MINUTE)
#define NEARLY_USED     0.9

/* ---- apiservice-unavailable ---- */

enum verdict check_apiservice_unavailable(struct check_context *context,
                                          const struct api_service *service)
{
    const struct condition *available = condition_find(service->conditions, STR("Available"));
    if (!available && service->has_status && !is_manifest(&service->object))
        return fail(context, NO_CONTAINER,
                    "Its status does not say that its backend %" STR_FMT "/%" STR_FMT
                    " is available.",
                    STR_ARG(service->service_namespace), STR_ARG(service->service_name));
    if (!available)
        return NOT_EVALUATED;
    if (str_eq(available->status, STR("True")))
        return PASSED;
    return fail(context, NO_CONTAINER,
                "Its backend %" STR_FMT "/%" STR_FMT " has not been available %" STR_FMT
                "%s%" STR_FMT ".",
                STR_ARG(service->service_namespace), STR_ARG(service->service_name),
                STR_ARG(for_time(context, available->last_transition)),
                available->message.n ? ": " : "", STR_ARG(message_text(available->message)));
}

/* ---- webhook-fail-closed-broken ---- */

/* v1beta1 ignored failures unless told otherwise. */
static bool fails_closed(const struct object *object, const struct webhook *webhook)
{
    if (!webhook->failure_policy.n)
        return !str_has_suffix(object->api_version, STR("v1beta1"));
    return str_eq(webhook->failure_policy, STR("Fail"));
}

static bool has_ready_pod(const struct service *service)
{
    struct pod **pod;
    LIST_EACH (pod, service->pods)
        if (pod_is_active(*pod) && pod_is_ready(*pod))
            return true;
    return false;
}

/* The API server makes the Service default/kubernetes itself, and answers behind it. */
static bool is_api_server(const struct webhook *webhook)
{
    return str_eq(webhook->service_namespace, STR("default")) &&
           str_eq(webhook->service_name, STR("kubernetes"));
}

/* What keeps the backend from answering; NULL when it can, or nobody knows. */
static const char *backend_fault(const struct check_context *context, const struct webhook *webhook)
{
    const struct service *service = (const struct service *)index_object(
        context->index, KIND_SERVICE, webhook->service_namespace, webhook->service_name);
    if (is_api_server(webhook))
        return NULL;
    if (!service)
        return completeness_covers(context, KIND_SERVICE) ? "does not exist" : NULL;
    if (str_eq(service->type, STR("ExternalName")))
        return NULL;
    if (service->endpoints_known)
        return service->ready_endpoints ? NULL : "has no ready endpoint";
    if (service->selector.n && cluster_has(context->cluster, KIND_POD) && !has_ready_pod(service))
        return "has no ready pod";
    return NULL;
}

/* Its own, and the one that the API server gives every namespace. */
static pair_list labels_of_kube_system(const struct check_context *context)
{
    const struct namespace *object = view_namespace(context, STR("kube-system"))->object;
    struct pair name = {STR("kubernetes.io/metadata.name"), STR("kube-system")};
    pair_list own = {0}, all = {0};
    const struct pair *label;
    if (object)
        own = object->object.meta.labels;
    LIST_RESERVE(context->arena, all, own.n + 1);
    LIST_EACH (label, own)
        LIST_PUT(all, *label);
    if (!pair_has(own, name.key))
        LIST_PUT(all, name);
    return all;
}

/* Which pods one asks about that chooses by objects or conditions, nobody knows. */
static bool matches_kube_system(const struct check_context *context, const struct webhook *webhook)
{
    if (!webhook->matches_pods || webhook->is_choosy || !webhook->namespace_selector)
        return webhook->matches_pods && !webhook->is_choosy;
    pair_list labels = labels_of_kube_system(context);
    check_spend(context, EFFORT_labels, selector_steps(webhook->namespace_selector, labels));
    return selector_matches(webhook->namespace_selector, labels);
}

enum verdict check_webhook_fail_closed_broken(struct check_context *context,
                                              const struct webhook_configuration *configuration)
{
    enum verdict verdict = PASSED;
    const struct webhook *webhook;
    if (configuration->object.summary)
        return NOT_EVALUATED;
    LIST_EACH (webhook, configuration->webhooks) {
        if (!webhook->service_name.n || !webhook->is_asked ||
            !fails_closed(&configuration->object, webhook))
            continue;
        const char *fault = backend_fault(context, webhook);
        if (!fault)
            continue;
        verdict = fail(
            context, NO_CONTAINER,
            "Webhook %" STR_FMT " refuses all it is asked: Service %" STR_FMT "/%" STR_FMT " %s%s.",
            STR_ARG(webhook->name), STR_ARG(webhook->service_namespace),
            STR_ARG(webhook->service_name), fault,
            matches_kube_system(context, webhook) ? "; it is asked about pods of kube-system too"
                                                  : "");
    }
    return verdict;
}

/* ---- namespace-stuck-terminating ---- */

/* The condition that says what holds the namespace back. */
static const struct condition *blocking_condition(const struct namespace *namespace)
{
    const struct condition *condition;
    LIST_EACH (condition, namespace->conditions)
        if (str_has_prefix(condition->type, STR("Namespace")) &&
            str_eq(condition->status, STR("True")))
            return condition;
    return NULL;
}

/* Its deletionTimestamp; where that is left out, since when it is held back. */
static int64_t terminating_since(const struct namespace *namespace)
{
    const struct condition *blocking = blocking_condition(namespace);
    int64_t deleted = namespace->object.meta.deleted;
    return deleted == TIME_NONE && blocking ? blocking->last_transition : deleted;
}

enum verdict check_namespace_stuck_terminating(struct check_context *context,
                                               const struct namespace *namespace)
{
    int64_t deleted = terminating_since(namespace);
    const struct condition *blocking = blocking_condition(namespace);
    if (!namespace->phase.n)
        return NOT_EVALUATED;
    if (!str_eq(namespace->phase, STR("Terminating")) ||
        !age_exceeds(context, deleted, NAMESPACE_GRACE))
        return PASSED;
    return fail(context, NO_CONTAINER,
                "The namespace has been Terminating %" STR_FMT "%s%" STR_FMT ".",
                STR_ARG(for_time(context, deleted)), blocking ? ": " : "",
                STR_ARG(blocking ? message_text(blocking->message) : (struct str){0}));
}

/* ---- quota-near-exhaustion ---- */

static struct str amount_text(const struct check_context *context, struct str resource,
                              int64_t amount)
{
    if (str_has_suffix(resource, STR("memory")) || str_has_suffix(resource, STR("storage")) ||
        str_has(resource, STR("hugepages-")))
        return quantity_memory_text(context->arena, amount);
    return quantity_cpu_text(context->arena, amount);
}

enum verdict check_quota_near_exhaustion(struct check_context *context,
                                         const struct resource_quota *quota)
{
    enum verdict verdict = NOT_EVALUATED;
    const struct quota_entry *entry;
    LIST_EACH (entry, quota->entries) {
        if (entry->hard < 0 || entry->used == NUMBER_ABSENT || (!entry->hard && entry->used <= 0))
            continue;
        if ((double)entry->used >= NEARLY_USED * (double)entry->hard)
            verdict =
                fail(context, NO_CONTAINER, "%" STR_FMT " of %" STR_FMT " %" STR_FMT " are used.",
                     STR_ARG(amount_text(context, entry->resource, entry->used)),
                     STR_ARG(amount_text(context, entry->resource, entry->hard)),
                     STR_ARG(entry->resource));
        else if (verdict == NOT_EVALUATED)
            verdict = PASSED;
    }
    return verdict;
}

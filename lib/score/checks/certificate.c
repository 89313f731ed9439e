/* Certificates of cert-manager, and requests for certificates that wait. */
#include "score/checks.h"
#include "score/state.h"

#define ISSUE_GRACE   (30 * CLOCK_MINUTE)
#define RENEWAL_GRACE CLOCK_DAY
#define REQUEST_GRACE (30 * CLOCK_MINUTE)

static bool has_expired(const struct check_context *context, const struct reconciled_object *object)
{
    return age_exceeds(context, object->expires, 0);
}

/* ---- certificate-not-ready ---- */

/* Ready stays True while a certificate is renewed (cert-manager.io, API reference,
 * CertificateStatus). One that has expired is certificate-expiring's. */
enum verdict check_certificate_not_ready(struct check_context *context,
                                         const struct reconciled_object *certificate)
{
    const struct condition *ready = condition_find(certificate->conditions, STR("Ready"));
    if (!ready || has_expired(context, certificate))
        return NOT_EVALUATED;
    if (!str_eq(ready->status, STR("False")) ||
        !age_exceeds(context, ready->last_transition, ISSUE_GRACE))
        return PASSED;
    struct str message = message_text(ready->message);
    return fail_as(context, certificate->expires == TIME_NONE ? SEVERITY_HIGH : SEVERITY_MEDIUM,
                   NO_CONTAINER, "%s %" STR_FMT "%s%" STR_FMT ".",
                   certificate->expires == TIME_NONE ? "No certificate has been issued"
                                                     : "The certificate has not been Ready",
                   STR_ARG(for_time(context, ready->last_transition)), message.n ? ": " : "",
                   STR_ARG(message));
}

/* ---- certificate-expiring ---- */

enum verdict check_certificate_expiring(struct check_context *context,
                                        const struct reconciled_object *certificate)
{
    char text[CLOCK_TEXT_SIZE];
    if (certificate->expires == TIME_NONE)
        return NOT_EVALUATED;
    if (has_expired(context, certificate))
        return fail(context, NO_CONTAINER, "The certificate expired %" STR_FMT ".",
                    STR_ARG(time_ago(context, certificate->expires)));
    if (!age_exceeds(context, certificate->renewal, RENEWAL_GRACE))
        return PASSED;
    return fail_as(context, SEVERITY_MEDIUM, NO_CONTAINER,
                   "The certificate should have been renewed %" STR_FMT "; it expires on %" STR_FMT
                   ".",
                   STR_ARG(time_ago(context, certificate->renewal)),
                   STR_ARG(str_sub(clock_format_short(certificate->expires, text), 0, 10)));
}

/* ---- certificate-requests-pending ---- */

static bool is_request(const struct reconciled_object *object)
{
    return object->object.kind == KIND_CERTIFICATESIGNINGREQUEST && !object->object.summary;
}

/* Approved, Denied or Failed: somebody has decided (k8s.io/api/certificates/v1). */
static bool waits(const struct check_context *context, const struct reconciled_object *request)
{
    return !request->conditions.n &&
           age_exceeds(context, request->object.meta.created, REQUEST_GRACE);
}

/* Said once: a kubelet that waits makes a request every quarter of an hour. */
enum verdict check_certificate_requests_pending(struct check_context *context,
                                                const struct cluster *cluster)
{
    struct reconciled_object **object;
    const struct reconciled_object *first = NULL;
    uint32_t requests = 0, waiting = 0;
    LIST_EACH (object, cluster->reconciled) {
        requests += is_request(*object);
        if (!is_request(*object) || !waits(context, *object))
            continue;
        waiting++;
        if (!first || (*object)->object.meta.created < first->object.meta.created)
            first = *object;
    }
    if (!waiting)
        return requests ? PASSED : NOT_EVALUATED;
    return fail(context, NO_CONTAINER,
                "%u CertificateSigningRequest%s for approval: %" STR_FMT ", of signer %" STR_FMT
                ", %" STR_FMT ".",
                waiting, waiting == 1 ? " waits" : "s wait", STR_ARG(first->object.meta.name),
                STR_ARG(first->signer.n ? first->signer : STR("(none)")),
                STR_ARG(for_time(context, first->object.meta.created)));
}

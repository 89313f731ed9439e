/* Gateways: whether they take traffic, what they encrypt, and whose routes they take. */
#include "score/checks.h"
#include "score/state.h"

#define PROGRAM_GRACE (10 * CLOCK_MINUTE)

/* ---- gateway-not-programmed ---- */

static enum verdict tell(struct check_context *context, enum severity severity,
                         const struct condition *condition, struct str listener)
{
    struct str message = message_text(condition->message);
    return fail_as(context, severity, NO_CONTAINER,
                   "%s%" STR_FMT "%s%" STR_FMT " has been %" STR_FMT " %" STR_FMT "%s%" STR_FMT
                   "%s%" STR_FMT ".",
                   listener.n ? "Listener " : "", STR_ARG(listener), listener.n ? ": " : "",
                   STR_ARG(condition->type), STR_ARG(condition->status),
                   STR_ARG(for_time(context, condition->last_transition)),
                   condition->reason.n ? ": " : "", STR_ARG(condition->reason),
                   message.n ? ", " : "", STR_ARG(message));
}

/* The API server sets Accepted and Programmed to Unknown, reason Pending, in a new Gateway; a
 * controller that takes it changes that (gateway-api, apis/v1/gateway_types.go). */
static enum verdict ask_condition(struct check_context *context, const struct gateway *gateway,
                                  struct str type)
{
    const struct condition *condition = condition_find(gateway->conditions, type);
    if (!condition)
        return NOT_EVALUATED;
    if (str_eq(condition->status, STR("True")))
        return PASSED;
    if (!age_exceeds(context, gateway->object.meta.created, PROGRAM_GRACE))
        return NOT_EVALUATED;
    if (str_eq(condition->status, STR("False")))
        return tell(context, context->check->severity, condition, (struct str){0});
    return fail(context, NO_CONTAINER,
                "No controller has taken it: nothing answers for GatewayClass %" STR_FMT ".",
                STR_ARG(gateway->gateway_class.n ? gateway->gateway_class : STR("(none)")));
}

static bool is_broken(const struct condition *condition)
{
    bool wants_false = str_eq(condition->type, STR("Conflicted"));
    bool known = wants_false || str_eq(condition->type, STR("ResolvedRefs")) ||
                 str_eq(condition->type, STR("Programmed")) ||
                 str_eq(condition->type, STR("Accepted"));
    return known && str_eq(condition->status, wants_false ? STR("True") : STR("False"));
}

static enum verdict ask_listeners(struct check_context *context, const struct gateway *gateway)
{
    const struct named_conditions *listener;
    const struct condition *condition;
    enum verdict verdict = PASSED;
    LIST_EACH (listener, gateway->listener_conditions)
        LIST_EACH (condition, listener->conditions)
            if (is_broken(condition)) {
                verdict = tell(context, SEVERITY_MEDIUM, condition, listener->name);
                break;
            }
    return verdict;
}

enum verdict check_gateway_not_programmed(struct check_context *context,
                                          const struct gateway *gateway)
{
    enum verdict verdict = ask_condition(context, gateway, STR("Accepted"));
    if (verdict != FAILED) {
        enum verdict programmed = ask_condition(context, gateway, STR("Programmed"));
        verdict = programmed > verdict ? programmed : verdict;
    }
    return verdict == PASSED ? ask_listeners(context, gateway) : verdict;
}

/* ---- gateway-no-tls ---- */

static bool encrypts(struct str protocol)
{
    return str_eq(protocol, STR("HTTPS")) || str_eq(protocol, STR("TLS"));
}

/* One that has both mostly answers HTTP with a redirect. */
enum verdict check_gateway_no_tls(struct check_context *context, const struct gateway *gateway)
{
    const struct gateway_listener *listener, *open = NULL;
    if (gateway->object.summary || !gateway->listeners.n)
        return NOT_EVALUATED;
    LIST_EACH (listener, gateway->listeners) {
        if (encrypts(listener->protocol))
            return PASSED;
        if (str_eq(listener->protocol, STR("HTTP")))
            open = listener;
    }
    if (!open)
        return NOT_EVALUATED;
    return fail(context, NO_CONTAINER,
                "It has no listener with TLS: what comes in at %" STR_FMT " is in the clear.",
                STR_ARG(open->name));
}

/* ---- gateway-open ---- */

/* Without a word, routes of its own namespace only. */
enum verdict check_gateway_open(struct check_context *context, const struct gateway *gateway)
{
    const struct gateway_listener *listener;
    enum verdict verdict = PASSED;
    if (gateway->object.summary || !gateway->listeners.n)
        return NOT_EVALUATED;
    LIST_EACH (listener, gateway->listeners)
        if (str_eq(listener->routes_from, STR("All")))
            verdict = fail(context, NO_CONTAINER,
                           "Listener %" STR_FMT " takes routes of every namespace.",
                           STR_ARG(listener->name));
    return verdict;
}

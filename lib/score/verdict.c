/* What a check says of an object that fails. */
#include <stdarg.h>

#include "base/asserts.h"
#include "kube/credential_cut.h"
#include "kube/kinds.h"
#include "score/checks.h"

/* Most checks say the same of one workload after another. */
static struct str without_secrets(struct check_context *context, struct str message)
{
    struct said *said = &context->said[context->check - checks];
    if (!str_eq(said->message, message))
        *said = (struct said){message, credential_cut(context->arena, message)};
    return said->cut;
}

static void keep(struct check_context *context, enum severity severity, struct str container,
                 const char *format, va_list args)
{
    struct verdict_draft *draft = context->draft;
    assert(draft); /* fail() is for the check that is being asked */
    if (draft->count++ && severity >= draft->severity)
        return;
    draft->severity = severity;
    draft->container = container;
    draft->message = without_secrets(context, arena_vprintf(context->arena, format, args));
}

enum verdict fail(struct check_context *context, struct str container, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    keep(context, context->check->severity, container, format, args);
    va_end(args);
    return FAILED;
}

enum verdict fail_as(struct check_context *context, enum severity severity, struct str container,
                     const char *format, ...)
{
    va_list args;
    va_start(args, format);
    keep(context, severity, container, format, args);
    va_end(args);
    return FAILED;
}

struct str resource_name(struct arena *arena, const struct object *object)
{
    return kind_resource(arena, object->kind_name, object->meta.name);
}

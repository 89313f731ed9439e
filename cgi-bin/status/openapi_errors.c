#include "openapi_errors.h"

#include <string.h>

static const struct conflict {
    enum http_method method;
    const char *path, *codes;
} conflicts[] = {
#define SCHEMA(name, members)
#define OPERATION(method, path, status, summary, parameters, body, answer)
#define CONFLICT(method, path, codes) {HTTP_##method, path, codes},
#include "../openapi.def"
#undef CONFLICT
#undef OPERATION
#undef SCHEMA
};

static void put(struct jw *jw, const char *status, struct str description)
{
    jw_key(jw, str_of(status));
    jw_object(jw);
    JW_STR(jw, "description", description);
    jw_key(jw, STR("content"));
    jw_raw(jw,
           STR("{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Error\"}}}"));
    jw_object_end(jw);
}

static void put_conflict(struct arena *arena, struct jw *jw, const struct route *route)
{
    for (size_t i = 0; i < sizeof conflicts / sizeof conflicts[0]; i++)
        if (conflicts[i].method == route->method && strcmp(conflicts[i].path, route->path) == 0)
            put(jw, "409",
                arena_printf(arena, "What is there does not allow this: %s", conflicts[i].codes));
}

void openapi_put_errors(struct arena *arena, struct jw *jw, const struct route *route,
                        bool has_members)
{
    if (has_members)
        put(jw, "400", STR("A parameter or a member is missing or wrong: field names it"));
    if (route->credential != CREDENTIAL_NONE)
        put(jw, "401", STR("The credential is missing, unknown or expired"));
    if (route->need > NEED_MEMBER)
        put(jw, "403", STR("The role or the scope does not allow this"));
    put_conflict(arena, jw, route);
    if (route->body_max) {
        put(jw, "413", arena_printf(arena, "The body has more than %zu bytes", route->body_max));
        put(jw, "415", STR("The body is of a type or an encoding that is not read here"));
    }
    if (route_is_limited(route))
        put(jw, "429", STR("Too many attempts: Retry-After tells when"));
    put(jw, "431", STR("The header of the request is too large"));
    put(jw, "default", STR("Any other error"));
}

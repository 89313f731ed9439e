/* openapi_errors: the errors that /openapi.json says of each route, of its row in routes.def and of
 * openapi.def's CONFLICT. */
#ifndef LOADLINE_CGI_STATUS_OPENAPI_ERRORS_H
#define LOADLINE_CGI_STATUS_OPENAPI_ERRORS_H

#include "codec/jw.h"
#include "web/route.h"

/* The members of "responses" behind the answer when all is well. has_members: the route is asked
 * with parameters or members, which can be wrong. */
void openapi_put_errors(struct arena *arena, struct jw *jw, const struct route *route,
                        bool has_members);

#endif

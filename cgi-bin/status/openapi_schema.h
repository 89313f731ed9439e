/* openapi_schema: the members that openapi.def names, and their JSON Schema. How a member is
 * written is told at the head of openapi.def. */
#ifndef LOADLINE_CGI_STATUS_OPENAPI_SCHEMA_H
#define LOADLINE_CGI_STATUS_OPENAPI_SCHEMA_H

#include "codec/jw.h"

struct openapi_member {
    struct str name, type, example;
    bool required, nullable, sometimes;
};

/* Takes the next member off words. False when there is none. It points into words. */
bool openapi_next(struct str *words, struct openapi_member *member);
/* The members of a schema's object, which the caller begins and ends. */
void openapi_put_schema(struct jw *jw, struct str type, bool nullable);
/* Nothing where the member has no example. */
void openapi_put_example(struct jw *jw, const struct openapi_member *member);

#endif

/* What the body of a request says of an exemption. A member that is wrong is refused by its name.
 */
#ifndef LOADLINE_EXEMPTIONS_BODY_H
#define LOADLINE_EXEMPTIONS_BODY_H

#include "store/stored_exemption.h"
#include "web/body.h"

struct changing {
    struct request *r;
    struct json_object *body;
    struct str id;
    struct stored_exemption *exemption;
    struct stored_exemption *stored; /* as it is then */
};

/* The body and all members of a new one. */
enum error exemption_read_new(struct changing *c);
/* Of the body that c->body is. *end: TIME_NONE when it is not there. */
enum error exemption_read_end(struct changing *c, enum body_presence presence, int64_t *end);
enum error exemption_read_reason_and_owner(struct changing *c, enum body_presence presence);

/* The member "namespace", also of an override, of at most max bytes; absent: all. */
enum error exemption_read_namespace(struct request *r, struct json_object *body, size_t max,
                                    struct str *namespace);

#endif

/* second_step: the code that a person with a second factor gives beside the password: one of an
 * app, or a recovery code. Each is good once.
 */
#ifndef LOADLINE_WEB_SECOND_STEP_H
#define LOADLINE_WEB_SECOND_STEP_H

#include "store/second_factor.h"
#include "web/body.h"

/* The member "code" as codes are compared: without blanks and hyphens, in lower case. Absent when
 * it is missing or null and optional. Wiped when the request is over. MISSING_FIELD, INVALID_FIELD.
 */
enum error second_step_code(struct request *r, struct json_object *body,
                            enum body_presence presence, struct str *code);

struct second_step {
    struct request *r;
    struct str user;              /* its id */
    struct str code;              /* absent: none was given */
    const struct seal_keys *keys; /* of sealing_keys() */
    bool has;                     /* the user has a second factor that counts */
    int64_t recovery_left;        /* codes, when one of them was taken; else -1 */
};

/* Inside a transaction that has locked the user: takes the code. OK as well when the user has no
 * second factor. CODE_WANTED, BAD_CODE. */
enum error second_step_take(struct second_step *step);
/* The same of a second factor that does not count yet, and of codes of an app alone.
 * NO_SECOND_FACTOR, SECOND_FACTOR_ON, BAD_CODE. */
enum error second_step_take_first(struct second_step *step);

/* New recovery codes as they are shown, RECOVERY_CODES of them; wiped when the request is over, as
 * is the answer that shows them. */
struct recovery {
    struct str text[RECOVERY_CODES];
    unsigned char hash[RECOVERY_CODES][CRYPT_DIGEST];
};
void second_step_new_recovery(struct request *r, struct str user, struct recovery *recovery);

#endif

/* person: what a request says of a person: an e-mail address, a new password. */
#ifndef LOADLINE_WEB_PERSON_H
#define LOADLINE_WEB_PERSON_H

#include "web/body.h"

/* Does it look like an address? */
bool person_is_email(struct str text);
/* The required member "email", as it was given. MISSING_FIELD, INVALID_FIELD. */
enum error person_email(struct request *r, struct json_object *body, struct str *email);
/* A required member that shall become the password of the person with that e-mail:
 * CRYPT_PASSWORD_MIN characters to CRYPT_PASSWORD_MAX bytes, and not one of the password_guesses
 * that are guessed first. Wiped when the request is over. MISSING_FIELD, INVALID_FIELD. */
enum error person_new_password(struct request *r, struct json_object *body, const char *name,
                               struct str email, struct str *password);

#endif

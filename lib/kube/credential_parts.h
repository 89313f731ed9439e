/* credential_parts: what telling credentials (credential.h) and cutting them out of text
 * (credential_cut.h) share. Nobody else includes it but their tests.
 */
#ifndef LOADLINE_KUBE_CREDENTIAL_PARTS_H
#define LOADLINE_KUBE_CREDENTIAL_PARTS_H

#include "kube/credential.h"

/* Values of a known shape: a prefix, the characters besides letters and digits that may follow it,
 * and how many there are at least. The three bytes of the prefix at `mark` are what they are found
 * by. The last one has no prefix. */
struct credential_shape {
    const char *prefix, *also;
    size_t least, mark;
};
extern const struct credential_shape credential_shapes[];

/* How many bytes at the start of the text are of a known shape, and of which; else 0. */
size_t credential_shape(struct str text, const struct credential_shape **which);

/* How many bytes of an address come before the part that is a secret; 0: it has none. */
size_t credential_webhook(struct str value);

/* Would the value be the secret that its name promises? Known shapes are not looked for. */
bool credential_hides(enum credential_name name, struct str value);

/* "$(VAR)", "<password>": a place for something; absent and empty ones are none. */
bool credential_is_filled_in(struct str value);
/* A switch, a path, an address, a reference. The value is not empty. */
bool credential_is_stand_in(struct str value);
/* Nobody thought it up. */
bool credential_is_random(struct str value);

#endif

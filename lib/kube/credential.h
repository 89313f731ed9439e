/* credential: does this look like a secret that stands in plain text? Looked at in passing, never
 * kept. What names and values look like was compared with the rules of gitleaks and detect-secrets.
 */
#ifndef LOADLINE_KUBE_CREDENTIAL_H
#define LOADLINE_KUBE_CREDENTIAL_H

#include "base/str.h"

/* What a name promises. */
enum credential_name {
    CREDENTIAL_NAME_NONE,   /* nothing, or where a secret is: PASSWORD_FILE, TOKEN_TTL_SECONDS */
    CREDENTIAL_NAME_HINT,   /* something about a secret, or the secret: PASS_THROUGH, BATCH_KEY */
    CREDENTIAL_NAME_LIKELY, /* a secret with a value that could be one: TOKEN_GITHUB, PASSWORDS */
    CREDENTIAL_NAME_OBJECT, /* a secret, or the checksum of a Secret: serving-cert.secret */
    CREDENTIAL_NAME_SECRET  /* a secret: DB_PASSWORD, api-token, clientSecret */
};
enum credential_name credential_name(struct str name);

/* What a value looks like, as bits. */
enum {
    CREDENTIAL_VALUE_KNOWN = 1,    /* a shape that nothing else has: AKIA..., PEM, user:password@ */
    CREDENTIAL_VALUE_POSSIBLE = 2, /* it could be a secret: no switch, path, address, reference */
    CREDENTIAL_VALUE_RANDOM = 4,   /* possible, and nobody thought it up */
    CREDENTIAL_VALUE_DIGEST = 8,   /* possible, with the letters and the length of a checksum */
    CREDENTIAL_VALUE_COUNT = 16    /* possible, and a number: TOKENS=4096 */
};
unsigned credential_value(struct str value);

/* Are a name and a value together a secret in plain text? */
bool credential_is(enum credential_name name, unsigned value);
/* The same from the texts. */
bool credential_pair(struct str name, struct str value);

/* MYSQL_ALLOW_EMPTY_PASSWORD and the like, switched on: a server that asks for no password. */
bool credential_waived(struct str name, struct str value);

/* ---- what cutting them out of text (credential_cut.h) needs to know ---- */

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

/* Would the value, which is not empty and no stand-in, be the secret that its name promises? Known
 * shapes are not looked for. Text is full of words like names: a likely one is no more than a hint.
 */
bool credential_hides(enum credential_name name, struct str value);

/* "$(VAR)", "<password>": a place for something; absent and empty ones are none. */
bool credential_is_filled_in(struct str value);
/* A switch, a path, a reference, but for addresses. The value is not empty. */
bool credential_names_other(struct str value);
/* Nobody thought it up. */
bool credential_is_random(struct str value);

/* Stands in the place of a secret. It is none itself, so that cutting twice changes nothing. */
#define CREDENTIAL_CUT "[redacted]"
/* The same of a whole value that is cut whatever it says, with what its name and its look told:
 * whoever reads it later finds the same. They begin with the mark, and are no secrets either. */
#define CREDENTIAL_CUT_SECRET CREDENTIAL_CUT " looks like a credential"
#define CREDENTIAL_CUT_WAIVED CREDENTIAL_CUT " asks for no password"

/* Is it one of these three? Then there is nothing to cut. */
bool credential_is_mark(struct str value);

struct credential_range {
    size_t from, to; /* from < to */
};

/* Does a known shape begin where its mark is, as far as the text goes? */
bool credential_shape_at(struct str text, size_t at);

#endif

/* credential: does this look like a secret that stands in plain text? Looked at in passing, never
 * kept. What names and values look like was compared with the rules of gitleaks and detect-secrets.
 */
#ifndef LOADLINE_KUBE_CREDENTIAL_H
#define LOADLINE_KUBE_CREDENTIAL_H

#include "base/str.h"

/* What a name promises. */
enum credential_name {
    CREDENTIAL_NAME_NONE,   /* nothing, or where a secret is: PASSWORD_FILE, TOKEN_TTL_SECONDS */
    CREDENTIAL_NAME_HINT,   /* something about a secret, or the secret: TOKEN_GITHUB, BATCH_KEY */
    CREDENTIAL_NAME_OBJECT, /* a secret, or the checksum of a Secret: serving-cert.secret */
    CREDENTIAL_NAME_SECRET  /* a secret: DB_PASSWORD, api-token, clientSecret */
};
enum credential_name credential_name(struct str name);

/* What a value looks like, as bits. */
enum {
    CREDENTIAL_VALUE_KNOWN = 1,    /* a shape that nothing else has: AKIA..., PEM, user:password@ */
    CREDENTIAL_VALUE_POSSIBLE = 2, /* it could be a secret: no switch, path, address, reference */
    CREDENTIAL_VALUE_RANDOM = 4,   /* possible, and nobody thought it up */
    CREDENTIAL_VALUE_DIGEST = 8    /* possible, with the letters and the length of a checksum */
};
unsigned credential_value(struct str value);

/* Are a name and a value together a secret in plain text? */
bool credential_is(enum credential_name name, unsigned value);
/* The same from the texts. */
bool credential_pair(struct str name, struct str value);

/* MYSQL_ALLOW_EMPTY_PASSWORD and the like, switched on: a server that asks for no password. */
bool credential_waived(struct str name, struct str value);

#endif

/* jwt: ID tokens of OpenID Connect: signed by RS256 or ES256 with a key of a JWK set, and about
 * whom they should be. Nothing else is accepted: no other algorithm, no key from the token itself.
 */
#ifndef LOADLINE_SERVICE_JWT_H
#define LOADLINE_SERVICE_JWT_H

#include "base/arena.h"

enum { JWT_MAX = 16 * 1024, JWT_SKEW_SECONDS = 60 /* that clocks may differ */ };

/* What a token must say. */
struct jwt_wanted {
    struct str issuer, client, nonce;
    int64_t now; /* ms */
};

/* What it says; slices in the arena, absent: nothing. */
struct jwt_claims {
    struct str subject, email;
    bool email_verified; /* the issuer says so, as true */
};

enum jwt_verdict {
    JWT_GOOD,
    JWT_UNKNOWN_KEY, /* no key of the set has its id: the set may be old */
    JWT_BAD          /* *why is the end of a sentence: "is for another client" */
};
/* keys: the JWK set, as JSON. */
enum jwt_verdict jwt_verify(struct arena *arena, struct str token, struct str keys,
                            const struct jwt_wanted *wanted, struct jwt_claims *claims,
                            const char **why);

#endif

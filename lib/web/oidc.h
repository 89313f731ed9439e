/* oidc: the issuer of OpenID Connect that the configuration names: where it is asked, and what it
 * says of a person. Its addresses and keys are kept for an hour by each worker, and for half a
 * minute that one of its addresses does not answer.
 */
#ifndef LOADLINE_WEB_OIDC_H
#define LOADLINE_WEB_OIDC_H

#include "service/jwt.h"
#include "web/request.h"

/* Is there one? */
bool oidc_is_on(const struct request *r);

/* The address that a browser is sent to. challenge: of PKCE, S256. ISSUER_AWAY. */
enum error oidc_address(struct request *r, struct str state, struct str nonce, struct str challenge,
                        struct str *url);
/* Redeems a code and verifies the ID token that comes for it. ISSUER_AWAY; BAD_SIGN_IN, and a line
 * in the log that says why. */
enum error oidc_redeem(struct request *r, struct str code, struct str verifier, struct str nonce,
                       struct jwt_claims *claims);

#endif

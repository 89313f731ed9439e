/* webhook: signatures by Standard Webhooks 1.0.0 (sections "Signature scheme" and "Secrets").
 *
 * What is signed is "ID.TIMESTAMP.BODY", with HMAC-SHA256 and the bits of the secret as key. The
 * timestamp is that of the attempt, in seconds; ID and BODY stay the same when it is repeated.
 */
#ifndef LOADLINE_SERVICE_WEBHOOK_H
#define LOADLINE_SERVICE_WEBHOOK_H

#include "service/crypt.h"

#define WEBHOOK_SECRET_PREFIX "whsec_"
enum {
    WEBHOOK_SECRET_TEXT = 6 + 44,    /* the prefix, and 32 bytes as base64 */
    WEBHOOK_SIGNATURES_MAX = 2,      /* the secret's and the previous one's, while it is rotated */
    WEBHOOK_SIGNATURE_TEXT = 3 + 44, /* "v1," and a digest as base64 */
    WEBHOOK_SIGNATURE_SIZE = WEBHOOK_SIGNATURES_MAX * (WEBHOOK_SIGNATURE_TEXT + 1)
};

/* A new random secret. Wipe it after use. */
void webhook_secret_new(char secret[WEBHOOK_SECRET_TEXT + 1]);

struct webhook_message {
    struct str id;
    int64_t time; /* of the attempt */
    struct str body;
};
/* The value of the header webhook-signature: one signature for each of the secrets, separated by a
 * blank; "" when none of them is a secret. An absent secret counts for none. */
void webhook_sign(const struct webhook_message *message,
                  const struct str secrets[WEBHOOK_SIGNATURES_MAX],
                  char signatures[WEBHOOK_SIGNATURE_SIZE]);

#endif

/* totp: codes that change every half minute (RFC 6238), with what every authenticator app takes for
 * granted: HMAC-SHA-1, six digits, steps of 30 seconds. The secret is TOTP_SECRET random bytes.
 */
#ifndef LOADLINE_SERVICE_TOTP_H
#define LOADLINE_SERVICE_TOTP_H

#include "base/arena.h"

enum {
    TOTP_SECRET = 20,
    TOTP_TEXT = 32, /* characters of a secret in base32 */
    TOTP_DIGITS = 6,
    TOTP_STEP_MS = 30 * 1000,
    TOTP_WINDOW = 1 /* steps that a clock may be wrong, either way */
};

/* A new random secret, in the arena. Wipe it after use. */
struct str totp_secret(struct arena *arena);
/* A secret in base32, upper case, as people type it into an app. Wipe it after use. */
struct str totp_text(struct arena *arena, struct str secret);
/* The same for apps that read it: otpauth://totp/Loadline:EMAIL?secret=... Wipe it after use. */
struct str totp_uri(struct arena *arena, struct str email, struct str text);

/* Is code that of now, or of TOTP_WINDOW steps before or after, and of a later step than `last`?
 * *step: of which; note it, and the code is refused from then on, as all before it. Takes equally
 * long for every code of six digits. */
bool totp_check(struct str secret, struct str code, int64_t now, int64_t last, int64_t *step);

/* Base32 (RFC 4648) of whole groups of five bytes, without padding, in lower case if wanted. */
struct str totp_base32(struct arena *arena, struct str bytes, bool lower);

#endif

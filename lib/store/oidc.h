/* oidc: sign-ins by an issuer of OpenID Connect that are under way, and which of its people is
 * which user.
 */
#ifndef LOADLINE_STORE_OIDC_H
#define LOADLINE_STORE_OIDC_H

#include "service/crypt.h"
#include "db/db.h"

enum { OIDC_LOGIN_MS = 10 * 60 * 1000 };

/* A sign-in under way, known by the hash of its state. */
struct oidc_login {
    struct str nonce;     /* what the token has to say */
    struct str challenge; /* SHA-256 of what the browser keeps, CRYPT_DIGEST bytes */
};
enum error oidc_login_begin(struct db *db, const unsigned char state[CRYPT_DIGEST],
                            const struct oidc_login *login, int64_t now);
/* Inside a transaction: takes it; of several that do one gets it. NULL: there is none, it is too
 * old, or was taken. */
enum error oidc_login_end(struct db *db, struct arena *arena,
                          const unsigned char state[CRYPT_DIGEST], int64_t now,
                          struct oidc_login **login);

/* What an issuer's subject is known by: a hash of both. */
void oidc_account(struct str issuer, struct str subject, unsigned char account[CRYPT_DIGEST]);
/* From now on it is the tenant's user. INTERNAL when it is somebody's already. */
enum error oidc_link(struct db *db, struct str user, struct str issuer, struct str subject,
                     int64_t now);
/* Is the tenant's user somebody of an issuer already? */
enum error oidc_is_linked(struct db *db, struct arena *arena, struct str user, bool *linked);
enum error oidc_delete_of_user(struct db *db, struct str user);

/* Forgets at most `limit` sign-ins that expired at or before `before`. For maintenance. */
enum error oidc_purge(struct db *db, int64_t before, int64_t limit, uint64_t *purged);
/* How many it would forget without a limit. */
enum error oidc_old(struct db *db, struct arena *arena, int64_t before, int64_t *count);

#endif

/* session: who is logged in. Tokens are stored as their SHA-256 only. */
#ifndef LOADLINE_STORE_SESSION_H
#define LOADLINE_STORE_SESSION_H

#include "service/crypt.h"
#include "service/db.h"

enum { SESSION_SECONDS = 8 * 3600 };

struct session {
    struct str hash; /* CRYPT_DIGEST bytes */
    struct str tenant, user, email, role;
    int64_t expires;
};

/* NULL when there is none, or it has expired or was revoked. */
enum error session_find(struct db *db, struct arena *arena, const unsigned char hash[CRYPT_DIGEST],
                        int64_t now, struct session **session);
/* A session of the tenant's user from now on; *expires is when it ends. */
enum error session_create(struct db *db, struct str user, const struct crypt_secret *token,
                          int64_t now, int64_t *expires);

#endif

/* session: who is logged in. Tokens are stored as their SHA-256 only. */
#ifndef LOADLINE_STORE_SESSION_H
#define LOADLINE_STORE_SESSION_H

#include "service/crypt.h"
#include "db/db.h"

struct session {
    struct str hash; /* CRYPT_DIGEST bytes */
    struct str tenant, user, email, role;
    int64_t expires;
};

/* NULL when there is none, or it has expired or was revoked. */
enum error session_find(struct db *db, struct arena *arena, const unsigned char hash[CRYPT_DIGEST],
                        int64_t now, struct session **session);
/* A session of the tenant's user from now on, until `expires`. */
enum error session_create(struct db *db, struct str user, const struct crypt_secret *token,
                          int64_t now, int64_t expires);
/* Ends the tenant's session. *was_open: whether it was open until now; of several that end one
 * session exactly one sees true. */
enum error session_revoke(struct db *db, struct str hash, int64_t now, bool *was_open);
/* Ends all sessions of the user but this one. */
enum error session_revoke_others(struct db *db, struct str user, struct str hash, int64_t now);
/* Forgets all sessions of the user. */
enum error session_delete_of_user(struct db *db, struct str user);
/* Inside a transaction: forgets all sessions of the tenant, those included that are just being
 * made; its users stay locked. */
enum error session_delete_all(struct db *db, struct arena *arena);
/* Forgets at most `limit` sessions of all tenants that expired at or before `before`, the oldest
 * first. For maintenance; revoked ones stay until they would have expired. */
enum error session_purge(struct db *db, int64_t before, int64_t limit, uint64_t *purged);
/* How many it would forget without a limit. */
enum error session_old(struct db *db, struct arena *arena, int64_t before, int64_t *count);

#endif

/* session: who is logged in. Tokens are stored as their SHA-256 only. */
#ifndef LOADLINE_STORE_SESSION_H
#define LOADLINE_STORE_SESSION_H

#include "service/crypt.h"
#include "db/db.h"
#include "store/keyset.h"

enum {
    SESSION_ADDRESS_MAX = 64,
    SESSION_AGENT_MAX = 200,
    SESSION_AHEAD_MS = 5 * 60 * 1000 /* that clocks of hosts may differ */
};

/* A session is one sign-in. It has one token after another, and id and beginning stay. */
struct session {
    struct str hash; /* CRYPT_DIGEST bytes, of the token */
    struct str tenant, user, id, email, role;
    int64_t began, expires, last_used; /* last_used: to the minute */
    bool setup; /* the tenant requires a second factor, and the user has none: nothing but to set
                   it up */
    bool by_issuer; /* that is where the person has signed in */
};

/* Which sessions are open: those whose token has not expired, that began within absolute_ms and
 * were used within idle_ms, and that were not made in a future that never was. */
struct session_moment {
    int64_t now, idle_ms, absolute_ms;
};

/* NULL when there is none, or it is not open or was ended. */
enum error session_find(struct db *db, struct arena *arena, const unsigned char hash[CRYPT_DIGEST],
                        struct session_moment moment, struct session **session);
/* Notes that the tenant's session is used now, from that address, when its last use was noted a
 * minute ago or earlier; else it asks nothing of the database. */
enum error session_used(struct db *db, const struct session *session, int64_t now,
                        struct str address);

/* A token that is made now. */
struct session_start {
    struct str id; /* of the session that goes on; absent: a new one begins */
    int64_t began, now, expires;
    struct str address;
    struct str user_agent; /* UTF-8; absent: not known */
    bool by_issuer;
};
/* A token of a session of the tenant's user. Texts longer than the maxima are cut. */
enum error session_create(struct db *db, struct str user, const struct crypt_secret *token,
                          const struct session_start *start);

struct session_row {
    struct str id;
    int64_t began, last_used, expires;
    struct str address, user_agent; /* empty: not known */
    bool current;                   /* its token is the one that was asked about */
};

struct session_rows {
    size_t n;
    struct session_row *items;
};

/* The user's open sessions, newest first. hash: of the token to be recognised. */
enum error session_list(struct db *db, struct arena *arena, struct str user, struct str hash,
                        struct session_moment moment, const struct keyset *page,
                        struct session_rows *rows);
/* Inside a transaction that has locked the user: ends the user's session with that id. *was_open:
 * whether it was open until now. */
enum error session_end(struct db *db, struct str user, struct str id, int64_t now, bool *was_open);
/* Ends the tenant's session. *was_open: whether it was open until now; of several that end one
 * session exactly one sees true. */
enum error session_revoke(struct db *db, struct str hash, int64_t now, bool *was_open);
/* Ends all sessions of the user but this one; all, when hash is absent. *ended: how many. */
enum error session_revoke_others(struct db *db, struct str user, struct str hash, int64_t now,
                                 uint64_t *ended);
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

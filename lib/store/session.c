#include "store/session.h"

struct session_user {
    struct str user;
};

#define STATEMENTS "store/session.def"
#include "db/statements.inc"

enum error session_find(struct db *db, struct arena *arena, const unsigned char hash[CRYPT_DIGEST],
                        int64_t now, struct session **session)
{
    struct str key = {(const char *)hash, CRYPT_DIGEST};
    return DB_ROW(db, arena, session, session_by_token, .token_hash = key, .now = now);
}

enum error session_create(struct db *db, struct str user, const struct crypt_secret *token,
                          int64_t now, int64_t expires)
{
    struct str hash = {(const char *)token->hash, CRYPT_DIGEST};
    return DB_RUN(db, session_insert, .token_hash = hash, .user_id = user, .created_at = now,
                  .expires_at = expires);
}

enum error session_revoke(struct db *db, struct str hash, int64_t now, bool *was_open)
{
    uint64_t affected = 0;
    enum error e =
        DB_RUN_COUNT(db, &affected, session_revoke, .token_hash = hash, .revoked_at = now);
    *was_open = affected == 1;
    return e;
}

enum error session_revoke_others(struct db *db, struct str user, struct str hash, int64_t now)
{
    return DB_RUN(db, session_revoke_others, .user_id = user, .token_hash = hash,
                  .revoked_at = now);
}

enum error session_delete_of_user(struct db *db, struct str user)
{
    return DB_RUN(db, session_delete_of_user, .user_id = user);
}

enum error session_delete_all(struct db *db, struct arena *arena)
{
    struct session_user *users;
    size_t n;
    enum error e = DB_ROWS(db, arena, &users, &n, session_lock_users);
    return e ? e : DB_RUN(db, session_delete_all);
}

enum error session_purge(struct db *db, int64_t before, int64_t limit, uint64_t *purged)
{
    return DB_RUN_COUNT(db, purged, session_purge, .before = before, .limit = limit);
}

enum error session_old(struct db *db, struct arena *arena, int64_t before, int64_t *count)
{
    return DB_NUMBER(db, arena, count, session_old, .before = before);
}

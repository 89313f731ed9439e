#include "store/session.h"

struct session_user {
    struct str user;
};

#define STATEMENTS "store/session.def"
#include "db/statements.inc"

enum { USED_MS = 60 * 1000 };

enum error session_find(struct db *db, struct arena *arena, const unsigned char hash[CRYPT_DIGEST],
                        struct session_moment moment, struct session **session)
{
    struct str key = {(const char *)hash, CRYPT_DIGEST};
    return DB_ROW(db, arena, session, session_by_token, .token_hash = key, .now = moment.now,
                  .used_after = moment.now - moment.idle_ms,
                  .began_after = moment.now - moment.absolute_ms,
                  .made_before = moment.now + SESSION_AHEAD_MS);
}

enum error session_used(struct db *db, const struct session *session, int64_t now,
                        struct str address)
{
    if (session->last_used <= now && now - session->last_used < USED_MS)
        return ERR_OK;
    return DB_RUN(db, session_used, .token_hash = session->hash, .last_used_at = now,
                  .address = str_utf8_prefix(address, SESSION_ADDRESS_MAX),
                  .noted_before = now - USED_MS);
}

enum error session_create(struct db *db, struct str user, const struct crypt_secret *token,
                          const struct session_start *start)
{
    char id[UUID_TEXT_LEN + 1];
    struct str hash = {(const char *)token->hash, CRYPT_DIGEST};
    rand_uuid(id);
    return DB_RUN(db, session_insert, .token_hash = hash, .user_id = user,
                  .session_id = start->id.p ? start->id : str_of(id), .began_at = start->began,
                  .created_at = start->now, .expires_at = start->expires,
                  .last_used_at = start->now,
                  .address = str_or_empty(str_utf8_prefix(start->address, SESSION_ADDRESS_MAX)),
                  .user_agent = str_or_empty(str_utf8_prefix(start->user_agent, SESSION_AGENT_MAX)),
                  .by_issuer = start->by_issuer);
}

enum error session_list(struct db *db, struct arena *arena, struct str user, struct str hash,
                        struct session_moment moment, const struct keyset *page,
                        struct session_rows *rows)
{
    return DB_ROWS(db, arena, &rows->items, &rows->n, session_list, .user_id = user,
                   .token_hash = hash, .now = moment.now, .used_after = moment.now - moment.idle_ms,
                   .began_after = moment.now - moment.absolute_ms,
                   .made_before = moment.now + SESSION_AHEAD_MS, .before = page->before,
                   .before_id = page->before_id, .limit = page->limit);
}

enum error session_end(struct db *db, struct str user, struct str id, int64_t now, bool *was_open)
{
    uint64_t affected = 0;
    enum error e = DB_RUN_COUNT(db, &affected, session_end, .user_id = user, .session_id = id,
                                .revoked_at = now);
    *was_open = affected > 0;
    return e;
}

enum error session_revoke(struct db *db, struct str hash, int64_t now, bool *was_open)
{
    uint64_t affected = 0;
    enum error e =
        DB_RUN_COUNT(db, &affected, session_revoke, .token_hash = hash, .revoked_at = now);
    *was_open = affected == 1;
    return e;
}

enum error session_revoke_others(struct db *db, struct str user, struct str hash, int64_t now,
                                 uint64_t *ended)
{
    return DB_RUN_COUNT(db, ended, session_revoke_others, .user_id = user,
                        .token_hash = str_or_empty(hash), .revoked_at = now);
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

#include "store/session.h"

enum error session_find(struct db *db, struct arena *arena, const unsigned char hash[CRYPT_DIGEST],
                        int64_t now, struct session **session)
{
    struct db_value *row;
    struct str key = {(const char *)hash, CRYPT_DIGEST};
    enum error e =
        db_row(db, arena, STMT_session_by_token, DB_ARGS(db_bytes(key), db_time(now)), &row);
    *session = NULL;
    if (e || !row)
        return e;
    *session = ARENA_NEW(arena, struct session);
    **session = (struct session){.hash = row[0].s,
                                 .tenant = row[1].s,
                                 .user = row[2].s,
                                 .email = row[3].s,
                                 .role = row[4].s,
                                 .expires = row[5].i};
    return ERR_OK;
}

enum error session_create(struct db *db, struct str user, const struct crypt_secret *token,
                          int64_t now, int64_t *expires)
{
    struct str hash = {(const char *)token->hash, CRYPT_DIGEST};
    *expires = now + (int64_t)SESSION_SECONDS * 1000;
    return db_run(db, STMT_session_insert,
                  DB_ARGS(db_bytes(hash), db_uuid(user), db_time(now), db_time(*expires)), NULL);
}

enum error session_revoke(struct db *db, struct str hash, int64_t now, bool *was_open)
{
    uint64_t affected = 0;
    enum error e = db_run(db, STMT_session_revoke,
                          DB_ARGS(db_time(now), db_bytes(hash), db_time(now)), &affected);
    *was_open = affected == 1;
    return e;
}

enum error session_revoke_others(struct db *db, struct str user, struct str hash, int64_t now)
{
    return db_run(db, STMT_session_revoke_others,
                  DB_ARGS(db_time(now), db_uuid(user), db_bytes(hash)), NULL);
}

enum error session_delete_of_user(struct db *db, struct str user)
{
    return db_run(db, STMT_session_delete_of_user, DB_ARGS(db_uuid(user)), NULL);
}

enum error session_delete_all(struct db *db, struct arena *arena)
{
    struct db_rows users;
    enum error e = db_rows(db, arena, STMT_user_lock_all, DB_NO_ARGS, &users);
    return e ? e : db_run(db, STMT_session_delete_all, DB_NO_ARGS, NULL);
}

enum error session_purge(struct db *db, int64_t before, int64_t limit, uint64_t *purged)
{
    return db_run(db, STMT_session_purge, DB_ARGS(db_time(before), db_int(limit)), purged);
}

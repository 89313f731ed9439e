#include "store/user.h"

#include "store/known_address.h"
#include "store/link.h"
#include "store/oidc.h"
#include "store/second_factor.h"
#include "store/session.h"

#define STATEMENTS "store/user.def"
#include "db/statements.inc"

enum error user_by_email(struct db *db, struct arena *arena, struct str email, struct user **user)
{
    return DB_ROW(db, arena, user, user_by_email, .email = email);
}

enum error user_by_id(struct db *db, struct arena *arena, struct str id, struct user **user)
{
    return DB_ROW(db, arena, user, user_by_id, .user_id = id);
}

enum error user_lock(struct db *db, struct arena *arena, struct str id, struct user **user)
{
    return DB_ROW(db, arena, user, user_lock, .user_id = id);
}

enum error user_create(struct db *db, struct str email, struct str password, struct str role,
                       int64_t now, char id[UUID_TEXT_LEN + 1])
{
    uint64_t inserted;
    rand_uuid(id);
    enum error e = DB_RUN_COUNT(db, &inserted, user_insert, .user_id = str_of(id), .email = email,
                                .password = password, .role = role, .created_at = now);
    if (e)
        return e;
    return inserted ? ERR_OK : ERR_EMAIL_TAKEN;
}

enum error user_set_verified(struct db *db, struct str id, int64_t now)
{
    return DB_RUN(db, user_set_verified, .verified_at = now, .user_id = id);
}

enum error user_by_subject(struct db *db, struct arena *arena, struct str issuer,
                           struct str subject, struct user **user)
{
    unsigned char hash[CRYPT_DIGEST];
    oidc_account(issuer, subject, hash);
    struct str account = {(const char *)hash, sizeof hash};
    return DB_ROW(db, arena, user, user_by_subject, .account = account);
}

enum error user_is_verified(struct db *db, struct arena *arena, struct str id, bool *verified)
{
    int64_t count;
    enum error e = DB_NUMBER(db, arena, &count, user_is_verified, .user_id = id);
    *verified = !e && count;
    return e;
}

enum error user_set_password(struct db *db, struct str id, struct str password)
{
    return DB_RUN(db, user_set_password, .password = password, .user_id = id);
}

/* ---- members ---- */

enum error user_list(struct db *db, struct arena *arena, const struct keyset *page,
                     struct members *members)
{
    return DB_ROWS(db, arena, &members->items, &members->n, user_list, .before = page->before,
                   .before_id = page->before_id, .limit = page->limit);
}

enum error user_count(struct db *db, struct arena *arena, int64_t *count)
{
    return DB_NUMBER(db, arena, count, user_count);
}

enum error user_has_other_admin(struct db *db, struct arena *arena, struct str id, bool *has)
{
    int64_t others;
    enum error e = DB_NUMBER(db, arena, &others, user_other_admins, .user_id = id);
    *has = others > 0;
    return e;
}

enum error user_set_role(struct db *db, struct str id, struct str role)
{
    return DB_RUN(db, user_set_role, .role = role, .user_id = id);
}

enum error user_delete(struct db *db, struct str id)
{
    enum error e = session_delete_of_user(db, id);
    if (!e)
        e = known_address_delete_of_user(db, id);
    if (!e)
        e = link_delete_of_user(db, id);
    if (!e)
        e = second_factor_delete(db, id);
    if (!e)
        e = oidc_delete_of_user(db, id);
    return e ? e : DB_RUN(db, user_delete, .user_id = id);
}

#include "store/oidc.h"

#define STATEMENTS "store/oidc.def"
#include "db/statements.inc"

static struct str hash_of(const unsigned char hash[CRYPT_DIGEST])
{
    return (struct str){(const char *)hash, CRYPT_DIGEST};
}

enum error oidc_login_begin(struct db *db, const unsigned char state[CRYPT_DIGEST],
                            const struct oidc_login *login, int64_t now)
{
    return DB_RUN(db, oidc_login_insert, .state_hash = hash_of(state), .nonce = login->nonce,
                  .challenge = login->challenge, .expires_at = now + OIDC_LOGIN_MS);
}

enum error oidc_login_end(struct db *db, struct arena *arena,
                          const unsigned char state[CRYPT_DIGEST], int64_t now,
                          struct oidc_login **login)
{
    enum error e =
        DB_ROW(db, arena, login, oidc_login_lock, .state_hash = hash_of(state), .now = now);
    return e || !*login ? e : DB_RUN(db, oidc_login_delete, .state_hash = hash_of(state));
}

/* Of the issuer and its subject: no issuer has a blank in its address. */
void oidc_account(struct str issuer, struct str subject, unsigned char hash[CRYPT_DIGEST])
{
    const struct str parts[] = {issuer, STR(" "), subject};
    crypt_hmac_sha256(STR("oidc account"), parts, 3, hash);
}

enum error oidc_link(struct db *db, struct str user, struct str issuer, struct str subject,
                     int64_t now)
{
    unsigned char account[CRYPT_DIGEST];
    oidc_account(issuer, subject, account);
    return DB_RUN(db, oidc_link, .account = hash_of(account), .user_id = user, .linked_at = now);
}

enum error oidc_is_linked(struct db *db, struct arena *arena, struct str user, bool *linked)
{
    int64_t count;
    enum error e = DB_NUMBER(db, arena, &count, oidc_of_user, .user_id = user);
    *linked = !e && count;
    return e;
}

enum error oidc_delete_of_user(struct db *db, struct str user)
{
    return DB_RUN(db, oidc_delete_of_user, .user_id = user);
}

enum error oidc_purge(struct db *db, int64_t before, int64_t limit, uint64_t *purged)
{
    return DB_RUN_COUNT(db, purged, oidc_login_purge, .before = before, .limit = limit);
}

enum error oidc_old(struct db *db, struct arena *arena, int64_t before, int64_t *count)
{
    return DB_NUMBER(db, arena, count, oidc_login_old, .before = before);
}

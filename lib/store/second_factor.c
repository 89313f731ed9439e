#include "store/second_factor.h"

struct sealed_factor {
    struct str secret;
    int64_t confirmed, last_step;
};

#define STATEMENTS "store/second_factor.def"
#include "db/statements.inc"

enum error second_factor_find(struct db *db, struct arena *arena, const struct seal_keys *keys,
                              struct str user, struct second_factor **factor)
{
    struct sealed_factor *sealed;
    enum error e = DB_ROW(db, arena, &sealed, second_factor_of_user, .user_id = user);
    *factor = NULL;
    if (e || !sealed)
        return e;
    *factor = ARENA_NEW(arena, struct second_factor);
    **factor =
        (struct second_factor){.confirmed = sealed->confirmed, .last_step = sealed->last_step};
    if (keys && !seal_open(arena, keys, user, sealed->secret, &(*factor)->secret))
        (*factor)->secret = (struct str){0};
    return ERR_OK;
}

enum error second_factor_begin(struct db *db, struct arena *arena, const struct seal_keys *keys,
                               struct str user, struct str secret, int64_t now)
{
    return DB_RUN(db, second_factor_begin, .user_id = user,
                  .secret = seal(arena, keys, user, secret), .created_at = now);
}

enum error second_factor_confirm(struct db *db, struct str user, int64_t now)
{
    return DB_RUN(db, second_factor_confirm, .user_id = user, .confirmed_at = now);
}

enum error second_factor_used(struct db *db, struct arena *arena, const struct seal_keys *keys,
                              struct str user, struct str secret, int64_t step)
{
    return DB_RUN(db, second_factor_used, .user_id = user,
                  .secret = seal(arena, keys, user, secret), .last_step = step);
}

enum error second_factor_delete(struct db *db, struct str user)
{
    enum error e = DB_RUN(db, recovery_delete, .user_id = user);
    return e ? e : DB_RUN(db, second_factor_delete, .user_id = user);
}

void second_factor_recovery_hash(struct arena *arena, struct str user, struct str code,
                                 unsigned char hash[CRYPT_DIGEST])
{
    struct str text = arena_printf(arena, "%" STR_FMT " %" STR_FMT, STR_ARG(user), STR_ARG(code));
    crypt_sha256(text, hash);
    crypt_wipe((char *)text.p, text.n);
}

static struct str hash_of(const unsigned char hash[CRYPT_DIGEST])
{
    return (struct str){(const char *)hash, CRYPT_DIGEST};
}

enum error second_factor_set_recovery(struct db *db, struct str user,
                                      unsigned char hashes[RECOVERY_CODES][CRYPT_DIGEST])
{
    enum error e = DB_RUN(db, recovery_delete, .user_id = user);
    for (size_t i = 0; !e && i < RECOVERY_CODES; i++)
        e = DB_RUN(db, recovery_insert, .user_id = user, .code_hash = hash_of(hashes[i]));
    return e;
}

enum error second_factor_use_recovery(struct db *db, struct str user,
                                      const unsigned char hash[CRYPT_DIGEST], bool *used)
{
    uint64_t affected = 0;
    enum error e =
        DB_RUN_COUNT(db, &affected, recovery_use, .user_id = user, .code_hash = hash_of(hash));
    *used = affected == 1;
    return e;
}

enum error second_factor_count_recovery(struct db *db, struct arena *arena, struct str user,
                                        int64_t *count)
{
    return DB_NUMBER(db, arena, count, recovery_count, .user_id = user);
}

enum error second_factor_required(struct db *db, struct arena *arena, bool *required)
{
    int64_t number;
    enum error e = DB_NUMBER(db, arena, &number, second_factor_required);
    *required = !e && number;
    return e;
}

enum error second_factor_require(struct db *db, bool required)
{
    return DB_RUN(db, second_factor_require, .second_factor_required = required);
}

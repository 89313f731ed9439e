#include "store/apikey.h"

enum error apikey_find(struct db *db, struct arena *arena, const unsigned char hash[CRYPT_DIGEST],
                       int64_t now, struct apikey **key)
{
    struct db_value *row;
    struct str digest = {(const char *)hash, CRYPT_DIGEST};
    enum error e =
        db_row(db, arena, STMT_apikey_by_hash, DB_ARGS(db_bytes(digest), db_time(now)), &row);
    *key = NULL;
    if (e || !row)
        return e;
    *key = ARENA_NEW(arena, struct apikey);
    **key =
        (struct apikey){.id = row[0].s, .tenant = row[1].s, .name = row[2].s, .scope = row[3].s};
    return ERR_OK;
}

enum error apikey_create(struct db *db, const struct crypt_secret *secret, struct str name,
                         struct str scope, int64_t now, int64_t expires)
{
    char id[UUID_TEXT_LEN + 1];
    struct str hash = {(const char *)secret->hash, CRYPT_DIGEST};
    rand_uuid(id);
    return db_run(db, STMT_apikey_insert,
                  DB_ARGS(db_uuid(str_of(id)), db_bytes(hash), db_text(name), db_text(scope),
                          db_time(now), db_time(expires)),
                  NULL);
}

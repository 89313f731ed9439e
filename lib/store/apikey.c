#include "store/apikey.h"

enum {
    USED_MS = 60 * 1000,
    PREFIX_LENGTH = sizeof CRYPT_KEY_PREFIX - 1 + 6 /* tells keys apart; 220 bits stay secret */
};

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
    **key = (struct apikey){.id = row[0].s,
                            .tenant = row[1].s,
                            .name = row[2].s,
                            .scope = row[3].s,
                            .last_used = row[4].i};
    return ERR_OK;
}

enum error apikey_used(struct db *db, const struct apikey *key, int64_t now)
{
    if (key->last_used != TIME_NONE && now - key->last_used < USED_MS)
        return ERR_OK;
    return db_run(db, STMT_apikey_used,
                  DB_ARGS(db_time(now), db_uuid(key->id), db_time(now - USED_MS)), NULL);
}

static struct apikey_row row_of(const struct db_value *v)
{
    return (struct apikey_row){.id = v[0].s,
                               .name = v[1].s,
                               .scope = v[2].s,
                               .prefix = v[3].s,
                               .created = v[4].i,
                               .expires = v[5].i,
                               .last_used = v[6].i};
}

enum error apikey_create(struct db *db, struct arena *arena, const struct crypt_secret *secret,
                         struct str name, struct str scope, int64_t now, int64_t expires,
                         struct apikey_row **row)
{
    char id[UUID_TEXT_LEN + 1];
    struct str hash = {(const char *)secret->hash, CRYPT_DIGEST};
    rand_uuid(id);
    *row = ARENA_NEW(arena, struct apikey_row);
    **row =
        (struct apikey_row){.id = arena_str(arena, str_of(id)),
                            .name = name,
                            .scope = scope,
                            .prefix = arena_str(arena, (struct str){secret->text, PREFIX_LENGTH}),
                            .created = now,
                            .expires = expires,
                            .last_used = TIME_NONE};
    return db_run(db, STMT_apikey_insert,
                  DB_ARGS(db_uuid((*row)->id), db_bytes(hash), db_text(name), db_text(scope),
                          db_text((*row)->prefix), db_time(now), db_time(expires)),
                  NULL);
}

enum error apikey_list(struct db *db, struct arena *arena, const struct keyset *page,
                       struct apikey_rows *rows)
{
    struct db_rows result;
    enum error e = db_rows(db, arena, STMT_apikey_list,
                           DB_ARGS(db_time(page->before), db_time(page->before),
                                   db_uuid(page->before_id), db_int(page->limit)),
                           &result);
    if (e)
        return e;
    rows->n = result.n;
    rows->items = ARENA_ARRAY(arena, result.n, struct apikey_row);
    for (size_t i = 0; i < result.n; i++)
        rows->items[i] = row_of(result.items[i]);
    return ERR_OK;
}

enum error apikey_count(struct db *db, struct arena *arena, int64_t *count)
{
    return db_number(db, arena, STMT_apikey_count, DB_NO_ARGS, count);
}

enum error apikey_revoke(struct db *db, struct arena *arena, struct str id, int64_t now,
                         struct apikey_row **row)
{
    struct db_value *values;
    enum error e = db_row(db, arena, STMT_apikey_lock, DB_ARGS(db_uuid(id)), &values);
    *row = NULL;
    if (e || !values)
        return e;
    *row = ARENA_NEW(arena, struct apikey_row);
    **row = row_of(values);
    return db_run(db, STMT_apikey_revoke, DB_ARGS(db_time(now), db_uuid(id)), NULL);
}

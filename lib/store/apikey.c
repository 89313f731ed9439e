#include "store/apikey.h"

#define STATEMENTS "store/apikey.def"
#include "db/statements.inc"

enum {
    USED_MS = 60 * 1000,
    CLOCKS_DIFFER_MS = 10 * 60 * 1000, /* by no more: a later use is of a clock that was wrong */
    PREFIX_LENGTH = sizeof CRYPT_KEY_PREFIX - 1 + 6 /* tells keys apart; 220 bits stay secret */
};

enum error apikey_find(struct db *db, struct arena *arena, const unsigned char hash[CRYPT_DIGEST],
                       int64_t now, struct apikey **key)
{
    struct str digest = {(const char *)hash, CRYPT_DIGEST};
    return DB_ROW(db, arena, key, apikey_by_hash, .key_hash = digest, .now = now);
}

enum error apikey_owner(struct db *db, struct arena *arena, const unsigned char hash[CRYPT_DIGEST],
                        struct apikey_owner **owner)
{
    struct str digest = {(const char *)hash, CRYPT_DIGEST};
    return DB_ROW(db, arena, owner, apikey_owner, .key_hash = digest);
}

enum error apikey_used(struct db *db, const struct apikey *key, int64_t now)
{
    bool is_noted = key->last_used != TIME_NONE && key->last_used <= now + CLOCKS_DIFFER_MS;
    if (is_noted && now - key->last_used < USED_MS)
        return ERR_OK;
    return DB_RUN(db, apikey_used, .key_id = key->id, .last_used_at = now,
                  .noted_before = now - USED_MS, .noted_after = now + CLOCKS_DIFFER_MS);
}

enum error apikey_create(struct db *db, struct arena *arena, const struct crypt_secret *secret,
                         struct str name, struct str scope, int64_t now, int64_t expires,
                         const struct apikey_bounds *bound, struct apikey_row **row)
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
                            .last_used = TIME_NONE,
                            .bound = *bound};
    return DB_RUN(db, apikey_insert, .key_id = (*row)->id, .key_hash = hash, .name = name,
                  .scope = scope, .prefix = (*row)->prefix, .created_at = now,
                  .expires_at = expires, .clusters = bound->clusters,
                  .addresses = bound->addresses);
}

bool apikey_good_for(struct str clusters, struct str cluster)
{
    struct str word;
    bool good = !clusters.p;
    while (!good && clusters.n) {
        str_cut(clusters, ' ', &word, &clusters);
        good = str_eq(word, cluster);
    }
    return good;
}

enum error apikey_list(struct db *db, struct arena *arena, const struct keyset *page,
                       struct apikey_rows *rows)
{
    return DB_ROWS(db, arena, &rows->items, &rows->n, apikey_list, .before = page->before,
                   .before_id = page->before_id, .limit = page->limit);
}

enum error apikey_count(struct db *db, struct arena *arena, int64_t *count)
{
    return DB_NUMBER(db, arena, count, apikey_count);
}

enum error apikey_revoke(struct db *db, struct arena *arena, struct str id, int64_t now,
                         struct apikey_row **row)
{
    enum error e = DB_ROW(db, arena, row, apikey_lock, .key_id = id);
    return e || !*row ? e : DB_RUN(db, apikey_revoke, .key_id = id, .revoked_at = now);
}

enum error apikey_lifetime(struct db *db, struct arena *arena, struct key_lifetime *lifetime)
{
    struct key_lifetime *row;
    enum error e = DB_ROW(db, arena, &row, apikey_lifetime);
    *lifetime = !e && row ? *row : (struct key_lifetime){0};
    return e;
}

enum error apikey_set_lifetime(struct db *db, const struct key_lifetime *lifetime)
{
    return DB_RUN(db, apikey_set_lifetime, .key_days_default = lifetime->usual,
                  .key_days_longest = lifetime->longest);
}

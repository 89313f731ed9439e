#include "store/known_address.h"

#define STATEMENTS "store/known_address.def"
#include "db/statements.inc"

enum error known_address_has(struct db *db, struct arena *arena, struct str user,
                             struct str address, int64_t now, bool *has)
{
    int64_t count;
    enum error e =
        DB_NUMBER(db, arena, &count, known_address_has, .user_id = user.n ? user : STR(UUID_NIL),
                  .address = address, .after = now - KNOWN_ADDRESS_DAYS * CLOCK_DAY);
    *has = count > 0;
    return e;
}

enum error known_address_add(struct db *db, struct str user, struct str address, int64_t now)
{
    return DB_RUN(db, known_address_add, .user_id = user, .address = address, .seen_at = now);
}

enum error known_address_delete_of_user(struct db *db, struct str user)
{
    return DB_RUN(db, known_address_delete_of_user, .user_id = user);
}

enum error known_address_purge(struct db *db, int64_t before, int64_t limit, uint64_t *purged)
{
    return DB_RUN_COUNT(db, purged, known_address_purge, .before = before, .limit = limit);
}

enum error known_address_old(struct db *db, struct arena *arena, int64_t before, int64_t *count)
{
    return DB_NUMBER(db, arena, count, known_address_old, .before = before);
}

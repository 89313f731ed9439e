#include "store/user.h"

static struct user *user_of(struct arena *arena, const struct db_value *row)
{
    if (!row)
        return NULL;
    struct user *user = ARENA_NEW(arena, struct user);
    *user = (struct user){.id = row[0].s,
                          .tenant = row[1].s,
                          .email = row[2].s,
                          .password = row[3].s,
                          .role = row[4].s};
    return user;
}

enum error user_by_email(struct db *db, struct arena *arena, struct str email, struct user **user)
{
    struct db_value *row;
    enum error e = db_row(db, arena, STMT_user_by_email, DB_ARGS(db_text(email)), &row);
    *user = user_of(arena, row);
    return e;
}

enum error user_by_id(struct db *db, struct arena *arena, struct str id, struct user **user)
{
    struct db_value *row;
    enum error e = db_row(db, arena, STMT_user_by_id, DB_ARGS(db_uuid(id)), &row);
    *user = user_of(arena, row);
    return e;
}

enum error user_create(struct db *db, struct str email, struct str password, struct str role,
                       int64_t now, char id[UUID_TEXT_LEN + 1])
{
    uint64_t inserted;
    rand_uuid(id);
    enum error e = db_run(db, STMT_user_insert,
                          DB_ARGS(db_uuid(str_of(id)), db_text(email), db_text(password),
                                  db_text(role), db_time(now)),
                          &inserted);
    if (e)
        return e;
    return inserted ? ERR_OK : ERR_EMAIL_TAKEN;
}

enum error user_set_password(struct db *db, struct str id, struct str password)
{
    return db_run(db, STMT_user_set_password, DB_ARGS(db_text(password), db_uuid(id)), NULL);
}

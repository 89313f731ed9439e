#include "store/user.h"

#include "store/session.h"

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

enum error user_lock(struct db *db, struct arena *arena, struct str id, struct user **user)
{
    struct db_value *row;
    enum error e = db_row(db, arena, STMT_user_lock, DB_ARGS(db_uuid(id)), &row);
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

/* ---- members ---- */

enum error user_list(struct db *db, struct arena *arena, const struct keyset *page,
                     struct members *members)
{
    struct db_rows rows;
    enum error e = db_rows(db, arena, STMT_user_list,
                           DB_ARGS(db_time(page->before), db_time(page->before),
                                   db_uuid(page->before_id), db_int(page->limit)),
                           &rows);
    if (e)
        return e;
    members->n = rows.n;
    members->items = ARENA_ARRAY(arena, rows.n, struct member);
    for (size_t i = 0; i < rows.n; i++) {
        const struct db_value *v = rows.items[i];
        members->items[i] = (struct member){v[0].s, v[1].s, v[2].s, v[3].i};
    }
    return ERR_OK;
}

enum error user_count(struct db *db, struct arena *arena, int64_t *count)
{
    return db_number(db, arena, STMT_user_count, DB_NO_ARGS, count);
}

enum error user_has_other_admin(struct db *db, struct arena *arena, struct str id, bool *has)
{
    int64_t others;
    enum error e = db_number(db, arena, STMT_user_other_admins, DB_ARGS(db_uuid(id)), &others);
    *has = others > 0;
    return e;
}

enum error user_set_role(struct db *db, struct str id, struct str role)
{
    return db_run(db, STMT_user_set_role, DB_ARGS(db_text(role), db_uuid(id)), NULL);
}

enum error user_delete(struct db *db, struct str id)
{
    enum error e = session_delete_of_user(db, id);
    return e ? e : db_run(db, STMT_user_delete, DB_ARGS(db_uuid(id)), NULL);
}

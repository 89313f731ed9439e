/* user: people who log in. */
#ifndef LOADLINE_STORE_USER_H
#define LOADLINE_STORE_USER_H

#include "service/db.h"

struct user {
    struct str id, tenant, email, password, role; /* password: its scrypt hash */
};

/* NULL when there is none. email: in any case. */
enum error user_by_email(struct db *db, struct arena *arena, struct str email, struct user **user);
/* The same, of the tenant. */
enum error user_by_id(struct db *db, struct arena *arena, struct str id, struct user **user);
/* A new user of the tenant; id is its new id. EMAIL_TAKEN. */
enum error user_create(struct db *db, struct str email, struct str password, struct str role,
                       int64_t now, char id[UUID_TEXT_LEN + 1]);
enum error user_set_password(struct db *db, struct str id, struct str password);

#endif

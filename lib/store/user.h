/* user: people who log in, the members of a tenant. */
#ifndef LOADLINE_STORE_USER_H
#define LOADLINE_STORE_USER_H

#include "db/db.h"
#include "store/keyset.h"

enum { USER_EMAIL_MAX = 254, USERS_MAX = 1000 /* of a tenant */ };

struct user {
    struct str id, tenant, email, role;
    struct str password; /* its scrypt hash; "": invited, and has none yet */
};

/* Each gives NULL when there is none. */
/* email: in any case. */
enum error user_by_email(struct db *db, struct arena *arena, struct str email, struct user **user);
/* The user that this subject of the issuer is. */
enum error user_by_subject(struct db *db, struct arena *arena, struct str issuer,
                           struct str subject, struct user **user);
/* Of the tenant. */
enum error user_by_id(struct db *db, struct arena *arena, struct str id, struct user **user);
/* The same inside a transaction; until its end nobody else changes this user. Whoever makes
 * a session of a user, or ends all of them, locks the user first. */
enum error user_lock(struct db *db, struct arena *arena, struct str id, struct user **user);
/* A new user of the tenant; id is its new id. password: "" makes one who is invited. EMAIL_TAKEN.
 */
enum error user_create(struct db *db, struct str email, struct str password, struct str role,
                       int64_t now, char id[UUID_TEXT_LEN + 1]);
/* Mail to the user's address arrives. */
enum error user_set_verified(struct db *db, struct str id, int64_t now);
/* Has somebody shown that it does? */
enum error user_is_verified(struct db *db, struct arena *arena, struct str id, bool *verified);
enum error user_set_password(struct db *db, struct str id, struct str password);

/* ---- members. Whoever adds, changes or removes one holds the tenant's lock (tenant_lock()). ----
 */

struct member {
    struct str id, email, role;
    int64_t created;
    bool invited;       /* has no password yet */
    bool second_factor; /* has one that counts */
};

struct members {
    size_t n;
    struct member *items;
};

/* Users of the tenant, newest first. */
enum error user_list(struct db *db, struct arena *arena, const struct keyset *page,
                     struct members *members);
/* How many there are. */
enum error user_count(struct db *db, struct arena *arena, int64_t *count);
/* Has the tenant an admin who is not this user? */
enum error user_has_other_admin(struct db *db, struct arena *arena, struct str id, bool *has);
enum error user_set_role(struct db *db, struct str id, struct str role);
/* The user and all sessions are gone. */
enum error user_delete(struct db *db, struct str id);

#endif

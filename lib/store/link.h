/* link: what lets a person in once, because somebody gave it to them or mailed it. A link is a
 * random token, kept as its SHA-256 only, for one purpose and some time.
 *
 * A link that is to be mailed has no token until it is: the notifier makes it when it sends it, so
 * that no token lies anywhere in the clear.
 */
#ifndef LOADLINE_STORE_LINK_H
#define LOADLINE_STORE_LINK_H

#include "service/crypt.h"
#include "db/db.h"

enum link_kind {
    LINK_INVITATION, /* a member who has no password yet chooses one */
    LINK_PASSWORD,   /* a user chooses a new one */
    LINK_EMAIL,      /* mail to the user arrives */
    LINK_SIGNUP,     /* one signup, of nobody yet */
    LINK_KINDS
};

struct link {
    struct str id, tenant, user;
    struct str kind; /* as the API calls it: invitation, password, email, signup */
    int64_t expires;
    int64_t tries;             /* how often it was mailed; 0: somebody has been shown it */
    struct str email, company; /* absent: there is no such user or tenant (any more) */
};
bool link_is(const struct link *link, enum link_kind kind);

/* A link of the tenant's user that somebody is shown. */
enum error link_create(struct db *db, enum link_kind kind, struct str user,
                       const struct crypt_secret *token, int64_t now, int64_t *expires);
/* One that is mailed soon. */
enum error link_queue(struct db *db, enum link_kind kind, struct str user, int64_t now);
/* For one signup; binds the db to no tenant that there is. */
enum error link_create_signup(struct db *db, const struct crypt_secret *token, int64_t now,
                              int64_t *expires);

/* NULL when there is none, or it was used or has expired. */
enum error link_find(struct db *db, struct arena *arena, const unsigned char hash[CRYPT_DIGEST],
                     int64_t now, struct link **link);
/* Inside a transaction: uses the link up; the db is bound to its tenant. *taken: of several that
 * use one link exactly one sees true. */
enum error link_use(struct db *db, const struct link *link, bool *taken);
/* Links of that kind that the tenant's user has. */
enum error link_count(struct db *db, struct arena *arena, enum link_kind kind, struct str user,
                      int64_t now, int64_t *count);
/* All links of the tenant's user are dead. */
enum error link_delete_of_user(struct db *db, struct str user);

/* Claims the link that has been due for mailing longest: until `again` nobody else does. token is
 * its new token, good for as long as its letter says from now on, and an older one of it is dead.
 * again: TIME_NONE, this was the last try. NULL when none is due. The db is bound to its tenant. */
enum error link_claim(struct db *db, struct arena *arena, int64_t now,
                      int64_t (*again)(int64_t tries, int64_t now), struct crypt_secret *token,
                      struct link **link);
/* It is on its way. */
enum error link_mailed(struct db *db, const struct link *link, const struct crypt_secret *token);

/* Forgets at most `limit` links that expired at or before `before`, the oldest first. For
 * maintenance. */
enum error link_purge(struct db *db, int64_t before, int64_t limit, uint64_t *purged);
/* How many it would forget without a limit. */
enum error link_old(struct db *db, struct arena *arena, int64_t before, int64_t *count);

#endif

#include "store/link.h"

struct due_link {
    struct str id, tenant;
};

#define STATEMENTS "store/link.def"
#include "db/statements.inc"

enum { HOUR = 3600 * 1000 };

/* shown, mailed: how long it is good for, ms. */
static const struct {
    const char *name;
    int64_t shown, mailed;
} kinds[LINK_KINDS] = {
    [LINK_INVITATION] = {"invitation", 7 * CLOCK_DAY, 7 * CLOCK_DAY},
    [LINK_PASSWORD] = {"password", CLOCK_DAY, HOUR},
    [LINK_EMAIL] = {"email", 7 * CLOCK_DAY, 7 * CLOCK_DAY},
    [LINK_SIGNUP] = {"signup", 7 * CLOCK_DAY, 7 * CLOCK_DAY},
};

static struct str name_of(enum link_kind kind)
{
    return str_of(kinds[kind].name);
}

bool link_is(const struct link *link, enum link_kind kind)
{
    return str_eq(link->kind, name_of(kind));
}

static struct str hash_of(const unsigned char hash[CRYPT_DIGEST])
{
    return (struct str){(const char *)hash, CRYPT_DIGEST};
}

static enum error insert(struct db *db, enum link_kind kind, struct str user,
                         const struct crypt_secret *token, int64_t now, int64_t *expires)
{
    char id[UUID_TEXT_LEN + 1];
    rand_uuid(id);
    *expires = now + (token ? kinds[kind].shown : kinds[kind].mailed);
    return DB_RUN(db, link_insert, .link_id = str_of(id),
                  .token_hash = token ? hash_of(token->hash) : (struct str){0}, .user_id = user,
                  .kind = name_of(kind), .created_at = now, .expires_at = *expires,
                  .mail_at = token ? TIME_NONE : now);
}

enum error link_create(struct db *db, enum link_kind kind, struct str user,
                       const struct crypt_secret *token, int64_t now, int64_t *expires)
{
    return insert(db, kind, user, token, now, expires);
}

enum error link_queue(struct db *db, enum link_kind kind, struct str user, int64_t now)
{
    int64_t expires;
    return insert(db, kind, user, NULL, now, &expires);
}

enum error link_create_signup(struct db *db, const struct crypt_secret *token, int64_t now,
                              int64_t *expires)
{
    db_set_tenant(db, STR(UUID_NIL));
    return insert(db, LINK_SIGNUP, STR(UUID_NIL), token, now, expires);
}

enum error link_find(struct db *db, struct arena *arena, const unsigned char hash[CRYPT_DIGEST],
                     int64_t now, struct link **link)
{
    return DB_ROW(db, arena, link, link_by_token, .token_hash = hash_of(hash), .now = now);
}

enum error link_use(struct db *db, const struct link *link, bool *taken)
{
    uint64_t affected = 0;
    db_set_tenant(db, link->tenant);
    enum error e = DB_RUN_COUNT(db, &affected, link_use, .link_id = link->id);
    *taken = affected == 1;
    return e;
}

enum error link_count(struct db *db, struct arena *arena, enum link_kind kind, struct str user,
                      int64_t now, int64_t *count)
{
    return DB_NUMBER(db, arena, count, link_count_of_user, .user_id = user, .kind = name_of(kind),
                     .now = now);
}

enum error link_delete_of_user(struct db *db, struct str user)
{
    return DB_RUN(db, link_delete_of_user, .user_id = user);
}

/* ---- mail ---- */

/* ms, from when it is sent: its letter says so. */
static int64_t mailed_for(const struct link *link)
{
    int64_t good_for = 0;
    for (int kind = 0; kind < LINK_KINDS; kind++)
        if (link_is(link, (enum link_kind)kind))
            good_for = kinds[kind].mailed;
    return good_for;
}

struct claim {
    struct arena *arena;
    int64_t now;
    int64_t (*again)(int64_t tries, int64_t now);
    struct crypt_secret *token;
    struct link *link;
};

static enum error store_claim(struct db *db, void *arg)
{
    struct claim *c = arg;
    struct due_link *due;
    c->link = NULL;
    enum error e = DB_ROW(db, c->arena, &due, link_due, .now = c->now);
    if (e || !due)
        return e;
    db_set_tenant(db, due->tenant);
    e = DB_ROW(db, c->arena, &c->link, link_by_id, .link_id = due->id);
    if (e || !c->link)
        return e;
    int64_t next = c->again(++c->link->tries, c->now);
    c->link->expires = c->now + mailed_for(c->link);
    return DB_RUN(db, link_lease, .link_id = c->link->id, .token_hash = hash_of(c->token->hash),
                  .mail_at = next, .expires_at = c->link->expires);
}

enum error link_claim(struct db *db, struct arena *arena, int64_t now,
                      int64_t (*again)(int64_t tries, int64_t now), struct crypt_secret *token,
                      struct link **link)
{
    struct claim c = {.arena = arena, .now = now, .again = again, .token = token};
    crypt_secret_new(CRYPT_LINK_PREFIX, token);
    enum error e = db_transact(db, store_claim, &c);
    *link = e ? NULL : c.link;
    return e;
}

struct mailed {
    const struct link *link;
    const struct crypt_secret *token;
};

static enum error store_mailed(struct db *db, void *arg)
{
    const struct mailed *m = arg;
    return DB_RUN(db, link_mailed, .link_id = m->link->id, .token_hash = hash_of(m->token->hash));
}

/* In a transaction, so that it is tried again: a letter that is not noted goes out twice. */
enum error link_mailed(struct db *db, const struct link *link, const struct crypt_secret *token)
{
    struct mailed m = {link, token};
    return db_transact(db, store_mailed, &m);
}

enum error link_purge(struct db *db, int64_t before, int64_t limit, uint64_t *purged)
{
    return DB_RUN_COUNT(db, purged, link_purge, .before = before, .limit = limit);
}

enum error link_old(struct db *db, struct arena *arena, int64_t before, int64_t *count)
{
    return DB_NUMBER(db, arena, count, link_old, .before = before);
}

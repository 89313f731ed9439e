/* apikey: keys of agents and CI. Stored as their SHA-256 and their first characters. */
#ifndef LOADLINE_STORE_APIKEY_H
#define LOADLINE_STORE_APIKEY_H

#include "service/crypt.h"
#include "db/db.h"
#include "store/keyset.h"

enum { APIKEY_NAME_MAX = 200, APIKEYS_MAX = 1000 /* of a tenant, that are not revoked */ };
enum { APIKEY_CLUSTERS_MAX = 4000, APIKEY_ADDRESSES_MAX = 2000 /* bytes */ };

/* What a key is good for. Words that blanks separate; absent: for all. */
struct apikey_bounds {
    struct str clusters;  /* names */
    struct str addresses; /* as of base/ip.h */
};

struct apikey {
    struct str id, tenant, name, scope; /* scope: "agent", "cicd" or "full" */
    int64_t last_used;                  /* TIME_NONE: never */
    struct apikey_bounds bound;
};

/* NULL when there is none, or it has expired or was revoked. */
enum error apikey_find(struct db *db, struct arena *arena, const unsigned char hash[CRYPT_DIGEST],
                       int64_t now, struct apikey **key);
/* Whose key it is or was: it may be revoked. */
struct apikey_owner {
    struct str tenant, name, prefix;
};
/* NULL when nobody has ever had it. */
enum error apikey_owner(struct db *db, struct arena *arena, const unsigned char hash[CRYPT_DIGEST],
                        struct apikey_owner **owner);
/* Notes that the tenant's key is used now, when its last use was noted a minute ago or earlier;
 * else it asks nothing of the database. */
enum error apikey_used(struct db *db, const struct apikey *key, int64_t now);

struct apikey_row {
    struct str id, name, scope;
    struct str prefix;                   /* first characters of the key; empty: not known */
    int64_t created, expires, last_used; /* TIME_NONE: never */
    struct apikey_bounds bound;
};

struct apikey_rows {
    size_t n;
    struct apikey_row *items;
};

/* A new key of the tenant. expires: TIME_NONE for never. *row: as it is listed, in the arena. */
enum error apikey_create(struct db *db, struct arena *arena, const struct crypt_secret *secret,
                         struct str name, struct str scope, int64_t now, int64_t expires,
                         const struct apikey_bounds *bound, struct apikey_row **row);
/* Is it one of these words? Absent: yes. */
bool apikey_good_for(struct str clusters, struct str cluster);
/* Keys of the tenant that are not revoked, newest first. */
enum error apikey_list(struct db *db, struct arena *arena, const struct keyset *page,
                       struct apikey_rows *rows);
/* How many these are. */
enum error apikey_count(struct db *db, struct arena *arena, int64_t *count);
/* Inside a transaction: revokes the tenant's key. NULL when there is none, or it is revoked. */
enum error apikey_revoke(struct db *db, struct arena *arena, struct str id, int64_t now,
                         struct apikey_row **row);

/* Days that new API keys last: unless said, and at most; 0: for ever. */
struct key_lifetime {
    int64_t usual, longest;
};
enum error apikey_lifetime(struct db *db, struct arena *arena, struct key_lifetime *lifetime);
enum error apikey_set_lifetime(struct db *db, const struct key_lifetime *lifetime);

#endif

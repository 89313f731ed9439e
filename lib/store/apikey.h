/* apikey: keys of agents and CI. Stored as their SHA-256 only. */
#ifndef LOADLINE_STORE_APIKEY_H
#define LOADLINE_STORE_APIKEY_H

#include "service/crypt.h"
#include "service/db.h"

struct apikey {
    struct str id, tenant, name, scope; /* scope: "agent", "cicd" or "full" */
};

/* NULL when there is none, or it has expired or was revoked. */
enum error apikey_find(struct db *db, struct arena *arena, const unsigned char hash[CRYPT_DIGEST],
                       int64_t now, struct apikey **key);
/* expires: TIME_NONE for never. */
enum error apikey_create(struct db *db, const struct crypt_secret *secret, struct str name,
                         struct str scope, int64_t now, int64_t expires);

#endif

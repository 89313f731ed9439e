/* silence: maintenance windows, in which no alerts are sent. */
#ifndef LOADLINE_STORE_SILENCE_H
#define LOADLINE_STORE_SILENCE_H

#include "db/db.h"

enum {
    SILENCES_MAX = 100 /* of a tenant, that are not over */,
    SILENCE_REASON_MAX = 500,
    SILENCES_LISTED = 1000
};

struct silence {
    struct str id;
    struct str cluster_name; /* absent: all clusters */
    int64_t until;
    struct str reason;
    struct str created_by; /* e-mail */
    int64_t created;
};

struct silences {
    size_t n;
    struct silence *items;
};

/* Those of the tenant that were not over at `from`, newest first, at most SILENCES_LISTED.
 * cluster_name: only what concerns this cluster; absent: all. */
enum error silence_list(struct db *db, struct arena *arena, int64_t from, struct str cluster_name,
                        struct silences *silences);
enum error silence_count(struct db *db, struct arena *arena, int64_t now, int64_t *count);
/* Inside a transaction: nobody else changes it until its end. NULL when the tenant has none of that
 * id that is not over. */
enum error silence_lock(struct db *db, struct arena *arena, struct str id, int64_t now,
                        struct silence **silence);
/* Sets the id. */
enum error silence_create(struct db *db, struct arena *arena, struct silence *silence);
/* It is kept, and over from now on. */
enum error silence_end(struct db *db, struct str id, int64_t now);
/* Forgets at most `limit` of the tenant that were over at or before `before`. For maintenance. */
enum error silence_purge(struct db *db, int64_t before, int64_t limit, uint64_t *purged);
/* How many it would forget without a limit. */
enum error silence_old(struct db *db, struct arena *arena, int64_t before, int64_t *count);

#endif

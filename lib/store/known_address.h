/* known_address: where a person has signed in from lately. An address is text of at most 64 bytes.
 */
#ifndef LOADLINE_STORE_KNOWN_ADDRESS_H
#define LOADLINE_STORE_KNOWN_ADDRESS_H

#include "db/db.h"

enum { KNOWN_ADDRESS_DAYS = 30 };

/* Has the user signed in from there within KNOWN_ADDRESS_DAYS? An absent user has not, and it takes
 * as long to say so. */
enum error known_address_has(struct db *db, struct arena *arena, struct str user,
                             struct str address, int64_t now, bool *has);
/* The user has just signed in from there. */
enum error known_address_add(struct db *db, struct str user, struct str address, int64_t now);
enum error known_address_delete_of_user(struct db *db, struct str user);

/* Forgets at most `limit` that were last seen at or before `before`, the oldest first. For
 * maintenance. */
enum error known_address_purge(struct db *db, int64_t before, int64_t limit, uint64_t *purged);
/* How many it would forget without a limit. */
enum error known_address_old(struct db *db, struct arena *arena, int64_t before, int64_t *count);

#endif

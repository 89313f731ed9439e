/* second_factor: what a person signs in with beside the password: a secret that makes codes
 * (service/totp.h), and recovery codes for who has lost it, each good once and kept as a hash only.
 *
 * It counts from when it is confirmed by a code. A tenant may require that everybody has one.
 */
#ifndef LOADLINE_STORE_SECOND_FACTOR_H
#define LOADLINE_STORE_SECOND_FACTOR_H

#include "service/crypt.h"
#include "service/seal.h"
#include "db/db.h"

struct second_factor {
    struct str secret; /* absent: no key opens it */
    int64_t confirmed; /* TIME_NONE: it does not count yet */
    int64_t last_step; /* of the newest code that was accepted */
};

/* NULL when the tenant's user has none. Inside a transaction that has locked the user it stays as
 * it is. keys: NULL: the secret is not wanted, and stays absent. Wipe it after use. */
enum error second_factor_find(struct db *db, struct arena *arena, const struct seal_keys *keys,
                              struct str user, struct second_factor **factor);

/* ---- inside a transaction that has locked the user ---- */

/* A secret that does not count yet, in place of one that did not either. */
enum error second_factor_begin(struct db *db, struct arena *arena, const struct seal_keys *keys,
                               struct str user, struct str secret, int64_t now);
/* From now on it counts. */
enum error second_factor_confirm(struct db *db, struct str user, int64_t now);
/* A code of that step was accepted. Seals the secret anew, with the first of the keys. */
enum error second_factor_used(struct db *db, struct arena *arena, const struct seal_keys *keys,
                              struct str user, struct str secret, int64_t step);
/* It is gone, and so are the recovery codes. Nothing, when there is none. */
enum error second_factor_delete(struct db *db, struct str user);

/* ---- recovery codes, as second_factor_recovery_hash() makes them ---- */

enum { RECOVERY_CODES = 10 };
void second_factor_recovery_hash(struct arena *arena, struct str user, struct str code,
                                 unsigned char hash[CRYPT_DIGEST]);
/* These take the place of all that the user has. */
enum error second_factor_set_recovery(struct db *db, struct str user,
                                      unsigned char hashes[RECOVERY_CODES][CRYPT_DIGEST]);
/* *used: there was such a code; it is gone. */
enum error second_factor_use_recovery(struct db *db, struct str user,
                                      const unsigned char hash[CRYPT_DIGEST], bool *used);
/* How many the user has left. */
enum error second_factor_count_recovery(struct db *db, struct arena *arena, struct str user,
                                        int64_t *count);

/* ---- the tenant ---- */

/* Has everybody to have one? */
enum error second_factor_required(struct db *db, struct arena *arena, bool *required);
/* Whoever calls this holds the tenant's lock. */
enum error second_factor_require(struct db *db, bool required);

#endif

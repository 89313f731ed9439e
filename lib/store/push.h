/* push: pushes that were answered are remembered for a day, so that one that is sent again is
 * answered as the first time and stored once. The database remembers: it does not matter which
 * worker of which host was asked, nor whether it died after the commit.
 *
 * A push is known by its Idempotency-Key, by its time and content, or by either. One that has
 * neither is never the same as another.
 */
#ifndef LOADLINE_STORE_PUSH_H
#define LOADLINE_STORE_PUSH_H

#include "store/apikey.h"
#include "store/snapshot.h"

enum { PUSH_KEY_MAX = 255, PUSH_HASH = 16 };

struct push_id {
    struct str by_key, by_time; /* PUSH_HASH bytes; absent: it has none */
    struct str digest;          /* of its content */
};

/* kind: of push, a key is good for one. key: absent when there is none. time: that the client gave,
 * or TIME_NONE. content: n parts, the same in the same push. The id is in the arena. */
struct push_id push_identify(struct arena *arena, struct str kind, struct str key, int64_t time,
                             const struct str *content, size_t n);
/* By what a push of that kind is known that has this key; absent: the key is. */
struct str push_key_hash(struct arena *arena, struct str kind, struct str key);
/* Is it known by anything? */
bool push_has_id(const struct push_id *id);

/* What is known when a push comes in. */
struct push_before {
    struct str cluster;        /* our own id */
    bool partial;              /* of the cluster: see struct cluster_row; */
    int64_t taken;             /* of its latest snapshot; TIME_NONE: it has no snapshot */
    struct str shown;          /* - */
    int64_t bytes;             /* that the cluster keeps: store/quota.h */
    bool has_logs;             /* log_lines_recent() has something to say of it; */
    bool has_exemptions;       /* exemption_policy() has */
    bool has_watched;          /* outcome_watch() has something to look for */
    struct str base;           /* against which deltas are; absent: the next one is whole */
    struct snapshot_wear wear; /* of it */
    struct str delta_digest;   /* of the delta that is stored; absent: the base alone is */
    struct str digest, answer; /* of the same push, when it was answered; else absent */
    bool by_key, by_time;      /* what that was found by */
};

/* NULL when the tenant has no cluster of that name. taken: of a snapshot; TIME_NONE for other
 * pushes, of which has_logs and has_exemptions are false. */
enum error push_look_up(struct db *db, struct arena *arena, struct str cluster_name,
                        const struct push_id *id, int64_t taken, struct push_before **before);

/* The same together with the API key that the push comes with, in one statement. */
struct keyed_push {
    struct apikey key;
    struct push_before before; /* of the key's tenant */
};
/* NULL when there is no such cluster, or no such key, or it is revoked or has expired: whoever
 * finds nothing asks apikey_find() and push_look_up(), which tell what is missing. What the key is
 * bound to is not looked at. by_key: push_key_hash(). taken: of a snapshot. */
enum error push_look_up_keyed(struct db *db, struct arena *arena,
                              const unsigned char hash[CRYPT_DIGEST], int64_t now,
                              struct str cluster_name, struct str by_key, int64_t taken,
                              struct keyed_push **found);
/* Is the answer that was found one to this push? IDEMPOTENCY_CONFLICT when the key came with other
 * content. False, and OK, when none was found. */
enum error push_is_repeated(const struct push_before *before, const struct push_id *id,
                            bool *repeated);

/* Has it a key, or a time, by which the one that was found is not known? */
bool push_is_renamed(const struct push_before *before, const struct push_id *id);
/* Remembers one that is repeated also by its key, or its time, when it was found by the other
 * alone. *done: false when the key has come meanwhile, or the push is forgotten: the caller looks
 * it up again. */
enum error push_remember_also(struct db *db, const struct push_before *before,
                              const struct push_id *id, bool *done);

/* Remembers the push and its answer, in the transaction that stores it, under the cluster's lock or
 * before anything else is stored. IDEMPOTENCY_CONFLICT, perhaps of a later statement, when it is
 * remembered already: the caller lets the transaction fail and looks the answer up. */
enum error push_remember(struct db *db, struct arena *arena, struct str cluster,
                         const struct push_id *id, int64_t now, struct str answer);

#endif

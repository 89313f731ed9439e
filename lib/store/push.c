#include "store/push.h"

#include "kube/pod_log.h"
#include "service/crypt.h"

#define STATEMENTS "store/push.def"
#include "db/statements.inc"

/* The first PUSH_HASH bytes of the SHA-256. */
static struct str hash_of(struct arena *arena, struct str text)
{
    unsigned char digest[CRYPT_DIGEST];
    crypt_sha256(text, digest);
    return arena_str(arena, (struct str){(const char *)digest, PUSH_HASH});
}

/* Of the digests of the parts: where one ends and the next begins counts. */
static struct str digest_of(struct arena *arena, const struct str *content, size_t n)
{
    char *digests = arena_bytes(arena, n * PUSH_HASH);
    for (size_t i = 0; i < n; i++)
        memcpy(digests + i * PUSH_HASH, hash_of(arena, content[i]).p, PUSH_HASH);
    return hash_of(arena, (struct str){digests, n * PUSH_HASH});
}

struct str push_key_hash(struct arena *arena, struct str kind, struct str key)
{
    return key.n ? digest_of(arena, (struct str[]){STR("key"), kind, key}, 3) : (struct str){0};
}

struct push_id push_identify(struct arena *arena, struct str kind, struct str key, int64_t time,
                             const struct str *content, size_t n)
{
    struct push_id id = {0};
    if (key.n == 0 && time == TIME_NONE)
        return id;
    id.digest = digest_of(arena, content, n);
    struct str stamp = arena_printf(arena, "%lld", (long long)time);
    id.by_key = push_key_hash(arena, kind, key);
    if (time != TIME_NONE)
        id.by_time = digest_of(arena, (struct str[]){STR("time"), kind, stamp, id.digest}, 4);
    return id;
}

bool push_has_id(const struct push_id *id)
{
    return id->by_key.n || id->by_time.n;
}

/* Logs that are older say nothing of a snapshot. */
static int64_t logs_after(int64_t taken)
{
    return taken == TIME_NONE ? TIME_NONE : taken - POD_LOG_MINUTES * CLOCK_MINUTE;
}

enum error push_look_up(struct db *db, struct arena *arena, struct str cluster_name,
                        const struct push_id *id, int64_t taken, struct push_before **before)
{
    int64_t after = logs_after(taken);
    if (!push_has_id(id))
        return DB_ROW(db, arena, before, push_look_up, .name = cluster_name, .after = after);
    return DB_ROW(db, arena, before, push_look_up_known, .name = cluster_name, .by_key = id->by_key,
                  .by_time = id->by_time, .after = after);
}

enum error push_look_up_keyed(struct db *db, struct arena *arena,
                              const unsigned char hash[CRYPT_DIGEST], int64_t now,
                              struct str cluster_name, struct str by_key, int64_t taken,
                              struct keyed_push **found)
{
    struct str digest = {(const char *)hash, CRYPT_DIGEST};
    return DB_ROW(db, arena, found, keyed_push_find, .key_hash = digest, .now = now,
                  .name = cluster_name, .by_key = by_key, .after = logs_after(taken));
}

enum error push_is_repeated(const struct push_before *before, const struct push_id *id,
                            bool *repeated)
{
    *repeated = before && before->digest.p;
    return *repeated && !str_eq(before->digest, id->digest) ? ERR_IDEMPOTENCY_CONFLICT : ERR_OK;
}

struct also {
    struct str cluster, push, known;
    uint64_t inserted;
};

static enum error insert_also(struct db *db, void *arg)
{
    struct also *also = arg;
    return DB_RUN_COUNT(db, &also->inserted, push_insert_also, .cluster = also->cluster,
                        .push = also->push, .known = also->known);
}

bool push_is_renamed(const struct push_before *before, const struct push_id *id)
{
    return (id->by_key.n && !before->by_key) || (id->by_time.n && !before->by_time);
}

enum error push_remember_also(struct db *db, const struct push_before *before,
                              const struct push_id *id, bool *done)
{
    struct also also = {.cluster = before->cluster};
    if (id->by_key.n && !before->by_key)
        also.push = id->by_key, also.known = id->by_time;
    else if (id->by_time.n && !before->by_time)
        also.push = id->by_time, also.known = id->by_key;
    *done = !also.push.n;
    if (*done)
        return ERR_OK;
    enum error e = db_transact(db, insert_also, &also);
    *done = !e && also.inserted;
    return e;
}

enum error push_remember(struct db *db, struct arena *arena, struct str cluster,
                         const struct push_id *id, int64_t now, struct str answer)
{
    const struct str known_by[] = {id->by_key, id->by_time};
    struct push_insert_args args[2];
    size_t n = 0;
    for (size_t i = 0; i < 2; i++)
        if (known_by[i].n)
            args[n++] = STMT_ARGS(push_insert, .cluster = cluster, .push = known_by[i],
                                  .received_at = now, .digest = id->digest, .answer = answer);
    return DB_RUN_MANY_OR(db, arena, ERR_IDEMPOTENCY_CONFLICT, push_insert, args, n);
}

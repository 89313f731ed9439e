#include "store/snapshot.h"

#include "base/hash.h"
#include "base/hex.h"
#include "base/log.h"
#include "codec/sha256.h"
#include "store/base_memory.h"

struct piece {
    struct str bytes;
};
struct chunks_row {
    struct str base, chunks;
};
struct head_row {
    bool whole;
    struct str delta, base;
};

#define STATEMENTS "store/snapshot.def"
#include "db/statements.inc"

/* CHUNK_BYTES: its hash and its length. ADDITIONS_MAX: a base has no more, because who reads it
 * reads all of them. When another one would pay, the next snapshot is stored whole in its place. */
enum { CHUNK_BYTES = KEYED_HASH + 2, ADDITIONS_MAX = 256 };

/* InnoDB keeps a delta in the page of its row, which other clusters share, unless the row takes
 * more than half of the page. There each delta of another length moves their rows, and the redo log
 * gets all of it. So a delta that is not short is made long enough for pages of its own. */
enum { DELTA_SHORT = 1024, DELTA_OFF_PAGE = 8192 };

/* ---- copies ---- */

bool snapshot_is_worn(const struct snapshot_wear *wear, const struct delta_base *base)
{
    return wear->surplus < 0 || (uint64_t)wear->surplus >= delta_base_stored(base);
}

static int64_t stored_bytes(struct str body, const delta_chunk_list *chunks)
{
    return (int64_t)body.n + (int64_t)chunks->n * CHUNK_BYTES;
}

static struct str new_id(struct arena *arena)
{
    char *id = arena_bytes(arena, SNAPSHOT_BASE);
    rand_bytes(id, SNAPSHOT_BASE);
    return (struct str){id, SNAPSHOT_BASE};
}

static struct str write_chunks(struct arena *arena, const struct delta_made *made,
                               const delta_chunk_list *chunks, int64_t stored)
{
    return delta_base_write(arena, made->key, chunks->items, chunks->n, (uint64_t)stored);
}

struct snapshot_copy *snapshot_copy_whole(struct arena *arena, const struct delta_made *made,
                                          struct str body)
{
    struct snapshot_copy *copy = ARENA_NEW(arena, struct snapshot_copy);
    copy->base = new_id(arena);
    copy->body = body;
    copy->bytes = stored_bytes(body, &made->chunks);
    copy->chunks = write_chunks(arena, made, &made->chunks, copy->bytes);
    memcpy(copy->digest, made->digest, KEYED_HASH);
    return copy;
}

static struct snapshot_wear wear_after(const struct snapshot_wear *wear,
                                       const struct delta_made *made)
{
    int64_t n = (int64_t)made->delta.n;
    int64_t usual = wear->count && wear->usual < n ? wear->usual : n;
    return (struct snapshot_wear){wear->count + 1, usual, wear->surplus + n - usual};
}

/* Have deltas grown, together, by a quarter of what would be added? An addition costs nothing when
 * it is made, but takes its place until the next base. */
static bool addition_pays(const struct snapshot_wear *wear, const struct delta_made *made)
{
    return made->addition.chunks.n && wear->surplus * 4 >= (int64_t)made->addition.body.n;
}

/* The delta as it is stored: with a skippable frame behind it (RFC 8878, section 3.1.2), which
 * readers of zstd leave out. */
static struct str stored_delta(struct arena *arena, struct str delta)
{
    enum { HEAD = 8 }; /* the magic number, and the length of what follows: little endian */
    if (delta.n < DELTA_SHORT || delta.n >= DELTA_OFF_PAGE)
        return delta;
    size_t used = delta.n + HEAD, n = used < DELTA_OFF_PAGE ? DELTA_OFF_PAGE : used;
    const unsigned char head[HEAD] = {
        0x50, 0x2a, 0x4d, 0x18, (n - used) & 0xff, (unsigned char)((n - used) >> 8)};
    char *stored = arena_bytes(arena, n);
    memcpy(stored, delta.p, delta.n);
    memcpy(stored + delta.n, head, HEAD);
    memset(stored + used, 0, n - used);
    return (struct str){stored, n};
}

static void add_to_base(struct arena *arena, const struct delta_made *made,
                        const struct delta_base *base, struct snapshot_copy *copy)
{
    copy->base = new_id(arena);
    copy->number = delta_base_additions(base) + 1;
    copy->added = made->addition.chunks;
    copy->added_bytes = stored_bytes(made->addition.body, &made->addition.chunks);
    copy->body = made->addition.body;
    copy->chunks = write_chunks(arena, made, &copy->added, copy->added_bytes);
    copy->delta = stored_delta(arena, made->addition.delta);
    copy->wear = (struct snapshot_wear){0};
}

struct snapshot_copy *snapshot_copy_delta(struct arena *arena, const struct delta_made *made,
                                          struct str base_id, const struct delta_base *base,
                                          const struct snapshot_wear *wear)
{
    struct snapshot_copy *copy = ARENA_NEW(arena, struct snapshot_copy);
    int64_t stored = (int64_t)delta_base_stored(base), added = (int64_t)delta_base_added(base);
    copy->base = copy->before = base_id;
    copy->delta = stored_delta(arena, made->delta);
    copy->wear = wear_after(wear, made);
    bool pays = addition_pays(&copy->wear, made);
    bool is_full = added + (int64_t)made->addition.body.n > stored ||
                   delta_base_additions(base) == ADDITIONS_MAX;
    if (made->literal > made->length / 4 || (pays && is_full))
        copy->wear.surplus = stored; /* it is worn */
    else if (pays)
        add_to_base(arena, made, base, copy);
    copy->bytes = stored + added + copy->added_bytes + (int64_t)copy->delta.n;
    memcpy(copy->digest, made->digest, KEYED_HASH);
    return copy;
}

int64_t snapshot_hash(const struct snapshot_copy *copy, int64_t received)
{
    struct str time = {(const char *)&received, sizeof received};
    struct str digest = {copy->digest, KEYED_HASH};
    return (int64_t)hash_bytes(hash_bytes(0, digest), time);
}

/* ---- writing ---- */

static enum error put_addition(struct db *db, struct str cluster, const struct snapshot_copy *copy)
{
    enum error e = DB_RUN(db, snapshot_put_addition, .cluster = cluster, .number = copy->number,
                          .base = copy->base, .chunks = copy->chunks, .body = copy->body);
    if (!e) /* nobody asks for it when this is rolled back */
        base_memory_grow(copy->before, copy->base, &copy->added, (uint64_t)copy->added_bytes);
    return e;
}

static enum error put_delta(struct db *db, struct str cluster, int64_t received, int64_t taken,
                            const struct snapshot_copy *copy)
{
    enum error e = DB_RUN_OR(db, ERR_NO_SNAPSHOT, snapshot_put_delta, .cluster = cluster,
                             .received_at = received, .taken_at = taken, .base = copy->base,
                             .before_base = copy->before, .delta = copy->delta,
                             .delta_count = copy->wear.count, .delta_usual = copy->wear.usual,
                             .delta_surplus = copy->wear.surplus);
    return e || !copy->number ? e : put_addition(db, cluster, copy);
}

enum error snapshot_put(struct db *db, struct str cluster, int64_t received, int64_t taken,
                        const struct snapshot_copy *copy)
{
    if (copy->delta.p)
        return put_delta(db, cluster, received, taken, copy);
    enum error e = DB_RUN(db, snapshot_drop_additions, .cluster = cluster);
    if (!e)
        e = DB_RUN(db, snapshot_put_base, .cluster = cluster, .base = copy->base,
                   .chunks = copy->chunks, .body = copy->body);
    return e ? e
             : DB_RUN(db, snapshot_put, .cluster = cluster, .received_at = received,
                      .taken_at = taken, .base = copy->base);
}

/* ---- bases ---- */

/* What is stored of the base and of its additions. None when they make another base than that. */
static enum error fetch_chunks(struct db *db, struct arena *arena, struct str cluster,
                               struct str base_id, chunks_list *chunks)
{
    struct chunks_row *own, *added;
    size_t n = 0;
    enum error e = DB_ROW(db, arena, &own, snapshot_chunks, .cluster = cluster);
    if (!e && own)
        e = DB_ROWS(db, arena, &added, &n, snapshot_added_chunks, .cluster = cluster);
    if (e || !own || !str_eq(n ? added[n - 1].base : own->base, base_id))
        return e;
    LIST_RESERVE(arena, *chunks, (uint32_t)n + 1);
    LIST_PUT(*chunks, own->chunks);
    for (size_t i = 0; i < n; i++)
        LIST_PUT(*chunks, added[i].chunks);
    return ERR_OK;
}

enum error snapshot_base(struct db *db, struct arena *arena, struct str cluster, struct str base_id,
                         size_t memory, const struct delta_base **base)
{
    chunks_list chunks = {0};
    *base = base_memory_find(base_id);
    if (*base)
        return ERR_OK;
    enum error e = fetch_chunks(db, arena, cluster, base_id, &chunks);
    if (e || !chunks.n)
        return e;
    struct delta_base *read = delta_base_read(chunks.items, chunks.n);
    if (!read)
        log_error("problem=\"the chunks of a base are damaged: the next snapshot is stored whole\" "
                  "cluster=%s",
                  log_quote(cluster));
    *base = read ? base_memory_keep(base_id, read, memory) : NULL;
    return ERR_OK;
}

/* ---- names ---- */

/* SHA-256 lets nobody guess the digest, of which the id, too, is a secret. */
static struct snapshot_name name_of(struct str base_id, const char digest[KEYED_HASH])
{
    unsigned char hash[SHA256];
    struct snapshot_name name;
    struct str parts[] = {STR("loadline snapshot"), base_id, {digest, KEYED_HASH}};
    sha256(parts, sizeof parts / sizeof *parts, hash);
    hex_encode(hash, SNAPSHOT_NAME / 2, name.text);
    return name;
}

struct snapshot_name snapshot_name(const struct snapshot_copy *copy)
{
    return name_of(copy->base, copy->digest);
}

enum error snapshot_stored_name(struct db *db, struct arena *arena, struct str cluster,
                                struct str base_id, struct str delta_digest, size_t memory,
                                struct snapshot_name *name)
{
    char digest[KEYED_HASH];
    const struct delta_base *base;
    *name = (struct snapshot_name){""};
    if (delta_digest.n == KEYED_HASH) {
        *name = name_of(base_id, delta_digest.p);
        return ERR_OK;
    }
    enum error e = snapshot_base(db, arena, cluster, base_id, memory, &base);
    if (!e && base && delta_base_digest(base, digest))
        *name = name_of(base_id, digest);
    return e;
}

struct snapshot_name snapshot_name_of_stored(const struct snapshot_stored *stored)
{
    struct snapshot_name name = {""};
    char digest[KEYED_HASH];
    if (stored->whole || stored->base.n != SNAPSHOT_BASE)
        return name;
    if (stored->delta.n > KEYED_HASH) /* behind the version */
        return name_of(stored->base, stored->delta.p + 1);
    struct delta_base *base = delta_base_read(stored->chunks.items, stored->chunks.n);
    if (base && delta_base_digest(base, digest))
        name = name_of(stored->base, digest);
    delta_base_free(base);
    return name;
}

/* ---- reading ---- */

enum error snapshot_revision(struct db *db, struct arena *arena, struct str cluster,
                             int64_t *revision)
{
    return DB_NUMBER(db, arena, revision, snapshot_revision, .cluster = cluster);
}

static enum error put_piece(void *context, const void *row)
{
    const struct piece *piece = row;
    return spool_put(context, piece->bytes) ? ERR_OK : ERR_INTERNAL;
}

enum error snapshot_fetch(struct db *db, struct arena *arena, struct str cluster,
                          struct snapshot_stored *stored)
{
    struct head_row *row;
    enum error e = DB_ROW(db, arena, &row, snapshot_head, .cluster = cluster);
    if (e || !row)
        return e;
    stored->whole = row->whole;
    stored->base = str_or_empty(row->base);
    stored->delta = row->delta;
    if (row->whole)
        return DB_EACH(db, arena, put_piece, stored->body, snapshot_pieces, .cluster = cluster);
    e = fetch_chunks(db, arena, cluster, stored->base, &stored->chunks);
    if (!e && stored->chunks.n)
        e = DB_EACH(db, arena, put_piece, stored->body, snapshot_base_pieces, .cluster = cluster);
    if (!e && stored->chunks.n > 1)
        e = DB_EACH(db, arena, put_piece, stored->added, snapshot_addition_bodies,
                    .cluster = cluster);
    return e;
}

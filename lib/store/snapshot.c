#include "store/snapshot.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/hex.h"
#include "base/log.h"
#include "codec/delta_read.h"
#include "codec/sha256.h"
#include "store/base_memory.h"

struct piece {
    struct str bytes;
};
struct chunks_row {
    struct str chunks;
};
struct digest_row {
    struct str digest;
};
struct head_row {
    bool whole;
    struct str delta, chunks, base;
};

#define STATEMENTS "store/snapshot.def"
#include "db/statements.inc"

/* CHUNK_BYTES: its hash and its length. USUAL: so many deltas show what changes between two pushes;
 * those that follow grow by what has changed since the base for good. */
enum { CHUNK_BYTES = KEYED_HASH + 2, USUAL = 4 };

/* ---- copies ---- */

bool snapshot_is_worn(const struct snapshot_wear *wear, const struct delta_base *base)
{
    return wear->surplus < 0 || (uint64_t)wear->surplus >= delta_base_stored(base);
}

struct snapshot_copy *snapshot_copy_whole(struct arena *arena, const struct delta_made *made,
                                          struct str body)
{
    struct snapshot_copy *copy = ARENA_NEW(arena, struct snapshot_copy);
    char *id = arena_bytes(arena, SNAPSHOT_BASE);
    uint64_t stored = body.n + (uint64_t)made->chunks.n * CHUNK_BYTES;
    rand_bytes(id, SNAPSHOT_BASE);
    copy->base = (struct str){id, SNAPSHOT_BASE};
    copy->body = body;
    copy->chunks = delta_base_write(arena, made->key, made->chunks.items, made->chunks.n, stored);
    copy->bytes = (int64_t)stored;
    memcpy(copy->digest, made->digest, KEYED_HASH);
    return copy;
}

/* After a delta of n bytes. A base of which more than a quarter is other text by now is worn at
 * once. */
static struct snapshot_wear wear_after(const struct snapshot_wear *wear,
                                       const struct delta_made *made, int64_t worn)
{
    int64_t n = (int64_t)made->delta.n;
    bool is_usual = wear->count < USUAL || n <= wear->usual;
    int64_t usual = wear->count < USUAL && n > wear->usual ? n : wear->usual;
    int64_t surplus = made->literal > made->length / 4 ? worn
                      : is_usual                       ? wear->surplus
                                                       : wear->surplus + n - usual;
    return (struct snapshot_wear){wear->count + 1, usual, surplus};
}

struct snapshot_copy *snapshot_copy_delta(struct arena *arena, const struct delta_made *made,
                                          struct str base_id, const struct delta_base *base,
                                          const struct snapshot_wear *wear)
{
    struct snapshot_copy *copy = ARENA_NEW(arena, struct snapshot_copy);
    int64_t stored = (int64_t)delta_base_stored(base);
    copy->base = base_id;
    copy->delta = made->delta;
    copy->wear = wear_after(wear, made, stored);
    copy->bytes = stored + (int64_t)made->delta.n;
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

static enum error put_delta(struct db *db, struct str cluster, int64_t received, int64_t taken,
                            const struct snapshot_copy *copy, bool *put)
{
    uint64_t changed = 0;
    enum error e =
        DB_RUN_COUNT(db, &changed, snapshot_put_delta, .cluster = cluster, .received_at = received,
                     .taken_at = taken, .base = copy->base, .delta = copy->delta,
                     .delta_count = copy->wear.count, .delta_usual = copy->wear.usual,
                     .delta_surplus = copy->wear.surplus);
    *put = changed > 0;
    return e;
}

enum error snapshot_put(struct db *db, struct str cluster, int64_t received, int64_t taken,
                        const struct snapshot_copy *copy, bool *put)
{
    *put = true;
    if (!copy->chunks.p)
        return put_delta(db, cluster, received, taken, copy, put);
    enum error e = DB_RUN(db, snapshot_put_base, .cluster = cluster, .base = copy->base,
                          .chunks = copy->chunks, .body = copy->body);
    return e ? e
             : DB_RUN(db, snapshot_put, .cluster = cluster, .received_at = received,
                      .taken_at = taken, .base = copy->base);
}

enum error snapshot_base(struct db *db, struct arena *arena, struct str cluster, struct str base_id,
                         size_t memory, const struct delta_base **base)
{
    struct chunks_row *row;
    *base = base_memory_find(base_id);
    if (*base)
        return ERR_OK;
    enum error e = DB_ROW(db, arena, &row, snapshot_chunks, .cluster = cluster, .base = base_id);
    if (e || !row)
        return e;
    struct delta_base *read = delta_base_read(row->chunks);
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
                                struct str base_id, size_t memory, struct snapshot_name *name)
{
    char digest[KEYED_HASH];
    struct digest_row *row;
    const struct delta_base *base;
    *name = (struct snapshot_name){""};
    enum error e = DB_ROW(db, arena, &row, snapshot_digest, .cluster = cluster, .base = base_id);
    if (e || !row)
        return e;
    if (row->digest.n == KEYED_HASH) {
        *name = name_of(base_id, row->digest.p);
        return ERR_OK;
    }
    e = snapshot_base(db, arena, cluster, base_id, memory, &base);
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
    struct delta_base *base = stored->chunks.p ? delta_base_read(stored->chunks) : NULL;
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
    stored->base = row->base;
    stored->chunks = row->chunks;
    stored->delta = row->delta;
    if (row->whole)
        return DB_EACH(db, arena, put_piece, stored->body, snapshot_pieces, .cluster = cluster);
    return DB_EACH(db, arena, put_piece, stored->body, snapshot_base_pieces, .cluster = cluster);
}

/* ---- the document ---- */

struct snapshot_text {
    struct decompress *in; /* the body */
    struct delta_base *base;
    struct delta_reader *reader; /* NULL: the body is the document, or it is damaged */
    bool damaged;
    uint64_t at;        /* bytes that were taken off it */
    struct spool *room; /* all of it, when it is there */
    bool is_there;
    char passed[16 * 1024];
};

/* The next n bytes of the base. */
static bool read_on(struct snapshot_text *text, char *dst, size_t n)
{
    struct source source = decompress_source(text->in);
    while (n) {
        ptrdiff_t more = source.read(source.context, dst, n);
        if (more <= 0)
            return false;
        text->at += (size_t)more;
        dst += more;
        n -= (size_t)more;
    }
    return true;
}

static bool read_forward(void *context, uint64_t offset, char *dst, size_t n)
{
    struct snapshot_text *text = context;
    while (text->at < offset) {
        uint64_t left = offset - text->at;
        size_t some = left < sizeof text->passed ? (size_t)left : sizeof text->passed;
        if (!read_on(text, text->passed, some))
            return false;
    }
    return text->at == offset && read_on(text, dst, n);
}

/* All of the base, so that any part of it can be had. */
static bool fill_room(struct snapshot_text *text)
{
    struct source source = decompress_source(text->in);
    ptrdiff_t n;
    do
        n = source.read(source.context, text->passed, sizeof text->passed);
    while (n > 0 && spool_put(text->room, (struct str){text->passed, (size_t)n}));
    text->is_there = n == 0;
    return n == 0;
}

static bool put_bytes(void *context, struct str bytes)
{
    char **dst = context;
    memcpy(*dst, bytes.p, bytes.n);
    *dst += bytes.n;
    return true;
}

static bool read_anywhere(void *context, uint64_t offset, char *dst, size_t n)
{
    struct snapshot_text *text = context;
    return (text->is_there || fill_room(text)) &&
           spool_copy(text->room, offset, n, (struct sink){put_bytes, &dst});
}

static struct decompress *open_body(struct spool *body)
{
    char start[COMPRESSION_MAGIC];
    struct source source = spool_source(body);
    ptrdiff_t n = source.read(source.context, start, sizeof start);
    enum compression compression = compression_of((struct str){start, n > 0 ? (size_t)n : 0});
    if (compression == COMPRESSION_NONE) /* it will be told that it cannot be read */
        compression = COMPRESSION_ZSTD;
    return decompress_open(compression, spool_source(body), UINT64_MAX);
}

/* False without memory. */
static bool open_delta(struct snapshot_text *text, const struct snapshot_stored *stored)
{
    struct str delta = str_or_empty(stored->delta);
    text->base = stored->chunks.p ? delta_base_read(stored->chunks) : NULL;
    text->damaged = !text->base;
    if (text->damaged)
        return true;
    text->reader = delta_reader_open(text->base, delta, (struct delta_text){read_forward, text});
    if (!text->reader || delta_reader_is_forward(text->reader))
        return text->reader;
    delta_reader_free(text->reader);
    text->reader = delta_reader_open(text->base, delta, (struct delta_text){read_anywhere, text});
    return text->reader;
}

struct snapshot_text *snapshot_open(const struct snapshot_stored *stored, struct spool *room)
{
    struct snapshot_text *text = calloc(1, sizeof *text);
    if (!text)
        return NULL;
    text->room = room;
    text->in = open_body(stored->body);
    if (text->in && (stored->whole || open_delta(text, stored)))
        return text;
    snapshot_text_free(text);
    return NULL;
}

void snapshot_text_free(struct snapshot_text *text)
{
    if (!text)
        return;
    delta_reader_free(text->reader);
    delta_base_free(text->base);
    decompress_free(text->in);
    free(text);
}

static ptrdiff_t read_damaged(void *context, char *dst, size_t cap)
{
    (void)context;
    (void)dst;
    (void)cap;
    return -1;
}

struct source snapshot_text_source(struct snapshot_text *text)
{
    if (text->damaged)
        return (struct source){read_damaged, NULL};
    return text->reader ? delta_reader_source(text->reader) : decompress_source(text->in);
}

#include "store/snapshot.h"

#include "base/hash.h"

struct piece {
    struct str bytes;
};

#define STATEMENTS "store/snapshot.def"
#include "db/statements.inc"

int64_t snapshot_hash(struct str body, int64_t received)
{
    const int64_t numbers[] = {received, (int64_t)body.n};
    uint64_t hash =
        hash_bytes(hash_bytes(0, body), (struct str){(const char *)numbers, sizeof numbers});
    return (int64_t)hash;
}

enum error snapshot_put(struct db *db, struct str cluster, const struct snapshot *snapshot)
{
    return DB_RUN(db, snapshot_put, .cluster = cluster, .received_at = snapshot->received,
                  .taken_at = snapshot->taken, .body = snapshot->body);
}

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

enum error snapshot_spool(struct db *db, struct arena *arena, struct str cluster,
                          struct spool *body)
{
    return DB_EACH(db, arena, put_piece, body, snapshot_pieces, .cluster = cluster);
}

struct decompress *snapshot_open(struct spool *body)
{
    char start[COMPRESSION_MAGIC];
    struct source source = spool_source(body);
    ptrdiff_t n = source.read(source.context, start, sizeof start);
    enum compression compression = compression_of((struct str){start, n > 0 ? (size_t)n : 0});
    if (compression == COMPRESSION_NONE) /* it will be told that it cannot be read */
        compression = COMPRESSION_ZSTD;
    return decompress_open(compression, spool_source(body), UINT64_MAX);
}

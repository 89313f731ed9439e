/* snapshot: the latest pushed document of a cluster, redacted.
 *
 * It is kept as a base and a delta against it (codec/delta_base.h), so that a push writes what has
 * changed. The base is zstd, or gzip when it was pushed so and nothing had to be cut. Earlier
 * releases kept the document whole, which is read as well.
 */
#ifndef LOADLINE_STORE_SNAPSHOT_H
#define LOADLINE_STORE_SNAPSHOT_H

#include "codec/decompress.h"
#include "codec/delta_make.h"
#include "db/db.h"
#include "service/spool.h"

enum {
    SNAPSHOT_BODY_MAX = 120 * 1024 * 1024, /* fits max_allowed_packet */
    SNAPSHOT_BASE = 16
};

/* ---- writing ---- */

/* What is known of the deltas against a base. */
struct snapshot_wear {
    int64_t count, usual; /* how many there were; bytes of the longest of the first few */
    int64_t surplus;      /* by how much the others were longer, together */
};

/* Would a new base be cheaper by now? It costs what the base takes, and saves what deltas have
 * grown; also when a quarter of the document has changed, and when the base cannot be read. */
bool snapshot_is_worn(const struct snapshot_wear *wear, const struct delta_base *base);

/* A document as it will be stored: a new base, or a delta. */
struct snapshot_copy {
    struct str base;         /* SNAPSHOT_BASE bytes */
    struct str body, chunks; /* of a new base; absent: it is a delta */
    struct str delta;
    struct snapshot_wear wear; /* with the delta */
    char digest[KEYED_HASH];
    int64_t bytes; /* that are kept then */
};

/* Of what was made of the document. body: what is kept of one that is a base; at the latest when
 * made->whole. base, wear: against which the delta is. */
struct snapshot_copy *snapshot_copy_whole(struct arena *arena, const struct delta_made *made,
                                          struct str body);
struct snapshot_copy *snapshot_copy_delta(struct arena *arena, const struct delta_made *made,
                                          struct str base_id, const struct delta_base *base,
                                          const struct snapshot_wear *wear);

/* Of a copy that came at that time. */
int64_t snapshot_hash(const struct snapshot_copy *copy, int64_t received);

/* Replaces the one before. *put: false, and nothing has changed, when it is a delta and the
 * cluster's base is another one by now. */
enum error snapshot_put(struct db *db, struct str cluster, int64_t received, int64_t taken,
                        const struct snapshot_copy *copy, bool *put);

/* The base of the cluster, by what is remembered of such bases (at most `memory` bytes, those used
 * last) or by the database. It lives until the next call. NULL when it is gone or damaged. */
enum error snapshot_base(struct db *db, struct arena *arena, struct str cluster, struct str base_id,
                         size_t memory, const struct delta_base **base);

/* ---- names ---- */

/* What is stored, under a name that nothing else has: another text or another base has another one.
 * Who knows names, also of texts of his own choice, learns nothing of digests and keys. */
enum { SNAPSHOT_NAME = 32 };
struct snapshot_name {
    char text[SNAPSHOT_NAME + 1]; /* hexadecimal digits */
};

struct snapshot_name snapshot_name(const struct snapshot_copy *copy);
/* Of what is stored now. base_id: its base, as far as is known; memory: as for snapshot_base().
 * Empty when there is none, or it has another base, or the base cannot be read. */
enum error snapshot_stored_name(struct db *db, struct arena *arena, struct str cluster,
                                struct str base_id, size_t memory, struct snapshot_name *name);

/* ---- reading ---- */

/* Changes with every snapshot_put(); of the cluster alone. 0 when there is none. */
enum error snapshot_revision(struct db *db, struct arena *arena, struct str cluster,
                             int64_t *revision);

/* What is stored of a document. */
struct snapshot_stored {
    struct spool *body; /* compressed; it may be larger than memory allows */
    bool whole;         /* it is the document */
    struct str base, chunks, delta;
};

/* Empty when it is damaged, or of an earlier release. */
struct snapshot_name snapshot_name_of_stored(const struct snapshot_stored *stored);

/* Appends to stored->body, and sets the rest. Inside of db_read(): all of it must be of one moment.
 * Nothing is appended when there is none. */
enum error snapshot_fetch(struct db *db, struct arena *arena, struct str cluster,
                          struct snapshot_stored *stored);

struct snapshot_text;
/* The document. room: an empty spool, for a delta that needs the base in another order. Frees come
 * before those of the spools. NULL without memory. */
struct snapshot_text *snapshot_open(const struct snapshot_stored *stored, struct spool *room);
void snapshot_text_free(struct snapshot_text *text);
/* Fails at what is damaged or is not what was stored, at the latest at the end: what was read until
 * then must not be used. */
struct source snapshot_text_source(struct snapshot_text *text);

#endif

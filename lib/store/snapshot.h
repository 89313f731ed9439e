/* snapshot: the latest pushed document of a cluster, redacted.
 *
 * It is kept as a base and a delta against it (codec/delta_base.h), so that a push writes what has
 * changed. What stays changed is added to the base, so that it is not written again with each
 * delta; a base with an addition has another id. The base is zstd, or gzip when it was pushed so
 * and nothing had to be cut; additions are zstd. Earlier releases kept the document whole, which is
 * read as well.
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

/* What is known of the deltas against a base as it is now. */
struct snapshot_wear {
    int64_t count, usual; /* how many there were; bytes of the shortest */
    int64_t surplus;      /* by how much the others were longer, together; less than 0: what is
                             stored cannot be read */
};

/* Is the next document stored whole? A base is worn when more than a quarter of the document was
 * not in it; when its additions would take more than itself, or be too many; and when deltas have
 * grown, together, by what a new base would take. */
bool snapshot_is_worn(const struct snapshot_wear *wear, const struct delta_base *base);

/* A document as it will be stored: a new base, a delta, or a delta and what it adds to the base. */
struct snapshot_copy {
    struct str base;         /* SNAPSHOT_BASE bytes: what the base's id is with this copy, */
    struct str before;       /* and what it must be until then; absent: it is a new base */
    struct str delta;        /* absent: it is a new base */
    struct str body, chunks; /* of a new base, or of the addition */
    uint32_t number;         /* of the addition, from 1 on; 0: there is none */
    delta_chunk_list added;  /* its chunks */
    int64_t added_bytes;
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

/* Replaces the one before, in a transaction. NO_SNAPSHOT, perhaps of a later statement, when it is
 * a delta and the cluster's base is another one by now. */
enum error snapshot_put(struct db *db, struct str cluster, int64_t received, int64_t taken,
                        const struct snapshot_copy *copy);

/* The base of the cluster, by what is remembered of such bases (at most `memory` bytes, those used
 * last) or by the database. It lives until the next call, or that of snapshot_put(). NULL when it
 * is gone or damaged. */
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
/* Of what was stored when the push was looked up. base_id, delta_digest: as struct push_before has
 * them; memory: as for snapshot_base(). Empty when the base is not there any more, or cannot be
 * read. */
enum error snapshot_stored_name(struct db *db, struct arena *arena, struct str cluster,
                                struct str base_id, struct str delta_digest, size_t memory,
                                struct snapshot_name *name);

/* ---- reading ---- */

/* Changes with every snapshot_put(); of the cluster alone. 0 when there is none. */
enum error snapshot_revision(struct db *db, struct arena *arena, struct str cluster,
                             int64_t *revision);

typedef LIST(struct str) chunks_list;

/* What is stored of a document. */
struct snapshot_stored {
    struct spool *body;  /* compressed; it may be larger than memory allows */
    struct spool *added; /* the texts of additions, one behind the other; like it */
    struct spool *room;  /* for what is not read in the order in which it is stored */
    bool whole;          /* the body is the document */
    struct str base, delta;
    chunks_list chunks; /* of the base and its additions; none: it is not the delta's base */
};

/* Empty when it is damaged, or of an earlier release. */
struct snapshot_name snapshot_name_of_stored(const struct snapshot_stored *stored);

/* Appends to body and added, and sets the rest. Inside of db_read(): all of it must be of one
 * moment. Nothing is appended when there is none. */
enum error snapshot_fetch(struct db *db, struct arena *arena, struct str cluster,
                          struct snapshot_stored *stored);

#endif

/* delta_maker: what the parts of delta_make share. Nobody else includes it. */
#ifndef LOADLINE_CODEC_DELTA_MAKER_H
#define LOADLINE_CODEC_DELTA_MAKER_H

#include "base/buf.h"
#include "codec/delta_memory.h"
#include "codec/delta_steps.h"
#include "codec/zstd.h"

/* The text before, as far as this one is the same. */
struct known {
    struct delta_recall recall;
    bool follows;   /* what is held of a chunk is the beginning of that text's ... */
    uint32_t chunk; /* ... chunk of this number */
    uint32_t part;  /* behind that part of it which was found last */
    uint64_t bytes; /* of chunks that were found so */
    size_t lead_n;  /* bytes behind a part, of which is not known yet whether they follow, too */
    char lead[TEXT_LEAD_MAX];
};

/* Bytes that have a place in what is held, and are not there yet. */
struct held_view {
    struct text_view text;
    size_t from, n, at;
};

enum { HELD_VIEWS = 16 };

struct delta_maker {
    struct arena *arena;
    const struct delta_base *base;
    struct known known;
    bool want_body, failed;
    size_t max;
    struct keyed_hash *hash;
    struct zstd_writer *zstd; /* of what is new; opened when something is */
    char key[KEYED_HASH_KEY];
    struct cut cut;
    size_t held_n; /* of a chunk that came in pieces */
    uint32_t views_n;
    struct held_view views[HELD_VIEWS];
    uint64_t length, literal;
    struct delta_steps steps;
    struct buf packed; /* what is new */
    delta_chunk_list chunks;
    char held[CUT_MAX];
};

/* These bytes are those of the text before, too. Few of them are looked at: those of chunks that
 * the base has not got, and those of a chunk that may not go on like this. */
void delta_maker_follow(struct delta_maker *maker, const struct text_view *text);
/* Takes note that the text is n bytes longer. False when it is too long, or has failed before. */
bool delta_maker_is_within(struct delta_maker *maker, size_t n);

#endif

/* deltas: makes deltas of texts in memory and applies them, for tests. */
#ifndef LOADLINE_TESTS_DELTAS_H
#define LOADLINE_TESTS_DELTAS_H

#include "codec/delta_make.h"
#include "codec/delta_read.h"

/* A base as it is stored, and what it has grown by. */
struct delta_stored {
    struct str text, packed;  /* text: with those of its additions */
    LIST(struct str) written; /* of delta_base_write(): its own, and those of its additions */
    struct delta_base *base;  /* to be freed by delta_base_free() */
};

struct delta_result {
    bool right;
    struct str text; /* as far as it was read */
};

/* A piece of a text. Equal bytes have equal numbers; content 0: it is no part. */
struct delta_piece {
    struct str bytes;
    uint64_t content, lead;
};
typedef LIST(struct delta_piece) delta_piece_list;

/* Makes the delta of the text that the pieces are, with the memory, and remembers it. Aborts when
 * it is not the one that is made without. */
struct delta_made delta_make_known(struct arena *arena, const struct delta_base *base,
                                   struct delta_memory *memory, delta_piece_list pieces,
                                   size_t piece);

/* Feeds the maker pieces of that size. Aborts when it fails. The maker is freed. */
struct delta_made delta_make_text(struct arena *arena, const struct delta_base *base,
                                  struct str text, size_t piece);
struct delta_stored delta_store_text(struct arena *arena, struct str text, size_t piece);
/* What is new in this delta becomes an addition, which must be there. Aborts when the base that has
 * grown is not the one that is read. */
void delta_store_addition(struct arena *arena, struct delta_stored *stored,
                          const struct delta_made *made);
/* Reads so many bytes at once. */
struct delta_result delta_read_text(struct arena *arena, const struct delta_stored *stored,
                                    struct str delta, size_t room);
/* Makes the delta of that text and reads it. Aborts when another text comes back. How many bytes
 * the delta has, or the text that is stored whole. */
size_t delta_round_trip(struct arena *arena, const struct delta_stored *stored, struct str text);

#endif

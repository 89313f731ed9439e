/* document_piece: an object's text that a document_memory keeps, loose or packed together with
 * those that stand beside it. Pods repeat each other: packed they take a tenth.
 *
 * Nobody but document_memory.c and document_index.c includes it, and tests.
 */
#ifndef LOADLINE_READER_DOCUMENT_PIECE_H
#define LOADLINE_READER_DOCUMENT_PIECE_H

#include "base/arena.h"
#include "base/table.h"

struct document_pack;

enum { DOCUMENT_END = 16 };

/* What pieces take that are kept together. */
struct document_tally {
    size_t bytes, loose; /* loose: of these, texts that are not packed */
};

/* Of one object. The names are behind it. */
struct document_piece {
    uint64_t turn; /* of keeping in which its text was asked for or new */
    size_t bytes;  /* of the piece and its names */
    size_t n;      /* of its text */
    char *loose;   /* the text; or NULL: */
    struct document_pack *pack;
    size_t at;              /* of the text in what is packed */
    char end[DOCUMENT_END]; /* the last bytes of the text: they are asked for each time */
    size_t lead_room;
    char *lead; /* what stands before it, when others have nothing like it; or NULL */
    char names[];
};

/* A copy of the text, loose, and of the n names, each of which then is its copy. NULL without
 * memory; free with document_piece_free(), which takes NULL. */
struct document_piece *document_piece_new(struct document_tally *tally, struct str text,
                                          struct str *names[], uint32_t n);
void document_piece_free(struct document_tally *tally, struct document_piece *piece);

/* Are the n bytes from there on among the last, which are at hand? Valid as long as the piece. */
bool document_piece_end(const struct document_piece *piece, size_t from, size_t n,
                        struct str *bytes);

/* False without memory: nothing has happened. */
bool document_piece_loosen(struct document_tally *tally, struct document_piece *piece,
                           struct str text);
/* The same of what stands before it, of which *lead then is the copy. */
bool document_piece_take_lead(struct document_tally *tally, struct document_piece *piece,
                              struct str *lead);
/* Is more than half of what it is packed with gone? */
bool document_piece_is_lone(const struct document_piece *piece);

/* Packs texts as they come, as many together as is good. */
struct document_packer;
struct document_packer *document_packer_new(struct document_tally *tally);
/* A piece that is packed already is packed anew. Without memory it stays as it is. */
void document_packer_put(struct document_packer *packer, struct document_piece *piece);
/* Packs what has come, and frees it. NULL is allowed. */
void document_packer_end(struct document_packer *packer);

/* What was unpacked in one piece of work, in its arena. */
struct document_unpacked {
    struct arena *arena;
    struct table packs; /* what was unpacked, by the pack; made on first use */
    const struct document_pack *last;
    const char *text; /* of all that is in it */
};
/* Valid until the piece is freed or packed, and as long as the arena. Unwinds without memory. */
struct str document_piece_text(const struct document_piece *piece,
                               struct document_unpacked *unpacked);

#endif

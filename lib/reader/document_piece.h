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

/* Of one object. The names are behind it. */
struct document_piece {
    bool stays;   /* the next document has it, too */
    bool used;    /* by the document that was kept last: its text was asked for, or is new */
    size_t bytes; /* of the piece and its names */
    size_t n;     /* of its text */
    char *loose;  /* the text; or NULL: */
    struct document_pack *pack;
    size_t at;              /* of the text in what is packed */
    char end[DOCUMENT_END]; /* the last bytes of the text: they are asked for each time */
    size_t lead_room;
    char *lead; /* what stands before it: that can change while the object does not */
    char names[];
};

/* A copy of the text, loose, and of the n names, each of which then is its copy. NULL without
 * memory; free with document_piece_free(), which takes NULL. */
struct document_piece *document_piece_new(struct str text, struct str *names[], uint32_t n);
void document_piece_free(struct document_piece *piece);
/* What it takes now; a pack is shared out among those that are in it. */
size_t document_piece_bytes(const struct document_piece *piece);

/* Are the n bytes from there on among the last, which are at hand? Valid as long as the piece. */
bool document_piece_end(const struct document_piece *piece, size_t from, size_t n,
                        struct str *bytes);

/* False without memory: nothing has happened. */
bool document_piece_loosen(struct document_piece *piece, struct str text);
/* Is more than half of what it is packed with gone? */
bool document_piece_is_lone(const struct document_piece *piece);

/* Packs texts as they come, as many together as is good. */
struct document_packer;
struct document_packer *document_packer_new(void);
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

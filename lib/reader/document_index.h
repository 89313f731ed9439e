/* document_index: a document in pieces, its objects and what stands between them, so that some of
 * them can be changed without reading or copying the others; and the digest by which two sides tell
 * that they have the same objects.
 */
#ifndef LOADLINE_READER_DOCUMENT_INDEX_H
#define LOADLINE_READER_DOCUMENT_INDEX_H

#include "codec/sha256.h"
#include "codec/text_part.h"
#include "reader/snapshot_reader.h"

struct document_piece;
struct document_unpacked;

struct document_object {
    enum kind kind;                 /* never KIND_NONE */
    bool has_kind, has_api_version; /* it says so itself; else its list does */
    struct str api_version, namespace, name;
    uint64_t identity; /* document_identity() of its kind, namespace and name */
    struct str lead;   /* what stands between the object before and this one */
    struct str text;   /* ask document_object_text(): p is NULL when nobody has asked yet */
    unsigned char digest[SHA256];
    uint64_t content;             /* codec/text_part.h; 0: nobody has told */
    struct document_piece *piece; /* where a document_memory has it; or NULL */
    uint32_t place;               /* for the document_memory */
    struct document_unpacked *unpacked;
};

typedef LIST(struct document_object) document_object_list;

struct document_index {
    document_object_list objects; /* of kinds that are read, in the order of the text */
    struct str tail;              /* what stands behind the last one */
};

/* Of a document that snapshot_read() has accepted before, or is to be told whether it could. It
 * points into the text; the rest is in the arena. False when it is not well formed, with *error
 * filled. */
bool document_index_read(struct arena *arena, struct str text, struct document_index *index,
                         struct snapshot_error *error);

/* The same of arrays of objects that stand in a text of something else, which the caller reads with
 * the indexer's reader. document_index_array(): the current value is one; goes behind it. The index
 * has the objects of the last one. False when it is not well formed, which the reader tells, or
 * an item is no object. */
struct document_indexer;
struct document_indexer *document_indexer(struct arena *arena, struct str text,
                                          struct document_index *index);
struct jr *document_indexer_jr(struct document_indexer *indexer);
bool document_index_array(struct document_indexer *indexer);

/* A hash of what an object is called, in this process: nobody can know which collide. */
uint64_t document_identity(enum kind kind, struct str namespace, struct str name);

/* The object's text, which may have to be unpacked first: into the arena that the index was found
 * with (document_memory.h), which unwinds when that is full. */
struct str document_object_text(struct document_object *object);

/* The digest of an object: SHA-256 of its kind, a line feed, its API version (or its list's), a
 * line feed, and its text. */
void document_object_digest(enum kind kind, struct str api_version, struct str text,
                            unsigned char digest[SHA256]);
/* Of several: SHA-256 of the digests of each, in ascending order. The order of the objects does not
 * count. `digests` is sorted. */
void document_digest(unsigned char (*digests)[SHA256], size_t n, unsigned char digest[SHA256]);
/* The same of an index; what it needs is in the arena. */
void document_index_digest(struct arena *arena, const struct document_index *index,
                           unsigned char digest[SHA256]);

/* Bytes of the text. */
uint64_t document_index_length(const struct document_index *index);

/* The text from a place on: piece 2 n is the lead of object n, and 2 n + 1 its text. A zeroed
 * position is at the beginning. */
struct document_cursor {
    const struct document_index *index;
    struct arena *arena; /* of document_parts() */
    size_t piece, at;
    uint32_t object; /* the next that is asked for as a part ... */
    uint64_t offset; /* ... and where its lead begins */
};
/* A source of the text; the cursor moves on. And what it knows of its parts. */
struct source document_source(struct document_cursor *cursor);
struct part_source document_parts(struct document_cursor *cursor);
/* Do these bytes come next? Then it moves on. */
bool document_cursor_pass(struct document_cursor *cursor, struct str bytes);
/* The same of an object's n bytes with that content, which need not be looked at. False, too, when
 * the content of what comes next is not known. */
bool document_cursor_pass_part(struct document_cursor *cursor, size_t n, uint64_t content);
/* The same of a run that document_parts() has told of; false, too, when another source has. */
bool document_cursor_pass_run(struct document_cursor *cursor, const struct text_run *run);
bool document_cursor_is_at_end(struct document_cursor *cursor);

/* Are these the places of its objects, as a reading of the text has found them? */
bool document_index_is_at(const struct document_index *index, text_part_list places);

#endif

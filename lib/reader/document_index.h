/* document_index: a document in memory and where its objects stand, so that some of them can be
 * changed without reading the others, and the digest by which two sides tell that they have the
 * same objects.
 */
#ifndef LOADLINE_READER_DOCUMENT_INDEX_H
#define LOADLINE_READER_DOCUMENT_INDEX_H

#include "codec/sha256.h"
#include "codec/text_part.h"
#include "reader/snapshot_reader.h"

struct document_object {
    enum kind kind;                 /* never KIND_NONE */
    bool has_kind, has_api_version; /* it says so itself; else its list does */
    struct str api_version, namespace, name;
    uint64_t from, to; /* bytes of the text */
    unsigned char digest[SHA256];
};

typedef LIST(struct document_object) document_object_list;

struct document_index {
    struct str text;
    document_object_list objects; /* of kinds that are read, in the order of the text */
};

/* Of a document that snapshot_read() has accepted before, or is to be told whether it could. All in
 * the arena but for the text. False when it is not well formed, with *error filled. */
bool document_index_read(struct arena *arena, struct str text, struct document_index *index,
                         struct snapshot_error *error);

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

/* Are these the places of its objects, as a reading of the text has found them? */
bool document_index_is_at(const struct document_index *index, text_part_list places);

#endif

/* changes: what has changed of a document since a revision of it, and that document made of both.
 *
 * A list of changes is an object:
 *
 *     {"base": "...", "digest": "...", "objects": [...], "removed": [...]}
 *
 * base: the revision. digest: of all objects that there are then (document_index.h), as 64 digits.
 * objects: that were added or changed, as they stand in a document of a mixed array: each says its
 * kind and API version itself, or is in a list that does. removed: {"kind", "apiVersion",
 * "namespace", "name"} of each that is gone; without a namespace, when it has none.
 */
#ifndef LOADLINE_READER_CHANGES_H
#define LOADLINE_READER_CHANGES_H

#include "reader/document_index.h"

enum { CHANGES_BASE_MAX = 64 };

struct removed_object {
    enum kind kind;
    struct str namespace, name;
};

struct changes {
    struct str base;
    unsigned char digest[SHA256];
    struct document_index objects;
    LIST(struct removed_object) removed;
};

/* json: when its code is not JR_OK. Otherwise field and why are a sentence. */
struct changes_error {
    struct jr_error json;
    const char *field, *why;
    bool missing; /* the field is not there */
};

/* Reads a list; the result points into the text and the arena. False, with *error filled, when it
 * is not well formed, or says the same object twice. */
bool changes_read(struct arena *arena, struct str text, struct changes *changes,
                  struct changes_error *error);

/* Makes the document that the changes lead to, in the arena and of pieces of both. It has at most
 * `max` bytes.
 *
 * A changed object stands where the old one stood. One that is removed goes with one comma. One
 * that is new stands behind the last one of its kind and API version, in the order of the list.
 * Everything else stays as it is. *digest is that of the result.
 *
 * NULL, with *why, when the changes are not of this document: something is removed or replaced
 * that is not there, or there twice; or it is another object's place; or there is none. */
const struct document_index *changes_apply(struct arena *arena, const struct document_index *old,
                                           const struct changes *changes, size_t max,
                                           unsigned char digest[SHA256], const char **why);

#endif

/* document_memory: the text that is stored of a document, and where its objects stand, under the
 * name of that revision: what the next list of changes (changes.h) mostly begins with.
 *
 * It is a cache: who does not find a revision here reads it where it is stored. Unlike
 * object_memory it holds text: redacted, as it is stored. A text is unpacked when somebody asks for
 * it; with a list of changes that is rare (codec/delta_make.h).
 */
#ifndef LOADLINE_READER_DOCUMENT_MEMORY_H
#define LOADLINE_READER_DOCUMENT_MEMORY_H

#include "reader/document_index.h"

struct document_memory;

/* Keeps a document of at most so many bytes, all in all. What is kept is packed, but for a
 * sixteenth of the text and `loose` bytes: what changed last or was looked at last, and mostly will
 * again. NULL without memory; free with document_memory_free(), which takes NULL. */
struct document_memory *document_memory_new(size_t max, size_t loose);
void document_memory_free(struct document_memory *memory);
/* What it takes now. */
size_t document_memory_bytes(const struct document_memory *memory);

/* Keeps a copy in place of the one before; of one that is too large, nothing. `index` may be the
 * one that it has, or point into it. places: those of its objects, with their contents; of none,
 * the contents are not known. */
void document_memory_keep(struct document_memory *memory, struct str revision,
                          const struct document_index *index, text_part_list places);
/* An index of its own, in the arena, where texts are unpacked, too. NULL: it has another one, or
 * none. Valid until the next call of document_memory_keep(). */
const struct document_index *document_memory_find(const struct document_memory *memory,
                                                  struct arena *arena, struct str revision);

#endif

/* item: one object of a document. */
#ifndef LOADLINE_READER_ITEM_H
#define LOADLINE_READER_ITEM_H

#include "reader/reader.h"

/* Reads the current value, an object, as one item. hint: its kind when it does not say itself, or
 * KIND_NONE. False: it is itself a list, of which nothing has been read. */
bool item_read(struct reader *reader, enum kind hint);

/* An object of that kind has been read otherwise: adds a copy, and counts it. */
void item_keep(struct reader *reader, enum kind kind, const struct object *object);
void item_note(struct reader *reader, enum kind kind);

/* A copy of an object, as far as it is kept. What it points to is shared. */
struct object *item_copy(struct arena *arena, enum kind kind, const struct object *object);

#endif

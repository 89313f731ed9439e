/* item: one object of a document. */
#ifndef LOADLINE_READER_ITEM_H
#define LOADLINE_READER_ITEM_H

#include "reader/reader.h"

/* Reads the current value, an object, as one item. hint: its kind when it does not say itself, or
 * KIND_NONE. False: it is itself a list, of which nothing has been read. */
bool item_read(struct reader *reader, enum kind hint);

#endif

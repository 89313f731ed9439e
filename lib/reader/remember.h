/* remember: what snapshot_read() does with an object_memory. Nobody but the reader includes it. */
#ifndef LOADLINE_READER_REMEMBER_H
#define LOADLINE_READER_REMEMBER_H

#include "reader/reader.h"

struct object_memory;

/* For one document: reads it with a memory from now on. */
void remember_begin(struct reader *reader, struct object_memory *memory);
/* The document has been read; when it was refused, the memory stays as it was. */
void remember_end(struct reader *reader, bool refused);

/* Reads the current value as item_read() does, or jumps over it. Sets the part's content and lead.
 */
bool remember_item(struct reader *reader, enum kind hint, struct text_part *part);
/* Behind such a jump, when its place is noted: jumps over those that come behind it as well, as far
 * as the source has the objects that are expected. */
void remember_run(struct reader *reader);

#endif

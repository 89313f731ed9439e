/* document: the forms in which a snapshot comes (snapshot_reader.h). */
#ifndef LOADLINE_READER_DOCUMENT_H
#define LOADLINE_READER_DOCUMENT_H

#include "reader/reader.h"

/* Reads one document after another, to the end of the input. */
void document_read_all(struct reader *reader);
/* The current value is an array, of which every item must be an object. */
void document_read_objects(struct reader *reader);

#endif

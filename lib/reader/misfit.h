/* misfit: values of another type than the API has in their place. They count as left out; whoever
 * reads what people have written is told of them.
 */
#ifndef LOADLINE_READER_MISFIT_H
#define LOADLINE_READER_MISFIT_H

#include "reader/decoder.h"
#include "reader/schema.h"

/* The current value, which nobody has entered, is none of the types that the place takes: bits as
 * in struct field. Nothing happens for null, and when nobody asks. */
void misfit_note(struct decoder *decoder, enum jr_type type, unsigned accepts);
/* The same of the value of a field; of NULL nothing happens. */
void misfit_note_field(struct decoder *decoder, enum jr_type type, const struct field *field);
/* The same of a text, or a number, that is no number of the sort that is wanted. */
void misfit_note_number(struct decoder *decoder, const char *wanted);

#endif

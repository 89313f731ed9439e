/* form: which of the three forms of a document the current value has. */
#ifndef LOADLINE_READER_FORM_H
#define LOADLINE_READER_FORM_H

#include "kube/kinds.h"
#include "reader/decoder.h"

enum form { FORM_UNKNOWN, FORM_OBJECT, FORM_LIST, FORM_COLLECTIONS };

/* The current value is an object under a mark, and is read as far as it takes to tell. */
enum form form_look(struct decoder *decoder);
/* The same of a document that was found, not given. kind: of the items of a list that does not name
 * it, or KIND_NONE. */
enum form form_look_for_objects(struct decoder *decoder, enum kind kind);

#endif

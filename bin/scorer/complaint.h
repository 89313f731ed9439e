/* complaint: what is wrong with a file, on stderr. */
#ifndef LOADLINE_BIN_COMPLAINT_H
#define LOADLINE_BIN_COMPLAINT_H

#include "offline/places.h"

/* "loadline-score: FILE:LINE:COLUMN: TEXT"; line and column as far as they are known. arena: for
 * scratch. */
void complain_at(struct arena *arena, struct place place, struct str text);

#endif

/* scrub_string: what is cut out of one string of a JSON text, and of the ones behind it that belong
 * to it. Nobody but scrub.c includes it.
 */
#ifndef LOADLINE_READER_SCRUB_STRING_H
#define LOADLINE_READER_SCRUB_STRING_H

#include "base/list.h"
#include "reader/json_text.h"
#include "reader/scrub_text.h"

/* What is cut, by offsets of the text, in order. */
struct scrub_cuts {
    struct arena *arena;
    size_t string_max; /* a longer string is cut whole */
    credential_ranges ranges;
    credential_ranges found; /* for whoever needs them */
    struct buf decoded, more;
};

/* Looks at the string whose opening quote is at `open`, adds what is cut of it and of what belongs
 * to it, and says where to go on. False, and nothing is added, when the text ends too early to
 * say. */
bool scrub_string(const struct scrub_text *in, size_t open, struct scrub_cuts *cuts, size_t *next);

#endif

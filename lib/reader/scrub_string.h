/* scrub_string: what is cut out of one string of a JSON text, and of the ones behind it that belong
 * to it. Nobody but scrub.c includes it.
 */
#ifndef LOADLINE_READER_SCRUB_STRING_H
#define LOADLINE_READER_SCRUB_STRING_H

#include "base/list.h"
#include "kube/credential_cut.h"
#include "reader/json_text.h"

enum { SCRUB_BEFORE = 16 };

/* A piece of JSON, and what came before it. */
struct scrub_text {
    struct str text;
    char before[SCRUB_BEFORE]; /* the bytes before the text; blanks at the very beginning */
    bool whole;                /* nothing comes behind it that would have to be waited for */
};

/* What is cut, by offsets of the text, in order. */
struct scrub_cuts {
    struct arena *arena;
    size_t string_max; /* a longer string is cut whole */
    credential_ranges ranges;
    credential_ranges found; /* for whoever needs them */
    struct buf decoded, more;
};

/* The byte at an offset of the text that may be negative: then one of those before; ' ' before
 * those. */
char scrub_byte(const struct scrub_text *in, ptrdiff_t at);

/* Can what is marked be a secret or announce one? A first look, at the bytes as they are. */
bool scrub_is_worth(const struct scrub_text *in, size_t at, enum credential_mark mark);

/* Looks at the string whose opening quote is at `open`, adds what is cut of it and of what belongs
 * to it, and says where to go on. False, and nothing is added, when the text ends too early to
 * say. */
bool scrub_string(const struct scrub_text *in, size_t open, struct scrub_cuts *cuts, size_t *next);

#endif

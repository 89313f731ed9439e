/* scrub_text: a piece of a JSON text in which secrets are looked for, and a first look at what is
 * marked in it. Nobody but scrub*.c includes it.
 */
#ifndef LOADLINE_READER_SCRUB_TEXT_H
#define LOADLINE_READER_SCRUB_TEXT_H

#include "kube/credential_cut.h"

enum { SCRUB_BEFORE = 16 };

/* A piece of JSON, and what came before it. */
struct scrub_text {
    struct str text;
    char before[SCRUB_BEFORE]; /* the bytes before the text; blanks at the very beginning */
    bool whole;                /* nothing comes behind it that would have to be waited for */
};

/* The byte at an offset of the text that may be negative: then one of those before; ' ' before
 * those. */
char scrub_byte(const struct scrub_text *in, ptrdiff_t at);

/* The last byte before an offset that is no blank. */
char scrub_byte_before(const struct scrub_text *in, size_t at);
/* Is the string whose opening quote is at `open` the value of a "name"? */
bool scrub_is_value_of_name(const struct scrub_text *in, size_t open);

/* Can what is marked be a secret or announce one? A first look, at the bytes as they are. */
bool scrub_is_worth(const struct scrub_text *in, size_t at, enum credential_mark mark);

#endif

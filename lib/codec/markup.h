/* markup: text into XML and HTML. */
#ifndef LOADLINE_CODEC_MARKUP_H
#define LOADLINE_CODEC_MARKUP_H

#include "base/buf.h"

/* Puts the text so that it stands for itself in an element and in an attribute with double quotes.
 * What XML does not have, and what steers terminals or the direction of writing, becomes "?". */
void markup_text(struct buf *out, struct str text);

#endif

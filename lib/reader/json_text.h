/* json_text: strings of JSON as they stand, with their escapes. What is given is well formed. */
#ifndef LOADLINE_READER_JSON_TEXT_H
#define LOADLINE_READER_JSON_TEXT_H

#include "base/buf.h"

/* Where the string ends whose opening quote is at `open`: at its closing quote; text.n when that is
 * not there yet. */
size_t json_text_close(struct str text, size_t open);
/* Where the string begins that `at` is in: the last quote in [least, at] that is not escaped;
 * SIZE_MAX when there is none. */
size_t json_text_open(struct str text, size_t at, size_t least);

/* The first byte at or behind `at` that is no white space; text.n when there is none. */
size_t json_text_skip(struct str text, size_t at);

/* The text between the quotes, decoded into the buffer when there is something to decode. */
struct str json_text_decode(struct str raw, struct buf *decoded);

/* Goes through a raw string by offsets of the decoded one, which must not decrease. */
struct json_text_walk {
    struct str raw;
    size_t at, decoded;
};
/* The raw offset of the character that a decoded offset is in, or of the end. */
size_t json_text_from(struct json_text_walk *walk, size_t decoded);
/* The same of the first character that begins at or behind it. */
size_t json_text_to(struct json_text_walk *walk, size_t decoded);

#endif

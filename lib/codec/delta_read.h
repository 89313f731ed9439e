/* delta_read: the text of a delta and its base, or of the base alone, and whether it is the one
 * that was stored.
 *
 * Nothing of the delta is believed: the memory that it takes does not depend on what it says, the
 * text is never longer than DELTA_TEXT_MAX, and the end of it only comes when its digest is right.
 */
#ifndef LOADLINE_CODEC_DELTA_READ_H
#define LOADLINE_CODEC_DELTA_READ_H

#include "codec/delta_base.h"
#include "codec/source.h"

/* The text of the base: its own, and those of its additions behind it. */
struct delta_text {
    /* Puts the n bytes from an offset on at dst. False when they cannot be had. */
    bool (*read)(void *context, uint64_t offset, char *dst, size_t n);
    void *context;
};

struct delta_reader;

/* delta: empty for the base alone; it and the base live as long as the reader. NULL without memory.
 */
struct delta_reader *delta_reader_open(const struct delta_base *base, struct str delta,
                                       struct delta_text text);
void delta_reader_free(struct delta_reader *reader);
/* Is the base's own text read from its beginning to its end, though not all of it? Its additions
 * are read in any order. */
bool delta_reader_is_forward(const struct delta_reader *reader);
/* Fails at what is damaged, at the latest at the end. What was read until then must not be used. */
struct source delta_reader_source(struct delta_reader *reader);
/* Was it read to its end, and is it right? */
bool delta_reader_is_right(const struct delta_reader *reader);

#endif

/* kept_edit: where redaction changes an object that is remembered. */
#ifndef LOADLINE_READER_KEPT_EDIT_H
#define LOADLINE_READER_KEPT_EDIT_H

#include "base/buf.h"
#include "codec/text_part.h"
#include "reader/repeat_cache.h"

enum { KEPT_EDITS_MAX = 1024 /* of an object */ };

/* `at` is counted from the object's start. */
struct kept_edit {
    uint64_t at : 24, n : 24, instead : 16;
};

/* Those of the object that was read last and began at `from`. How many: more than KEPT_EDITS_MAX
 * when they cannot be kept. */
uint32_t kept_edits(const struct repeat_cache *repeats, uint64_t from,
                    struct kept_edit kept[KEPT_EDITS_MAX]);

/* Those in the n bytes from `from` on, counted from there. How many; there is room in `to`. */
uint32_t kept_edits_within(const struct kept_edit *edits, uint32_t edits_n, uint64_t from, size_t n,
                           struct kept_edit *to);
/* Notes them of a text that begins at `from` of the object that is being read. */
void kept_edits_note(struct repeat_cache *repeats, uint64_t from, const struct kept_edit *edits,
                     uint32_t n);

/* A text, and where its redaction changes it. */
struct kept_text {
    struct text_view raw;
    const struct kept_edit *edits;
    uint32_t edits_n;
    struct buf *room;
    size_t n; /* bytes of it, redacted: set by kept_text_view() */
};
/* The text as its redaction leaves it; *text must live as long. It lasts when the raw text does.
 * What is asked of it is a part of the raw text, or in the room, which is overwritten. What stands
 * behind the last change costs nothing. */
struct text_view kept_text_view(struct kept_text *text);

#endif

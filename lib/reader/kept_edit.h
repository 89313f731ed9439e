/* kept_edit: where redaction changes an object that is remembered. */
#ifndef LOADLINE_READER_KEPT_EDIT_H
#define LOADLINE_READER_KEPT_EDIT_H

#include "base/buf.h"
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

/* The text as its redaction leaves it: itself, or in *room, which is overwritten. */
struct str kept_edits_apply(const struct kept_edit *edits, uint32_t n, struct str text,
                            struct buf *room);

#endif

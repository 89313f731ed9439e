/* object_place: where the objects of a snapshot stand in its redacted copy. */
#ifndef LOADLINE_READER_OBJECT_PLACE_H
#define LOADLINE_READER_OBJECT_PLACE_H

#include "base/list.h"

struct object_place {
    uint64_t offset; /* of its opening brace */
    uint64_t length;
    /* The same number, other than 0: the same bytes, here or in what this process read before. 0:
     * nobody has compared them. Two numbers may stand for equal bytes. */
    uint64_t content;
};

/* In the order of the copy. None stands within another. */
typedef LIST(struct object_place) object_place_list;

#endif

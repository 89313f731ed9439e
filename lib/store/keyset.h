/* keyset: a piece of a list that is read newest first, told by where it begins (keyset pagination):
 * rows that come in meanwhile neither repeat nor hide one.
 */
#ifndef LOADLINE_STORE_KEYSET_H
#define LOADLINE_STORE_KEYSET_H

#include "base/str.h"

struct keyset {
    int64_t limit;        /* rows at most */
    int64_t before;       /* older than this; */
    struct str before_id; /* of that time, those with a smaller id (UUID) */
};

#endif

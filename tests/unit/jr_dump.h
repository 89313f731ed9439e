/* jr_dump: reads JSON text with jr in one of many ways and says what came out, so that ways can be
 * compared: whatever the window, the pieces of input and the vector code, it must be the same.
 */
#ifndef LOADLINE_TESTS_UNIT_JR_DUMP_H
#define LOADLINE_TESTS_UNIT_JR_DUMP_H

#include "codec/jr_reader.h"

enum jr_way {
    JR_WAY_WALK,    /* reads everything */
    JR_WAY_SKIP,    /* reads nothing: each top-level value is skipped */
    JR_WAY_LEAVE,   /* enters everything, reads the first of each level, and leaves it */
    JR_WAY_REWIND,  /* marks each value, reads the two after it, comes back, and then reads it */
    JR_WAY_JUMP,    /* jumps over containers whose bytes it read before */
    JR_WAY_UNREAD,  /* the same, and does not ask for these bytes: the source leaves them out */
    JR_WAY_REPLACE, /* puts "*" in the place of each string; reads everything else */
    JR_WAYS
};

struct jr_setting {
    enum jr_way way;
    enum jr_kernel kernel;
    size_t window;
    size_t piece; /* bytes that the source gives at once, at most */
    struct jr_limits limits;
};

struct jr_dump {
    struct str json;   /* what was read, as compact JSON; top-level values separated by commas */
    struct str tapped; /* what the tap saw */
    struct jr_error error;
};

/* Limits that no test of other things runs into. */
extern const struct jr_limits JR_WIDE;

struct jr_dump jr_dump(struct arena *arena, struct str text, struct jr_setting setting);
/* Does this machine have it? */
bool jr_has_kernel(enum jr_kernel kernel);

#endif

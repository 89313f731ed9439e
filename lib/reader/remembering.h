/* remembering: what the parts of remember share. Nobody else includes it. */
#ifndef LOADLINE_READER_REMEMBERING_H
#define LOADLINE_READER_REMEMBERING_H

#include "base/buf.h"
#include "base/table.h"
#include "reader/read_setting.h"
#include "reader/reader.h"
#include "reader/remembered.h"

enum { LENGTH_MAX = 1 << 20 /* of an object that is remembered */ };

struct remember {
    struct object_memory *memory;
    struct arena *arena;
    uint32_t next;               /* of the memory's items: what is expected */
    struct table by_identity;    /* of the memory's items; made on first use */
    LIST(struct remembered) now; /* of this document */
    struct read_setting setting;
    struct buf seen;
    struct reader *keeper; /* reads what is kept; made on first use */
    uint64_t behind;       /* offset behind the object that was read last; 0: there is none */
    uint64_t known, read;
    bool full;
    bool left_out; /* the object before was jumped over, and the source knew it */
};

/* A number that no content had before. */
uint64_t remember_content(void);
/* That of what stands between two objects: nothing but commas and blanks. 0: it has none. */
uint64_t remember_lead(struct object_memory *memory, struct str text);
/* The object that is expected has been jumped over: the model has it, too. */
void remember_take(struct reader *reader, const struct remembered *item);

#endif

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
    uint32_t next;                       /* of the memory's items: what is expected */
    struct table by_identity;            /* of the memory's items; made on first use */
    LIST(const struct remembered *) now; /* of this document; the memory's own are met again */
    struct read_setting setting;
    struct buf seen;
    struct reader *keeper;       /* reads what is kept; made on first use */
    uint64_t behind;             /* offset behind the object that was read last; 0: there is none */
    struct spec_look spec, kept; /* of the reader, and of the keeper */
    uint64_t known, read, specs;
    bool full;
    bool left_out; /* the object before was jumped over, and the source knew it */
};

/* An object has been read, from this offset on, and is another one than was expected. What is known
 * of its spec from now on; NULL: nothing. before: the object as it was, or NULL. */
struct kept_spec *remember_spec(struct remember *remember, const struct remembered *before,
                                struct str text, uint64_t from);
/* It has been kept: does item->spec become that of item->object? In the memory's arena, which
 * unwinds when that is full. False: it stays as it is. */
bool remember_keep_spec(struct remember *remember, struct str text, uint64_t from,
                        struct remembered *item);

/* A number that no content had before. */
uint64_t remember_content(void);
/* That of what stands between two objects: nothing but commas and blanks. 0: it has none. */
uint64_t remember_lead(struct object_memory *memory, struct str text);
/* The object that is expected has been jumped over: the model has it, too. */
void remember_take(struct reader *reader, const struct remembered *item);

#endif

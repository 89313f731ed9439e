/* remembered: what an object_memory is made of. Nobody but object_memory.c and remember.c includes
 * it, and tests. */
#ifndef LOADLINE_READER_REMEMBERED_H
#define LOADLINE_READER_REMEMBERED_H

#include "codec/content_hash.h"
#include "kube/meta.h"
#include "reader/intern.h"
#include "reader/scrub.h"

/* A place where redaction changes an object: `at` is counted from its start. */
struct kept_edit {
    uint64_t at : 24, n : 24, instead : 16;
};

/* An object of the last document. */
struct remembered {
    struct content_hash hash; /* of what it was read under, and of its bytes */
    uint64_t identity;        /* hash of kind, namespace and name */
    uint64_t content;         /* object_place.h */
    uint32_t length, depth;   /* depth: of the list that it is in */
    enum scrub_known known;   /* of its bytes, redacted */
    bool read_always;         /* more comes of it than an object */
    /* When it was met twice: what became of it. In the memory's arena. */
    const struct object *object; /* or NULL */
    const struct kept_edit *edits;
    uint32_t size, edits_n;
    enum kind kind;
    size_t bytes; /* that it takes there */
};

struct object_memory {
    size_t max;
    struct arena *arena; /* NULL: there is none yet */
    struct intern *intern;
    struct remembered *items; /* in the order of the document */
    uint32_t n;
    size_t live;          /* bytes of the arena that they take */
    uint64_t seed;        /* of identities: nobody can know which collide */
    bool reading;         /* snapshot_read() has begun and not ended */
    uint64_t known, read; /* objects of the last document */
};

#endif

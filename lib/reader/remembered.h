/* remembered: what an object_memory is made of. Nobody but object_memory.c and remember.c includes
 * it, and tests. */
#ifndef LOADLINE_READER_REMEMBERED_H
#define LOADLINE_READER_REMEMBERED_H

#include "codec/content_hash.h"
#include "codec/text_part.h"
#include "kube/meta.h"
#include "reader/intern.h"
#include "reader/kept_edit.h"
#include "reader/kept_spec.h"
#include "reader/scrub.h"

/* An object of the last document. */
struct remembered {
    struct content_hash hash;    /* of what it was read under, and of its bytes */
    struct content_hash setting; /* of the former alone */
    uint64_t identity;           /* hash of kind, namespace and name */
    uint64_t content;            /* codec/text_part.h */
    uint32_t length, depth;      /* depth: of the list that it is in */
    enum scrub_known known;      /* of its bytes, redacted */
    bool read_always;            /* more comes of it than an object */
    bool stayed;                 /* when it was met last, its bytes were as expected */
    /* When it was met twice: what became of it. In the memory's arena. */
    const struct object *object; /* or NULL */
    const struct kept_edit *edits;
    uint32_t edits_n;
    enum kind kind;
    struct kept_spec *spec; /* of a pod that was kept, or has changed; or NULL. There, too */
    size_t bytes;           /* that both take there */
};

/* What stands between two objects: commas and blanks. */
struct remembered_lead {
    uint64_t content; /* codec/text_part.h */
    size_t n;
    char bytes[TEXT_LEAD_MAX];
};
enum { REMEMBERED_LEADS = 8 };

struct object_memory {
    size_t max;
    struct arena *arena; /* NULL: there is none yet */
    struct intern *intern;
    struct remembered *items; /* in the order of the document */
    uint32_t n, leads_n;
    struct remembered_lead leads[REMEMBERED_LEADS];
    size_t live;                 /* bytes of the arena that they take */
    uint64_t seed;               /* of identities: nobody can know which collide */
    bool reading;                /* snapshot_read() has begun and not ended */
    uint64_t known, read, specs; /* objects of the last document */
};

/* Before a reading: makes the arena where there is none, and anew when half of it is garbage. What
 * a reading that did not end has left is not looked at. */
void object_memory_renew(struct object_memory *memory);
/* After a reading: these are its objects now, copied. Those that are items of the memory were met
 * again. Nothing is remembered where there is no memory for it. */
void object_memory_take(struct object_memory *memory, const struct remembered *const *now,
                        uint32_t n);

#endif

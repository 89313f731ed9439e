/* decoder: what reading by schemas (decode.h), redaction and the repeat cache share. */
#ifndef LOADLINE_READER_DECODER_H
#define LOADLINE_READER_DECODER_H

#include "codec/jr.h"
#include "reader/intern.h"
#include "reader/repeat_cache.h"
#include "reader/snapshot_object.h"
#include "reader/stack.h"

enum redaction {
    REDACT_OFF,     /* everything may be kept by who reads */
    REDACT_FIND,    /* stop at the first thing that must not be kept */
    REDACT_REPLACE, /* the reader has a tap: replace it there */
};

struct decoder {
    struct jr *jr;
    struct arena *arena;   /* of what is read */
    struct arena *scratch; /* of what is needed for it; mostly the same */
    struct intern *intern;
    struct stack *stack;
    struct repeat_cache *repeats;
    enum redaction redaction;
    const struct snapshot_visitor *misfits; /* whoever is told of these (misfit.h), or NULL */
    const struct field *misfit;             /* the last one whose value was refused */
    unsigned item_depth;                    /* of the item that is read, when somebody is told */
    bool stopped;        /* reading has ended early: decode_next() says JR_ERROR from now on */
    bool sensitive;      /* ... because of REDACT_FIND */
    const char *refused; /* ... because of this: redact_refuse() */
    enum jr_code refused_code;
    struct jr *inner;                    /* reads documents inside of strings; made on first use */
    struct credential_memo *credentials; /* schema_container.c */
    struct schema_index **indexes;       /* of schemas, by their ids; made on first use */
    struct time_memo *last_time;         /* that was read */
    struct spec_look *spec;              /* of what a pod had before (kept_spec.h); or NULL */
    struct list_builder *own_list;       /* not shared, of which an item is read; or NULL */
};

/* jr_next(), or JR_ERROR when reading was stopped. */
static inline enum jr_type decode_next(struct decoder *decoder)
{
    return decoder->stopped ? JR_ERROR : jr_next(decoder->jr);
}

#endif

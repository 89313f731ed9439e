/* reader: what the parts of the snapshot reader share. Nobody else includes it. */
#ifndef LOADLINE_READER_READER_H
#define LOADLINE_READER_READER_H

#include "codec/text_part.h"
#include "kube/model.h"
#include "reader/decoder.h"
#include "reader/snapshot_object.h"

struct unread_index;
struct remember;

typedef LIST(struct object *) object_list;

struct reader {
    struct decoder decoder;
    struct cluster *cluster;
    object_list objects[KIND_COUNT];      /* in the order of the snapshot */
    object_list outdated;                 /* of kinds that are not read: model.h */
    const struct snapshot_visitor *visit; /* is told of objects, which are then not kept; or NULL */
    struct str list_kind; /* of the items of a list of a kind that is not read; interned */
    const struct snapshot_visitor *told;    /* is told of objects as they are read; or NULL */
    const struct snapshot_origins *origins; /* or NULL */
    struct snapshot_origin origin;          /* of the document that is read */
    struct str status;               /* the message of the last Status; absent: none was met */
    struct str list_api_version;     /* of the items of the list that is read; absent: not known */
    struct unread_index *unread;     /* of the cluster's list of the same name; made on first use */
    uint64_t item_from;              /* offset of the item that is read */
    uint64_t items_read;             /* of kinds that are read */
    struct object *newest;           /* the last of them, unless they are only told of */
    struct remember *remember;       /* what the last document had; or NULL */
    const struct part_source *parts; /* of the source, or NULL */
    struct scrub *scrub;             /* what the reader's tap feeds, or NULL */
    bool wants_places, no_nulls;     /* no_nulls: nothing that is read was redacted before */
    text_part_list places;           /* offsets of what the tap feeds until reading has ended */
};

#endif

/* reader: what the parts of the snapshot reader share. Nobody else includes it.
 *
 * snapshot.c knows the forms of a document, item.c one object, summary.c an object that says
 * little.
 */
#ifndef LOADLINE_KUBE_READER_H
#define LOADLINE_KUBE_READER_H

#include "kube/kinds.h"
#include "kube/redact.h"
#include "kube/shapes.h"
#include "kube/snapshot.h"

struct object_list {
    struct object **items;
    uint32_t n, room;
};

struct reader {
    struct decoder decoder;
    struct cluster *cluster;
    struct object_list objects[KIND_COUNT]; /* in the order of the snapshot */
    const struct snapshot_visitor *visit; /* is told of objects, which are then not kept; or NULL */
    struct str list_api_version; /* of the items of the list that is read; absent: not known */
    uint64_t item_from;          /* offset of the item that is read */
};

/* Members of an item that are not its kind's own: what every object has, and what a summary item
 * says at its top level. */
struct summary {
    struct str api_version, kind;
    struct object_meta meta;
    bool has_metadata;

    struct str name, namespace, status, phase, reason, image, node;
    pair_list labels;
    condition_list conditions;
    enum tri ready;
    int64_t restarts, replicas, ready_replicas, available_replicas;
};

/* Reads the current value, an object, as one item. hint: its kind when it does not say itself, or
 * KIND_NONE. An item that is itself a list is read as one. */
void item_read(struct reader *reader, enum kind hint);

/* Puts what a summary item says where its kind keeps it. */
void summary_fill(struct reader *reader, enum kind kind, const struct summary *summary,
                  void *structure);

/* Reads the current value, an object, as a document: an item, a list, or collections. */
void document_read(struct reader *reader);

/* The current value, an object, as a list: its member "items". */
void list_read(struct reader *reader);

/* What was read under a mark cannot be read again; goes back to the level `depth` and on. The bytes
 * have been passed on, so redaction fails. */
void cannot_reread(struct decoder *decoder, unsigned depth);

/* Moves what was read into the lists of the cluster, in order, each object once. */
void collect_objects(struct reader *reader);

/* Counts an object of no kind that is read, and notes what its kind tells of the cluster. */
void count_unknown(struct reader *reader, struct str kind, struct str api_version);

#endif

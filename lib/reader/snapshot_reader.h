/* snapshot_reader: reads a pushed cluster into the model, in one pass and bounded memory; or tells
 * where its objects stand.
 *
 * Three forms are read, as native Kubernetes API objects print: one List of mixed kinds; several
 * JSON values one after another; one object whose members are collections ("pods": [...] or
 * {List}).
 */
#ifndef LOADLINE_READER_SNAPSHOT_READER_H
#define LOADLINE_READER_SNAPSHOT_READER_H

#include "codec/jr.h"
#include "codec/text_part.h"
#include "kube/model.h"
#include "reader/link.h"
#include "reader/object_memory.h"
#include "reader/snapshot_object.h"

enum {
    SNAPSHOT_DEPTH_MAX = 64,
    SNAPSHOT_STRING_MAX = 16 * 1024 * 1024, /* of a string that a check reads */
    SNAPSHOT_KEY_MAX = 64 * 1024
};

enum snapshot_code {
    SNAPSHOT_OK,
    SNAPSHOT_E_JSON,       /* see error.json */
    SNAPSHOT_E_NO_OBJECTS, /* valid JSON without a single Kubernetes object: must never become a
                              score */
    SNAPSHOT_E_SENSITIVE   /* without a redaction sink: something that must be redacted was met,
                              reading stopped there */
};

struct snapshot_error {
    enum snapshot_code code;
    struct jr_error json;
    /* Of SNAPSHOT_E_NO_OBJECTS, in the arena: the message of a Status, the API server's way to
     * refuse: it was there in place of objects. Absent: there was none. */
    struct str status;
    bool empty;         /* there was not a byte */
    unread_list unread; /* objects of kinds that are not read, which were all there was */
};

struct snapshot_options {
    /* Gets the document as pushed, redacted: Secret data and stringData, ConfigMap data, env
     * values, the last-applied annotation (and those of kapp and Rancher that are like it),
     * managedFields, ControllerRevision data, and whole objects of unknown kinds and unknown
     * members of a collection document are replaced (by {}, "", [] or null), everything else is
     * passed on byte for byte, but for secrets in it, which are cut out (scrub.h). After an error,
     * what the sink got must be thrown away. NULL: no redacted copy is made. */
    const struct sink *redacted;
    /* Gets the places of the objects that are read, in the redacted copy or, without `redacted`, in
     * the document. In the arena. Empty on error. NULL: nobody asks. */
    text_part_list *places;
    /* Gets those objects of the redacted copy that the memory knows, in place of `redacted`, as far
     * as it can be told. NULL, or without `redacted`: nobody asks. */
    const struct part_sink *known;
    /* Stop with SNAPSHOT_E_SENSITIVE at the first thing that would have to be redacted: the way to
     * find out cheaply that the bytes received can be stored as they came. Read again with
     * `redacted` then. Ignored when redacted is set. */
    bool stop_at_sensitive;
    /* What the last document of the same cluster had; NULL: nothing is known. Is not looked at
     * without `redacted` and `stop_at_sensitive`, nor with `told` or `origins`. */
    struct object_memory *memory;
    /* Objects of which the source knows the content: what the memory has of these is taken without
     * their bytes. NULL: the source knows nothing. Is not looked at without `redacted`. */
    const struct part_source *parts;
    /* Bytes of inflated input allowed; 0: the default, 1 GiB. */
    uint64_t total_max;
    /* The work that linking and judging may take; NULL: as effort_new() says. The effort is in
     * *effort from the beginning, so that it can be asked when the arena was unwound; or NULL. */
    const struct effort_limits *effort_limits;
    struct effort **effort;
    /* Is told of every object, also of those of kinds that are not read; or NULL. */
    const struct snapshot_visitor *told;
    /* What may be expected of each document; NULL: it was given as a snapshot. */
    const struct snapshot_origins *origins;
    /* Is set to what snapshot_extend() takes, in the arena; NULL on error. Not together with
     * `redacted`, `stop_at_sensitive` and `origins`. NULL: nobody asks. */
    struct snapshot_basis **basis;
};

/* Reads `source` (JSON, already inflated) into a model in the arena and links it (owners, services,
 * nodes). NULL on error, with *error filled. */
struct cluster *snapshot_read(struct arena *arena, struct source source,
                              const struct snapshot_options *options, struct snapshot_error *error);

/* A document that has been read, for a second model of it. */
struct snapshot_basis;

/* The model of what snapshot_read() would read if the documents of `more` stood behind the others:
 * of equal objects the newest counts, of equal versions the last. Only `more` is read. Once for
 * each basis; both models may be looked at. The visitor, or NULL, is for the second. Limits, and
 * where the effort is put, are those of the first. NULL on error, with *error filled: its offsets
 * are those of `more`. */
struct cluster *snapshot_extend(struct snapshot_basis *basis, struct source more,
                                const struct link_visitor *visitor, struct snapshot_error *error);

/* Tells of every object of a document that snapshot_read() has accepted before, in its order, and
 * keeps none. Of those with equal kind, namespace and name snapshot_read() keeps the newest, of
 * equal versions the last. False on error, with *error filled. */
bool snapshot_scan(struct arena *arena, struct source source,
                   const struct snapshot_visitor *visitor, struct snapshot_error *error);

/* The same for arrays of objects that stand in something larger, which the caller reads with the
 * scanner's reader. snapshot_scan_array(): the current value is one; goes behind it. False when it
 * is not well formed, which the reader tells, or an item is no object. */
struct snapshot_scanner;
struct snapshot_scanner *snapshot_scanner(struct arena *arena, struct source source,
                                          const struct snapshot_visitor *visitor);
struct jr *snapshot_scanner_jr(struct snapshot_scanner *scanner);
bool snapshot_scan_array(struct snapshot_scanner *scanner);

#endif

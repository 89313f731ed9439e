/* snapshot_object: one object of a document, and where it stands there. */
#ifndef LOADLINE_READER_SNAPSHOT_OBJECT_H
#define LOADLINE_READER_SNAPSHOT_OBJECT_H

#include "kube/meta.h"

enum { SNAPSHOT_TEXT_MAX = 8 * 1024 * 1024 };

struct snapshot_object {
    enum kind kind; /* KIND_NONE: of a kind that is not read; has no name then */
    struct object_version version;
    struct str namespace, name;     /* in the arena */
    bool has_kind, has_api_version; /* it says so itself; else its list does, or nobody */
    struct str api_version;         /* its own or its list's, in the arena; absent: not known */
    uint64_t from, to;              /* bytes of the document */
    /* These bytes, for as long as the visitor is told of them. Absent: snapshot_scan() tells, or
     * they are more than SNAPSHOT_TEXT_MAX. */
    struct str text;
};

/* A value that is none of what the API has in its place. It counts as left out. */
struct snapshot_misfit {
    uint64_t at;             /* its first byte in the document */
    struct str field;        /* "spec.containers[0].image", in the arena */
    const char *is, *wanted; /* "an object", "a list"; of a text, or a number, also "\"x\"" */
};

struct snapshot_visitor {
    void (*object)(void *context, const struct snapshot_object *object);
    /* Of an object that is read, before `object` tells of it; or NULL. */
    void (*misfit)(void *context, const struct snapshot_misfit *misfit);
    void *context;
};

/* Where a document comes from, when that says something about it. */
struct snapshot_origin {
    bool objects_only; /* it was found, not given: only what names its kind and its version counts,
                          or is in a list of `kind` and has metadata */
    enum kind kind;    /* of the items of a list that does not name it, or KIND_NONE */
};

struct snapshot_origins {
    /* Of the document that begins at this byte. */
    struct snapshot_origin (*find)(void *context, uint64_t offset);
    void *context;
};

#endif

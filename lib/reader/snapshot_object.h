/* snapshot_object: one object of a document, and where it stands there. */
#ifndef LOADLINE_READER_SNAPSHOT_OBJECT_H
#define LOADLINE_READER_SNAPSHOT_OBJECT_H

#include "kube/meta.h"

struct snapshot_object {
    enum kind kind;
    struct object_version version;
    struct str namespace, name;     /* in the arena */
    bool has_kind, has_api_version; /* it says so itself; else its list does, or nobody */
    struct str api_version;         /* its own or its list's; absent: not known */
    uint64_t from, to;              /* bytes of the document */
};

struct snapshot_visitor {
    void (*object)(void *context, const struct snapshot_object *object);
    void *context;
};

#endif

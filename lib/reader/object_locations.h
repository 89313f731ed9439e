/* object_locations: where the objects of a document stand, by kind: what GET /api/cluster shows, in
 * whatever form the document was pushed. No more of them is kept, a few hundred bytes an object.
 */
#ifndef LOADLINE_READER_OBJECT_LOCATIONS_H
#define LOADLINE_READER_OBJECT_LOCATIONS_H

#include "reader/snapshot_reader.h"

struct object_location {
    struct snapshot_object object;
    uint64_t hash;
    bool repeated; /* the document has the same object in a newer version, or further on: that
                      counts */
};

struct object_locations {
    /* Of each kind, in the order of the document. */
    LIST(struct object_location) kinds[KIND_COUNT];
};

/* All objects of a document that snapshot_read() has accepted before. NULL on error, with *error
 * filled. */
struct object_locations *object_locations_read(struct arena *arena, struct source source,
                                               struct snapshot_error *error);

/* What has to stand before the object's closing brace, so that it says what it is where it left
 * that to its list: ,"apiVersion":"v1","kind":"Pod". In the arena; empty mostly. */
struct str object_location_type(struct arena *arena, const struct object_location *location);

#endif

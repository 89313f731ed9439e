/* misfits: what stands in the files and is nothing that the API would take there. It counts as left
 * out, so whoever wrote it is told.
 */
#ifndef LOADLINE_BIN_MISFITS_H
#define LOADLINE_BIN_MISFITS_H

#include "kube/model.h"
#include "offline/places.h"
#include "reader/snapshot_object.h"

struct misfit;

struct misfits {
    struct arena *arena;
    LIST(struct misfit) list; /* of the object that is being read the last ones, without a name */
    uint32_t named;           /* how many have one */
    uint32_t more;            /* that are not in the list any more */
};

/* The next object has this in it. */
void misfits_add(struct misfits *misfits, const struct snapshot_misfit *misfit);
/* It has been read. */
void misfits_name(struct misfits *misfits, const struct snapshot_object *object);
/* When all has been read: the object that begins at this byte has this in it. text: static. */
void misfits_add_to(struct misfits *misfits, const struct object *object, uint64_t from,
                    const char *text);
/* A line each on stderr: the file, the line, the object and the field; unless verbose, the first
 * ones. */
void misfits_tell(const struct misfits *misfits, const struct places *places, bool verbose);

#endif

/* reading: what loadline-score is given becomes a cluster, or a complaint. */
#ifndef LOADLINE_BIN_READING_H
#define LOADLINE_BIN_READING_H

#include "base/table.h"
#include "kube/model.h"
#include "misfits.h"
#include "offline/input.h"

struct reading {
    struct arena *arena;
    struct input *input; /* whoever has this closes it, whatever happened */
    struct cluster *cluster;
    struct effort *effort; /* of judging it; NULL: nothing was read yet */
    struct table located;  /* where objects stand, by kind, namespace and name */
    struct misfits misfits;
    int64_t started, shown; /* progress: milliseconds */
};

/* Reads files, directories, archives and "-". False after a complaint on stderr. */
bool reading_run(struct reading *reading, struct arena *arena, const char *const *names, size_t n);
/* Where an object stands. False when that is not known; object: NULL is allowed. */
bool reading_find(const struct reading *reading, const struct object *object, struct place *place);
/* Says on stderr which values count as left out, what was read and, when verbose, what was passed
 * over; of files nothing when all of them were named. */
void reading_tell(const struct reading *reading, bool verbose);

#endif

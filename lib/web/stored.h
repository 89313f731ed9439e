/* stored: the document of a stored snapshot, for as long as a request lasts. */
#ifndef LOADLINE_WEB_STORED_H
#define LOADLINE_WEB_STORED_H

#include "store/snapshot.h"
#include "web/request.h"

/* With a spool for snapshot_fetch(). NULL when it cannot be had: the log says why. */
struct snapshot_stored *stored_new(struct request *r);
/* From its beginning; once. OUT_OF_MEMORY, INTERNAL. */
enum error stored_open(struct request *r, const struct snapshot_stored *stored,
                       struct source *source);

#endif

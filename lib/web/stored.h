/* stored: the document of a stored snapshot, for as long as a request lasts. */
#ifndef LOADLINE_WEB_STORED_H
#define LOADLINE_WEB_STORED_H

#include "store/snapshot.h"
#include "web/request.h"

/* With spools for snapshot_fetch() and stored_open(). NULL when it cannot be had: the log says why.
 */
struct snapshot_stored *stored_new(struct request *r);
/* From its beginning; once. OUT_OF_MEMORY. */
enum error stored_open(struct request *r, const struct snapshot_stored *stored,
                       struct source *source);
/* The document cannot be read: is what is stored damaged? False when a spool has failed, on a full
 * disk for example: the log says so, and another time it can be read. */
bool stored_is_to_blame(const struct snapshot_stored *stored);

#endif

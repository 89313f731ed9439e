/* ahead: the API keys and clusters of requests that are served together, read at once before the
 * first of them is; and of a push of a snapshot its key, together with what is known of its
 * cluster. What is read was true when they had all arrived, so none is let in that would have been
 * refused. It changes nothing but time: who finds nothing here asks the database, and is refused
 * there.
 */
#ifndef LOADLINE_WEB_AHEAD_H
#define LOADLINE_WEB_AHEAD_H

#include "store/keyed_cluster.h"
#include "store/push.h"
#include "web/route.h"

/* A body that is larger is likely to have a manifest, which takes long: other workers may be free
 * for it, and of several that one worker has taken the last would be served first. */
enum { AHEAD_BODY_MAX = 1024 };

/* Notes what the transport's current request will ask for: a pipeline's, that names its cluster in
 * the header and is short, or a push's. Its head has been read. */
void ahead_note(struct request *r, struct route_table table);
/* Reads for those that have noted something. They use what was read until the arena is reset, which
 * is guarded; nothing is read when it is exhausted. */
void ahead_read(struct db *db, struct arena *arena, struct request *const *requests, size_t n);

/* The key of the request; NULL: ask the database. */
const struct apikey *ahead_key(const struct request *r);
/* What to answer when e came of asking the database: reading may have used up the time for it, and
 * then it is told why that failed. */
enum error ahead_cause(const struct request *r, enum error e);
/* What push_look_up() says of this push of a snapshot, where that was read less than a second ago;
 * the second time, and otherwise, NULL: ask the database. */
struct push_before *ahead_push(struct request *r, struct str name, const struct push_id *id);
/* The tenant's cluster of that name, in the request's arena; NULL: ask the database. */
struct cluster_row *ahead_cluster(const struct request *r, struct str name);

#endif

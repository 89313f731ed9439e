/* push_head: what the head of a push says of it. */
#ifndef LOADLINE_WEB_PUSH_HEAD_H
#define LOADLINE_WEB_PUSH_HEAD_H

#include "web/request.h"

/* The Content-Type of a body that says what has changed (web/changed_body.h). */
#define PUSH_CHANGES_TYPE "application/vnd.loadline.changes+json"

/* Has it such a body? */
bool push_head_is_changes(const struct request *r);
/* The kind of a push of a snapshot, or of what has changed in one: see push_identify(). */
struct str push_head_kind(const struct request *r);

/* Its Idempotency-Key, without the quotes that it may stand in; absent when there is none.
 * INVALID_FIELD. */
enum error push_head_key(struct request *r, struct str *key);
/* The same; false: it would be refused. */
bool push_head_read_key(const struct request *r, struct str *key);

#endif

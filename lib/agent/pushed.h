/* pushed: what the server has been told of the cluster, as names and digests, so that the next push
 * says only what has changed since (reader/changes.h).
 *
 * A push is gathered anew each time, list by list. When the server has taken it, it becomes what
 * the next one is compared with: what changes while a push is under way, and pushes that got lost,
 * need no thought.
 */
#ifndef LOADLINE_AGENT_PUSHED_H
#define LOADLINE_AGENT_PUSHED_H

#include "agent/store.h"

enum { PUSHED_REVISION_MAX = 64 };

struct pushed;

struct pushed *pushed_new(void);
void pushed_free(struct pushed *pushed);

/* ---- a push ---- */

void pushed_begin(struct pushed *pushed);
/* The next thing in it: a list with all its objects; or something else, such as a list that is
 * forbidden. The list stays until the push is written. */
void pushed_add_list(struct pushed *pushed, struct store_list *list);
void pushed_add_text(struct pushed *pushed, struct str text);

/* Can it be told as changes? Not unless the server has taken a push of the same lists, nor when
 * more than a quarter of the objects has changed, nor when a list has new ones alone. */
bool pushed_can_tell_changes(struct pushed *pushed);
/* Puts the list of changes. */
void pushed_put_changes(struct pushed *pushed, struct bytes *out);

/* The server has taken it, and calls it so; an absent revision: it does not say. */
void pushed_take(struct pushed *pushed, struct str revision);
/* Nobody knows what the server has. */
void pushed_forget(struct pushed *pushed);

/* The revision of an answer; absent when it has none. In `text`, which has room for
 * PUSHED_REVISION_MAX bytes. */
struct str pushed_revision(struct str answer, char *text);

#endif

/* snapshot_text: the document of what is stored of it (snapshot.h).
 */
#ifndef LOADLINE_STORE_SNAPSHOT_TEXT_H
#define LOADLINE_STORE_SNAPSHOT_TEXT_H

#include "store/snapshot.h"

struct snapshot_text;

/* room: an empty spool, for what is not read in the order in which it is stored. Frees come before
 * those of the spools. NULL without memory. */
struct snapshot_text *snapshot_open(const struct snapshot_stored *stored, struct spool *room);
void snapshot_text_free(struct snapshot_text *text);
/* Fails at what is damaged or is not what was stored, at the latest at the end: what was read until
 * then must not be used. */
struct source snapshot_text_source(struct snapshot_text *text);

#endif

/* snapshot_text: the document of what is stored of it (snapshot.h).
 */
#ifndef LOADLINE_STORE_SNAPSHOT_TEXT_H
#define LOADLINE_STORE_SNAPSHOT_TEXT_H

#include "store/snapshot.h"

struct snapshot_text;

/* Once: its room is empty then. Frees come before those of the spools. NULL without memory. */
struct snapshot_text *snapshot_open(const struct snapshot_stored *stored);
void snapshot_text_free(struct snapshot_text *text);
/* Fails at what is damaged or is not what was stored, and when a spool does (spool_failed()); at
 * the latest at the end: what was read until then must not be used. */
struct source snapshot_text_source(struct snapshot_text *text);

#endif

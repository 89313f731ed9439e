/* redact: what must not be kept (snapshot_reader.h says what that is), met while reading. */
#ifndef LOADLINE_READER_REDACT_H
#define LOADLINE_READER_REDACT_H

#include "reader/decoder.h"

/* The current value must not be kept. Redacting: `instead` stands in its place and the value is
 * gone. Finding: reading stops. Otherwise nothing happens and it can still be read. */
void redact_value(struct decoder *decoder, struct str instead);

/* Leaves the current value out: null stands in its place or, at the top level, where one value may
 * stand right behind another, {}. */
void redact_whole(struct decoder *decoder, enum jr_type type);

/* The same for a text that stands for itself: there is nothing to redact of null, "" and marks. A
 * mark (kube/credential.h) stands in its place; `instead` is a static one, with its quotes. */
void redact_text(struct decoder *decoder, enum jr_type type);
void redact_text_as(struct decoder *decoder, enum jr_type type, struct str instead);

/* The same for an object or array that is looked at first: read(decoder, structure) is called
 * unless reading stops. One without members needs no redaction. */
void redact_after(struct decoder *decoder, struct str instead,
                  void (*read)(struct decoder *decoder, void *structure), void *structure);

/* A value where none of its type belongs, or a member of a summary item that is not known: env
 * values and the like are redacted wherever they are in it. */
void redact_unexpected(struct decoder *decoder, enum jr_type type);
/* The same, where the key may say already what the value is. */
void redact_member(struct decoder *decoder, enum jr_type type);

/* A member that no table knows, of an object that is known: it is passed on, but looked through
 * when its name is one of those that lead to metadata and containers. */
void redact_unknown(struct decoder *decoder, enum jr_type type);

/* A member that is not read, of an object of which nothing else is kept. */
void redact_rest(struct decoder *decoder, enum jr_type type);

/* Reading ends here: what was passed on already could not be redacted. `why` is static. */
void redact_refuse(struct decoder *decoder, enum jr_code code, const char *why);
#define REDACT_TOO_LARGE "an object is too large to be redacted"

/* What was read under a mark cannot be read again; goes back to the level `depth` and on. The bytes
 * have been passed on, so redaction fails. */
void redact_cannot_reread(struct decoder *decoder, unsigned depth);

/* Annotations that repeat the whole object as somebody wrote it. */
bool redact_is_manifest_annotation(struct str key);

#endif

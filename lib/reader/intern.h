/* intern: strings, lists and structures of a model, each kept once however often it occurs.
 *
 * Pods of one owner say nearly the same, so most of what is read has been read before. What is
 * kept is known by its bytes; what it points to must be interned already (then equal pointers mean
 * equal content). Everything lives in the arena; the look-up tables too.
 */
#ifndef LOADLINE_READER_INTERN_H
#define LOADLINE_READER_INTERN_H

#include "base/arena.h"

struct intern;

struct intern *intern_new(struct arena *arena);
/* What `kept` has is not copied again: its copy is the one. The two may be used by turns; what is
 * added to `kept` meanwhile may have a second copy here. `kept` must live as long. */
struct intern *intern_new_over(struct arena *arena, const struct intern *kept);

/* For text that outlives the request it came with: a string that holds a secret is not copied, and
 * what was read with it is good for nothing. */
void intern_refuse_secrets(struct intern *intern);
/* Was one refused since this was asked for last? */
bool intern_refused(struct intern *intern);

/* The one copy of these bytes. Empty text gives the absent slice. */
struct str intern_string(struct intern *intern, struct str text);
/* The one copy of n bytes of a type; `type` is any address that stands for it. n must not be 0. */
const void *intern_block(struct intern *intern, const void *type, const void *bytes, size_t n);

#endif
